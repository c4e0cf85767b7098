#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "engine/engines.h"
#include "support/temp_folder.h"

namespace forebay::test {

// An engine in a database of its own, in memory, and a request for one table.
class EngineFixture : public ::testing::Test {
 protected:
  EngineFixture() { request_.table = "main.t"; }

  TempFolder folder_;
  std::unique_ptr<duckdb::Database> database_ = std::move(*duckdb::Database::open({}));
  std::unique_ptr<duckdb::Connection> connection_ = std::move(*database_->connect());
  std::unique_ptr<Engine> engine_ = make_duckdb_engine(*connection_);
  CollapseRequest request_;
};

}  // namespace forebay::test
