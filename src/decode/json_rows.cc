#include "decode/json_rows.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "decode/json_envelope.h"
#include "decode/json_list.h"
#include "decode/json_row_builder.h"

namespace forebay {
namespace {

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

  // Objects one behind the other, each with its records in a list; none is an empty file.
  Status read_lists(const std::vector<std::string>& path) {
    ListInside list(path, rows_);
    while (skip_space()) {
      const bool whole =
          Json::sax_parse(CharacterIterator(&characters_), CharacterIterator(nullptr), &list,
                          nlohmann::detail::input_format_t::json, false);
      RETURN_IF_ERROR(outcome(whole, list, characters_.line()));
    }
    if (characters_.error()) return fail(*characters_.error());
    return {};
  }

  Status read() {
    skip_space();
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
  // False at the end.
  bool skip_space() {
    while (characters_.peek() && is_space(*characters_.peek())) characters_.advance();
    return characters_.peek().has_value();
  }

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

  template <class Builder>
  Status outcome(bool whole, const Builder& builder, std::uint64_t line) const {
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

Status read_json_rows(ByteSource& text, const JsonShape& shape, const std::string& object,
                      RowSink& rows) {
  const auto read = [&](RowSink& records) {
    JsonReader reader(text, object, records);
    return shape.list.empty() ? reader.read() : reader.read_lists(shape.list);
  };
  if (shape.roots.empty() && shape.record.empty() && shape.only.empty()) return read(rows);
  JsonEnvelope envelope(shape, object, rows);
  return read(envelope);
}

}  // namespace forebay
