// Packed files: damaged, or bytes that do not depend on how they arrive. The first byte chooses.
#include <memory>

#include "base/limits.h"
#include "decode/byte_source.h"
#include "fuzz/fuzz.h"
#include "support/text_rows.h"

namespace forebay::test {
namespace {

// Ends early in a bomb: the limit is far above what a fuzzer's memory holds.
constexpr std::size_t kEnough = std::size_t{4} << 20;

std::string unpacked(std::string_view packed, Compression compression, std::size_t portion) {
  const auto source = unpack(std::make_unique<Portions>(std::string(packed), portion), compression,
                             packed.size(), "it");
  std::string bytes;
  while (bytes.size() < kEnough) {
    const auto next = source->next();
    if (!next) {
      must(next.error().code == ErrorCode::damaged, "packed bytes are right or damaged");
      return "damaged";
    }
    if (next->empty()) break;
    bytes += *next;
  }
  bytes.resize(std::min(bytes.size(), kEnough));
  return bytes;
}

}  // namespace

FOREBAY_FUZZ(unpack) {
  const Compression compression = take_byte(input) % 2 == 0 ? Compression::gzip : Compression::zstd;
  const std::string whole = unpacked(input, compression, input.size() + 1);
  must(unpacked(input, compression, 1) == whole, "portions make no difference");
}

}  // namespace forebay::test
