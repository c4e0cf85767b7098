#include "support/type_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "support/parquet_maker.h"

namespace forebay::test {
namespace {

// Asks DuckDB whether a value prints back from a type; the pools are small, so each is asked once.
bool prints_back(const std::string& value, const std::string& type) {
  static std::map<std::pair<std::string, std::string>, bool> known;
  const auto [entry, is_new] = known.try_emplace({value, type}, false);
  if (is_new)
    entry->second = sql_value(fmt::format("SELECT coalesce(TRY_CAST(v AS {})::VARCHAR = v, false) "
                                          "FROM (SELECT '{}' AS v)",
                                          type, value)) == "true";
  return entry->second;
}

}  // namespace

bool print_back(const std::vector<std::string>& values, const std::string& type) {
  return std::ranges::all_of(values,
                             [&](const std::string& value) { return prints_back(value, type); });
}

std::string type_of(const std::vector<std::string>& values) {
  if (values.empty()) return "VARCHAR";
  for (const char* type : {"BOOLEAN", "BIGINT", "DOUBLE", "DATE", "TIMESTAMP"}) {
    if (print_back(values, type)) return type;
  }
  return "VARCHAR";
}

}  // namespace forebay::test
