// The crash matrix (crash_matrix_test.cc) over the feed `append`: the mark, rows that are read
// again below it, and keys.

#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "support/told_scene.h"

namespace forebay::test {
namespace {

SceneMaker append(const char* name, const ToldScene::Told& told) {
  return {name, [told] {
            ToldScene::Told append = told;
            append.feed = "append";
            append.names_units = false;
            for (const char* option :
                 {"table=events", "settle=0s", "time_column=t", "time_format=unix_seconds"})
              append.options.emplace_back(option);
            return std::make_unique<ToldScene>(append);
          }};
}

void first_files(const TempFolder& folder) {
  put_rows(folder, "a.parquet", "SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'c')) r(t, k)");
  put_rows(folder, "b.parquet", "SELECT 3 AS t, 'b' AS k");
}

// The first grows, another comes with a row at the mark and one below what is read again.
void more_rows(const TempFolder& folder) {
  put_rows(folder, "a.parquet",
           "SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'c'), (6, 'f')) r(t, k)");
  put_rows(folder, "c.parquet", "SELECT * FROM (VALUES (1, 'z'), (3, 'b'), (5, 'e')) r(t, k)");
}

// What stands after the first load, with the rows of a table that has keys or has not.
Stage first_stage(const std::vector<std::string>& rows) {
  return {
      .units = {}, .files = {"a.parquet 3 live", "b.parquet 1 live"}, .tables = {{"events", rows}}};
}
Part read_again(std::vector<std::string> files, std::vector<std::string> rows) {
  return {
      .adds = {.units = {}, .files = std::move(files), .tables = {{"events", std::move(rows)}}}};
}

// A time above 3 - 1 is read again: the row of a.parquet that stands is not added, and that of the
// file that is gone becomes one of the file that brings it again.
const SceneMaker kOverlap =
    append("AppendOverlap", {.feed = {},
                             .options = {"overlap=1s"},
                             .before = first_files,
                             .after =
                                 [](const TempFolder& folder) {
                                   more_rows(folder);
                                   std::filesystem::remove(folder / "in/b.parquet");
                                 },
                             .stages = in_any_order(first_stage({"1|a", "2|b", "3|b", "3|c"}),
                                                    {read_again({"a.parquet 2 live"}, {"6|f"}),
                                                     read_again({"c.parquet 2 live"}, {"5|e"})})});

// A rewritten file is read whole, its old rows go; so are new files, late rows and all.
const SceneMaker kReplace = append(
    "AppendReplace",
    {.feed = {},
     .options = {"on_rewrite=replace", "late=load"},
     .before = first_files,
     .after = more_rows,
     .stages = in_any_order(first_stage({"1|a", "2|b", "3|b", "3|c"}),
                            {{.adds = {.units = {},
                                       .files = {"a.parquet 3 retracted", "a.parquet 4 live"},
                                       .tables = {{"events", {"6|f"}}}},
                              .takes = {.units = {}, .files = {"a.parquet 3 live"}}},
                             read_again({"c.parquet 3 live"}, {"1|z", "3|b", "5|e"})})});

// Of each key the latest time stays.
const SceneMaker kByKey =
    append("AppendByKey", {.feed = {},
                           .options = {"primary_key=k", "boundary=inclusive"},
                           .before = first_files,
                           .after = more_rows,
                           .stages = in_any_order(first_stage({"1|a", "3|b", "3|c"}),
                                                  {read_again({"a.parquet 2 live"}, {"6|f"}),
                                                   read_again({"c.parquet 2 live"}, {"5|e"})})});

INSTANTIATE_TEST_SUITE_P(Append, CrashMatrix, testing::Values(kOverlap, kReplace, kByKey),
                         scene_name);
INSTANTIATE_TEST_SUITE_P(Append, CommitMatrix, testing::Values(kOverlap), scene_name);

}  // namespace
}  // namespace forebay::test
