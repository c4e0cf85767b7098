#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "base/transfer_limits.h"
#include "engine/database.h"

namespace forebay::ledger {

// Runs a comparison of names with little memory for the engine, so that what it reads of the ledger
// does not pile up there. `usual`: the limit before and after; 0: the engine's own, which stays.
template <class Compare>
auto in_little_memory(duckdb::Connection& connection, std::uint64_t usual, const Compare& compare)
    -> decltype(compare()) {
  const auto limit = [&](std::uint64_t bytes) {
    return connection.execute(fmt::format("SET memory_limit = '{}B'", bytes), "limit the memory");
  };
  if (usual <= kCompareMemory) return compare();
  RETURN_IF_ERROR(limit(kCompareMemory));
  auto compared = compare();
  RETURN_IF_ERROR(limit(usual));
  return compared;
}

}  // namespace forebay::ledger
