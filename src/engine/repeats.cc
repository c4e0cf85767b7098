#include "engine/repeats.h"

#include <bit>

namespace forebay {
namespace {

// Open addressing in a table that is at most half full; `slots` is kept from part to part for its
// memory. A slot of zero is free, so the hash zero is told apart.
bool any_twice(const std::vector<std::uint64_t>& hashes, std::vector<std::uint64_t>& slots) {
  slots.assign(std::bit_ceil(2 * hashes.size() + 1), 0);
  const std::size_t mask = slots.size() - 1;
  bool zero = false;
  for (const std::uint64_t hash : hashes) {
    if (hash == 0) {
      if (zero) return true;
      zero = true;
      continue;
    }
    std::size_t at = hash & mask;
    for (; slots[at] != 0; at = (at + 1) & mask) {
      if (slots[at] == hash) return true;
    }
    slots[at] = hash;
  }
  return false;
}

}  // namespace

Repeats::Repeats(std::size_t expected) {
  // Parts of random hashes differ by little.
  const std::size_t each = expected / parts_.size();
  for (auto& part : parts_) part.reserve(each + each / 8);
}

bool Repeats::found() const {
  std::vector<std::uint64_t> slots;
  for (const auto& part : parts_) {
    if (any_twice(part, slots)) return true;
  }
  return false;
}

}  // namespace forebay
