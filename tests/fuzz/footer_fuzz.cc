// The entry that libFuzzer calls. The ordinary test run replays inputs through fuzz_footer itself.
#include "fuzz/footer_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  forebay::test::fuzz_footer(data, size);
  return 0;
}
