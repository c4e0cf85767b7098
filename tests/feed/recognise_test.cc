#include "feed/recognise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace forebay {
namespace {

using testing::AllOf;
using testing::Contains;
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
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].feed, "rollerup");
  EXPECT_EQ(found[0].units, 2u);
  EXPECT_EQ(found[0].example, "_batches/20261020T140003Z.snapshot.json");
  EXPECT_THAT(found[0].tables, ElementsAre("visits", "wash_packages"));
  EXPECT_THAT(found[0].needed, IsEmpty());
  EXPECT_EQ(found[1].feed, "files");
  EXPECT_EQ(found[2].feed, "append") << "a guess about rows comes last";
}

TEST(Recognise, TellsWhichOptionsAreNeeded) {
  std::vector<Recognised> found = look({"dt=2026-10-20/a.parquet", "dt=2026-10-20/b.parquet"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].feed, "files");
  EXPECT_EQ(found[0].units, 2u);
  EXPECT_THAT(found[0].needed, ElementsAre("table"));
  EXPECT_THAT(found[0].tables, IsEmpty());
  EXPECT_THAT(found[1].needed, ElementsAre("table", "time_column"));
}

TEST(Recognise, ShowsTheTablesThatTheNamesOfUnitsHave) {
  const std::vector<Recognised> found = look({"warehouse/parquet/2026/10/20/14/journal/a.parquet",
                                              "warehouse/parquet/2026/10/20/15/account/b.parquet"});
  ASSERT_EQ(found.front().feed, "twisp");
  EXPECT_THAT(found.front().tables, ElementsAre("account", "journal"));
  EXPECT_THAT(found.front().needed, IsEmpty());
}

// Every feed that is built in can be told from what its source holds.
TEST(Recognise, FindsEachFeedThatIsBuiltIn) {
  const auto feeds_of = [](const std::vector<std::string>& keys) {
    std::vector<std::string> names;
    for (const Recognised& one : look(keys)) names.push_back(one.feed);
    return names;
  };
  EXPECT_THAT(feeds_of({"_batches/20261020T141502Z.json"}), Contains("rollerup"));
  EXPECT_THAT(feeds_of({"warehouse/parquet/2026/10/20/14/entry/a.parquet"}), Contains("twisp"));
  EXPECT_THAT(feeds_of({"shop/orders/manifest.json"}), Contains("rivet"));
  EXPECT_THAT(feeds_of({"a.csv.gz"}), AllOf(Contains("files"), Contains("append")));
}

TEST(Recognise, SuggestsWhatMustBeGiven) {
  for (const Recognised& one : look({"a.parquet"})) {
    if (one.feed != "append") continue;
    EXPECT_EQ(one.suggested.at("time_column"), "last_modified");
  }
}

// KEY-11: its deletes are not seen.
TEST(Recognise, WarnsOfATableThatItsFilesAloneAreNot) {
  for (const char* place : {"metadata/v1.metadata.json", "sales/metadata/v1.metadata.json"}) {
    for (const Recognised& one : look({"data/a.parquet", place})) {
      if (one.feed != "append" && one.feed != "files") continue;
      ASSERT_EQ(one.warnings.size(), 1U) << one.feed;
      EXPECT_NE(one.warnings[0].find("is an Iceberg table"), std::string::npos);
    }
  }
  for (const Recognised& one : look({"_delta_log/000.json", "a.parquet"})) {
    EXPECT_EQ(one.warnings.size(), 1U) << one.feed;
  }
  EXPECT_THAT(look({"a.parquet"}).front().warnings, IsEmpty());
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
