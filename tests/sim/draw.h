#pragma once

#include <cstddef>
#include <cstdint>

namespace forebay::sim {

// Numbers from a seed, the same on every machine (splitmix64).
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // 0 … end - 1
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  bool per_mille(std::size_t rate) { return rate > 0 && below(1000) < rate; }

  template <class List>
  void shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace forebay::sim
