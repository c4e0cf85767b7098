#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/pipeline_fixture.h"
#include "support/temp_folder.h"

namespace forebay::test {

// A feed that a test describes in YAML, over a folder of its own. Nothing but the description and
// the files differs from one to the next.
class DescribedFeed : public ::testing::Test {
 protected:
  DescribedFeed();

  // One of the descriptions in examples/, or the test's own.
  void describe_as_in(const std::string& example);
  void describe_by(std::string_view yaml) { settings_.yaml = yaml; }

  void put(const std::string& key, const std::string& content) const;
  void remove(const std::string& key) const;
  // An option that is a list.
  void set_list(const std::string& name, std::vector<std::string> values);
  void set(const std::string& name, const std::string& value);

  // Loads, and fails the test unless the exit code is `expected`. The clock stands ten years ahead,
  // so that all that was written has settled.
  CycleReport load(int expected = 0);
  // What a load says that waits, as the plan tells it: "unit: reason".
  Lines waiting();
  // The error of a description that cannot be right.
  std::string error_of(std::string_view yaml) const;

  // A table's rows without our own columns, in the order of its columns.
  Lines rows(const std::string& table, const std::string& columns = "*") const;
  Lines query(const std::string& sql) const;
  Lines tables() const;

  TempFolder folder_;
  TestPipeline::Settings settings_;
  Duration ahead_ = std::chrono::hours(24 * 365 * 10);
};

}  // namespace forebay::test
