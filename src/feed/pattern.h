#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace forebay {

// What a capture holds: text as it stands, a whole number (decimal or hexadecimal), or a time.
using CaptureValue = std::variant<std::string, std::uint64_t, Time>;

struct Captures {
  std::vector<std::pair<std::string, CaptureValue>> values;

  const CaptureValue* find(std::string_view name) const;
};

// The shape of a name, with typed captures: "{dir}/{table}/{n:hex}-{day:%Y-%m-%d}.parquet".
// `{name}` is text within one path segment, `{name:path}` may cross segments, `{name:int}` and
// `{name:hex}` are whole numbers, `{name:%…}` is a time in UTC. `*` matches within a segment, `**`
// across; everything else is literal, and `{{`, `}}` stand for braces.
// Immutable after parsing; safe to share between threads.
class Pattern {
 public:
  // invalid_config with what is wrong and where in the text.
  static Result<Pattern> parse(std::string_view text);

  // The captures of a key that has this shape, else nothing. The whole key must match; a key that
  // matches in two ways gives the one whose earlier captures are shorter.
  std::optional<Captures> match(std::string_view key) const;

  // What every matching key begins with, literally: pushed into the listing.
  const std::string& literal_prefix() const { return literal_prefix_; }
  const std::string& text() const { return text_; }
  std::vector<std::string> capture_names() const;

 private:
  struct Part;
  std::string text_;
  std::string literal_prefix_;
  std::vector<Part> parts_;
};

}  // namespace forebay
