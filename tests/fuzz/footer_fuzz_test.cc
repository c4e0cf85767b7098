// Aim: what the fuzzer calls holds for damage drawn at random, in every ordinary test run. Method:
// sound files with a few bytes replaced, removed or doubled, always with the same seed.
#include "fuzz/footer_fuzz.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "support/parquet_maker.h"

namespace forebay::test {
namespace {

void damage(std::string& bytes, std::mt19937_64& random) {
  const std::size_t at = random() % bytes.size();
  const std::size_t length = std::min<std::size_t>(random() % 8 + 1, bytes.size() - at);
  switch (random() % 4) {
    case 0: bytes[at] = static_cast<char>(random()); break;
    case 1: bytes.erase(at, length); break;
    case 2: bytes.insert(at, bytes.substr(at, length)); break;
    default: bytes.insert(at, length, static_cast<char>(random()));
  }
}

TEST(FooterFuzz, SurvivesRandomDamage) {
  const std::string path = ::testing::TempDir() + "footer_fuzz.parquet";
  make_parquet(path, "SELECT i, 'x' || i AS s, [i] AS l, {'a': i} AS n FROM range(20) t(i)");
  const std::string sound = read_file(path);
  std::filesystem::remove(path);
  const std::size_t start = footer_offset(sound);
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; ++i) {
    std::string footer(footer_of(sound));
    for (std::uint64_t n = random() % 4; n > 0 && !footer.empty(); --n) damage(footer, random);
    const std::string bytes = join(std::string_view(sound).substr(0, start), footer);
    fuzz_footer(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
}

}  // namespace
}  // namespace forebay::test
