#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "support/history.h"
#include "support/oracle.h"
#include "support/pipeline_fixture.h"

namespace forebay::test {

// One history on its way through a real pipeline, in a database that other runs share: each has a
// pipeline and a schema of its own.
class HistoryRun {
 public:
  // A deliberate mistake, to see that the comparison finds it: the loader never sees one marker, or
  // sees the content of two markers under each other's name.
  enum class Mistake { none, lose_a_marker, swap_two_markers };

  HistoryRun(History history, const std::string& folder, const std::string& database,
             Mistake mistake = Mistake::none);

  // Takes the steps up to the next load, and loads. False: no load was left. What is wrong with the
  // report is kept for check().
  bool load(Target& target);
  // Compares every table and the ledger with the oracle; an explanation when they differ.
  std::optional<std::string> check(DatabaseReader& database);

  // The database that all runs share. Fails the test and is null when it cannot be opened.
  std::unique_ptr<Target> open_target() const;

 private:
  void take(const History::Step& step);
  void run_cycle(Target& target, const History::Step& step);
  void check_report(const CycleReport& report, const std::set<std::size_t>& applied,
                    std::size_t left);
  void check_columns(DatabaseReader& database, const std::map<std::string, Oracle::Table>& tables);
  void check_rows(DatabaseReader& database, const std::string& name, const Oracle::Table& table);
  void check_gone(DatabaseReader& database, const std::string& name, const Oracle::Table& table);
  void check_files(DatabaseReader& database, const std::map<std::string, Oracle::Table>& tables);
  void check_entries(DatabaseReader& database);
  void expect_equal(const std::string& what, const std::set<std::string>& expected,
                    const std::set<std::string>& actual);
  void complain(const std::string& what) { problems_ += "  " + what + "\n"; }

  History history_;
  FeedMaker feed_;
  TestPipeline pipeline_;
  Mistake mistake_;
  std::size_t lost_ = 0;
  Oracle oracle_;
  std::size_t next_step_ = 0;
  std::set<std::size_t> due_;       // delivered and not loaded
  std::set<std::size_t> repeated_;  // loaded, and written again since
  std::map<std::string, std::string>
      file_names_;                           // unit and key → "marker#n", as the oracle calls it
  std::map<std::string, std::string> live_;  // file id → "marker#n"
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> columns_;  // name, type
  std::vector<DatabaseReader::Row> entries_;  // of the ledger, as they were the last time
  std::string problems_;
};

}  // namespace forebay::test
