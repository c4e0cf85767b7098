#include "net/http_range.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

TEST(ContentRange, IsReadStrictly) {
  EXPECT_EQ(parse_content_range("bytes 0-9/100"), (ContentRange{0, 9, 100}));
  for (const char* text :
       {"", "bytes 0-9", "bytes 0-9/*", "bytes */100", "0-9/100", "bytes 9-0/100",
        "bytes 0-100/100", "bytes -9/100", "bytes 0-9/100 ", "bytes a-b/c"}) {
    EXPECT_EQ(parse_content_range(text), std::nullopt) << text;
  }
}

TEST(HttpRange, AContentLengthIsANumberOrNothing) {
  const auto length = [](std::string text) {
    return content_length({.status = 200, .headers = {{"content-length", std::move(text)}}});
  };
  EXPECT_EQ(length("0"), 0U);
  EXPECT_EQ(length("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "-1", "1 ", "0x1", "18446744073709551616"})
    EXPECT_EQ(length(text), std::nullopt) << text;
  EXPECT_EQ(content_length({.status = 200, .headers = {}}), std::nullopt);
}

}  // namespace
}  // namespace forebay
