#include "feed/recognise.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "feed/description_reader.h"
#include "feed/unit.h"

namespace forebay {
namespace {

struct Candidate {
  Recognised found;
  std::size_t spelled_out = 0;  // bytes of the longest pattern that matched, or could have
};

Candidate look_at(const Described& described, const std::vector<std::string>& keys) {
  const Feed& feed = described.feed;
  Candidate candidate{
      .found = {.feed = feed.name, .kind = feed.unit.kind, .needed = described.needed}};
  for (const Pattern& pattern : feed.unit.patterns) {
    candidate.spelled_out = std::max(candidate.spelled_out, pattern.literal_bytes());
  }
  std::set<std::string> tables;
  for (const std::string& key : keys) {
    Result<std::optional<UnitName>> unit = name_unit(feed, key);
    // A key that matches two patterns is one of this feed's all the same.
    if (!unit || *unit) {
      if (candidate.found.units++ == 0) candidate.found.example = key;
      continue;
    }
    if (is_hidden(key)) continue;
    for (const Pattern& pattern : described.table_patterns) {
      std::optional<Captures> captures = pattern.match(key);
      if (captures) tables.insert(std::get<std::string>(*captures->find("table")));
    }
  }
  candidate.found.tables.assign(tables.begin(), tables.end());
  return candidate;
}

}  // namespace

Result<std::vector<Recognised>> recognise(std::span<const BuiltinFeed> feeds,
                                          const std::vector<std::string>& keys) {
  std::vector<Candidate> candidates;
  for (const BuiltinFeed& feed : feeds) {
    std::string origin = fmt::format("feeds/{}.yaml", feed.name);
    ASSIGN_OR_RETURN(Described described, read_description(feed.name, feed.yaml, origin, nullptr));
    Candidate candidate = look_at(described, keys);
    if (candidate.found.units > 0) candidates.push_back(std::move(candidate));
  }
  auto rank = [](const Candidate& c) {
    return std::tuple(c.found.kind == UnitKind::document, c.spelled_out, c.found.units);
  };
  std::ranges::stable_sort(candidates, std::greater(), rank);
  std::vector<Recognised> result;
  for (Candidate& candidate : candidates) result.push_back(std::move(candidate.found));
  return result;
}

}  // namespace forebay
