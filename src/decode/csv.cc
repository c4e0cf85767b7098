#include "decode/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/limits.h"

namespace forebay {
namespace {

class CsvReader {
 public:
  CsvReader(ByteSource& text, const CsvDialect& dialect, const std::string& object, RowSink& rows)
      : text_(text), dialect_(dialect), object_(object), rows_(rows) {
    for (const char c : {'\n', '\r', dialect.delimiter}) special_[index(c)] = true;
    if (dialect.quote) special_[index(*dialect.quote)] = true;
    in_quotes_[index(dialect.escape)] = true;
    in_quotes_[index('\n')] = true;
    if (dialect.quote) in_quotes_[index(*dialect.quote)] = true;
  }

  Status read() {
    if (!dialect_.header) {
      for (const std::string& name : dialect_.columns) RETURN_IF_ERROR(name_column(name));
    }
    while (true) {
      ASSIGN_OR_RETURN(const std::string_view portion, text_.next());
      if (portion.empty()) return finish();
      RETURN_IF_ERROR(take(portion));
    }
  }

 private:
  enum class At {
    field_start,
    bare,       // in a field without quotes
    quoted,     // within quotes
    escaped,    // behind an escape that is no quote
    quote_end,  // behind a quote within quotes: the end of the field, or one half of a pair
    carriage_return
  };
  struct Field {
    std::size_t begin;
    std::size_t end;
    bool quoted;
  };

  static std::size_t index(char c) { return static_cast<unsigned char>(c); }
  bool is_quote(char c) const { return dialect_.quote == c; }

  Status take(std::string_view portion) {
    for (std::size_t i = 0; i < portion.size();) {
      // Runs of ordinary characters are taken at once.
      if (at_ == At::bare || at_ == At::quoted) {
        const auto& stops = at_ == At::bare ? special_ : in_quotes_;
        std::size_t end = i;
        while (end < portion.size() && !stops[index(portion[end])]) ++end;
        row_.append(portion, i, end - i);
        i = end;
        if (row_.size() > kMaxTextRecordBytes) return too_long();
        if (i == portion.size()) break;
      }
      RETURN_IF_ERROR(take(portion[i++]));
    }
    return {};
  }

  Status take(char c) {
    switch (at_) {
      case At::field_start:
        if (is_quote(c)) {
          at_ = At::quoted;
          quoted_ = true;
          return {};
        }
        at_ = At::bare;
        return take_bare(c);
      case At::bare: return take_bare(c);
      case At::quoted: return take_quoted(c);
      case At::escaped:
        if (!is_quote(c) && c != dialect_.escape)
          return wrong(fmt::format("an escape ({}) stands before something else than a quote",
                                   dialect_.escape));
        row_ += c;
        at_ = At::quoted;
        return {};
      case At::quote_end:
        if (is_quote(c) && dialect_.escape == c) {
          row_ += c;
          at_ = At::quoted;
          return {};
        }
        if (c != dialect_.delimiter && c != '\n' && c != '\r')
          return wrong("something follows the quote that ends a field",
                       "if quotes within fields stand behind a backslash, say `escape: \"\\\\\"`");
        return take_bare(c);
      case At::carriage_return:
        if (c != '\n') return lone_carriage_return();
        return end_row();
    }
    std::unreachable();
  }

  Status take_bare(char c) {
    if (c == dialect_.delimiter) return end_field();
    if (c == '\n') return end_row();
    if (c == '\r') {
      at_ = At::carriage_return;
      return {};
    }
    if (is_quote(c))
      return wrong("a quote stands within a field that does not begin with one",
                   "if quotes mean nothing in this file, say quote: none");
    row_ += c;
    return {};
  }

  Status take_quoted(char c) {
    if (c == '\n') {
      ++lines_in_row_;
      row_ += c;
    } else if (is_quote(c)) {
      at_ = At::quote_end;
    } else if (c == dialect_.escape) {
      at_ = At::escaped;
    } else {
      row_ += c;
    }
    return {};
  }

  // A file of nothing but delimiters would take many times its size otherwise.
  Status end_field() {
    if (fields_.size() == kMaxTextColumns)
      return wrong(fmt::format("it has more than {} fields", kMaxTextColumns));
    const std::size_t begin = fields_.empty() ? 0 : fields_.back().end;
    fields_.push_back({begin, row_.size(), quoted_});
    quoted_ = false;
    at_ = At::field_start;
    return {};
  }

  Status end_row() {
    RETURN_IF_ERROR(end_field());
    if (!named_) {
      for (std::size_t i = 0; i < fields_.size(); ++i) RETURN_IF_ERROR(name_column(text_of(i)));
    } else {
      if (fields_.size() != columns_)
        return wrong(fmt::format("it has {} fields, the {} {}", fields_.size(),
                                 dialect_.header ? "header names" : "description's columns are",
                                 columns_));
      for (std::size_t i = 0; i < fields_.size(); ++i) {
        const std::string_view value = text_of(i);
        if (fields_[i].quoted || !is_null(value)) rows_.set(i, value, TextOrigin::plain);
      }
      RETURN_IF_ERROR(rows_.end_row());
    }
    named_ = true;
    line_ += lines_in_row_ + 1;
    lines_in_row_ = 0;
    row_.clear();
    fields_.clear();
    return {};
  }

  Status finish() {
    if (at_ == At::quoted || at_ == At::escaped) return wrong("a quote stays open");
    if (at_ == At::carriage_return) return lone_carriage_return();
    const bool unfinished = !row_.empty() || !fields_.empty() || at_ != At::field_start;
    if (unfinished) RETURN_IF_ERROR(end_row());
    if (!named_)
      return fail(undecodable(object_, "it has no header line",
                              "a file without rows has a header still; if there is never one, "
                              "say header: false and columns"));
    return {};
  }

  Status name_column(std::string_view name) {
    named_ = true;
    ++columns_;
    const auto added = rows_.add_column(name);
    if (!added) return fail(added.error());
    return {};
  }

  std::string_view text_of(std::size_t field) const {
    return std::string_view(row_).substr(fields_[field].begin,
                                         fields_[field].end - fields_[field].begin);
  }
  bool is_null(std::string_view value) const {
    return value.empty() || std::ranges::find(dialect_.nulls, value) != dialect_.nulls.end();
  }

  Status wrong(const std::string& cause, std::string hint = {}) const {
    return fail(undecodable(object_, fmt::format("line {}: {}", line_, cause), std::move(hint)));
  }
  Status lone_carriage_return() const {
    return wrong("a carriage return without a line feed, and not within quotes");
  }
  Status too_long() const {
    return wrong(fmt::format("a row of more than {} bytes", kMaxTextRecordBytes),
                 "was a quote left open?");
  }

  ByteSource& text_;
  const CsvDialect& dialect_;
  const std::string& object_;
  RowSink& rows_;
  std::array<bool, 256> special_{};
  std::array<bool, 256> in_quotes_{};
  At at_ = At::field_start;
  std::string row_;  // the texts of the row's fields, one behind the other
  std::vector<Field> fields_;
  bool quoted_ = false;  // the field that is being read
  bool named_ = false;   // the columns have their names
  std::size_t columns_ = 0;
  std::uint64_t line_ = 1;  // where the row begins
  std::uint64_t lines_in_row_ = 0;
};

}  // namespace

Status read_csv(ByteSource& text, const CsvDialect& dialect, const std::string& object,
                RowSink& rows) {
  return CsvReader(text, dialect, object, rows).read();
}

}  // namespace forebay
