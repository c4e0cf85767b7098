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

#include "support/crash_matrix.h"
#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/run_maker.h"

// The crash matrix (crash_matrix_test.cc) over the feed `rivet`: a repaired run, a late one, a
// split one, and a source that is cleaned. A run is there whole or not at all. The oracle knows
// each part's rows and asks the ledger which parts are live.
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
    std::map<std::string, std::set<std::string>> live = live_parts(reader);
    std::set<std::string> parts;
    for (const auto& [id, of_run] : live) parts.insert(of_run.begin(), of_run.end());
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
    if (has(reader, "main", "orders")) {
      for (const auto& row : reader.rows("SELECT id, c, v FROM main.orders"))
        rows.push_back(fmt::format("{}|{}|{}", *row[0], *row[1], *row[2]));
    }
    std::ranges::sort(rows);
    if (rows != expected(parts))
      wrong += fmt::format("rows: {}\nexpected: {}\n", fmt::join(rows, " "),
                           fmt::join(expected(parts), " "));
    return wrong;
  }

  // The parts that are live, in words.
  static std::string standing(const std::string& database) {
    if (!std::filesystem::exists(database)) return "";
    DatabaseReader reader(database);
    std::string all;
    for (const auto& [id, parts] : live_parts(reader))
      all += fmt::format("{}: {}\n", id, fmt::join(parts, " "));
    return all;
  }

  std::string strategy = "incremental";
  bool keyed = true;
  std::set<std::string> passed;    // runs of which nothing stays
  std::set<std::string> together;  // runs that come together, in the stead of those

 private:
  static bool has(DatabaseReader& reader, const std::string& schema, const std::string& table) {
    return !reader
                .rows(fmt::format("SELECT 1 FROM duckdb_tables() WHERE schema_name = '{}' AND "
                                  "table_name = '{}'",
                                  schema, table))
                .empty();
  }
  static std::map<std::string, std::set<std::string>> live_parts(DatabaseReader& reader) {
    std::map<std::string, std::set<std::string>> live;  // of each run
    if (!has(reader, "_forebay", "file_log")) return live;
    for (const auto& row :
         reader.rows("SELECT unit, store_key FROM _forebay.files WHERE state = 'live'"))
      live[row[0]->substr(row[0]->rfind('/') + 1)].insert(row[1]->substr(row[1]->rfind('/') + 1));
    return live;
  }
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

class RivetScene : public CrashScene {
 public:
  explicit RivetScene(std::vector<std::string> options) : options_(std::move(options)) {}

  LoadPlace place() const override {
    std::vector<std::string> more;
    for (const std::string& option : options_) {
      more.emplace_back("--set");
      more.push_back(option);
    }
    LoadPlace place(faulty_binary(), exports_.source(), more);
    place.feed = "rivet";
    return place;
  }
  std::string problems(const std::string& database, Applied applied) const override {
    return exports_.problems(database, applied == Applied::all);
  }
  std::string standing(const std::string& database) const override {
    return exports_.standing(database);
  }

 protected:
  Exports exports_;

 private:
  std::vector<std::string> options_;
};

// A part is taken back and a run comes late: two transactions.
class Incremental final : public RivetScene {
 public:
  Incremental() : RivetScene({"mode=incremental", "primary_key=id"}) {}

  bool deliver_before() override {
    exports_.deliver("b", "2026-11-30T11:00:00Z",
                     {{1, {{1, 10, "b"}, {2, 10, "b"}}}, {2, {{3, 11, "b"}, {4, 12, "b"}}}});
    return true;
  }
  void deliver() override {
    exports_.deliver("b", "2026-11-30T11:00:00Z",
                     {{1, {{1, 10, "b"}, {2, 10, "b"}}},
                      {2, {{3, 11, "b"}, {4, 12, "b"}}},
                      {3, {{4, 12, "repaired"}}}},
                     {2});
    exports_.deliver("a", "2026-11-30T10:00:00Z", {{1, {{1, 11, "late"}, {3, 5, "late"}}}});
  }
};

// The units of a split run come together or not at all, and replace what stood.
class Split final : public RivetScene {
 public:
  Split() : RivetScene({"mode=full"}) {}

  bool deliver_before() override {
    exports_.strategy = "full";
    exports_.keyed = false;
    exports_.deliver("whole", "2026-11-30T10:00:00Z", {{1, {{1, 1, "old"}, {2, 1, "old"}}}});
    return true;
  }
  void deliver() override {
    exports_.deliver("0", "2026-11-30T11:00:00Z", {{1, {{1, 2, "new"}}}}, {},
                     {{"key_column", "id"}, {"hi", "5"}});
    exports_.deliver("1", "2026-11-30T11:00:01Z", {{1, {{6, 2, "new"}}}}, {},
                     {{"key_column", "id"}, {"lo", "5"}});
    exports_.together = {"0", "1"};
    exports_.passed = {"whole"};
  }
};

// Rule 7: what a load that died left of the source of an applied run, the next one removes.
class Cleaned final : public RivetScene {
 public:
  Cleaned() : RivetScene({"mode=incremental", "primary_key=id", "cleanup_source=true"}) {}

  bool deliver_before() override { return false; }
  void deliver() override {
    exports_.deliver("a", "2026-11-30T10:00:00Z",
                     {{1, {{1, 1, "a"}}}, {2, {{2, 2, "a"}}}, {3, {{3, 3, "a"}}}});
    exports_.deliver("b", "2026-11-30T11:00:00Z", {{1, {{1, 2, "b"}}}});
  }
  std::string left_over() const override {
    std::size_t objects = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(exports_.source()))
      objects += entry.is_regular_file() ? 1 : 0;
    return objects > 0 ? fmt::format("{} objects of applied runs", objects) : "";
  }
  std::optional<std::filesystem::path> changed_by_loads() const override {
    return exports_.source();
  }
};

template <typename Scene>
SceneMaker rivet(const char* name) {
  return {name, [] { return std::make_unique<Scene>(); }};
}

INSTANTIATE_TEST_SUITE_P(Rivet, CrashMatrix,
                         testing::Values(rivet<Incremental>("RivetIncremental"),
                                         rivet<Split>("RivetSplit"),
                                         rivet<Cleaned>("RivetCleaned")),
                         scene_name);
INSTANTIATE_TEST_SUITE_P(Rivet, CommitMatrix,
                         testing::Values(rivet<Incremental>("RivetIncremental")), scene_name);

}  // namespace
}  // namespace forebay::test
