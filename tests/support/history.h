#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/feed_maker.h"

namespace forebay::test {

// A made-up life of a RollerUp feed: markers in the order of their names, and what happens in the
// order of time. Markers may come late, in both kinds, and may be written again with the same
// content.
struct History {
  struct Step {
    enum class Kind { deliver, repeat, repeat_whole, load } kind = Kind::load;
    std::size_t marker = 0;                // deliver and repeat: index into markers
    std::optional<std::size_t> max_units;  // load
  };
  std::uint64_t seed = 0;
  std::vector<Marker> markers;
  std::vector<Step> steps;
};

// The same seed gives the same history, on every machine.
History make_history(std::uint64_t seed);

// As a person reads it: each marker with its files and rows, then the steps.
std::string to_text(const Marker& marker);
std::string to_text(const History& history);

}  // namespace forebay::test
