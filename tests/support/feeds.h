#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "feed/description.h"

namespace forebay::test {

// Options as a pipeline would give them, each one value.
inline Options options(std::initializer_list<std::pair<std::string, std::string>> given) {
  Options result;
  int line = 10;
  for (const auto& [name, value] : given) {
    result[name] = {.values = {value}, .where = "forebay.yaml:" + std::to_string(line++)};
  }
  return result;
}

// A built-in feed, bound; throws the error's text.
inline Feed builtin(std::string_view name, const Options& given = {}) {
  std::string origin = "feeds/" + std::string(name) + ".yaml";
  Result<Feed> feed = bind_feed(name, find_builtin_feed(name).value(), origin, given);
  if (!feed) throw std::runtime_error(describe(feed.error()));
  return *feed;
}

// A description written in a test.
inline Feed feed(std::string_view yaml, const Options& given = {}) {
  Result<Feed> bound = bind_feed("test", yaml, "test.yaml", given);
  if (!bound) throw std::runtime_error(describe(bound.error()));
  return *bound;
}

}  // namespace forebay::test
