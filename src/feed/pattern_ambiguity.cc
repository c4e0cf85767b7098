// Whether a pattern can read one key in two ways: two readings are followed side by side through
// the automaton, and a byte that they give to different captures sets them apart for good. If both
// can then reach the end, the bytes on the way there are such a key. Exact, and in time bounded by
// the square of the pattern's length.

#include <algorithm>
#include <string>
#include <vector>

#include "feed/pattern_machine.h"

namespace forebay {
namespace {

// One byte for each class that the steps tell apart, those that read well first.
std::vector<unsigned char> sample_bytes(const Pattern::Machine& machine) {
  std::bitset<256> literal;
  for (const PatternStep& step : machine.steps) {
    if (step.bytes.count() == 1) literal |= step.bytes;
    // A :short capture excludes one byte besides the slash; that byte is a class of its own.
    if (step.bytes.count() == 254) literal |= ~step.bytes;
  }
  literal.set('/');
  std::vector<unsigned char> bytes;
  for (std::string_view kind : {"abcdefABCDEF", "0123456789", "xyzghijklmnopqrstuvw-_"}) {
    auto free = std::ranges::find_if(
        kind, [&](char c) { return !literal.test(static_cast<unsigned char>(c)); });
    if (free != kind.end()) bytes.push_back(static_cast<unsigned char>(*free));
  }
  for (int b = 0; b < 256; ++b) {
    if (literal.test(b)) bytes.push_back(static_cast<unsigned char>(b));
  }
  return bytes;
}

class PairSearch {
 public:
  explicit PairSearch(const Pattern::Machine& machine)
      : machine_(machine), width_(machine.end() + 1), seen_(width_ * width_ * 2, false) {}

  std::optional<std::string> run() {
    for (std::size_t a : machine_.reach[0]) {
      for (std::size_t b : machine_.reach[0]) visit(a, b, false, kNowhere, 0);
    }
    std::vector<unsigned char> samples = sample_bytes(machine_);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      Pair pair = queue_[i];
      if (pair.apart && pair.a == machine_.end() && pair.b == machine_.end()) return key_of(i);
      if (pair.a == machine_.end() || pair.b == machine_.end()) continue;
      for (unsigned char byte : samples) follow(pair, i, byte);
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  struct Pair {
    std::size_t a, b;
    bool apart;
    std::size_t from;  // index of the pair before, and the byte between
    unsigned char byte;
  };

  void visit(std::size_t a, std::size_t b, bool apart, std::size_t from, unsigned char byte) {
    if (a > b) std::swap(a, b);
    std::size_t at = (a * width_ + b) * 2 + (apart ? 1 : 0);
    if (seen_[at]) return;
    seen_[at] = true;
    queue_.push_back({a, b, apart, from, byte});
  }

  void follow(const Pair& pair, std::size_t index, unsigned char byte) {
    const PatternStep& a = machine_.steps[pair.a];
    const PatternStep& b = machine_.steps[pair.b];
    if (!a.bytes.test(byte) || !b.bytes.test(byte)) return;
    bool apart = pair.apart || a.label != b.label;
    for (std::size_t next_a = a.repeats ? pair.a : pair.a + 1; next_a <= pair.a + 1; ++next_a) {
      for (std::size_t next_b = b.repeats ? pair.b : pair.b + 1; next_b <= pair.b + 1; ++next_b) {
        for (std::size_t reached_a : machine_.reach[next_a]) {
          for (std::size_t reached_b : machine_.reach[next_b]) {
            visit(reached_a, reached_b, apart, index, byte);
          }
        }
      }
    }
  }

  std::string key_of(std::size_t index) const {
    std::string key;
    for (; queue_[index].from != kNowhere; index = queue_[index].from) {
      key += static_cast<char>(queue_[index].byte);
    }
    std::ranges::reverse(key);
    return key;
  }

  const Pattern::Machine& machine_;
  std::size_t width_;
  std::vector<bool> seen_;
  std::vector<Pair> queue_;
};

}  // namespace

std::optional<std::string> find_ambiguous_key(const Pattern::Machine& machine) {
  return PairSearch(machine).run();
}

}  // namespace forebay
