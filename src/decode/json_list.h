#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "decode/json_row_builder.h"

namespace forebay {

// Takes a parser's events of objects, one after the other, and hands on those of the list at `path`
// in each, whose elements are rows; what else they say is passed over. One without a list is wrong.
class ListInside final : public nlohmann::json_sax<Json> {
 public:
  ListInside(const std::vector<std::string>& path, RowSink& rows)
      : path_(path), rows_(true, rows) {}

  bool null() override { return inside_ ? rows_.null() : passed(); }
  bool boolean(bool value) override { return inside_ ? rows_.boolean(value) : passed(); }
  bool number_integer(number_integer_t value) override {
    return inside_ ? rows_.number_integer(value) : passed();
  }
  bool number_unsigned(number_unsigned_t value) override {
    return inside_ ? rows_.number_unsigned(value) : passed();
  }
  bool number_float(number_float_t value, const string_t& text) override {
    return inside_ ? rows_.number_float(value, text) : passed();
  }
  bool string(string_t& value) override { return inside_ ? rows_.string(value) : passed(); }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t size) override {
    if (inside_) return ++within_, rows_.start_object(size);
    if (depth_ > 0 && on_path_) ++matched_;
    return enter();
  }
  bool key(string_t& name) override {
    if (inside_) return rows_.key(name);
    on_path_ = depth_ == matched_ + 1 && name == path_[matched_];
    return true;
  }
  bool end_object() override {
    if (inside_) return --within_, rows_.end_object();
    --depth_;
    if (matched_ > 0 && depth_ == matched_) --matched_;
    on_path_ = false;
    if (depth_ > 0) return true;
    return std::exchange(found_, false) || wrong("has no list at " + shown());
  }
  bool start_array(std::size_t size) override {
    if (inside_) return ++within_, rows_.start_array(size);
    if (depth_ == 0) return wrong("is no object with a list at " + shown());
    if (!on_path_ || matched_ + 1 != path_.size()) return enter();
    if (found_) return wrong(fmt::format("has {} twice", shown()));
    inside_ = found_ = true;
    return rows_.start_array(size);
  }
  bool end_array() override {
    if (!inside_) {
      --depth_;
      return true;
    }
    if (within_ == 0) {
      inside_ = on_path_ = false;
    } else {
      --within_;
    }
    return rows_.end_array();
  }
  bool parse_error(std::size_t position, const std::string& token,
                   const Json::exception& error) override {
    return rows_.parse_error(position, token, error);
  }

  const std::optional<Error>& error() const { return rows_.error(); }
  const std::string& problem() const { return problem_.empty() ? rows_.problem() : problem_; }

 private:
  bool enter() {
    on_path_ = false;
    if (++depth_ <= static_cast<std::size_t>(kMaxDocumentDepth)) return true;
    return wrong(fmt::format("nested deeper than {} levels", kMaxDocumentDepth));
  }
  bool passed() {
    on_path_ = false;
    return depth_ > 0 || wrong("is no object with a list at " + shown());
  }
  std::string shown() const { return fmt::format("/{}", fmt::join(path_, "/")); }
  bool wrong(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  const std::vector<std::string>& path_;
  RowBuilder rows_;
  std::size_t depth_ = 0;    // open objects and lists, outside the list
  std::size_t matched_ = 0;  // segments of the path that are open objects
  std::size_t within_ = 0;   // open objects and lists, within it
  bool on_path_ = false;     // the value that comes next is the path's next segment
  bool inside_ = false;
  bool found_ = false;
  std::string problem_;
};

}  // namespace forebay
