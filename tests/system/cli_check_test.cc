// `forebay check` through the real program: what load would refuse is said before, and what load
// takes is never called wrong (CONTRACT 1).
#include "support/cli_fixture.h"

namespace forebay::test {
namespace {

class Check : public CliFilesTest {};

TEST_F(Check, TextFilesHaveTheTypesOfTheirValues) {
  folder_.write("in/a.csv", "n,day\n1,2026-10-20\n");
  const auto types = pipeline({"check"}, 0)["types"];
  ASSERT_EQ(types.size(), 2U) << types.dump();
  EXPECT_EQ(types[0]["file_type"], "text");
  EXPECT_EQ(types[0]["table_type"], "BIGINT");
  EXPECT_EQ(types[1]["table_type"], "DATE");
  EXPECT_EQ(run({"load"}).code, 0);
  pipeline({"check"}, 0);
  put_file("b.parquet", 2);
  pipeline({"check"}, 0);
}

TEST_F(Check, ATableOfSomebodyElseIsSaidBeforeALoadRefusesIt) {
  put_file("a.parquet", 1);
  run_in_database(folder_ / "w.duckdb", "CREATE TABLE main.events (n INTEGER)");
  pipeline({"check"}, 5);
  EXPECT_EQ(run({"load"}).code, 5);
}

// `first` means the order of units, or arrival where there is none (FEEDS, section 1).
TEST_F(Check, SaysWhichRowOfAKeyIsTheFirst) {
  const auto says = [&](const std::string& unit) {
    folder_.write("first.yaml", "about: x\nunit: {file: \"{n:int}.csv\"" + unit +
                                    "}\ntable: {text: t}\neffect: put\n"
                                    "rows: {key: [id], conflict: first}\n");
    folder_.write(
        "forebay.yaml",
        "target: duckdb:w.duckdb\npipelines:\n  p: {source: ./in/, feed: ./first.yaml}\n");
    const Json checked = pipeline({"check"}, 0);
    EXPECT_TRUE(checked.contains("checks")) << checked;
    for (const Json& check : checked["checks"]) {
      if (check["check"] == "first row of a key") return check["detail"].get<std::string>();
    }
    return std::string();
  };
  EXPECT_EQ(says(""), "the one that comes first: the units have no order");
  EXPECT_EQ(says(", order: [n]"), "by the order of the units, whenever they come");
}

TEST_F(Check, AUnitThatWaitsForItsCompanionIsNoMistakeAndAFolderIsLookedInto) {
  folder_.write("mine.yaml",
                "about: x\nunit: {folder: \"{n:int}/\", order: [n]}\n"
                "with: {meta: \"{n}.json\"}\n"
                "files: {table: {meta: /table}}\neffect: append\n");
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n  p: {source: ./in/, feed: ./mine.yaml}\n");
  put_file("1/a.parquet", 1);
  EXPECT_TRUE(pipeline({"check"}, 0)["types"].empty());
  folder_.write("in/1.json", "{\"table\": \"t\"}");
  const Json checked = pipeline({"check"}, 0);
  EXPECT_EQ(checked["types"].size(), 1U) << checked;
}

}  // namespace
}  // namespace forebay::test
