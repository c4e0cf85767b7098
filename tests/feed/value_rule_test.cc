// Aim: a value may be the first of several that is there, cut and replaced; forms that refer to
// nothing are errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/feeds.h"

namespace forebay {
namespace {

using testing::HasSubstr;

std::string description(std::string_view table) {
  return "about: x\nunit: {document: m.json}\nfiles:\n  list: /parts\n"
         "  path: {field: path, from: document}\n  table: " +
         std::string(table) + "\neffect: append\n";
}

std::string error(std::string_view table) {
  Result<Feed> feed = bind_feed("mine", description(table), "f.yaml", {});
  return feed ? "none" : describe(feed.error());
}

TEST(ValueRule, TheFirstThatIsThereWithItsCutsAndReplacements) {
  const Feed feed = test::feed(
      description("{first: [/a, name, {text: z}], cut: [\"#\"], replace: {\".\": \"_\"}}"));
  const ValueRef& table = feed.files->table;
  EXPECT_EQ(table.from, ValueRef::From::document);
  ASSERT_EQ(table.otherwise.size(), 2U);
  EXPECT_EQ(table.otherwise[0].from, ValueRef::From::entry);
  EXPECT_EQ(table.otherwise[1].name, "z");
  EXPECT_EQ(table.cut, std::vector<std::string>{"#"});
  EXPECT_EQ(table.replace.at(0).second, "_");
}

TEST(ValueRule, FormsThatReferToNothingAreErrors) {
  EXPECT_THAT(error("{first: []}"), HasSubstr("must not be an empty list"));
  EXPECT_THAT(error("{first: [/a], cuts: [x]}"), HasSubstr("did you mean cut"));
  EXPECT_THAT(error("{field: a, text: b}"), HasSubstr("exactly one key"));
}

TEST(ValueRule, ABareNameWhereNoEntryIsMayBeMeantForATable) {
  const Result<Feed> feed = bind_feed(
      "mine", "about: x\nunit: {file: \"*.csv\"}\ntable: bookings\neffect: append\n", "f.yaml", {});
  ASSERT_FALSE(feed);
  EXPECT_EQ(feed.error().hint,
            "did you mean {capture: bookings}, or {text: bookings}, the same for all?");
}

}  // namespace
}  // namespace forebay
