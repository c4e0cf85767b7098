#include "load/list_pages.h"

#include <gtest/gtest.h>

#include "support/files_feed_fixture.h"

// Aim: a listing ends, whatever a store says, for everybody who lists (FEEDS 2.2 rule 7: a repeated
// token is an error).
namespace forebay::test {
namespace {

class ListPages : public WatchedFilesTest {};

TEST_F(ListPages, ATokenThatComesTwiceEndsTheLoad) {
  put_file("a.parquet", 1);
  watch_.stuck = true;
  const CycleReport report = load(3);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->cause, "the server gave the same page token twice");
  EXPECT_FALSE(std::filesystem::exists(database_) && !query("FROM _forebay.units").empty());
}

// A folder with a flag is listed after its document was found.
TEST_F(ListPages, NorDoesTheListingOfAFolderGoOnForEver) {
  put_file("day/a.parquet", 1);
  folder_.write("in/day/_SUCCESS", "");
  pipeline_.settings.options.clear();
  pipeline_.settings.yaml =
      "about: x\nunit: {document: \"{day}/_SUCCESS\"}\n"
      "files: {folder: \"{$folder}/\", match: \"*.parquet\", table: {text: events}}\n"
      "effect: append\n";
  watch_.after_page = [this](std::vector<ObjectInfo>& objects) {
    for (ObjectInfo& object : objects) object.last_modified = Time{};
    watch_.stuck = true;  // from the next listing on
  };
  const CycleReport report = load(3);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->cause, "the server gave the same page token twice");
}

}  // namespace
}  // namespace forebay::test
