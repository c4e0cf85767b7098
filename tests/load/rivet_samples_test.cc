#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/value.h"
#include "support/pipeline_fixture.h"
#include "support/sample_feed.h"

// Aim: real exports, step by step: after each step the tables hold what the source said. Method:
// the destination is laid out as it was after each step and loaded; every table is compared with
// the recorded rows. In one order each step is loaded, in another only every second one, since a
// loader may come when it likes.
namespace forebay::test {
namespace {

class SampleRun {
 public:
  explicit SampleRun(const std::string& scenario) : sample_(read_sample(scenario)) {}

  // The key of each table that has one.
  std::map<std::string, std::vector<std::string>> keys;
  std::set<std::string> without;  // tables that are not loaded here

  void load_each_step() {
    for (std::size_t i = 0; i < sample_.steps.size(); ++i) step(i);
  }
  void load_every_second_step() {
    for (std::size_t i = 1; i < sample_.steps.size(); i += 2) step(i);
  }

 private:
  void step(std::size_t i) {
    const SampleStep& step = sample_.steps[i];
    SCOPED_TRACE(step.state);
    lay_out(sample_, step, folder_ / "exports");
    for (const auto& [name, table] : step.tables) {
      if (without.contains(name)) continue;
      load(name);
      // A table of which no rows ever came has no columns that anybody could know.
      const bool never = !table || (table->rows.empty() && !exists(name));
      if (!never) compare(name, *table);
      EXPECT_TRUE(table || !exists(name)) << name;
    }
  }

  void load(const std::string& name) {
    const SampleTarget& target = sample_.targets.at(name);
    forebay::Options more;
    if (keys.contains(name))
      more["primary_key"] = {.values = keys.at(name), .is_list = true, .where = "forebay.yaml:9"};
    TestPipeline pipeline({.feed = "rivet",
                           .options = {{"mode", target.mode}},
                           .more = std::move(more),
                           .name = name,
                           .schema = name,
                           .source = folder_ / ("exports/" + target.prefix),
                           .database = database()});
    if (!std::filesystem::exists(pipeline.settings.source)) return;
    const CycleReport report = pipeline.load();
    EXPECT_EQ(code(report), 0) << name << ": " << text(report);
    EXPECT_EQ(pipeline.load().outcome, Outcome::nothing_new) << name;
  }

  void compare(const std::string& name, const SampleTable& table) {
    const std::set<std::string> texts = columns_of_text(name);
    std::string columns;
    for (const SampleColumn& column : table.columns) {
      columns += fmt::format(
          "{}{}", columns.empty() ? "" : ", ",
          texts.contains(column.name) ? duckdb::quote(column.name) : sample_text_sql(column));
    }
    auto rows = DatabaseReader(database())
                    .rows(fmt::format("SELECT {} FROM {}", columns, duckdb::quote(name, name)));
    auto expected = table.rows;
    std::ranges::sort(rows);
    std::ranges::sort(expected);
    ASSERT_EQ(rows.size(), expected.size()) << name;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        EXPECT_TRUE(same_value(table.columns[c], expected[r][c], rows[r][c]))
            << name << "." << table.columns[c].name << " row " << r << ": expected "
            << expected[r][c].value_or("NULL") << ", is " << rows[r][c].value_or("NULL");
      }
    }
  }

  // What came from CSV may have stayed text.
  std::set<std::string> columns_of_text(const std::string& table) {
    std::set<std::string> names;
    for (const auto& row : DatabaseReader(database())
                               .rows(fmt::format("SELECT column_name FROM duckdb_columns() WHERE "
                                                 "schema_name = '{0}' AND table_name = '{0}' AND "
                                                 "data_type = 'VARCHAR'",
                                                 table)))
      names.insert(row[0].value_or(""));
    return names;
  }

  bool exists(const std::string& name) {
    return query_lines(database(), fmt::format("SELECT count(*) FROM duckdb_tables() WHERE "
                                               "schema_name = '{0}' AND table_name = '{0}'",
                                               name)) == Lines{"1"};
  }

  std::string database() const { return folder_ / "warehouse.duckdb"; }

  Sample sample_;
  TempFolder folder_;
};

TEST(RivetSamples, InterruptedAndResumedRuns) {
  SampleRun run("06-interrupted");
  run.keys = {{"incr", {"id"}}};
  run.load_each_step();
}

TEST(RivetSamples, InterruptedAndResumedRunsSeenNowAndThen) {
  SampleRun run("06-interrupted");
  run.keys = {{"incr", {"id"}}};
  run.load_every_second_step();
}

TEST(RivetSamples, PrefixesThatBeginAlike) {
  SampleRun run("10-shared-prefix");
  run.keys = {{"orders", {"id"}}};
  run.load_each_step();
}

TEST(RivetSamples, IncrementalRuns) {
  SampleRun run("03-incremental");
  run.keys = {{"orders", {"id"}}, {"events", {"seq"}}, {"app_log", {"code"}}};
  run.load_each_step();
}

// Rule 6: three tables of one change stream, of which one sends only keys with its deletes.
TEST(RivetSamples, ChangeStreams) {
  SampleRun run("05-cdc-postgres");
  run.keys = {
      {"customers", {"id"}}, {"order_lines", {"order_id", "line_no"}}, {"documents", {"id"}}};
  run.load_each_step();
}

TEST(RivetSamples, ChangeStreamsSeenNowAndThen) {
  SampleRun run("05-cdc-postgres");
  run.keys = {
      {"customers", {"id"}}, {"order_lines", {"order_id", "line_no"}}, {"documents", {"id"}}};
  run.load_every_second_step();
}

// Rule 9: text files.
TEST(RivetSamples, TextFiles) {
  SampleRun run("08-csv");
  run.keys = {{"csv_incr", {"id"}}};
  run.load_each_step();
}

// Two of its columns are decimals of 50 and 76 digits, for which the target has no type: they are
// exact as text.
TEST(RivetSamples, EveryTypeAndDecimalsOf76Digits) {
  SampleRun run("01-full-types");
  run.load_each_step();
}

TEST(RivetSamples, EveryTypeSeenNowAndThen) {
  SampleRun run("01-full-types");
  run.load_every_second_step();
}

}  // namespace
}  // namespace forebay::test
