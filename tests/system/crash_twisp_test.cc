// The crash matrix (crash_matrix_test.cc) over the feed `twisp`: versions of records, with their
// history, from a folder and from a server that plays the files API.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "net/http.h"
#include "support/paths.h"
#include "support/server_process.h"
#include "support/told_scene.h"
#include "support/twisp_files.h"

namespace forebay::test {
namespace {

void put(const TempFolder& folder, const std::string& name,
         const std::vector<RecordVersion>& versions) {
  put_rows(folder, "warehouse/parquet/2026/07/29/10/entry/" + name + ".parquet",
           select_versions(versions));
}

// A record's row: its version, status and note.
std::string row(const std::string& record, int version, const std::string& status,
                const std::string& note) {
  return fmt::format("{}|{}|{}|{}|2026-07-29 10:00:00|{}", uuid_text(record), uuid_text("t"),
                     version, status, note);
}

// The same in the history.
std::string past(const std::string& record, int version, const std::string& status,
                 const std::string& note, int row_number) {
  return fmt::format("{}|{}|{}", row(record, version, status, note),
                     status == "DELETE" ? "delete" : "put", row_number);
}

void first_files(const TempFolder& folder) {
  put(folder, "batch-1", {{"a", 1, "ALIVE", "a1"}, {"b", 1, "ALIVE", "b1"}});
  put(folder, "batch-2", {{"a", 2, "ALIVE", "a2"}, {"c", 1, "ALIVE", "c1"}});
}

// A version that is older than what stands, a deletion, one that a seed repeats, a new record.
void more_files(const TempFolder& folder) {
  put(folder, "batch-3", {{"b", 3, "DELETE", "b3"}, {"c", 2, "EOL", "c2"}});
  put(folder, "seed-1",
      {{"a", 1, "ALIVE", "a1"}, {"b", 2, "ALIVE", "b2"}, {"d", 1, "ALIVE", "d1"}});
}

const Stage kFirst = {
    .units = {"batch-1.parquet applied", "batch-2.parquet applied"},
    .files = {"batch-1.parquet 2 live", "batch-2.parquet 2 live"},
    .tables = {
        {"entry",
         {row("a", 2, "ALIVE", "a2"), row("b", 1, "ALIVE", "b1"), row("c", 1, "ALIVE", "c1")}},
        {"entry__history",
         {past("a", 1, "ALIVE", "a1", 0), past("a", 2, "ALIVE", "a2", 0),
          past("b", 1, "ALIVE", "b1", 1), past("c", 1, "ALIVE", "c1", 1)}}}};

// Each version once in the history, from the file that brought it first.
const Stage kBoth = {
    .units = {"batch-1.parquet applied", "batch-2.parquet applied", "batch-3.parquet applied",
              "seed-1.parquet applied"},
    .files = {"batch-1.parquet 2 live", "batch-2.parquet 2 live", "batch-3.parquet 2 live",
              "seed-1.parquet 3 live"},
    .tables = {{"entry",
                {row("a", 2, "ALIVE", "a2"), row("c", 2, "EOL", "c2"), row("d", 1, "ALIVE", "d1")}},
               {"entry__history",
                {past("a", 1, "ALIVE", "a1", 0), past("a", 2, "ALIVE", "a2", 0),
                 past("b", 1, "ALIVE", "b1", 1), past("b", 2, "ALIVE", "b2", 1),
                 past("b", 3, "DELETE", "b3", 0), past("c", 1, "ALIVE", "c1", 1),
                 past("c", 2, "EOL", "c2", 1), past("d", 1, "ALIVE", "d1", 2)}}}};

// One of the two files alone: the deletion, or the seed.
Stage with_one(bool deletion) {
  Stage stage = kFirst;
  stage.units.push_back(deletion ? "batch-3.parquet applied" : "seed-1.parquet applied");
  stage.files.push_back(deletion ? "batch-3.parquet 2 live" : "seed-1.parquet 3 live");
  auto& history = stage.tables["entry__history"];
  if (deletion) {
    stage.tables["entry"] = {row("a", 2, "ALIVE", "a2"), row("c", 2, "EOL", "c2")};
    history.push_back(past("b", 3, "DELETE", "b3", 0));
    history.push_back(past("c", 2, "EOL", "c2", 1));
  } else {
    stage.tables["entry"] = {row("a", 2, "ALIVE", "a2"), row("b", 2, "ALIVE", "b2"),
                             row("c", 1, "ALIVE", "c1"), row("d", 1, "ALIVE", "d1")};
    history.push_back(past("b", 2, "ALIVE", "b2", 1));
    history.push_back(past("d", 1, "ALIVE", "d1", 2));
  }
  std::ranges::sort(history);
  return stage;
}

const std::vector<Stage> kStages = {kFirst, with_one(true), with_one(false), kBoth};

const ToldScene::Told kFolder = {.feed = "twisp",
                                 .options = {"settle=0s"},
                                 .before = first_files,
                                 .after = more_files,
                                 .stages = kStages};

// The same files behind the API, whose links die in the middle of a file when they are first used.
class ApiScene final : public ToldScene {
 public:
  ApiScene()
      : ToldScene({.feed = "twisp",
                   .options = {"headers={Authorization: 'Bearer test-token', x-twisp-account-id: "
                               "test-account}",
                               "retry_for=1s"},
                   .before = first_files,
                   .after = more_files,
                   .stages = kStages}),
        server_({(deps_dir() / "venv/bin/python").string(),
                 (source_dir() / "tests/support/files_api.py").string(), folder() / "in",
                 fmt::format("{}", port_)},
                folder() / "log") {
    server_.wait_until([this] {
      const auto http = open_http({});
      const std::string url = fmt::format("http://127.0.0.1:{}/wrongs", port_);
      return fetch(*http, {.url = url, .headers = {}, .body = {}, .shown = url}, 1000).has_value();
    });
  }

 private:
  std::string source() const override { return fmt::format("http://127.0.0.1:{}/graphql", port_); }

  std::uint16_t port_ = free_ports(1)[0];
  ServerProcess server_;
};

const SceneMaker kTwisp = {"TwispFolder", [] { return std::make_unique<ToldScene>(kFolder); }};
const SceneMaker kApi = {"TwispApi", [] { return std::make_unique<ApiScene>(); }};

INSTANTIATE_TEST_SUITE_P(Twisp, CrashMatrix, testing::Values(kTwisp, kApi), scene_name);
INSTANTIATE_TEST_SUITE_P(Twisp, CommitMatrix, testing::Values(kTwisp), scene_name);

}  // namespace
}  // namespace forebay::test
