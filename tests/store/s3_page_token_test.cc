#include "store/s3_page_token.h"

#include <gtest/gtest.h>

// Aim: a listing that never ends is noticed, whatever the length of its circle; an honest one of
// any length is not.
namespace forebay::s3 {
namespace {

TEST(S3PageToken, GoesThereAndBackWithAnyBytes) {
  const PageToken token{
      .pages = 7, .mark = "00ff", .last_key = "a:b%\n+ \xff", .server = "1:+/=%3D&"};
  EXPECT_EQ(decode_page_token(encode(token)), token);
  EXPECT_EQ(decode_page_token(encode({})), PageToken{});
}

TEST(S3PageToken, RefusesWhatIsNoneOfOurs) {
  for (const char* text : {"", "abc", "1:2:3", "x:2:3:4", "1:2:%zz:4", "-1:::"}) {
    EXPECT_EQ(decode_page_token(text), std::nullopt) << text;
  }
}

TEST(S3PageToken, NoticesCirclesOfAnyLength) {
  for (const int tail : {0, 1, 5, 100}) {
    for (const int circle : {1, 2, 3, 7, 64, 500}) {
      std::optional<PageToken> token = PageToken{};
      int page = 0;
      while (token && page < 10'000) {
        const int at = page < tail ? page : tail + (page - tail) % circle;
        token = follow(*token, "token" + std::to_string(at), "");
        ++page;
      }
      EXPECT_FALSE(token) << tail << " " << circle;
      EXPECT_LE(page, 4 * (tail + circle) + 4);
    }
  }
}

TEST(S3PageToken, LetsHonestListingsBe) {
  std::optional<PageToken> token = PageToken{};
  for (int page = 0; token && page < 20'000; ++page)
    token = follow(*token, std::to_string(page), "");
  EXPECT_TRUE(token);
}

}  // namespace
}  // namespace forebay::s3
