#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "target/target.h"

namespace forebay {

struct DuckdbTargetOptions {
  std::string path;
  TargetMode mode = TargetMode::write;
  int threads = 0;
  std::uint64_t memory_limit = 0;
  std::string spill_folder;
};
Result<std::unique_ptr<Target>> open_duckdb_target(DuckdbTargetOptions options);

// Rows are made ready in a DuckDB engine on this machine, in memory and in its spill folder.
struct PostgresTargetOptions {
  std::string url;  // as libpq takes it; never shown
  TargetMode mode = TargetMode::write;
  int threads = 0;
  std::uint64_t memory_limit = 0;
  std::string spill_folder;
};
// invalid_config: no address, or no such database; denied; unavailable.
Result<std::unique_ptr<Target>> open_postgres_target(PostgresTargetOptions options);

}  // namespace forebay
