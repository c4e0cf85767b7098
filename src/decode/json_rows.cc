#include "decode/json_rows.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace forebay {
namespace {

using Json = nlohmann::json;

void append_quoted(std::string& text, std::string_view value) {
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
  bool end_array() override { return !nested_.open() || end_nested(); }

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

// Characters of a source one by one, for the parser; an error of the source ends them.
class Characters {
 public:
  explicit Characters(ByteSource& text) : text_(text) {}

  std::optional<char> peek() {
    if (at_ == portion_.size() && !ended_) refill();
    if (at_ == portion_.size()) return std::nullopt;
    return portion_[at_];
  }
  void advance() {
    if (portion_[at_] == '\n') ++line_;
    ++at_;
  }
  std::uint64_t line() const { return line_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  void refill() {
    auto next = text_.next();
    if (!next) error_ = std::move(next).error();
    portion_ = next ? *next : std::string_view();
    at_ = 0;
    ended_ = portion_.empty();
  }

  ByteSource& text_;
  std::string_view portion_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  bool ended_ = false;
  std::optional<Error> error_;
};

class CharacterIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  explicit CharacterIterator(Characters* characters) : characters_(characters) {}
  char operator*() const { return *characters_->peek(); }
  CharacterIterator& operator++() {
    characters_->advance();
    return *this;
  }
  void operator++(int) { ++*this; }
  // Compared with the end only.
  bool operator==(const CharacterIterator& other) const {
    const Characters* one = characters_ != nullptr ? characters_ : other.characters_;
    return (characters_ == nullptr) == (other.characters_ == nullptr) ||
           !const_cast<Characters*>(one)->peek();
  }

 private:
  Characters* characters_;
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class JsonReader {
 public:
  JsonReader(ByteSource& text, const std::string& object, RowSink& rows)
      : characters_(text), object_(object), rows_(rows) {}

  Status read() {
    while (characters_.peek() && is_space(*characters_.peek())) characters_.advance();
    if (characters_.peek() == '[') {
      RowBuilder builder(true, rows_);
      const bool whole =
          Json::sax_parse(CharacterIterator(&characters_), CharacterIterator(nullptr), &builder);
      return outcome(whole, builder, characters_.line());
    }
    RowBuilder builder(false, rows_);
    while (characters_.peek()) RETURN_IF_ERROR(read_line(builder));
    if (characters_.error()) return fail(*characters_.error());
    return {};
  }

 private:
  Status read_line(RowBuilder& builder) {
    const std::uint64_t line = characters_.line();
    line_.clear();
    bool blank = true;
    for (auto c = characters_.peek(); c; c = characters_.peek()) {
      characters_.advance();
      if (*c == '\n') break;
      blank = blank && is_space(*c);
      line_ += *c;
      if (line_.size() > kMaxTextRecordBytes)
        return fail(undecodable(
            object_, fmt::format("line {} has more than {} bytes", line, kMaxTextRecordBytes)));
    }
    if (characters_.error()) return fail(*characters_.error());
    if (blank) return {};
    return outcome(Json::sax_parse(line_, &builder), builder, line);
  }

  Status outcome(bool whole, const RowBuilder& builder, std::uint64_t line) const {
    if (characters_.error()) return fail(*characters_.error());
    if (whole) return {};
    if (builder.error()) return fail(*builder.error());
    return fail(
        undecodable(object_, fmt::format("line {}: {}", line, builder.problem()),
                    "each line must be one JSON object, or the whole file one array of objects"));
  }

  Characters characters_;
  const std::string& object_;
  RowSink& rows_;
  std::string line_;
};

}  // namespace

Status read_json_rows(ByteSource& text, const std::string& object, RowSink& rows) {
  return JsonReader(text, object, rows).read();
}

}  // namespace forebay
