#include "net/credentials/ini.h"

#include <gtest/gtest.h>

// Aim: files that other programs write are read as those programs mean them.
namespace forebay {
namespace {

TEST(Ini, ReadsSectionsAndValues) {
  const auto sections = parse_ini(
      "# comment\r\n[default]\r\na = 1\r\nb=x=y # said\r\n\r\n[ profile dev ]\n; more\na = 2\n"
      "s3 =\n  max = 3\n[default]\na = 4");
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections.at("default").at("a"), "4");
  EXPECT_EQ(sections.at("default").at("b"), "x=y");
  EXPECT_EQ(sections.at("profile dev").at("a"), "2");
  EXPECT_EQ(sections.at("profile dev").at("s3"), "");
  EXPECT_FALSE(sections.at("profile dev").contains("max"));
}

TEST(Ini, KeepsMarksThatArePartOfAValue) {
  EXPECT_EQ(parse_ini("[a]\nsecret = a#b;c/+=").at("a").at("secret"), "a#b;c/+=");
}

TEST(Ini, PassesOverDamagedLines) {
  EXPECT_TRUE(parse_ini("").empty());
  EXPECT_TRUE(parse_ini("a = 1\nno section\n[open\n").empty());
}

}  // namespace
}  // namespace forebay
