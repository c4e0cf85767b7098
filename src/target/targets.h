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

}  // namespace forebay
