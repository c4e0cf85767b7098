#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "engine/database.h"

namespace forebay::duckdb {

struct KeyedRows {
  std::string rows;              // a query
  std::vector<std::string> key;  // its columns
  std::uint64_t count = 0;       // of rows that it is thought to give
};

struct KeyHashes {
  std::uint64_t rows = 0;
  std::uint64_t no_key = 0;  // rows with a null in their key
  // Two hashes of keys are equal. False proves that all keys differ; true proves nothing.
  bool repeats = false;
};

// Hashes the key of each row. Of at most `in_memory` rows the hashes are compared here, those of
// more are sorted by the engine. Errors: those of Connection.
Result<KeyHashes> compare_key_hashes(Connection& db, const KeyedRows& keyed,
                                     std::uint64_t in_memory = kHashesInMemory);

}  // namespace forebay::duckdb
