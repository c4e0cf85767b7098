#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/crash_scene.h"
#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/run_maker.h"

// Aim: whatever step a load of verified runs dies or fails at, a run is there whole or not at all,
// the table is what the parts that are there say, and the next load brings everything. Method: as
// in crash_matrix_test.cc, over what only this feed has: a repaired run, a late one, a split one,
// and a source that is cleaned. The oracle knows each part's rows and asks the ledger which parts
// are live.
namespace forebay::test {
namespace {

struct PartRow {
  int id;
  int cursor;
  std::string value;
};

// Runs in a folder, and what each part brings.
class Exports {
 public:
  std::string source() const { return *folder_ / "exports/"; }

  // `parts`: the number and the rows of each; superseded ones are listed and not live.
  void deliver(const std::string& id, const std::string& started_at,
               const std::vector<std::pair<int, std::vector<PartRow>>>& parts,
               const std::set<int>& superseded = {},
               const nlohmann::ordered_json& window = nlohmann::ordered_json()) {
    ExportRun run{.id = id, .started_at = started_at};
    run.strategy = strategy;
    std::set<std::string> live;
    for (const auto& [number, rows] : parts) {
      std::string sql;
      for (const PartRow& row : rows)
        sql += fmt::format("{}SELECT {} AS id, {} AS c, '{}' AS v",
                           sql.empty() ? "" : " UNION ALL ", row.id, row.cursor, row.value);
      const bool gone = superseded.contains(number);
      const std::string path = fmt::format("{}-{}.parquet", id, number);
      run.parts.push_back({.rows = sql, .status = gone ? "superseded" : "committed", .path = path});
      if (!gone) live.insert(path);
      for (const PartRow& row : rows) rows_[path].emplace_back(started_at, row);
    }
    states_[id].push_back(live);
    run.change = [window](auto& json) {
      json["source"]["extraction"]["cursor_column"] = "c";
      if (!window.is_null()) {
        json["split_window"] = window;
        json["export_name"] = "orders#" + json["run_id"].template get<std::string>();
      }
    };
    RunMaker runs(*folder_ / "exports");
    runs.write_parts(run);
    runs.write_copy(run);
  }

  // What is wrong with a database, or nothing. With `all`, every run must be there as it is now.
  std::string problems(const std::string& database, bool all) const {
    if (!std::filesystem::exists(database)) return all ? "there is no database" : "";
    DatabaseReader reader(database);
    const auto has = [&](const std::string& schema, const std::string& table) {
      return !reader
                  .rows(fmt::format("SELECT 1 FROM duckdb_tables() WHERE schema_name = '{}' AND "
                                    "table_name = '{}'",
                                    schema, table))
                  .empty();
    };
    std::map<std::string, std::set<std::string>> live;  // parts of each run
    std::set<std::string> parts;
    if (has("_forebay", "file_log")) {
      for (const auto& row :
           reader.rows("SELECT unit, store_key FROM _forebay.files WHERE state = 'live'")) {
        const std::string part = row[1]->substr(row[1]->rfind('/') + 1);
        live[row[0]->substr(row[0]->rfind('/') + 1)].insert(part);
        parts.insert(part);
      }
    }
    std::string wrong;
    for (const auto& [id, states] : states_) {
      const std::set<std::string>& is = live[id];
      if (!is.empty() && std::ranges::find(states, is) == states.end())
        wrong += fmt::format("of {} there is {}\n", id, fmt::join(is, ", "));
      const bool last = passed.contains(id) ? is.empty() : is == states.back();
      if (all && !last) wrong += fmt::format("{} is not there as it is now\n", id);
    }
    const auto there = [&](const std::string& id) { return !live[id].empty(); };
    const auto joined = static_cast<std::size_t>(std::ranges::count_if(together, there));
    if (joined != 0 && (joined != together.size() || std::ranges::any_of(passed, there)))
      wrong += "what comes together did not\n";
    Lines rows;
    if (has("main", "orders")) {
      for (const auto& row : reader.rows("SELECT id, c, v FROM main.orders"))
        rows.push_back(fmt::format("{}|{}|{}", *row[0], *row[1], *row[2]));
    }
    std::ranges::sort(rows);
    if (rows != expected(parts))
      wrong += fmt::format("rows: {}\nexpected: {}\n", fmt::join(rows, " "),
                           fmt::join(expected(parts), " "));
    return wrong;
  }

  std::string strategy = "incremental";
  bool keyed = true;
  std::set<std::string> passed;    // runs of which nothing stays
  std::set<std::string> together;  // runs that come together, in the stead of those

 private:
  Lines expected(const std::set<std::string>& parts) const {
    std::map<int, std::tuple<int, std::string, std::string>> newest;  // id → cursor, start, value
    Lines lines;
    for (const std::string& part : parts) {
      for (const auto& [started_at, row] : rows_.at(part)) {
        if (!keyed) lines.push_back(fmt::format("{}|{}|{}", row.id, row.cursor, row.value));
        auto& known = newest[row.id];
        known = std::max(known, {row.cursor, started_at, row.value});
      }
    }
    for (const auto& [id, row] : newest) {
      if (keyed) lines.push_back(fmt::format("{}|{}|{}", id, std::get<0>(row), std::get<2>(row)));
    }
    std::ranges::sort(lines);
    return lines;
  }

