#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/pipeline_fixture.h"
#include "support/run_maker.h"

namespace forebay::test {

// Runs in a folder, and a pipeline of the feed `rivet` that loads them into the schema `raw`. The
// clock stands a minute after the objects were written, so that nothing is overdue yet.
class RunTest : public ::testing::Test {
 protected:
  explicit RunTest(std::vector<std::pair<std::string, std::string>> options);

  // Loads, and fails the test unless the exit code is `expected`.
  CycleReport load(int expected = 0);
  // Rows of a table of `raw` without our own columns, sorted.
  Lines rows(const std::string& table) const;
  Lines query(const std::string& sql) const { return query_lines(database_, sql); }
  // unit and state, in the order of decision
  Lines units() const;
  bool exists(const std::string& table) const;
  // Another load finds nothing new, reads nothing and writes nothing.
  void expect_quiet();

  TempFolder folder_;
  RunMaker runs_;
  std::string database_;
  TestPipeline pipeline_;
};

}  // namespace forebay::test
