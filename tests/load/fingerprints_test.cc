#include "load/fingerprints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/encode.h"

// Aim: what a unit says of its files' bytes is compared with the bytes that came.
namespace forebay {
namespace {

using ::testing::HasSubstr;

UnitFile told(DigestKind kind, std::string_view content) {
  return {.key = "k", .hashes = {{kind, hex_decode(digest_hex(kind, content)).value_or("")}}};
}

Result<std::string> checksum(const UnitFile& file) {
  Fingerprints digest(file);
  digest.update(as_byte_span("some "));
  digest.update(as_byte_span("bytes"));
  StagedFile staged{.object = "s3://b/k"};
  RETURN_IF_ERROR(digest.finish(staged));
  return staged.checksum;
}

TEST(Fingerprints, KeepOurOwnAndAgreeWithTheUnits) {
  for (const DigestKind kind : {DigestKind::md5, DigestKind::sha256, DigestKind::xxh3_64}) {
    const auto own = checksum(told(kind, "some bytes"));
    ASSERT_TRUE(own) << describe(own.error());
    EXPECT_EQ(*own, digest_hex(DigestKind::xxh3_128, "some bytes"));
  }
}

TEST(Fingerprints, RefuseBytesThatTheUnitDoesNotMean) {
  const auto own = checksum(told(DigestKind::md5, "other bytes"));
  ASSERT_FALSE(own);
  EXPECT_EQ(own.error().code, ErrorCode::damaged);
  EXPECT_THAT(own.error().cause, HasSubstr("its md5 is "));
}

}  // namespace
}  // namespace forebay
