// Aim: what a cycle costs does not grow with the age of a bucket: requests are few and foreseen,
// and memory is bounded, however many keys there are (LIST-4, LIST-5, LIST-6, LIST-8, MEM-1, MEM-5,
// DUP-10). Method: a server whose keys are computed, and which refuses what it does not expect; the
// shipping program polls it; its ledger is filled by SQL, as many loads would have. The forms with
// ten million keys are `bench/run idle-poll`.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/time_text.h"
#include "net/http.h"
#include "support/parquet_maker.h"
#include "support/paths.h"
#include "support/pipeline_fixture.h"
#include "support/run_program.h"
#include "support/server_process.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

using Json = nlohmann::json;

constexpr int kPerDay = 1000;

// Runs a program and writes down the most memory that it had, in MB, as the kernel counted.
constexpr const char* kMeasure =
    "import resource, subprocess, sys\n"
    "code = subprocess.call(sys.argv[2:])\n"
    "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
    "open(sys.argv[1], 'w').write(str(used.ru_maxrss // 1024))\n"
    "sys.exit(code)\n";

class ListingScale : public ::testing::Test {
 protected:
  // A bucket of `keys` keys, the last of them today; each has one row, or `body_sql`'s.
  void serve(int keys, int per_day = kPerDay, const std::string& body_sql = "SELECT 1 AS n",
             const std::string& copy_options = "") {
    keys_ = keys;
    per_day_ = per_day;
    using std::chrono::days;
    const auto today = std::chrono::floor<days>(std::chrono::system_clock::now());
    first_ = format_time(Time(today - days((keys - 1) / per_day)), "%Y-%m-%d");
    run_in_database(folder_ / "body.duckdb",
                    fmt::format("COPY ({}) TO '{}' (FORMAT parquet{})", body_sql,
                                folder_ / "body.parquet", copy_options));
    port_ = free_ports(1).front();
    server_ = std::make_unique<ServerProcess>(
        std::vector<std::string>{"/usr/bin/python3",
                                 (source_dir() / "tests/support/key_server.py").string(),
                                 fmt::format("{}", port_), fmt::format("{}", keys),
                                 fmt::format("{}", per_day), first_, folder_ / "body.parquet"},
        folder_ / "server.log");
    server_->wait_until([&] { return request("GET").has_value(); });
  }

  void configure(const std::string& more) {
    folder_.write("forebay.yaml",
                  fmt::format("target: duckdb:w.duckdb\n"
                              "prices: {{list: 5, get: 0.4}}\n"
                              "pipelines:\n  events:\n    source: s3://keys/\n    feed: files\n"
                              "    table: events\n    endpoint: http://127.0.0.1:{}\n{}",
                              port_, more));
  }

