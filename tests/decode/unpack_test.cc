// Aim: compressed files are read whole or not at all: every member, every checksum, and no more
// than a file of that size may become. Method: files packed by zlib and zstd themselves, cut at
// every byte, flipped in every byte.

#include <gtest/gtest.h>

#include "base/limits.h"
#include "decode/byte_source.h"
#include "support/packed.h"
#include "support/text_rows.h"

namespace forebay::test {
namespace {

std::string unpacked(const std::string& bytes, Compression compression, std::size_t portion = 7) {
  const auto source =
      unpack(std::make_unique<Portions>(bytes, portion), compression, bytes.size(), "the file");
  return all_of(*source);
}

class Unpack : public ::testing::TestWithParam<Compression> {
 protected:
  static std::string pack(std::string_view bytes) {
    return GetParam() == Compression::gzip ? gzip(bytes) : zstd(bytes);
  }
  static bool is_damaged(const std::string& text) { return text.starts_with("damaged: "); }
  std::string text_ = "a,b\n1,2\n" + std::string(500, 'x') + "\n";
};

TEST_P(Unpack, GivesBackWhatWasPacked) {
  for (const std::size_t portion : {1U, 2U, 100U, 1000U})
    EXPECT_EQ(unpacked(pack(text_), GetParam(), portion), text_);
  EXPECT_EQ(unpacked(pack(""), GetParam()), "");
  const std::string large(std::size_t{3} << 20, 'y');
  EXPECT_EQ(unpacked(pack(large), GetParam(), std::size_t{1} << 20), large);
}

TEST_P(Unpack, ReadsEveryMember) {
  EXPECT_EQ(unpacked(pack("one\n") + pack("") + pack("two\n"), GetParam()), "one\ntwo\n");
}

TEST_P(Unpack, CutAnywhereItIsDamaged) {
  const std::string packed = pack(text_);
  for (std::size_t length = 0; length < packed.size(); ++length)
    EXPECT_TRUE(is_damaged(unpacked(packed.substr(0, length), GetParam()))) << length;
  const std::string two = packed + packed;
  for (std::size_t length = packed.size() + 1; length < two.size(); ++length)
    EXPECT_TRUE(is_damaged(unpacked(two.substr(0, length), GetParam()))) << length;
}

TEST_P(Unpack, AFlippedByteNeverGivesOtherText) {
  const std::string packed = pack(text_);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    std::string flipped = packed;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    const std::string text = unpacked(flipped, GetParam());
    EXPECT_TRUE(is_damaged(text) || text == text_) << "byte " << i;
  }
}

TEST_P(Unpack, WhatFollowsAndIsNoMemberIsDamaged) {
  EXPECT_TRUE(is_damaged(unpacked(pack(text_) + "more", GetParam())));
  EXPECT_TRUE(is_damaged(unpacked("plain text\n", GetParam())));
}

TEST_P(Unpack, ABombIsStoppedAtTheLimit) {
  std::string bomb;
  const std::string member = pack(std::string(std::size_t{32} << 20, '\0'));
  const std::size_t members = kMaxInflatedFree / (std::size_t{32} << 20) + 1;
  for (std::size_t i = 0; i < members; ++i) bomb += member;
  const auto source =
      unpack(std::make_unique<Portions>(bomb, std::size_t{1} << 20), GetParam(), 1'000, "the file");
  std::uint64_t made = 0;
  while (true) {
    const auto portion = source->next();
    if (!portion) {
      EXPECT_EQ(portion.error().code, ErrorCode::damaged);
      EXPECT_TRUE(portion.error().cause.contains("unpacks to more than")) << portion.error().cause;
      break;
    }
    ASSERT_FALSE(portion->empty()) << "the bomb went through";
    made += portion->size();
  }
  EXPECT_LE(made, kMaxInflatedFree);
}

INSTANTIATE_TEST_SUITE_P(Both, Unpack, ::testing::Values(Compression::gzip, Compression::zstd),
                         [](const auto& suite) {
                           return suite.param == Compression::gzip ? "Gzip" : "Zstd";
                         });

TEST(UnpackNothing, LeavesBytesAsTheyAre) {
  EXPECT_EQ(unpacked("1,2\n", Compression::none), "1,2\n");
}

}  // namespace
}  // namespace forebay::test
