// UTF-8, and names compared with a form (`*` for any text) on the first line.
#include <vector>

#include "base/glob.h"
#include "base/utf8.h"
#include "decode/byte_source.h"
#include "fuzz/fuzz.h"
#include "support/text_rows.h"

namespace forebay::test {
namespace {

// Row by row: whether the form's first letters can be the name's first ones.
bool matches_slowly(std::string_view glob, std::string_view name) {
  std::vector<bool> can(name.size() + 1);
  can[0] = true;
  for (const char c : glob) {
    std::vector<bool> next(name.size() + 1);
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (c == '*') {
        next[i] = can[i] || (i > 0 && next[i - 1]);
      } else {
        next[i] = i > 0 && can[i - 1] && name[i - 1] == c;
      }
    }
    can = std::move(next);
  }
  return can.back();
}

}  // namespace

FOREBAY_FUZZ(text) {
  const std::string valid = valid_utf8(input);
  must(is_utf8(valid), "a mended text is UTF-8");
  must(valid.size() <= 3 * input.size(), "and at most three times as long");
  must(is_utf8(input) == (valid == input), "only a wrong one is mended");
  const std::string whole =
      all_of(*check_text(std::make_unique<Portions>(std::string(input), input.size() + 1), "it"));
  const std::string pieces =
      all_of(*check_text(std::make_unique<Portions>(std::string(input), 1), "it"));
  must(whole == pieces, "portions make no difference");
  const bool sound = is_utf8(input) && input.find('\0') == std::string_view::npos;
  must(sound == !(whole.starts_with("damaged: ") && whole != input), "all else is damaged");
  const std::string_view glob = take_line(input);
  if (input.size() * glob.size() < 1'000'000)
    must(matches_glob(glob, input) == matches_slowly(glob, input), "both matchers agree");
}

}  // namespace forebay::test
