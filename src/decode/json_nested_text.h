#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace forebay {

inline void append_quoted(std::string& text, std::string_view value) {
  text += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      text += c;
    }
  }
  text += '"';
}

// The text of an object or a list within a row, written down again as its events come.
class NestedText {
 public:
  bool open() const { return !levels_.empty(); }
  std::size_t depth() const { return levels_.size(); }
  std::string_view text() const { return text_; }

  void begin(bool is_object) {
    if (levels_.empty()) text_.clear();
    separate();
    text_ += is_object ? '{' : '[';
    levels_.push_back({.is_object = is_object});
  }
  void end() {
    text_ += levels_.back().is_object ? '}' : ']';
    levels_.pop_back();
  }
  // False: this object has the key already.
  bool key(const std::string& name) {
    if (!levels_.back().keys.insert(name).second) return false;
    separate();
    append_quoted(text_, name);
    text_ += ':';
    levels_.back().after_key = true;
    return true;
  }
  void value(std::string_view written) {
    separate();
    text_ += written;
  }
  void string(std::string_view value) {
    separate();
    append_quoted(text_, value);
  }

 private:
  struct Level {
    bool is_object = false;
    bool after_key = false;
    bool any = false;
    std::set<std::string> keys;
  };
  void separate() {
    if (levels_.empty()) return;
    Level& level = levels_.back();
    if (level.any && !level.after_key) text_ += ',';
    level.any = true;
    level.after_key = false;
  }

  std::string text_;
  std::vector<Level> levels_;
};

}  // namespace forebay
