#include "support/told_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "support/attached_database.h"
#include "support/feed_maker.h"
#include "support/parquet_maker.h"
#include "support/paths.h"

namespace forebay::test {
namespace {

std::string lines(const std::vector<std::string>& all) {
  return fmt::format("{}", fmt::join(all, "\n"));
}

std::string text(const Stage& stage, bool units) {
  std::string all =
      fmt::format("units:\n{}\nfiles:\n{}\n", units ? lines(stage.units) : "", lines(stage.files));
  for (const auto& [name, rows] : stage.tables) all += fmt::format("{}:\n{}\n", name, lines(rows));
  return all;
}

// What is in the database of the tables that any stage names, in the form of a stage's text.
std::string text_of(const AttachedDatabase& database, const std::set<std::string>& tables,
                    bool units) {
  const bool known = database.has("_forebay", "file_log");
  std::string all = fmt::format(
      "units:\n{}\nfiles:\n{}\n",
      known && units ? database.list("parse_filename(unit) || ' ' || state", "_forebay.units") : "",
      known ? database.list("parse_filename(store_key) || ' ' || rows || ' ' || state",
                            "_forebay.files")
            : "");
  for (const std::string& name : tables) {
    if (database.has("main", name))
      all += fmt::format("{}:\n{}\n", name, database.rows(fmt::format("main.\"{}\"", name)));
  }
  return all;
}

// What must hold whatever stands there: no file twice, commits without a gap, and each row of a
// file that the ledger calls live.
std::string broken_rules(const AttachedDatabase& database, const std::set<std::string>& tables) {
  if (!database.has("_forebay", "file_log")) return {};
  std::string wrong;
  std::vector<std::pair<std::string, std::string>> none = {
      {"count(*) - count(DISTINCT file_id)", "_forebay.file_log"},
      {"count(*) - count(DISTINCT (unit, version, state, commit_no))", "_forebay.units"},
      {"coalesce(max(commit_no), 0) - count(*)", "_forebay.commit_log"}};
  for (const std::string& name : tables) {
    if (!database.has("main", name)) continue;
    none.emplace_back("count(*)",
                      fmt::format("main.\"{}\" WHERE _forebay_file NOT IN (SELECT file_id FROM "
                                  "looked_at._forebay.files WHERE state = 'live')",
                                  name));
  }
  for (const auto& [what, from] : none) {
    const std::string found = database.value(what, from);
    if (found != "0") wrong += fmt::format("{} of {} is {}\n", what, from, found);
  }
  return wrong;
}

void add(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
  std::ranges::sort(lines);
}

void take(std::vector<std::string>& lines, const std::vector<std::string>& gone) {
  for (const std::string& line : gone) {
    const auto at = std::ranges::find(lines, line);
    if (at != lines.end()) lines.erase(at);
  }
}

}  // namespace

std::vector<Stage> in_any_order(const Stage& before, const std::vector<Part>& parts) {
  std::vector<Stage> stages;
  for (unsigned chosen = 0; chosen < 1U << parts.size(); ++chosen) {
    Stage& stage = stages.emplace_back(before);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if ((chosen >> i & 1U) == 0) continue;
      const auto& [adds, takes] = parts[i];
      take(stage.units, takes.units);
      take(stage.files, takes.files);
      add(stage.units, adds.units);
      add(stage.files, adds.files);
      for (const auto& [name, rows] : takes.tables) take(stage.tables[name], rows);
      for (const auto& [name, rows] : adds.tables) add(stage.tables[name], rows);
    }
  }
  return stages;
}

ToldScene::ToldScene(Told told) : told_(std::move(told)) {
  std::filesystem::create_directories(folder_ / "in");
}

bool ToldScene::deliver_before() {
  if (told_.before) told_.before(folder_);
  return static_cast<bool>(told_.before);
}

LoadPlace ToldScene::place() const {
  std::vector<std::string> words;
  for (const std::string& option : told_.options) {
    words.emplace_back("--set");
    words.push_back(option);
  }
  LoadPlace place(faulty_binary(), source(), words);
  place.feed = told_.feed;
  return place;
}

std::string ToldScene::problems(const std::string& database, Applied applied) const {
  std::set<std::string> tables;
  for (const Stage& stage : told_.stages) {
    for (const auto& [name, rows] : stage.tables) tables.insert(name);
  }
  const std::string nothing = text({}, true);
  std::string found = nothing;
  std::string wrong;
  if (std::filesystem::exists(database)) {
    const AttachedDatabase attached(database);
    found = text_of(attached, tables, told_.names_units);
    wrong = broken_rules(attached, tables);
  }
  const auto matches = [&](const Stage& stage) { return text(stage, told_.names_units) == found; };
  const bool right = applied == Applied::all
                         ? matches(told_.stages.back())
                         : found == nothing || std::ranges::any_of(told_.stages, matches);
  if (!right)
    wrong += fmt::format("no stage that may be:\n{}\nthe last one:\n{}", found,
                         text(told_.stages.back(), told_.names_units));
  return wrong;
}

std::string ToldScene::standing(const std::string& database) const {
  if (!std::filesystem::exists(database)) return "";
  return text_of(AttachedDatabase(database), {}, true);
}

void put_text(const TempFolder& folder, const std::string& key, const std::string& bytes) {
  write_new_version(folder / ("in/" + key), bytes);
}

void put_rows(const TempFolder& folder, const std::string& key, const std::string& query) {
  const std::filesystem::path path = folder / ("in/" + key);
  std::filesystem::create_directories(path.parent_path());
  make_parquet(path.string() + ".part", query);
  std::filesystem::rename(path.string() + ".part", path);
}

}  // namespace forebay::test