  std::unique_ptr<TempFolder> folder_ = std::make_unique<TempFolder>();
  std::map<std::string, std::vector<std::pair<std::string, PartRow>>> rows_;  // by part
  std::map<std::string, std::vector<std::set<std::string>>> states_;  // by run: parts of each state
};

class RivetCrash : public testing::Test {
 protected:
  LoadPlace place(const std::vector<std::string>& options) const {
    std::vector<std::string> more;
    for (const std::string& option : options) {
      more.emplace_back("--set");
      more.push_back(option);
    }
    LoadPlace place(faulty_binary(), exports_.source(), more);
    place.feed = "rivet";
    return place;
  }
  void expect_fine(const LoadPlace& place, bool all) const {
    EXPECT_EQ(exports_.problems(place.database(), all), "");
    EXPECT_TRUE(place.staging_is_empty());
  }

  // A load from `before` that dies, and one that fails, at each of its steps; then one that does
  // not.
  void die_at_each_step(const LoadPlace& before, const std::vector<std::string>& options,
                        long at_least) {
    const auto fresh = [&] {
      LoadPlace here = place(options);
      here.copy_database(before);
      return here;
    };
    const LoadPlace quiet = fresh();
    const ProgramResult counted = quiet.load("count");
    ASSERT_EQ(counted.code, 0) << counted.err;
    expect_fine(quiet, true);
    const FaultCount count = fault_count(counted);
    EXPECT_GT(count.points, at_least);
    RecordProperty("points", static_cast<int>(count.points));
    std::vector<std::string> faults;
    for (long k = 1; k <= count.points; ++k) faults.push_back(fmt::format("crash:{}", k));
    for (const std::string& name : count.names) faults.push_back("errors:" + name);
    for (const std::string& fault : faults) {
      SCOPED_TRACE(fault);
      const LoadPlace here = fresh();
      const ProgramResult hit = here.load(fault);
      const bool dies = fault.starts_with("crash");
      EXPECT_TRUE(dies ? hit.code == 137 : hit.code == 0 || hit.code == 2) << hit.code << hit.err;
      expect_fine(here, false);
      const ProgramResult recovery = here.load();
      EXPECT_EQ(recovery.code, 0) << recovery.err;
      expect_fine(here, true);
    }
  }

  Exports exports_;
};

// A part is taken back and a run comes late: two transactions.
TEST_F(RivetCrash, EveryStepOfIncrementalRuns) {
  const std::vector<std::string> options = {"mode=incremental", "primary_key=id"};
  exports_.deliver("b", "2026-11-30T11:00:00Z",
                   {{1, {{1, 10, "b"}, {2, 10, "b"}}}, {2, {{3, 11, "b"}, {4, 12, "b"}}}});
  const LoadPlace before = place(options);
  ASSERT_EQ(before.load().code, 0);
  exports_.deliver("b", "2026-11-30T11:00:00Z",
                   {{1, {{1, 10, "b"}, {2, 10, "b"}}},
                    {2, {{3, 11, "b"}, {4, 12, "b"}}},
                    {3, {{4, 12, "repaired"}}}},
                   {2});
  exports_.deliver("a", "2026-11-30T10:00:00Z", {{1, {{1, 11, "late"}, {3, 5, "late"}}}});
  die_at_each_step(before, options, 20);
}

// The units of a split run come together or not at all, and replace what stood.
TEST_F(RivetCrash, EveryStepOfASplitRun) {
  exports_.strategy = "full";
  exports_.keyed = false;
  exports_.deliver("whole", "2026-11-30T10:00:00Z", {{1, {{1, 1, "old"}, {2, 1, "old"}}}});
  const LoadPlace before = place({"mode=full"});
  ASSERT_EQ(before.load().code, 0);
  exports_.deliver("0", "2026-11-30T11:00:00Z", {{1, {{1, 2, "new"}}}}, {},
                   {{"key_column", "id"}, {"hi", "5"}});
  exports_.deliver("1", "2026-11-30T11:00:01Z", {{1, {{6, 2, "new"}}}}, {},
                   {{"key_column", "id"}, {"lo", "5"}});
  exports_.together = {"0", "1"};
  exports_.passed = {"whole"};
  die_at_each_step(before, {"mode=full"}, 15);
}

// Rule 7: what a load that died left of the source of an applied run, the next one removes.
TEST_F(RivetCrash, EveryStepOfACleaning) {
  const auto objects = [this] {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(exports_.source()))
      count += entry.is_regular_file() ? 1 : 0;
    return count;
  };
  const auto deliver = [this] {
    exports_.deliver("a", "2026-11-30T10:00:00Z",
                     {{1, {{1, 1, "a"}}}, {2, {{2, 2, "a"}}}, {3, {{3, 3, "a"}}}});
    exports_.deliver("b", "2026-11-30T11:00:00Z", {{1, {{1, 2, "b"}}}});
  };
  const std::vector<std::string> options = {"mode=incremental", "primary_key=id",
                                            "cleanup_source=true"};
  deliver();
  const std::size_t all = objects();
  const LoadPlace quiet = place(options);
  const FaultCount count = fault_count(quiet.load("count"));
  ASSERT_TRUE(count.names.contains("clean.removed"));
  EXPECT_EQ(objects(), 0U);
  for (long k = 1; k <= count.points; ++k) {
    SCOPED_TRACE(fmt::format("crash:{}", k));
    deliver();
    ASSERT_EQ(objects(), all);
    const LoadPlace here = place(options);
    ASSERT_EQ(here.load(fmt::format("crash:{}", k)).code, 137);
    expect_fine(here, false);
    EXPECT_EQ(here.load().code, 0);
    expect_fine(here, true);
    EXPECT_EQ(objects(), 0U);
  }
}

}  // namespace
}  // namespace forebay::test
