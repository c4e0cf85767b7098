#pragma once

#include <cstdint>
#include <memory>
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

enum class CaptureType { text, number, time };

// The shape of a name, with typed captures: "{dir:path}/{table}/{n:hex}-{day:%Y-%m-%d}.parquet".
//   {name}        text within one segment, at least one byte
//   {name:short}  such text up to the first occurrence of the character that follows in the pattern
//   {name:path}   text that may cross segments
//   {name:int}    a whole number; {name:hex} one in hexadecimal, either case
//   {name:%…}     a time in UTC (the directives of base/time_text.h); may contain slashes
//   *   any bytes within a segment, also none;  **  across segments;
//   **/ at the beginning or after a slash: any folders, also none
// Everything else is literal; `{{` and `}}` stand for braces; `?`, `[` and `]` are kept for later.
//
// A key has at most one reading: a pattern that could give two is refused by parse(), with a key
// that shows it. Matching takes time in proportion to the key's length times the pattern's.
// Immutable after parsing; copies are cheap; safe to share between threads.
class Pattern {
 public:
  // invalid_config with what is wrong and where in the text.
  static Result<Pattern> parse(std::string_view text);

  // The captures of a key that has this shape, else nothing. The whole key must match, numbers must
  // fit 64 bits and times must exist on the calendar.
  std::optional<Captures> match(std::string_view key) const;

  // What every matching key begins with, literally: pushed into the listing.
  const std::string& literal_prefix() const;
  const std::string& text() const;
  std::vector<std::string> capture_names() const;
  std::optional<CaptureType> capture_type(std::string_view name) const;
  // The format of a capture that is a time; nullptr for others.
  const std::string* time_format(std::string_view name) const;
  // Whether all matching keys lie in the one folder that the literal prefix names.
  bool within_one_folder() const;
  // How many bytes of a key the pattern spells out: the more, the more a match means.
  std::size_t literal_bytes() const;
  // The capture that follows the literal prefix at once, if one does.
  std::optional<std::string> first_capture() const;

  bool operator==(const Pattern& other) const { return text() == other.text(); }

  struct Machine;  // the pattern as an automaton; src/feed/pattern_machine.h

 private:
  explicit Pattern(std::shared_ptr<const Machine> machine) : machine_(std::move(machine)) {}
  std::shared_ptr<const Machine> machine_;
};

}  // namespace forebay
