#include "base/encode.h"

#include <gtest/gtest.h>

// Aim: the text forms agree with their published definitions and refuse everything else.
namespace forebay {
namespace {

std::string all_bytes() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  return bytes;
}

TEST(Encode, WritesHexInLowerCaseAndReadsBothCases) {
  EXPECT_EQ(hex_encode(std::string("\x00\xff\x0a", 3)), "00ff0a");
  EXPECT_EQ(hex_decode("00FF0a"), std::string("\x00\xff\x0a", 3));
  EXPECT_EQ(hex_decode(hex_encode(all_bytes())), all_bytes());
}

TEST(Encode, RefusesDamagedHex) {
  EXPECT_EQ(hex_decode("abc"), std::nullopt);
  EXPECT_EQ(hex_decode("0g"), std::nullopt);
  EXPECT_EQ(hex_decode(" 0"), std::nullopt);
}

TEST(Encode, AgreesWithTheBase64VectorsOfRfc4648) {
  const std::pair<std::string, std::string> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes);
  }
  EXPECT_EQ(base64_decode(base64_encode(all_bytes())), all_bytes());
}

TEST(Encode, RefusesDamagedBase64) {
  for (const char* text : {"Zg", "Zg=", "Z===", "Zh==", "Zm9=", "Zm9v\n", "Zg==Zg==", "Z-_v"}) {
    EXPECT_EQ(base64_decode(text), std::nullopt) << text;
  }
}

TEST(Encode, EncodesEveryByteOnceForUrlsCHAR2) {
  EXPECT_EQ(percent_encode("a b+c%2B?#&='\"[]"), "a%20b%2Bc%252B%3F%23%26%3D%27%22%5B%5D");
  EXPECT_EQ(percent_encode("a/b", "/"), "a/b");
  EXPECT_EQ(percent_encode("\xf0\x9f\x90\x9f~-._"), "%F0%9F%90%9F~-._");
  EXPECT_EQ(percent_decode(percent_encode(all_bytes())), all_bytes());
}

TEST(Encode, DecodesUrlsOnceAndLeavesPlusAloneCHAR1) {
  EXPECT_EQ(percent_decode("a+b%20c%252B"), "a+b c%2B");
  EXPECT_EQ(percent_decode("100%"), std::nullopt);
  EXPECT_EQ(percent_decode("%2"), std::nullopt);
  EXPECT_EQ(percent_decode("%zz"), std::nullopt);
}

}  // namespace
}  // namespace forebay
