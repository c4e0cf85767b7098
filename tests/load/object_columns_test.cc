#include "load/object_columns.h"

#include <gtest/gtest.h>

#include "support/files_feed_fixture.h"
#include "support/parquet_maker.h"

// Aim: columns that come from the object: what the store says of it (`metadata`) and what its path
// says (`partition_columns`), FEEDS 2.3 rule 6; PART-1, CASE-2, CHAR-4. Method: files of a folder
// in folders named k=v, loaded in process.
namespace forebay::test {
namespace {

class ObjectColumns : public FilesTest {
 protected:
  ObjectColumns() { wait_until_all_settled(); }
  void put(const std::string& key, const std::string& bytes) { folder_.write("in/" + key, bytes); }
  void set(const std::string& option, const std::vector<std::pair<std::string, std::string>>& map) {
    OptionValue value{.where = "forebay.yaml:9", .is_map = true};
    for (const auto& [key, text] : map)
      value.fields.emplace_back(key, OptionValue{.values = {text}, .where = "forebay.yaml:9"});
    pipeline_.settings.more[option] = value;
  }
};

TEST_F(ObjectColumns, MetadataSaysWhichFileARowCameFrom) {
  set("metadata", {{"source_file_name", "name"},
                   {"source_file_timestamp", "at"},
                   {"source_file_size", "size"},
                   {"source_file_etag", "etag"}});
  put("a.csv", "n\n1\n2\n");
  make_parquet(folder_ / "in/b.parquet", "SELECT 3::BIGINT AS n");
  put("c.csv", "n\n4\n");
  load();
  EXPECT_EQ(query("SELECT n, name, size FROM main.events WHERE n <> 3 ORDER BY 1"),
            (Lines{"1|a.csv|6", "2|a.csv|6", "4|c.csv|4"}));
  EXPECT_EQ(query("SELECT count(*) FROM main.events e JOIN _forebay.files f ON e._forebay_file = "
                  "f.file_id AND e.name = f.store_key AND e.size = f.size AND e.etag = f.etag AND "
                  "e.at = f.last_modified"),
            (Lines{"4"}));
}

TEST_F(ObjectColumns, AMetadataNameThatTheFileHasIsAConfigurationError) {
  set("metadata", {{"source_file_name", "N"}});
  put("a.csv", "n\n1\n");
  const CycleReport report = load(1);
  EXPECT_TRUE(report.error->cause.contains("column 'n' itself")) << text(report);
  EXPECT_EQ(query("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'events'"),
            (Lines{"0"}));
}

// PART-5: files below k=v/ are named one by one, never by a pattern.
TEST_F(ObjectColumns, PartsOfThePathBecomeColumns) {
  set("partition_columns", {{"dt", "DATE"}, {"region", "TEXT"}, {"hour", "INTEGER"}});
  put("dt=2026-10-20/region=a%2Fb/hour=07/1.csv", "n\n1\n");
  put("dt=2026-10-21/region=/2.csv", "n\n2\n");
  put("DT=__HIVE_DEFAULT_PARTITION__/region=x=y/hour=8/3.csv", "n\n3\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|2026-10-20|a/b|7", "2|2026-10-21||null", "3|null|x=y|8"}));
}

TEST_F(ObjectColumns, APartThatDoesNotConvertIsDrift) {
  set("partition_columns", {{"dt", "DATE"}});
  put("dt=2026-10-20/1.csv", "n\n1\n");
  put("dt=yesterday/2.csv", "n\n2\n");
  put("dt=2026-10-21/3.csv", "n\n3\n");
  EXPECT_EQ(load(4).units.quarantined, 1U);
  EXPECT_EQ(rows(), (Lines{"1|2026-10-20", "3|2026-10-21"}));
}

// CONTRACT: they are fixed once rows stand. A column that is asked for no longer would be null on
// new rows, as if the path had said nothing.
TEST_F(ObjectColumns, PartsThatBecomeColumnsAreFixed) {
  set("partition_columns", {{"h", "INTEGER"}, {"dt", "DATE"}});
  put("dt=2026-10-20/h=1/1.csv", "n\n1\n");
  load();
  set("partition_columns", {{"dt", "DATE"}, {"h", "INTEGER"}});
  put("dt=2026-10-21/h=2/2.csv", "n\n2\n");
  load();
  using Map = std::vector<std::pair<std::string, std::string>>;
  for (const Map& other : {Map{}, Map{{"dt", "DATE"}}, Map{{"dt", "TEXT"}, {"h", "INTEGER"}}}) {
    if (other.empty()) pipeline_.settings.more.erase("partition_columns");
    if (!other.empty()) set("partition_columns", other);
    put("dt=2026-10-22/h=3/3.csv", "n\n3\n");
    const CycleReport report = load(5);
    EXPECT_TRUE(report.error && report.error->cause.contains("was 'dt DATE, h INTEGER'"))
        << text(report);
  }
  EXPECT_EQ(rows(), (Lines{"1|1|2026-10-20", "2|2|2026-10-21"}));
}

TEST_F(ObjectColumns, AColumnOfThatNameInTheFileMustAgree) {
  set("partition_columns", {{"dt", "DATE"}});
  put("dt=2026-10-20/1.csv", "Dt,n\n2026-10-20,1\n");
  put("dt=2026-10-20/2.csv", "dt,n\n2026-10-20,2\n2026-10-21,3\n");
  put("dt=2026-10-20/3.csv", "dt,n\n,4\n");
  std::filesystem::create_directories(folder_ / "in/dt=2026-10-22");
  make_parquet(folder_ / "in/dt=2026-10-22/4.parquet",
               "SELECT DATE '2026-10-22' AS dt, 5::BIGINT AS n");
  const CycleReport report = load(3);
  EXPECT_EQ(report.units.quarantined, 2U);
  EXPECT_EQ(rows(), (Lines{"1|2026-10-20", "5|2026-10-22"}));
}

TEST_F(ObjectColumns, OptionsThatMeanNothingAreConfigurationErrors) {
  put("a.csv", "n\n1\n");
  for (const auto& [option, key, value] :
       {std::tuple("metadata", "source_file_nam", "x"), {"partition_columns", "dt", "DAY"}}) {
    pipeline_.settings.more.clear();
    set(option, {{key, value}});
    load(1);
  }
  set("metadata", {{"source_file_name", "x"}, {"source_file_size", "X"}});
  load(1);
}

}  // namespace
}  // namespace forebay::test
