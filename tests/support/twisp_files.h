#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/pipeline_fixture.h"
#include "support/temp_folder.h"

namespace forebay::test {

// One committed version of a record, as a file of the Twisp pipeline brings it.
struct RecordVersion {
  std::string record;  // one letter; stands for a UUID
  std::uint64_t version = 1;
  std::string status = "ALIVE";
  std::string note = {};  // a column of the entity
  int begin = 0;          // minutes after a fixed time
  std::string tenant = "t";
};

// A SELECT of such rows; UUIDs as the 16 bytes that older files have, or as text.
std::string select_versions(const std::vector<RecordVersion>& versions, bool uuid_bytes = false);

// The text of the UUID that a letter stands for.
std::string uuid_text(const std::string& letter);

// A folder with a copy of a Twisp bucket and a pipeline that loads it.
class TwispTest : public ::testing::Test {
 protected:
  TwispTest();

  // `hour` as "2026/07/29/10".
  void put_file(const std::string& hour, const std::string& entity, const std::string& file,
                const std::string& select);
  CycleReport load(int expected = 0);
  Lines query(const std::string& sql) const { return query_lines(database_, sql); }
  // "record version status note" of an entity's rows, records as their letters.
  Lines current(const std::string& entity = "entry") const { return rows(entity); }
  Lines history(const std::string& entity = "entry") const { return rows(entity + "__history"); }
  Lines rows(const std::string& table) const;
  Lines quarantined() const;

  TempFolder folder_;
  std::string database_ = folder_ / "warehouse.duckdb";
  TestPipeline pipeline_{{.feed = "twisp",
                          .name = "ledger",
                          .schema = "main",
                          .source = folder_ / "in/",
                          .database = database_}};
};

}  // namespace forebay::test
