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

bool any_match(const std::vector<Pattern>& patterns, const std::string& key) {
  return std::ranges::any_of(
      patterns, [&](const Pattern& pattern) { return pattern.match(key).has_value(); });
}

// The table of a unit that is a file, where its name has it.
void add_table(const Feed& feed, const UnitName& unit, std::set<std::string>& tables) {
  if (!feed.table || feed.table->from != ValueRef::From::capture) return;
  const CaptureValue* table = unit.captures.find(feed.table->name);
  if (table == nullptr) return;
  if (const auto* name = std::get_if<std::string>(table)) tables.insert(*name);
}

void add_warnings(const RecogniseRule& rule, const std::vector<std::string>& keys,
                  Recognised& found) {
  for (const RecogniseRule::Beware& beware : rule.beware) {
    const auto key =
        std::ranges::find_if(keys, [&](const std::string& k) { return any_match(beware.keys, k); });
    if (key != keys.end()) found.warnings.push_back(fmt::format("{}: {}", *key, beware.text));
  }
}

Candidate look_at(const Described& described, const std::vector<std::string>& keys) {
  const Feed& feed = described.feed;
  Candidate candidate{.found = {.feed = feed.name,
                                .kind = feed.unit.kind,
                                .needed = described.needed,
                                .suggested = described.recognise.suggest}};
  for (const Pattern& pattern : feed.unit.patterns) {
    candidate.spelled_out = std::max(candidate.spelled_out, pattern.literal_bytes());
  }
  std::set<std::string> tables;
  for (const std::string& key : keys) {
    Result<std::optional<UnitName>> unit = name_unit(feed, key);
    // A key that matches two patterns is one of this feed's all the same.
    if (!unit || *unit) {
      if (candidate.found.units++ == 0) candidate.found.example = key;
      if (unit) add_table(feed, **unit, tables);
      continue;
    }
    if (is_hidden(key)) continue;
    for (const Pattern& pattern : described.recognise.tables) {
      std::optional<Captures> captures = pattern.match(key);
      if (captures) tables.insert(std::get<std::string>(*captures->find("table")));
    }
  }
  add_warnings(described.recognise, keys, candidate.found);
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
    return std::tuple(c.found.kind == UnitKind::document, c.found.kind == UnitKind::file,
                      c.spelled_out, c.found.units);
  };
  std::ranges::stable_sort(candidates, std::greater(), rank);
  std::vector<Recognised> result;
  for (Candidate& candidate : candidates) result.push_back(std::move(candidate.found));
  return result;
}

}  // namespace forebay
