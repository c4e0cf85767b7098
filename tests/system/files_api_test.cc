// Aim: files that an API lists and hands out links to give the very tables that the same files give
// from a folder. Method: a strict and unreliable server, a program of
// its own, plays the API; the shipping program loads from it and from the folder.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "net/http.h"
#include "support/parquet_maker.h"
#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/run_program.h"
#include "support/server_process.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class FilesApi : public ::testing::Test {
 protected:
  FilesApi() {
    folder_.write("feed.yaml", R"(about: hourly files
unit:
  file: "warehouse/parquet/{hour:%Y/%m/%d/%H}/{table}/{file}.parquet"
table: {capture: table}
effect: append
api:
  list:
    post: '{"query": "listPage", "variables": {"prefix": "{prefix}", "token": "{token}"}}'
    keys: /data/files/listPage/keys
    key: /key
    next: /data/files/listPage/nextPageToken
  read:
    post: '{"query": "createDownload", "variables": {"key": "{key}"}}'
    url: /data/files/createDownload/downloadURL
    headers: /data/files/createDownload/downloadHeaders
    expires: /data/files/createDownload/downloadURLExpiration
  errors: /errors
)");
    server_.wait_until([&] { return get("/wrongs").has_value(); });
  }

  std::optional<std::string> get(const std::string& path) const {
    const auto http = open_http({});
    const std::string url = fmt::format("http://127.0.0.1:{}{}", port_, path);
    const auto response = fetch(*http, {.url = url, .headers = {}, .body = {}, .shown = url}, 1000);
    if (!response) return std::nullopt;
    return response->body;
  }

  void put(int hour, const std::string& name, int first) {
    const std::string path =
        folder_ /
        fmt::format("files/warehouse/parquet/2026/10/20/{:02}/account/{}.parquet", hour, name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    make_parquet(path, fmt::format("SELECT v AS n, 'name ' || v AS name FROM range({}, {}) r(v)",
                                   first, first + 40));
  }

  ProgramResult load(const std::string& source, const std::string& database,
                     std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"load",   "--json", "--source", source,
                                      "--feed", feed_,    "--target", "duckdb:" + database};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(shipping_binary(), words,
                       {.folder = folder_.path(), .environment = {{"HOME", folder_.path()}}});
  }
  ProgramResult load_from_api(const std::string& token = "test-token") {
    return load(fmt::format("http://127.0.0.1:{}/graphql", port_), folder_ / "api.duckdb",
                {"--set", fmt::format("headers={{Authorization: 'Bearer {}', x-twisp-account-id: "
                                      "test-account}}",
                                      token)});
  }

  Lines rows(const char* database, const char* table) const {
    return query_lines(folder_ / database,
                       fmt::format("SELECT * EXCLUDE (_forebay_file) FROM {} ORDER BY ALL", table));
  }

  TempFolder folder_;
  std::string feed_ = "./feed.yaml";
  std::uint16_t port_ = free_ports(1)[0];
  ServerProcess server_{{(deps_dir() / "venv/bin/python").string(),
                         (source_dir() / "tests/support/files_api.py").string(), folder_ / "files",
                         fmt::format("{}", port_)},
                        folder_ / "log"};
};

TEST_F(FilesApi, GivesTheTablesThatAFolderGives) {
  for (int i = 0; i < 5; ++i) put(10 + i, fmt::format("batch-{}", i), i * 30);
  const ProgramResult loaded = load_from_api();
  ASSERT_EQ(loaded.code, 0) << loaded.err << loaded.out;
  ASSERT_EQ(load(folder_ / "files", folder_ / "folder.duckdb").code, 0);
  EXPECT_EQ(rows("api.duckdb", "account"), rows("folder.duckdb", "account"));
  EXPECT_FALSE(rows("api.duckdb", "account").empty());
  EXPECT_EQ(get("/wrongs"), "[]");

  put(16, "late", 150);
  const auto again = nlohmann::json::parse(load_from_api().out)["pipelines"][0];
  EXPECT_EQ(again["units"]["applied"], 1);
  const auto idle = nlohmann::json::parse(load_from_api().out)["pipelines"][0];
  EXPECT_EQ(idle["outcome"], "nothing_new");
  EXPECT_EQ(idle["requests"]["get"], 0);
  EXPECT_EQ(get("/wrongs"), "[]");
}

// FEEDS 2.2 rule 7, by the description that is built in: what happened to each record, and what
// stands of it.
TEST_F(FilesApi, GivesVersionsOfRecordsToTheFeedTwisp) {
  feed_ = "twisp";
  const auto put_versions = [&](const char* name, int from, int version, const char* status) {
    make_parquet(
        folder_ / fmt::format("files/warehouse/parquet/2026/10/20/11/entry/{}.parquet", name),
        fmt::format("SELECT '00000000-0000-4000-8000-00000000000' || (v % 10) AS record_rowid, "
                    "'c0ffee00-0000-4000-8000-000000000001' AS record_tenantid, {}::UBIGINT AS "
                    "record_version, '{}' AS record_status, TIMESTAMP '2026-10-20 11:00:00' AS "
                    "record_begin, v AS amount FROM range({}, 6) r(v)",
                    version, status, from));
  };
  std::filesystem::create_directories(folder_ / "files/warehouse/parquet/2026/10/20/11/entry");
  put_versions("batch-b", 2, 2, "ALIVE");
  put_versions("batch-c", 4, 3, "DELETE");
  put_versions("seed-a", 0, 1, "ALIVE");
  const ProgramResult loaded = load_from_api();
  ASSERT_EQ(loaded.code, 0) << loaded.err << loaded.out;
  ASSERT_EQ(load(folder_ / "files", folder_ / "folder.duckdb").code, 0);
  EXPECT_EQ(rows("api.duckdb", "entry"), rows("folder.duckdb", "entry"));
  EXPECT_EQ(query_lines(folder_ / "api.duckdb",
                        "SELECT amount, record_version FROM entry ORDER BY amount"),
            (Lines{"0|1", "1|1", "2|2", "3|2"}));
  EXPECT_EQ(query_lines(folder_ / "api.duckdb", "SELECT count(*) FROM entry__history"),
            (Lines{"12"}));
  EXPECT_EQ(get("/wrongs"), "[]");
}

TEST_F(FilesApi, ARefusedTokenIsExitCode1AndIsShownNowhere) {
  put(10, "batch", 0);
  const ProgramResult refused = load_from_api("another-token");
  EXPECT_EQ(refused.code, 1) << refused.err;
  EXPECT_THAT(refused.err + refused.out, Not(HasSubstr("another-token")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "api.duckdb") &&
               !query_lines(folder_ / "api.duckdb", "FROM _forebay.units").empty());
}

}  // namespace
}  // namespace forebay::test
