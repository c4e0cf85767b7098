#include "engine/key_hashes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/repeats.h"

namespace forebay::duckdb {
namespace {

Result<KeyHashes> compare_here(Connection& db, const KeyedRows& keyed, const std::string& hash,
                               const std::string& no_key) {
  KeyHashes found;
  Repeats repeats(keyed.count);
  ASSIGN_OR_RETURN(
      found.no_key,
      db.query_hashes(fmt::format("SELECT CASE WHEN {} THEN NULL ELSE {} END FROM ({})", no_key,
                                  hash, keyed.rows),
                      "check the keys of", [&](std::uint64_t value) {
                        ++found.rows;
                        repeats.add(value);
                      }));
  found.rows += found.no_key;
  found.repeats = repeats.found();
  return found;
}

Result<KeyHashes> compare_sorted(Connection& db, const KeyedRows& keyed, const std::string& hash,
                                 const std::string& no_key) {
  ASSIGN_OR_RETURN(
      const auto counted,
      db.query(
          fmt::format("SELECT count(*), coalesce(sum(no_key::INT), 0)::BIGINT, count(*) FILTER "
                      "(h = before AND NOT no_key) FROM (SELECT h, no_key, lag(h) OVER (ORDER "
                      "BY h) AS before FROM (SELECT {} AS h, ({}) AS no_key FROM ({})))",
                      hash, no_key, keyed.rows),
          "check the keys of"));
  const auto at = [&](std::size_t i) { return static_cast<std::uint64_t>(integer(counted[0][i])); };
  return KeyHashes{.rows = at(0), .no_key = at(1), .repeats = at(2) > 0};
}

}  // namespace

Result<KeyHashes> compare_key_hashes(Connection& db, const KeyedRows& keyed,
                                     std::uint64_t in_memory) {
  std::vector<std::string> names;
  std::vector<std::string> nulls;
  for (const std::string& column : keyed.key) {
    names.push_back(quote(column));
    nulls.push_back(quote(column) + " IS NULL");
  }
  const std::string hash = fmt::format("hash({})", fmt::join(names, ", "));
  const std::string no_key = fmt::format("{}", fmt::join(nulls, " OR "));
  return keyed.count <= in_memory ? compare_here(db, keyed, hash, no_key)
                                  : compare_sorted(db, keyed, hash, no_key);
}

}  // namespace forebay::duckdb
