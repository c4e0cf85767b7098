#include "base/crc32c.h"

#include <gtest/gtest.h>

// Aim: the checksum is Castagnoli's, however the bytes are cut. Method: the examples of RFC 3720,
// appendix B.4, the usual check value, and every way to cut a text in two.
namespace forebay {
namespace {

std::string of(std::string_view text) {
  Crc32c crc;
  crc.update(text);
  return crc.hex();
}

TEST(Crc32c, AgreesWithThePublishedExamples) {
  EXPECT_EQ(of(""), "00000000");
  EXPECT_EQ(of("123456789"), "e3069283");
  EXPECT_EQ(of(std::string(32, '\0')), "8a9136aa");
  EXPECT_EQ(of(std::string(32, '\xff')), "62a8ab43");
  std::string ascending;
  for (char c = 0; c < 32; ++c) ascending += c;
  EXPECT_EQ(of(ascending), "46dd794e");
  EXPECT_EQ(of(std::string(ascending.rbegin(), ascending.rend())), "113fdb5c");
}

TEST(Crc32c, IsTheSameHoweverTheBytesAreCut) {
  const std::string text = "the quick brown fox jumps over the lazy dog";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Crc32c crc;
    crc.update(std::string_view(text).substr(0, cut));
    crc.update(std::string_view(text).substr(cut));
    EXPECT_EQ(crc.hex(), of(text)) << cut;
  }
}

}  // namespace
}  // namespace forebay
