#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace forebay {

// Tells whether a hash was added twice. Holds eight bytes for each; parts by the highest bits are
// small enough to be looked through in a processor's cache, which is several times as fast as
// sorting.
class Repeats {
 public:
  // `expected`: how many will be added; more are no error, they cost time.
  explicit Repeats(std::size_t expected);
  void add(std::uint64_t hash) { parts_[hash >> kShift].push_back(hash); }
  bool found() const;

 private:
  static constexpr int kPartBits = 8;
  static constexpr int kShift = 64 - kPartBits;

  std::array<std::vector<std::uint64_t>, std::size_t{1} << kPartBits> parts_;
};

}  // namespace forebay
