#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "feed/description.h"
#include "load/cycle.h"
#include "load/pipeline.h"
#include "store/object_store.h"
#include "support/fake_clock.h"
#include "support/feed_maker.h"
#include "support/temp_folder.h"

namespace forebay::test {

// A pipeline over a folder and a DuckDB file, run in process through the public functions. Each
// cycle opens the database and closes it again, as a run of the program does.
class TestPipeline {
 public:
  struct Settings {
    std::string feed = "rollerup";
    std::vector<std::pair<std::string, std::string>> options;  // of the feed
    Options more = {};                                         // those that are lists or mappings
    std::string yaml = {};  // a description of the test's own instead of a built-in one
    std::string name = "acme";
    std::string schema = "carwash";
    std::string source;    // a folder
    std::string database;  // a file
  };
  // What stands between the pipeline and its store in a test; the store given lives as long.
  using Decorate = std::function<std::unique_ptr<ObjectStore>(ObjectStore&)>;

  explicit TestPipeline(Settings settings);

  CycleReport load(const CycleOptions& options = {});
  // The same with a target that is open already, so that two pipelines can share one.
  CycleReport load_into(Target& target, const CycleOptions& options = {});
  // What a cycle would do. Opens the database to read.
  Result<Plan> plan(const CycleOptions& options = {});
  Result<std::unique_ptr<Target>> open_target() const;
  Result<Pipeline> bind(ObjectStore& store, Target& target) const;

  FakeClock& clock() { return clock_; }
  Settings settings;
  Decorate decorate;

 private:
  // Later than every batch that tests name, so that none lies in the future.
  FakeClock clock_{Time(std::chrono::sys_days{std::chrono::year{2026} / 12 / 31})};
};

// A database that no pipeline has open, to be read. All cells come as text; a query that fails is a
// failure of the test.
class DatabaseReader {
 public:
  explicit DatabaseReader(const std::string& path);
  ~DatabaseReader();
  using Row = std::vector<std::optional<std::string>>;
  std::vector<Row> rows(const std::string& sql);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

// A query's rows, each as one line: the cells joined by '|', "null" for nothing.
using Lines = std::vector<std::string>;
Lines query_lines(const std::string& database, const std::string& sql);
// Runs statements, as a stranger to the ledger would.
void run_in_database(const std::string& database, const std::string& sql);

int code(const CycleReport& report);
// The whole report as text, for messages.
std::string text(const CycleReport& report);
bool warns(const CycleReport& report, std::string_view part);

// A RollerUp feed in a folder, and a pipeline that loads it.
class RollerupTest : public ::testing::Test {
 protected:
  explicit RollerupTest(std::vector<std::pair<std::string, std::string>> options = {},
                        std::string prefix = "rollerup/");

  void deliver(const Marker& marker) { feed_.deliver(marker); }
  // Loads, and fails the test unless the exit code is `expected`.
  CycleReport load(int expected = 0, const CycleOptions& options = {});
  // A table's rows without `_forebay_file`, sorted: "a|1|first" is _row_id, amount, note.
  Lines rows(const std::string& table) const;
  Lines query(const std::string& sql) const { return query_lines(database_, sql); }
  // name and type of a table's columns, in their order
  Lines columns(const std::string& table) const;
  // unit and state, in the order of decision
  Lines units() const;
  // The number of rows of each table of the ledger: equal before and after an idle cycle.
  Lines ledger_sizes() const;
  bool exists(const std::string& table) const;

  TempFolder folder_;
  FeedMaker feed_;
  std::string database_;
  TestPipeline pipeline_;
};

}  // namespace forebay::test
