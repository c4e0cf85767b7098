#include "base/digest.h"

#include <gtest/gtest.h>

#include "base/encode.h"

// Aim: fingerprints agree with published vectors, however the bytes are cut into pieces.
namespace forebay {
namespace {

TEST(Digest, AgreesWithPublishedVectors) {
  EXPECT_EQ(digest_hex(DigestKind::md5, ""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(digest_hex(DigestKind::md5, "message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest_hex(DigestKind::xxh3_64, ""), "2d06800538d394c2");
  EXPECT_EQ(digest_hex(DigestKind::xxh3_128, ""), "99aa06d3014798d86001c324468d497f");
}

TEST(Digest, DoesNotDependOnHowTheBytesAreCut) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>(i * 31 % 251);
  for (const auto kind :
       {DigestKind::md5, DigestKind::sha256, DigestKind::xxh3_64, DigestKind::xxh3_128}) {
    Digest digest(kind);
    for (std::size_t at = 0, step = 1; at < text.size(); at += step, step = step % 97 + 1) {
      digest.update(std::string_view(text).substr(at, step));
      ASSERT_FALSE(digest.hex().empty());  // asking early changes nothing
    }
    EXPECT_EQ(digest.hex(), digest_hex(kind, text)) << to_string(kind);
    EXPECT_EQ(hex_encode(digest.bytes()), digest.hex());
  }
}

TEST(Digest, SignsAsRfc4231Says) {
  EXPECT_EQ(hex_encode(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hex_encode(hmac_sha256(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hex_encode(hmac_sha256("", "")),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

}  // namespace
}  // namespace forebay
