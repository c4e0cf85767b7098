#include "net/safe_url.h"

#include <gtest/gtest.h>

// Aim: nothing that opens a door travels in the clear, whatever an address is made to look like.
namespace forebay {
namespace {

TEST(SafeUrl, HttpIsForThisMachineAlone) {
  for (const char* url :
       {"https://example.com/x", "http://127.0.0.1:80/x", "http://localhost", "http://[::1]:9/x"})
    EXPECT_TRUE(is_safe_url(url)) << url;
  for (const char* url :
       {"http://example.com/", "http://127.0.0.1.example.com/", "http://localhost@example.com/",
        "http://127.0.0.1:1@example.com/", "http://[::1]x/", "ftp://127.0.0.1/", "file:///x", ""})
    EXPECT_FALSE(is_safe_url(url)) << url;
}

}  // namespace
}  // namespace forebay