  std::optional<std::string> request(const std::string& method) const {
    const auto http = open_http({});
    const std::string url = fmt::format("http://127.0.0.1:{}/counts", port_);
    const auto response = fetch(
        *http, {.method = method, .url = url, .headers = {}, .body = {}, .shown = url}, 100'000);
    if (!response) return std::nullopt;
    return response->body;
  }
  // What came since it was asked last; nothing of it may have been wrong.
  Json counts() const {
    Json counted = Json::parse(request("POST").value_or("{}"));
    EXPECT_EQ(counted["wrongs"], Json::array());
    return counted;
  }

  // One pipeline's part of the document.
  Json run(std::vector<std::string> words) {
    words.emplace_back("--json");
    const std::string peak = folder_ / "peak";
    words.insert(words.begin(), {"-c", kMeasure, peak, shipping_binary().string()});
    const ProgramResult result =
        run_program("/usr/bin/python3", words,
                    {.folder = folder_.path(),
                     .environment = {{"HOME", folder_.path()},
                                     {"AWS_ACCESS_KEY_ID", "key"},
                                     {"AWS_SECRET_ACCESS_KEY", "secret"}}});
    std::ifstream(peak) >> peak_mb_;
    EXPECT_EQ(result.code, 0) << result.err << result.out;
    const Json document = Json::parse(result.out, nullptr, false);
    return document.is_object() && !document["pipelines"].empty() ? document["pipelines"][0]
                                                                  : Json::object();
  }
  Json load(std::vector<std::string> more = {}) {
    more.insert(more.begin(), "load");
    return run(std::move(more));
  }

  // After a first load of a few, the ledger knows all keys, as if they had been loaded one by one.
  void fill_ledger() {
    const std::string keys = fmt::format(
        "(SELECT i, 'dt=' || strftime(DATE '{0}' + (i // {1})::INTEGER, '%Y-%m-%d') || '/part-' || "
        "printf('%07d', i % {1}) || '.parquet' AS k FROM range({2}) r(i))",
        first_, per_day_, keys_);
    run_in_database(
        folder_ / "w.duckdb",
        fmt::format(
            "INSERT INTO _forebay.units SELECT u.* REPLACE (k AS unit, md5('v' || i) || '-1' AS "
            "version) FROM {0}, (FROM _forebay.units LIMIT 1) u WHERE k NOT IN (SELECT unit FROM "
            "_forebay.units) ORDER BY i;"
            "INSERT INTO _forebay.file_log SELECT f.* REPLACE (1000 + i AS file_id, k AS unit, k "
            "AS "
            "store_key, md5('v' || i) || '-1' AS etag) FROM {0}, (FROM _forebay.file_log LIMIT 1) "
            "f "
            "WHERE k NOT IN (SELECT unit FROM _forebay.file_log) ORDER BY i;"
            "UPDATE _forebay.commit_log SET mark = 'name ' || k, mark_name = k, mark_time = "
            "(substr(k, 4, 10) || ' 00:00:00+00')::TIMESTAMPTZ FROM (SELECT max(k) AS k FROM {0})",
            keys));
  }

  TempFolder folder_;
  int keys_ = 0;
  int per_day_ = 0;
  std::string first_;
  std::uint16_t port_ = 0;
  std::unique_ptr<ServerProcess> server_;
  std::int64_t peak_mb_ = 0;
};

TEST_F(ListingScale, PollsADateLayoutWithThreeRequestsHoweverOldItIs_LIST4) {
  serve(200'000);
  configure("    partition: \"dt={date:%Y-%m-%d}/\"\n    window: 2d\n");
  load({"--max-units", "3"});
  fill_ledger();
  EXPECT_EQ(load()["units"]["already_applied"], keys_) << "a full listing first";
  (void)counts();
  const Json plan = run({"plan"});
  const Json idle = load();
  EXPECT_EQ(idle["outcome"], "nothing_new") << idle;
  EXPECT_LE(idle["requests"]["list"], 3);
  EXPECT_EQ(idle["requests"]["get"], 0);
  EXPECT_EQ(plan["listing"].size(), idle["requests"]["list"]) << "plan names what is listed";
  EXPECT_EQ(plan["expected_requests"], idle["requests"]);
  EXPECT_EQ(counts()["list"], plan["requests"]["list"].get<int>() * 2);
  EXPECT_EQ(plan["units"].size(), 0U);
  EXPECT_LT(peak_mb_, 150);
}

TEST_F(ListingScale, ListsEverythingInMemoryThatDoesNotGrow_LIST6_MEM1) {
  serve(200'000);
  configure("");
  load({"--max-units", "3"});
  fill_ledger();
  (void)counts();
  const Json idle = load();
  EXPECT_EQ(idle["outcome"], "nothing_new") << idle;
  EXPECT_EQ(idle["units"]["already_applied"], keys_);
  EXPECT_EQ(counts()["list"], keys_ / 1000);
  EXPECT_LT(peak_mb_, 200) << "150 MB with ten million keys; more here is for other machines";
}

TEST_F(ListingScale, ListsManySmallFoldersWithoutARequestForEach_LIST5) {
  serve(2'000, 5);
  configure("");
  const Json plan = run({"plan", "--max-units", "1"});
  EXPECT_EQ(plan["keys_listed"], 2'000);
  EXPECT_EQ(plan["expected_requests"]["list"], 2) << "400 folders of five";
}

TEST_F(ListingScale, ListsTheDaysOfAWindowAtOnce) {
  serve(40'000);
  configure("    partition: \"dt={date:%Y-%m-%d}/\"\n    window: 30d\n    start: window\n");
  const Json plan = run({"plan", "--max-units", "1"});
  EXPECT_GE(plan["expected_requests"]["list"], 30);
  const Json counted = counts();
  EXPECT_GE(counted["most_listing"], 2);
  EXPECT_LE(counted["most_listing"], 8) << "no more than `concurrency`";
}

TEST_F(ListingScale, ReadsEachSmallFileWithOneRequest_LIST8_DUP10) {
  serve(300);
  configure("");
  const Json plan = run({"plan"});
  (void)counts();
  ASSERT_EQ(plan["units"].size(), 300U);
  EXPECT_EQ(plan["units"][0]["why"], "not in the ledger");
  const Json first = load();
  EXPECT_EQ(first["units"]["applied"], 300);
  EXPECT_EQ(first["requests"], (Json{{"list", 1}, {"get", 300}, {"head", 0}, {"other", 0}}));
  EXPECT_EQ(plan["expected_requests"], first["requests"]);
  EXPECT_EQ(plan["expected_bytes"], first["bytes"]);
  EXPECT_EQ(plan["expected_cost"], first["cost"]);
  EXPECT_DOUBLE_EQ(first["cost"]["total"].get<double>(), (5 + 300 * 0.4) / 1000);
  const Json counted = counts();
  EXPECT_EQ(counted["get"], 300);
  EXPECT_EQ(counted["head"], 0);
  const Json again = run({"plan"});
  EXPECT_EQ(again["units"].size(), 0U) << "DUP-10: nothing that was loaded is chosen again";
  EXPECT_EQ(again["already_applied"], 300);
}

TEST_F(ListingScale, ReadsLargeObjectsByRanges_MEM5) {
  // Random numbers do not shrink: some 40 MB each.
  serve(3, kPerDay, "SELECT random() AS x FROM range(5000000)", ", COMPRESSION uncompressed");
  configure("    memory_limit: 256MB\n");
  const Json plan = run({"plan"});
  const Json first = load();
  EXPECT_EQ(first["units"]["applied"], 3) << first;
  EXPECT_EQ(first["requests"]["get"], 9) << "three ranges each";
  EXPECT_EQ(plan["expected_requests"], first["requests"]);
  EXPECT_LT(peak_mb_, 600) << "memory_limit, and what the program itself needs";
}

}  // namespace
}  // namespace forebay::test
