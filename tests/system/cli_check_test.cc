// `forebay check` through the real program: what load would refuse is said before, and what load
// takes is never called wrong (CONTRACT 1).
#include "support/cli_fixture.h"

namespace forebay::test {
namespace {

class Check : public CliFilesTest {};

TEST_F(Check, TextFilesAreNoMistakeAlthoughTheyHaveNoTypes) {
  folder_.write("in/a.csv", "n,day\n1,2026-10-20\n");
  EXPECT_TRUE(pipeline({"check"}, 0)["columns"].empty());
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

}  // namespace
}  // namespace forebay::test
