// CSV: damaged with a line, or rows that read the same once they are written again. The first byte
// chooses a dialect.
#include "decode/csv.h"

#include <fmt/format.h>

#include <array>

#include "fuzz/fuzz.h"
#include "support/text_rows.h"

namespace forebay::test {
namespace {

struct Rows final : RowSink {
  std::vector<std::string> names;
  std::vector<std::vector<std::optional<std::string>>> rows;

  Result<std::size_t> add_column(std::string_view name) override {
    names.emplace_back(name);
    return names.size() - 1;
  }
  void set(std::size_t column, std::string_view value, TextOrigin /*origin*/) override {
    row_.resize(names.size());
    row_.at(column) = std::string(value);
  }
  Status end_row() override {
    row_.resize(names.size());
    rows.push_back(std::exchange(row_, {}));
    return {};
  }

 private:
  std::vector<std::optional<std::string>> row_;
};

std::string told(const Status& status) { return status ? "read" : describe(status.error()); }

Status read_in(std::size_t portion, std::string_view text, const CsvDialect& dialect, Rows& rows) {
  Portions source{std::string(text), portion};
  return read_csv(source, dialect, "it", rows);
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string written(const Rows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.names.size(); ++i)
    text += (i == 0 ? "" : ",") + in_quotes(rows.names[i]);
  text += "\n";
  for (const auto& row : rows.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += (i == 0 ? "" : ",") + (row[i] ? in_quotes(*row[i]) : "");
    text += "\n";
  }
  return text;
}

}  // namespace

FOREBAY_FUZZ(csv) {
  static const std::array<CsvDialect, 5> kDialects{
      CsvDialect{}, CsvDialect{.delimiter = '\t', .nulls = {"NULL"}},
      CsvDialect{.delimiter = ';', .escape = '\\'}, CsvDialect{.quote = std::nullopt},
      CsvDialect{.header = false, .columns = {"a", "b"}}};
  const CsvDialect& dialect = kDialects[take_byte(input) % kDialects.size()];
  Rows whole;
  const Status read = read_in(input.size() + 1, input, dialect, whole);
  for (const std::size_t portion : {1, 3}) {
    Rows pieces;
    const Status same = read_in(static_cast<std::size_t>(portion), input, dialect, pieces);
    must(told(same) == told(read) && pieces.rows == whole.rows && pieces.names == whole.names,
         "portions make no difference");
  }
  if (!read) {
    must(read.error().code == ErrorCode::damaged, "a file is right or damaged");
    return;
  }
  must(whole.rows.size() <= input.size() + 1, "a row takes a byte at least");
  // One column that is null is written as an empty line, which is a row of it too.
  Rows again;
  const Status reread = read_in(4096, written(whole), {}, again);
  must(reread && again.rows == whole.rows && again.names == whole.names, "rows lead back");
}

}  // namespace forebay::test
