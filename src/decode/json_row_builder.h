#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "decode/json_nested_text.h"
#include "decode/row_sink.h"

namespace forebay {

using Json = nlohmann::json;

// Turns a parser's events into rows. With `array`, rows are the elements of the outermost list.
class RowBuilder : public nlohmann::json_sax<Json> {
 public:
  RowBuilder(bool array, RowSink& rows) : array_(array), rows_(rows) {}

  bool null() override {
    if (nested_.open()) nested_.value("null");
    return nested_.open() || in_row();
  }
  bool boolean(bool value) override { return scalar(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return scalar(fmt::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(fmt::to_string(value)); }
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    return scalar(text);
  }
  bool string(string_t& value) override {
    if (value.find('\0') != std::string::npos) return wrong("a text has a NUL character");
    if (nested_.open()) {
      nested_.string(value);
      return true;
    }
    return in_row() && put(value, TextOrigin::string);
  }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*size*/) override {
    if (in_row_) return begin_nested(true);
    if (array_ != in_array_) return wrong("a row is no object");
    in_row_ = true;
    ++row_;
    return true;
  }
  bool key(string_t& name) override {
    if (name.find('\0') != std::string::npos) return wrong("a key has a NUL character");
    if (nested_.open())
      return nested_.key(name) || wrong(fmt::format("the key \"{}\" is there twice", name));
    return find_column(name);
  }
  bool end_object() override {
    if (nested_.open()) return end_nested();
    in_row_ = false;
    if (Status ended = rows_.end_row(); !ended) {
      error_ = std::move(ended).error();
      return false;
    }
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    if (in_row_) return begin_nested(false);
    if (!array_ || in_array_) return wrong("a row is no object");
    in_array_ = true;
    return true;
  }
  bool end_array() override {
    if (nested_.open()) return end_nested();
    in_array_ = false;
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const Json::exception& error) override {
    // "[json.exception.…] parse error at line 1, column 5: …": what follows is for people.
    const std::string_view what = error.what();
    const std::size_t colon = what.find(": ");
    return wrong(fmt::format("no JSON: {}", colon == what.npos ? what : what.substr(colon + 2)));
  }

  // What stopped the parser: an error of the sink, or of the text.
  const std::optional<Error>& error() const { return error_; }
  const std::string& problem() const { return problem_; }

 private:
  bool wrong(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool in_row() { return in_row_ || wrong("a row is no object"); }

  bool put(std::string_view value, TextOrigin origin) {
    if (value.size() > kMaxTextRecordBytes)
      return wrong(fmt::format("a value of more than {} bytes", kMaxTextRecordBytes));
    rows_.set(column_, value, origin);
    return true;
  }
  bool scalar(std::string_view written) {
    if (nested_.open()) {
      nested_.value(written);
      return true;
    }
    return in_row() && put(written, TextOrigin::scalar);
  }

  bool begin_nested(bool is_object) {
    if (nested_.depth() >= static_cast<std::size_t>(kMaxDocumentDepth))
      return wrong(fmt::format("nested deeper than {} levels", kMaxDocumentDepth));
    nested_.begin(is_object);
    return true;
  }
  bool end_nested() {
    nested_.end();
    return nested_.open() || put(nested_.text(), TextOrigin::nested);
  }

  bool find_column(const std::string& name) {
    const auto known = columns_.find(name);
    if (known == columns_.end()) {
      auto added = rows_.add_column(name);
      if (!added) {
        error_ = std::move(added).error();
        return false;
      }
      column_ = *added;
      columns_.emplace(name, column_);
      last_row_.push_back(row_);
      return true;
    }
    column_ = known->second;
    if (last_row_[column_] == row_)
      return wrong(fmt::format("the key \"{}\" is there twice", name));
    last_row_[column_] = row_;
    return true;
  }

  const bool array_;
  RowSink& rows_;
  bool in_array_ = false;
  bool in_row_ = false;
  std::uint64_t row_ = 0;
  std::size_t column_ = 0;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::vector<std::uint64_t> last_row_;  // per column: the last row that has the key
  NestedText nested_;
  std::optional<Error> error_;
  std::string problem_;
};

}  // namespace forebay
