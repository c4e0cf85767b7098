#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "feed/pattern.h"

namespace forebay {

// One step of the automaton: it consumes a byte of `bytes`, then the next step comes or, if it
// repeats, the same one again. A step may also be passed over without consuming anything;
// one without bytes is only a fork.
struct PatternStep {
  std::bitset<256> bytes;
  int label = -1;  // the part of a capture that the byte belongs to; -1: of no capture
  bool repeats = false;
  int skip = 0;  // may jump this many steps ahead (0: may not)
  int other_skip = 0;
};

// A capture and the labels [first_label, end_label) that its bytes bear.
struct PatternCapture {
  std::string name;
  CaptureType type = CaptureType::text;
  int base = 10;            // of numbers
  std::string time_format;  // of times
  int first_label = 0;
  int end_label = 0;
};

struct Pattern::Machine {
  std::string text;
  std::string literal_prefix;
  // What every matching key ends in: tells most keys apart from other files without a run.
  std::string literal_suffix;
  std::vector<PatternStep> steps;
  std::vector<PatternCapture> captures;
  // Steps that are reached from step i (the last index: the end) without consuming a byte.
  std::vector<std::vector<std::uint16_t>> reach;

  std::size_t end() const { return steps.size(); }
  void finish();  // computes `reach` and the literal ends from the steps
};

// Text to steps. invalid_config with the position of what is wrong.
Result<Pattern::Machine> parse_pattern(std::string_view text);

// The shortest key that the pattern reads in two ways, if there is one.
std::optional<std::string> find_ambiguous_key(const Pattern::Machine& machine);

}  // namespace forebay
