#include "base/utf8.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

TEST(Utf8, KnowsItsCharacters) {
  for (const char* text :
       {"", "plain", "\x7f", "\u00e9", "\u20ac", "\U0001F600", "\ud7ff", "\ue000", "\U0010ffff"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
    EXPECT_EQ(valid_utf8(text), text);
  }
}

TEST(Utf8, EachByteOfNoCharacterBecomesAMark) {
  const std::string mark = "\xef\xbf\xbd";
  for (const auto& [bytes, marks] : {std::pair{"\xff", 1},
                                     {"\x80", 1},
                                     {"\xc0\x80", 2},
                                     {"\xc3", 1},
                                     {"\xe0\x80\x80", 3},
                                     {"\xed\xa0\x80", 3},
                                     {"\xf4\x90\x80\x80", 4},
                                     {"\xf0\x8f\xbf\xbf", 4},
                                     {"\xe2\x82", 2}}) {
    EXPECT_FALSE(is_utf8(bytes));
    std::string expected = "a";
    for (int i = 0; i < marks; ++i) expected += mark;
    EXPECT_EQ(valid_utf8("a" + std::string(bytes) + "b"), expected + "b");
  }
}

}  // namespace
}  // namespace forebay
