// Aim: what each fuzzer holds of a parser stands for every input that was ever kept, and for damage
// to them. Method: every file of tests/fuzz/corpus/<parser>, and from these as many inputs as
// kMutations says, made by a seed: each has a few places changed, removed, doubled, or taken from
// another seed. `scripts/fuzz` goes on where this ends.
//
// FOREBAY_FUZZ_INPUT=FILE runs one file through the fuzzer that --gtest_filter chooses.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "fuzz/fuzz.h"
#include "sim/draw.h"
#include "support/parquet_bytes.h"
#include "support/paths.h"
#include "support/soak.h"

namespace forebay::test {
namespace {

namespace fs = std::filesystem;

constexpr int kMutations = 250;
constexpr std::size_t kMostBytes = 8192;

fs::path corpus() { return source_dir() / "tests" / "fuzz" / "corpus"; }

struct Seed {
  std::string name;
  std::string bytes;
};

std::vector<Seed> seeds_of(const std::string& parser) {
  std::vector<Seed> seeds;
  if (!fs::exists(corpus() / parser)) return seeds;
  for (const auto& entry : fs::directory_iterator(corpus() / parser))
    seeds.push_back({entry.path().filename(), read_file(entry.path())});
  std::ranges::sort(seeds, {}, &Seed::name);
  return seeds;
}

class Mutator {
 public:
  Mutator(const std::vector<Seed>& seeds, sim::Draw& draw) : seeds_(seeds), draw_(draw) {}

  std::string next() {
    std::string bytes = any().bytes;
    for (std::size_t n = 1 + draw_.below(4); n > 0; --n) change(bytes);
    bytes.resize(std::min(bytes.size(), kMostBytes));
    return bytes;
  }

 private:
  const Seed& any() { return seeds_[draw_.below(seeds_.size())]; }

  void change(std::string& bytes) {
    // What parsers stumble over.
    static constexpr std::array<std::string_view, 16> kOdd{std::string_view("\0", 1),
                                                           "\n",
                                                           "\r\n",
                                                           "\"",
                                                           "'",
                                                           "/",
                                                           "..",
                                                           "%",
                                                           "{",
                                                           "}",
                                                           "[",
                                                           "<",
                                                           "\xff",
                                                           "\xc3\xa9",
                                                           "-1",
                                                           "18446744073709551616"};
    const std::size_t at = draw_.below(bytes.size() + 1);
    const std::size_t left = bytes.size() - at;
    const std::size_t length = std::min(left, 1 + draw_.below(8));
    switch (draw_.below(6)) {
      case 0:
        if (left > 0) bytes[at] = static_cast<char>(draw_.next());
        break;
      case 1: bytes.erase(at, length); break;
      case 2: bytes.insert(at, bytes.substr(at, length)); break;
      case 3: bytes.insert(at, kOdd[draw_.below(kOdd.size())]); break;
      case 4:
        if (left > 0) bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw_.below(8)));
        break;
      default: {
        const std::string& other = any().bytes;
        const std::size_t from = draw_.below(other.size() + 1);
        bytes.replace(at, length, other.substr(from, 1 + draw_.below(40)));
      }
    }
  }

  const std::vector<Seed>& seeds_;
  sim::Draw& draw_;
};

class FuzzCorpus : public ::testing::TestWithParam<Fuzzer> {
 protected:
  // Whether all holds; the bytes of what fails are kept for `scripts/fuzz` and the corpus.
  bool runs(const std::string& name, const std::string& bytes) {
    try {
      GetParam().run(bytes);
      return true;
    } catch (const std::exception& problem) {
      const std::string path = ::testing::TempDir() + "fuzz_" + GetParam().parser;
      write_file(path, bytes);
      ADD_FAILURE() << GetParam().parser << ", " << name << ": " << problem.what()
                    << "\nthe input is in " << path;
      return false;
    }
  }
};

TEST_P(FuzzCorpus, HoldsForEveryInputAndForDamageToThem) {
  if (const char* one = std::getenv("FOREBAY_FUZZ_INPUT")) {
    runs(one, read_file(one));
    return;
  }
  const std::vector<Seed> seeds = seeds_of(GetParam().parser);
  ASSERT_FALSE(seeds.empty()) << "tests/fuzz/corpus has no seeds for it";
  for (const Seed& seed : seeds) runs(seed.name, seed.bytes);
  sim::Draw draw(1);
  Mutator mutator(seeds, draw);
  const int count = soaking() ? kMutations * 100 : kMutations;
  for (int i = 0; i < count; ++i) {
    if (!runs("mutation " + std::to_string(i), mutator.next())) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Parsers, FuzzCorpus, ::testing::ValuesIn(fuzzers()),
                         [](const auto& one) { return one.param.parser; });

TEST(FuzzCorpora, BelongToAFuzzerEach) {
  std::set<std::string> parsers;
  for (const Fuzzer& fuzzer : fuzzers()) parsers.insert(fuzzer.parser);
  for (const auto& entry : fs::directory_iterator(corpus()))
    EXPECT_TRUE(parsers.contains(entry.path().filename())) << entry.path().filename();
  for (const auto& entry : fs::directory_iterator(corpus().parent_path())) {
    const std::string name = entry.path().filename();
    if (!name.ends_with("_fuzz.cc")) continue;
    EXPECT_TRUE(parsers.contains(name.substr(0, name.size() - 8))) << name << " is not linked";
  }
}

}  // namespace
}  // namespace forebay::test
