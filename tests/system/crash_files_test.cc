// The crash matrix (crash_matrix_test.cc) over the feed `files`: what happens to a file whose bytes
// change, by every policy; a file that is refused; days in keys, and text.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "support/packed.h"
#include "support/soak.h"
#include "support/told_scene.h"

namespace forebay::test {
namespace {

SceneMaker files(const char* name, const ToldScene::Told& told) {
  return {name, [told] {
            ToldScene::Told files = told;
            files.feed = "files";
            for (const char* option : {"table=events", "settle=0s"})
              files.options.emplace_back(option);
            return std::make_unique<ToldScene>(files);
          }};
}

const Stage kTwoFiles = {.units = {"a.parquet applied", "b.parquet applied"},
                         .files = {"a.parquet 1 live", "b.parquet 1 live"},
                         .tables = {{"events", {"1|a", "2|b"}}}};

void two_files(const TempFolder& folder) {
  put_rows(folder, "a.parquet", "SELECT 1 AS n, 'a' AS t");
  put_rows(folder, "b.parquet", "SELECT 2 AS n, 'b' AS t");
}

// The first changes, a third comes.
void rewrite_one(const TempFolder& folder) {
  put_rows(folder, "a.parquet", "SELECT 10 AS n, 'again' AS t UNION ALL SELECT 2, 'again'");
  put_rows(folder, "c.parquet", "SELECT 3 AS n, 'c' AS t");
}

const Part kThird = {.adds = {.units = {"c.parquet applied"},
                              .files = {"c.parquet 1 live"},
                              .tables = {{"events", {"3|c"}}}}};

SceneMaker rewrite(const char* name, std::vector<std::string> options, const Part& rewritten,
                   std::set<int> exits = {0}) {
  return files(name, {.feed = {},
                      .options = std::move(options),
                      .before = two_files,
                      .after = rewrite_one,
                      .stages = in_any_order(kTwoFiles, {rewritten, kThird}),
                      .exits = std::move(exits)});
}

const SceneMaker kWarn =
    rewrite("FilesWarn", {"on_rewrite=warn"}, {.adds = {.units = {"a.parquet ignored"}}});

const SceneMaker kStop = rewrite("FilesStop", {"on_rewrite=stop"},
                                 {.adds = {.units = {"a.parquet quarantined"}}}, {0, 5});

const SceneMaker kReplace =
    rewrite("FilesReplace", {"on_rewrite=replace"},
            {.adds = {.units = {"a.parquet applied"},
                      .files = {"a.parquet 1 retracted", "a.parquet 2 live"},
                      .tables = {{"events", {"10|again", "2|again"}}}},
             .takes = {.files = {"a.parquet 1 live"}, .tables = {{"events", {"1|a"}}}}});

// Key 1 is gone with the file that put it; of key 2 the greater text stands, that of b.parquet.
const SceneMaker kReplaceByKey =
    rewrite("FilesReplaceByKey", {"on_rewrite=replace", "primary_key=n", "version=t"},
            {.adds = {.units = {"a.parquet applied"},
                      .files = {"a.parquet 1 retracted", "a.parquet 2 live"},
                      .tables = {{"events", {"10|again"}}}},
             .takes = {.files = {"a.parquet 1 live"}, .tables = {{"events", {"1|a"}}}}});

const SceneMaker kAppend = rewrite("FilesAppend", {"on_rewrite=append"},
                                   {.adds = {.units = {"a.parquet applied"},
                                             .files = {"a.parquet 2 live"},
                                             .tables = {{"events", {"10|again", "2|again"}}}}});

// A file of so many rows of the table.
Part new_file(const char* name, const std::vector<std::string>& rows) {
  return {.adds = {.units = {fmt::format("{} applied", name)},
                   .files = {fmt::format("{} {} live", name, rows.size())},
                   .tables = {{"events", rows}}}};
}
Part refused(const char* name) {
  return {.adds = {.units = {fmt::format("{} quarantined", name)}}};
}

// Two files that are refused, for what they are and for what they hold, between two that are not.
const SceneMaker kQuarantine = files(
    "FilesQuarantine",
    {.feed = {},
     .options = {},
     .before = two_files,
     .after =
         [](const TempFolder& folder) {
           put_text(folder, "c.parquet", "not Parquet at all");
           put_rows(folder, "d.parquet", "SELECT 4 AS n, 'd' AS t");
           put_rows(folder, "e.parquet", "SELECT 'five' AS n, 'e' AS t");
           put_rows(folder, "f.parquet", "SELECT 6 AS n, 'f' AS t");
         },
     .stages = in_any_order(kTwoFiles, {refused("c.parquet"), new_file("d.parquet", {"4|d"}),
                                        refused("e.parquet"), new_file("f.parquet", {"6|f"})}),
     .exits = {0, 3, 4}});

// Text, packed and not, below folders that name a day.
const SceneMaker kText = files(
    "FilesTextByDay",
    {.feed = {},
     .options = {"partition=dt={date:%Y-%m-%d}/", "window=20000d", "partition_columns={dt: DATE}"},
     .before =
         [](const TempFolder& folder) {
           put_text(folder, "dt=2026-01-01/a.csv", "n,t\n1,a\n2,\n");
         },
     .after =
         [](const TempFolder& folder) {
           put_text(folder, "dt=2026-01-01/b.csv.gz", gzip("t,n\n\"b,b\",3\n"));
           put_text(folder, "dt=2026-01-02/c.jsonl", "{\"n\": 4, \"t\": \"c\"}\n");
         },
     .stages = in_any_order(
         {.units = {"a.csv applied"},
          .files = {"a.csv 2 live"},
          .tables = {{"events", {"1|a|2026-01-01", "2|null|2026-01-01"}}}},
         {new_file("b.csv.gz", {"3|b,b|2026-01-01"}), new_file("c.jsonl", {"4|c|2026-01-02"})})});

// What the five that only `make soak` takes do is part of what the others and other suites do.
std::vector<SceneMaker> scenes() {
  std::vector<SceneMaker> scenes = {kReplaceByKey, kQuarantine};
  if (soaking()) scenes.insert(scenes.end(), {kText, kWarn, kStop, kReplace, kAppend});
  return scenes;
}

INSTANTIATE_TEST_SUITE_P(Files, CrashMatrix, testing::ValuesIn(scenes()), scene_name);
INSTANTIATE_TEST_SUITE_P(Files, CommitMatrix, testing::Values(kReplaceByKey, kText), scene_name);

}  // namespace
}  // namespace forebay::test
