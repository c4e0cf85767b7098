#include "parquet/crc32.h"

#include <gtest/gtest.h>

#include <string>

namespace forebay {
namespace {

TEST(Crc32, HasThePublishedCheckValue) {
  EXPECT_EQ(crc32("123456789"), 0xcbf43926u);
  EXPECT_EQ(crc32(""), 0u);
  EXPECT_EQ(crc32("The quick brown fox jumps over the lazy dog"), 0x414fa339u);
}

TEST(Crc32, IsTheSameInOnePieceAndInAnyTwo) {
  const std::string text = "thirty-one bytes, an odd length";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string_view all = text;
    EXPECT_EQ(crc32(all.substr(cut), crc32(all.substr(0, cut))), crc32(all)) << cut;
  }
}

}  // namespace
}  // namespace forebay
