#include "feed/recognise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forebay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Recognised> look(const std::vector<std::string>& keys) {
  Result<std::vector<Recognised>> found = recognise(builtin_feeds(), keys);
  if (!found) throw std::runtime_error(describe(found.error()));
  return *found;
}

TEST(Recognise, FindsMarkersBeforeTheFilesThatTheyList) {
  std::vector<Recognised> found =
      look({"_batches/20261020T140003Z.snapshot.json", "_batches/20261020T141502Z.json",
            "_rollerup_connection_test.json", "visits/20261020T140003Z.snapshot-0001.parquet",
            "visits/20261020T141502Z.parquet", "wash_packages/20261020T141502Z.parquet",
            "_tmp/x.parquet"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].feed, "rollerup");
  EXPECT_EQ(found[0].units, 2u);
  EXPECT_EQ(found[0].example, "_batches/20261020T140003Z.snapshot.json");
  EXPECT_THAT(found[0].tables, ElementsAre("visits", "wash_packages"));
  EXPECT_THAT(found[0].needed, IsEmpty());
  EXPECT_EQ(found[1].feed, "files");
}

TEST(Recognise, TellsWhichOptionsAreNeeded) {
  std::vector<Recognised> found = look({"dt=2026-10-20/a.parquet", "dt=2026-10-20/b.parquet"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].feed, "files");
  EXPECT_EQ(found[0].units, 2u);
  EXPECT_THAT(found[0].needed, ElementsAre("table"));
  EXPECT_THAT(found[0].tables, IsEmpty());
}

TEST(Recognise, FindsNothingWhereNothingFits) {
  EXPECT_THAT(look({}), IsEmpty());
  EXPECT_THAT(look({"README.txt", "a/"}), IsEmpty());
}

TEST(Recognise, SaysWhichDescriptionIsWrong) {
  std::vector<BuiltinFeed> feeds = {{"broken", "about: x\nunits: 3\n"}};
  Result<std::vector<Recognised>> found = recognise(feeds, {"a"});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().object, "feeds/broken.yaml:2");
}

}  // namespace
}  // namespace forebay
