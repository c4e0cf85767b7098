// Aim: only UTF-8 without NUL bytes comes through, wherever portions end. Method: good and bad
// sequences from the standard's table, in portions of every size.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "decode/byte_source.h"
#include "support/text_rows.h"

namespace forebay::test {
namespace {

std::string checked(const std::string& bytes) {
  std::string whole;
  for (std::size_t size = bytes.size() + 1; size > 0; --size) {
    const auto text = check_text(std::make_unique<Portions>(bytes, size), "the file");
    const std::string found = all_of(*text);
    if (size > bytes.size()) whole = found;
    EXPECT_EQ(found, whole) << "in portions of " << size;
  }
  return whole;
}

TEST(CheckText, Utf8ComesThrough) {
  const std::string text = "a\u00e9\u20ac\U0001F600\uFFFD\U0010FFFF\u0800\uD7FF";
  EXPECT_EQ(checked(text), text);
  EXPECT_EQ(checked(""), "");
}

TEST(CheckText, AByteOrderMarkAtTheBeginningIsNoText) {
  EXPECT_EQ(checked("\xef\xbb\xbf"
                    "a"),
            "a");
  EXPECT_EQ(checked("\xef\xbb\xbf"), "");
  EXPECT_EQ(checked("a\xef\xbb\xbf"), "a\xef\xbb\xbf");
}

TEST(CheckText, OtherBytesAreDamagedWithTheirLine) {
  for (const std::string bad :
       {"\xff", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xf0\x80\x80\x80", "\xc3(", "\xe2\x82(", "\xf5\x80\x80\x80"}) {
    EXPECT_EQ(checked("one\n" + bad), "damaged: line 2 is no UTF-8 text") << bad;
  }
  EXPECT_EQ(checked("one\ntwo\nx\xc3"), "damaged: line 3 ends within a character");
}

TEST(CheckText, ANulByteIsDamaged) {
  EXPECT_EQ(checked(std::string("a\nb\0c", 5)), "damaged: line 2 has a NUL byte");
}

}  // namespace
}  // namespace forebay::test
