#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Fuzzers: one file for each parser of foreign text and bytes, `<parser>_fuzz.cc`, with one
// FOREBAY_FUZZ(parser). libFuzzer makes a program of each (preset fuzz); the ordinary test run
// links them all and replays their corpora (corpus_test.cc).
namespace forebay::test {

// Something that must hold for every input does not. libFuzzer takes it for a crash.
struct Violation : std::logic_error {
  using std::logic_error::logic_error;
};

inline void must(bool holds, const std::string& what) {
  if (!holds) throw Violation(what);
}

// The first line of an input, taken off it: fuzzers that need more than one text have each but the
// last on a line of its own, so that people can write seeds.
inline std::string_view take_line(std::string_view& input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view line = input.substr(0, end);
  input.remove_prefix(std::min(end + 1, input.size()));
  return line;
}

// The first byte of an input, taken off it; 0 where there is none.
inline std::uint8_t take_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<std::uint8_t>(input.front());
  input.remove_prefix(1);
  return byte;
}

struct Fuzzer {
  std::string parser;
  void (*run)(std::string_view input);
};
// All that are linked.
inline std::vector<Fuzzer>& fuzzers() {
  static std::vector<Fuzzer> all;
  return all;
}
inline bool add_fuzzer(const char* parser, void (*run)(std::string_view input)) {
  fuzzers().push_back({parser, run});
  return true;
}

}  // namespace forebay::test

#ifdef FOREBAY_LIBFUZZER
#define FOREBAY_FUZZ(parser)                                                          \
  static void fuzz_##parser(std::string_view input);                                  \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fuzz_##parser({reinterpret_cast<const char*>(data), size});                       \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_##parser(std::string_view input)
#else
#define FOREBAY_FUZZ(parser)                               \
  static void fuzz_##parser(std::string_view input);       \
  static const bool fuzz_##parser##_is_known =             \
      ::forebay::test::add_fuzzer(#parser, fuzz_##parser); \
  static void fuzz_##parser(std::string_view input)
#endif
