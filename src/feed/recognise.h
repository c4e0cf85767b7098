#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "feed/builtin.h"
#include "feed/feed.h"

namespace forebay {

// What a description makes of some keys of a source that nobody has described yet.
struct Recognised {
  std::string feed;
  UnitKind kind = UnitKind::file;
  std::size_t units = 0;            // keys that are units of it
  std::string example;              // the first of them
  std::vector<std::string> tables;  // that keys alone show, sorted; empty where they do not
  std::vector<std::string> needed;  // options that a pipeline must give
  std::map<std::string, std::string> suggested;  // values for some of them
  std::vector<std::string> warnings;             // what else the keys say, one sentence each
};

// The descriptions of which some key is a unit, the most telling first. Documents tell more than
// files, since a source that has them lists its files there; then the description whose pattern
// spells out more of a key; then the one that knows more of the keys.
Result<std::vector<Recognised>> recognise(std::span<const BuiltinFeed> feeds,
                                          const std::vector<std::string>& keys);

}  // namespace forebay
