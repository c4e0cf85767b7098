#include "store/azure_sign.h"

#include <gtest/gtest.h>

// Aim: what is signed is what Microsoft's page "Authorize with Shared Key" says, so that servers
// agree. Method: its examples of the text (it prints no signatures); Azurite, which checks
// signatures, takes ours in tests/system.
namespace forebay::azure {
namespace {

TEST(AzureSign, SignsTheTextOfTheExamples) {
  const Unsigned metadata{
      .account = "myaccount",
      .path = "/mycontainer",
      .query = {{"restype", "container"}, {"comp", "metadata"}, {"timeout", "20"}},
      .headers = {{"x-ms-version", "2015-02-21"}, {"x-ms-date", "Fri, 26 Jun 2015 23:39:12 GMT"}}};
  EXPECT_EQ(string_to_sign(metadata),
            "GET\n\n\n\n\n\n\n\n\n\n\n\n"
            "x-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n"
            "/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20");
}

TEST(AzureSign, JoinsTheValuesOfOneParameterInOrder) {
  const Unsigned listing{.account = "myaccount",
                         .path = "/mycontainer",
                         .query = {{"restype", "container"},
                                   {"comp", "list"},
                                   {"include", "snapshots"},
                                   {"include", "metadata"},
                                   {"include", "uncommittedblobs"}}};
  EXPECT_TRUE(string_to_sign(listing).ends_with(
      "/myaccount/mycontainer\ncomp:list\ninclude:metadata,snapshots,uncommittedblobs\n"
      "restype:container"));
}

TEST(AzureSign, CoversConditionAndRange) {
  const Unsigned part{.account = "a",
                      .path = "/c/k%20x",
                      .headers = {{"if-match", "\"0x8D\""}, {"range", "bytes=0-9"}}};
  EXPECT_EQ(string_to_sign(part), "GET\n\n\n\n\n\n\n\n\"0x8D\"\n\n\nbytes=0-9\n/a/c/k%20x");
}

TEST(AzureSign, NamesTheAccountAndNotTheKey) {
  const std::string value = authorization({.account = "acct", .path = "/c"}, Secret("hush"));
  EXPECT_TRUE(value.starts_with("SharedKey acct:")) << value;
  EXPECT_EQ(value.find("hush"), std::string::npos);
  EXPECT_EQ(value.size(), std::string("SharedKey acct:").size() + 44);
}

}  // namespace
}  // namespace forebay::azure
