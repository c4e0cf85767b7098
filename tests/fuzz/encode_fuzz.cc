// Hexadecimal digits, base64 and percent signs: only the exact form is read, and it is the way
// back.
#include "base/ascii.h"
#include "base/encode.h"
#include "fuzz/fuzz.h"

namespace forebay::test {

FOREBAY_FUZZ(encode) {
  must(hex_decode(hex_encode(input)) == input, "hexadecimal digits lead back");
  must(base64_decode(base64_encode(input)) == input, "base64 leads back");
  must(percent_decode(percent_encode(input)) == input, "percent signs lead back");
  if (const auto bytes = hex_decode(input))
    must(hex_encode(*bytes) == in_small_letters(input), "bytes have one form in hexadecimal");
  if (const auto bytes = base64_decode(input))
    must(base64_encode(*bytes) == input, "bytes have one form in base64");
  if (const auto bytes = percent_decode(input)) {
    must(bytes->size() <= input.size(), "decoding makes nothing longer");
    must(percent_decode(percent_encode(*bytes)) == bytes, "decoded bytes lead back");
  }
}

}  // namespace forebay::test
