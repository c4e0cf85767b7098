// JSON rows and records: damaged with a line, or rows. The first byte chooses a shape.
#include "decode/json_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "fuzz/fuzz.h"
#include "support/text_rows.h"

namespace forebay::test {
namespace {

struct Told {
  std::string error;
  std::vector<std::string> names;
  std::vector<std::string> lines;

  bool operator==(const Told&) const = default;
};

Told read_in(std::size_t portion, std::string_view text, const JsonShape& shape) {
  Portions source{std::string(text), portion};
  RowLines rows;
  const Status status = read_json_rows(source, shape, "it", rows);
  if (!status) must(status.error().code == ErrorCode::damaged, "a file is right or damaged");
  return {
      .error = status ? "" : describe(status.error()), .names = rows.names, .lines = rows.lines};
}

}  // namespace

FOREBAY_FUZZ(json_rows) {
  static const std::array<JsonShape, 3> kShapes{
      JsonShape{},
      JsonShape{.roots = {{"after"}, {"before"}},
                .record = {{"op", {"op"}}, {"gone", {"after"}, true}}},
      JsonShape{.roots = {{"after"}},
                .may_lack_root = true,
                .record = {{"id", {"key", "0"}, false, true}}}};
  const std::size_t kind = take_byte(input) % kShapes.size();
  const Told whole = read_in(input.size() + 1, input, kShapes[kind]);
  for (const std::size_t portion : {1, 5})
    must(read_in(portion, input, kShapes[kind]) == whole, "portions make no difference");
  must(whole.lines.size() <= input.size(), "a row takes a byte at least");
  // A single object is JSON for the other reader too, and the reverse.
  // NUL bytes are found before (decode/check_text.cc).
  if (kind != 0 || input.find('\n') != std::string_view::npos || input.contains('\0')) return;
  const auto document = read_json(input, "it");
  const bool row = document && document->is_object();
  if (row && input.find("\\u0000") == std::string_view::npos)
    must(whole.error.empty() && whole.lines.size() == 1, "an object is a row");
  if (whole.error.empty() && whole.lines.size() == 1 && !input.contains('['))
    must(row, "a row is an object");
}

}  // namespace forebay::test
