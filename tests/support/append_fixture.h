#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/pipeline_fixture.h"
#include "support/temp_folder.h"

namespace forebay::test {

// A folder of files whose rows the feed `append` takes, and a pipeline that loads it. The clock
// stands years after the files were written.
class AppendTest : public ::testing::Test {
 protected:
  using OptionList = std::vector<std::pair<std::string, std::string>>;
  explicit AppendTest(OptionList options = {{"time_column", "t"}});

  // Adds an option, or changes the one that stands.
  void set(const std::string& name, const std::string& value);
  // retention: {period: …}
  void keep_for(const std::string& period);
  void put_text(const std::string& key, const std::string& content);
  // Writes the rows of `query`, in place of what stands there.
  void put_file(const std::string& key, const std::string& query, const std::string& options = "");
  // The rows (t, n) of whole numbers: n is 0 unless given otherwise.
  void put_numbers(const std::string& key, const std::vector<int>& times);
  void remove_file(const std::string& key);

  CycleReport load(int expected = 0, const CycleOptions& options = {});
  Lines query(const std::string& sql) const { return query_lines(database_, sql); }
  // The column, or all but ours, sorted.
  Lines column(const std::string& name = "t") const;
  Lines rows() const;
  std::string mark() const;
  std::uint64_t ignored(const CycleReport& report, const std::string& reason) const;

  TempFolder folder_;
  std::string database_;
  TestPipeline pipeline_;
};

}  // namespace forebay::test
