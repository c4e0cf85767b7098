// Patterns of names, on the first line, and keys: a pattern reads a key in one way or not at all,
// as a slow matcher over its text finds too.
#include "feed/pattern.h"

#include <set>
#include <vector>

#include "fuzz/fuzz.h"

namespace forebay::test {
namespace {

// What the captures of a key are, if each is as the pattern has it.
using Reading = std::vector<std::string>;

// All readings of a key, by trying everything; without times.
class SlowMatcher {
 public:
  SlowMatcher(std::string_view pattern, std::string_view key) : pattern_(pattern), key_(key) {}

  // Nothing: it takes too long to say.
  std::optional<std::set<Reading>> readings() {
    go(0, 0);
    if (steps_ > kMostSteps) return std::nullopt;
    return found_;
  }

 private:
  static constexpr int kMostSteps = 20'000;

  void go(std::size_t at, std::size_t used) {
    if (++steps_ > kMostSteps) return;
    if (at == pattern_.size()) {
      if (used == key_.size()) found_.insert(now_);
      return;
    }
    const std::string_view rest = pattern_.substr(at);
    const bool at_segment = at == 0 || pattern_[at - 1] == '/';
    if (at_segment && rest.starts_with("**/")) {
      go(at + 3, used);
      for (std::size_t end = used; end < key_.size(); ++end)
        if (key_[end] == '/') go(at + 3, end + 1);
    } else if (rest.starts_with("**")) {
      for (std::size_t end = used; end <= key_.size(); ++end) go(at + 2, end);
    } else if (rest[0] == '*') {
      std::size_t end = used;
      for (go(at + 1, end); end < key_.size() && key_[end] != '/'; ++end) go(at + 1, end + 1);
    } else if (rest[0] == '{' && !rest.starts_with("{{")) {
      capture(at, used);
    } else {
      const std::size_t length = rest.starts_with("{{") || rest.starts_with("}}") ? 2 : 1;
      if (used < key_.size() && key_[used] == rest[0]) go(at + length, used + 1);
    }
  }

  void capture(std::size_t at, std::size_t used) {
    const std::size_t close = pattern_.find('}', at);
    const std::string_view inside = pattern_.substr(at + 1, close - at - 1);
    const std::size_t colon = inside.find(':');
    const std::string_view type = colon == std::string_view::npos ? "" : inside.substr(colon + 1);
    const auto takes = [&](char c) {
      if (type == "path") return true;
      if (type == "int") return c >= '0' && c <= '9';
      if (type == "hex") return std::string_view("0123456789abcdefABCDEF").contains(c);
      return c != '/' && (type != "short" || c != pattern_[close + 1]);
    };
    for (std::size_t end = used; end < key_.size() && takes(key_[end]); ++end) {
      now_.emplace_back(key_.substr(used, end + 1 - used));
      go(close + 1, end + 1);
      now_.pop_back();
    }
  }

  std::string_view pattern_;
  std::string_view key_;
  Reading now_;
  std::set<Reading> found_;
  int steps_ = 0;
};

}  // namespace

FOREBAY_FUZZ(pattern) {
  const std::string_view text = take_line(input);
  const auto pattern = Pattern::parse(text);
  if (!pattern) {
    must(pattern.error().code == ErrorCode::invalid_config, "a pattern is right or wrong");
    return;
  }
  const std::string_view key = input;
  const auto captures = pattern->match(key);
  if (captures) {
    must(key.starts_with(pattern->literal_prefix()), "listings by the prefix show every match");
    must(captures->values.size() == pattern->capture_names().size(), "every capture has a value");
  }
  if (text.contains('%') || key.size() > 64) return;
  const auto readings = SlowMatcher(text, key).readings();
  if (!readings) return;
  must(readings->size() <= 1, "a key has at most one reading");
  must(!captures || readings->size() == 1, "a match is a reading");
  if (readings->empty() || captures) return;
  bool too_large = false;  // numbers beyond 64 bits are none
  for (const std::string& value : *readings->begin()) too_large = too_large || value.size() > 16;
  must(too_large, "a reading is a match");
}

}  // namespace forebay::test
