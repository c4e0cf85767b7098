// Aim: `forebay serve` as a person and a monitor meet it. Method: the real program on a port of its
// own, files that arrive while it runs, and questions over HTTP until the answer is there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/cli_fixture.h"
#include "support/daemon.h"

namespace forebay::test {
namespace {

using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSecret = "a-token-that-nobody-sees";

class Serve : public CliFilesTest {
 protected:
  Serve() { configure("    every: 1s\n"); }

  Daemon start(const std::vector<std::string>& more = {}) {
    return {folder_.path(), environment_, more};
  }

  // Appears whole, as an upload does.
  void deliver(const std::string& key, int n) {
    const std::string part = folder_ / "part.parquet";
    make_parquet(part, "SELECT " + std::to_string(n) + " AS n");
    std::filesystem::rename(part, folder_ / ("in/" + key));
  }
  void hide_source() { std::filesystem::rename(folder_ / "in", folder_ / "hidden"); }
  void show_source() { std::filesystem::rename(folder_ / "hidden", folder_ / "in"); }

  static bool has_rows(Daemon& daemon, double rows) {
    return daemon.metric("forebay_rows_total{pipeline=\"events\"}") == rows;
  }
};

TEST_F(Serve, LoadsWhatArrivesWhileItRuns_MISS11) {
  Daemon daemon = start();
  for (int n = 1; n <= 4; ++n) {
    deliver("f" + std::to_string(n) + ".parquet", n);
    ASSERT_TRUE(daemon.wait_until([&] { return has_rows(daemon, n); })) << n;
  }
  const Json events = daemon.pipeline("events");
  EXPECT_EQ(events["newest_unit"], "f4.parquet");
  EXPECT_EQ(events["state"], "loaded");
  EXPECT_EQ(events["error"], nullptr);
  EXPECT_LT(events["age_seconds"], 60);
  EXPECT_EQ(daemon.stop(SIGTERM).code, 0);
  EXPECT_EQ(rows(), (Lines{"1", "2", "3", "4"}));
}

// MISS-14: not "running", but when the last cycle ended and how.
TEST_F(Serve, TellsWhenEachCycleRanAndHowItEnded_MISS14) {
  deliver("a.parquet", 1);
  Daemon daemon = start();
  ASSERT_TRUE(daemon.wait_until([&] { return daemon.pipeline("events")["cycles"].size() >= 3; }));
  const Json cycles = daemon.pipeline("events")["cycles"];
  EXPECT_EQ(cycles[0]["outcome"], "nothing_new");
  EXPECT_EQ(cycles[cycles.size() - 1]["outcome"], "applied");
  EXPECT_EQ(cycles[cycles.size() - 1]["rows"], 1);
  EXPECT_GT(daemon.metric("forebay_last_success_timestamp_seconds{pipeline=\"events\"}"), 1e9);
  hide_source();
  ASSERT_TRUE(daemon.wait_until([&] { return daemon.pipeline("events")["state"] == "failing"; }));
  const Json failing = daemon.pipeline("events");
  EXPECT_EQ(failing["last_report"]["error"]["code"], "not_found");
  EXPECT_EQ(failing["newest_unit"], "a.parquet");
  EXPECT_GE(daemon.metric("forebay_cycles_total{pipeline=\"events\",exit_code=\"1\"}"), 1);
  show_source();
  EXPECT_TRUE(daemon.wait_until([&] { return daemon.pipeline("events")["state"] == "loaded"; }));
  EXPECT_THAT(daemon.process().output(), HasSubstr("the cycles before had failed"));
}

// FEEDS 2.5, rule 8: a ledger that is full already makes nothing ready.
TEST_F(Serve, IsReadyAfterTheFirstCompleteCycleOfThisProcess) {
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n  events:\n    source: ./in/\n"
                "    feed: append\n    table: events\n    time_column: n\n"
                "    time_format: unix_seconds\n    settle: 0s\n    every: 1s\n");
  deliver("a.parquet", 5);
  EXPECT_EQ(run({"load"}).code, 0);
  hide_source();
  Daemon daemon = start();
  ASSERT_TRUE(daemon.wait_until([&] { return daemon.pipeline("events")["cycles"].size() >= 1; }));
  HttpAnswer ready = daemon.get("/readyz");
  EXPECT_EQ(ready.status, 503);
  EXPECT_THAT(ready.body, HasSubstr("events"));
  EXPECT_EQ(daemon.get("/healthz").status, 200);
  EXPECT_NE(daemon.pipeline("events")["newest_unit"], nullptr);  // as the ledger says
  show_source();
  EXPECT_TRUE(daemon.wait_until([&] { return daemon.get("/readyz").status == 200; }));
  hide_source();
  ASSERT_TRUE(daemon.wait_until([&] { return daemon.pipeline("events")["state"] == "failing"; }));
  EXPECT_EQ(daemon.get("/readyz").status, 200);  // once ready, ready
}

TEST_F(Serve, KeepsTheOthersRunningWhenOnePipelineIsBroken) {
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\npipelines:\n"
                "  secretless:\n    source: ./other/\n    feed: files\n    table: x\n"
                "    schema: ${NOT_SET}\n    every: 1s\n"
                "  events:\n    source: ./in/\n    feed: files\n    table: events\n"
                "    settle: 0s\n    every: 1s\n");
  deliver("a.parquet", 1);
  Daemon daemon = start();
  ASSERT_TRUE(daemon.wait_until([&] { return has_rows(daemon, 1); }));
  deliver("b.parquet", 2);
  ASSERT_TRUE(daemon.wait_until([&] { return has_rows(daemon, 2); }));
  const Json broken = daemon.pipeline("secretless");
  EXPECT_EQ(broken["state"], "failing");
  EXPECT_THAT(broken["error"]["message"].get<std::string>(), HasSubstr("NOT_SET"));
  EXPECT_THAT(daemon.get("/readyz").body, HasSubstr("secretless"));
  EXPECT_EQ(daemon.stop(SIGTERM).code, 0);
}

TEST_F(Serve, WantsTheTokenAndShowsItNowhere) {
  environment_["FOREBAY_TOKEN"] = kSecret;
  folder_.write("forebay.yaml",
                "target: duckdb:w.duckdb\nserve: {token: \"${FOREBAY_TOKEN}\"}\npipelines:\n"
                "  events: {source: ./in/, feed: files, table: events}\n");
  deliver("a.parquet", 1);
  Daemon daemon = start({"-v"});
  const std::string bearer = std::string("Authorization: Bearer ") + kSecret;
  ASSERT_TRUE(daemon.wait_until([&] { return daemon.get("/readyz").status == 200; }));
  EXPECT_EQ(daemon.get("/healthz").status, 200);
  std::string shown;
  for (const char* path : {"/", "/api/status", "/metrics"}) {
    EXPECT_EQ(daemon.get(path).status, 401) << path;
    EXPECT_EQ(daemon.get(path, {bearer + "x"}).status, 401) << path;
    const HttpAnswer answer = daemon.get(path, {bearer});
    EXPECT_EQ(answer.status, 200) << path;
    shown += answer.body;
  }
  EXPECT_EQ(daemon.get("/", {bearer}).header("content-security-policy").substr(0, 18),
            "default-src 'none'");
  const ProgramResult ended = daemon.stop(SIGTERM);
  EXPECT_THAT(shown + ended.out + ended.err, Not(HasSubstr(kSecret)));
}

TEST_F(Serve, RefusesToBeReachedByOthersWithoutAToken) {
  const ProgramResult open = run({"serve", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(open.code, 1);
  EXPECT_THAT(open.err, HasSubstr("there is no token"));
  EXPECT_EQ(run({"serve", "--listen", "example.com:80"}).code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "w.duckdb"));
}

TEST_F(Serve, LeavesWithTwoWhenItsPortIsTaken) {
  Daemon first = start();
  const std::string address = "127.0.0.1:" + std::to_string(first.port());
  const ProgramResult second = run({"serve", "--listen", address});
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.err, HasSubstr(address));
  EXPECT_EQ(first.get("/healthz").status, 200);
}

TEST_F(Serve, TwoOnOneDatabaseLoadEachFileOnce) {
  Daemon first = start();
  Daemon second = start();
  ASSERT_NE(first.port(), 0);
  ASSERT_NE(second.port(), 0);
  for (int n = 1; n <= 3; ++n) deliver("f" + std::to_string(n) + ".parquet", n);
  const auto settled = [](Daemon& daemon) {
    return daemon.get("/readyz").status == 200 &&
           daemon.pipeline("events")["newest_unit"] == "f3.parquet";
  };
  EXPECT_TRUE(first.wait_until([&] { return settled(first) && settled(second); }));
  const std::string applied = "forebay_rows_total{pipeline=\"events\"}";
  EXPECT_TRUE(
      first.wait_until([&] { return first.metric(applied) + second.metric(applied) == 3; }));
  EXPECT_THAT(first.stop(SIGTERM).code, AnyOf(Eq(0), Eq(2)));
  EXPECT_THAT(second.stop(SIGTERM).code, AnyOf(Eq(0), Eq(2)));
  EXPECT_EQ(rows(), (Lines{"1", "2", "3"}));
}

// The file has one owner at a time; between cycles that is whoever asks.
TEST_F(Serve, LeavesTheDatabaseToOthersBetweenCycles) {
  configure("    every: 1h\n");
  deliver("a.parquet", 1);
  Daemon daemon = start();
  ASSERT_TRUE(daemon.wait_until([&] { return has_rows(daemon, 1); }));
  EXPECT_EQ(rows(), (Lines{"1"}));
  deliver("b.parquet", 2);
  EXPECT_EQ(run({"load"}).code, 0);
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
  EXPECT_EQ(daemon.pipeline("events")["newest_unit"], "a.parquet");  // as of its own last cycle
}

TEST_F(Serve, IsQuietAndWritesNothingWhenNothingIsNew) {
  deliver("a.parquet", 1);
  Daemon daemon = start({"--log-format", "json"});
  ASSERT_TRUE(daemon.wait_until([&] { return daemon.pipeline("events")["cycles"].size() >= 4; }));
  const ProgramResult ended = daemon.stop(SIGINT);
  EXPECT_EQ(ended.code, 0);
  std::istringstream lines(ended.err);
  int loaded = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json parsed = Json::parse(line, nullptr, false);
    ASSERT_TRUE(parsed.is_object()) << line;
    loaded += parsed["message"] == "loaded" ? 1 : 0;
  }
  EXPECT_EQ(loaded, 1);
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.commits"), (Lines{"1"}));
}

TEST_F(Serve, StartsAnewAfterItWasKilled) {
  deliver("a.parquet", 1);
  {
    Daemon daemon = start();
    ASSERT_TRUE(daemon.wait_until([&] { return has_rows(daemon, 1); }));
    EXPECT_EQ(daemon.stop(SIGKILL).code, 128 + SIGKILL);
  }
  deliver("b.parquet", 2);
  Daemon daemon = start();
  EXPECT_TRUE(daemon.wait_until([&] { return has_rows(daemon, 1); }));  // of this process
  EXPECT_EQ(daemon.stop(SIGTERM).code, 0);
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
}

TEST_F(Serve, ReadsItsConfigurationAgainOnSighup) {
  configure("    every: 1h\n");
  Daemon daemon = start();
  ASSERT_TRUE(daemon.wait_until([&] { return daemon.get("/readyz").status == 200; }));
  std::ifstream file(folder_ / "forebay.yaml");
  const std::string before(std::istreambuf_iterator<char>(file), {});
  folder_.write("forebay.yaml", before + "  more: {source: ./in/, feed: files, tabel: more}\n");
  daemon.process().signal(SIGHUP);
  EXPECT_TRUE(daemon.wait_until(
      [&] { return daemon.process().errors().contains("the one that was read before stays"); }));
  EXPECT_THAT(daemon.process().errors(), HasSubstr("'tabel'"));
  EXPECT_EQ(daemon.status()["pipelines"].size(), 1U);
  folder_.write("forebay.yaml", before + "  more: {source: ./in/, feed: files, table: more}\n");
  daemon.process().signal(SIGHUP);
  EXPECT_TRUE(daemon.wait_until(
      [&] { return daemon.pipeline("more").is_object() && daemon.get("/readyz").status == 200; }));
  EXPECT_EQ(daemon.pipeline("events")["cycles"].size(), 1U);
  EXPECT_EQ(daemon.stop(SIGTERM).code, 0);
}

TEST_F(Serve, PrintsOneDocumentAtItsEndWhenAskedForJson) {
  deliver("a.parquet", 1);
  Daemon daemon = start({"--json"});
  const ProgramResult ended = [&] {
    // With --json the address stands on standard error; the load shows in the database's file.
    EXPECT_TRUE(daemon.wait_until([&] { return std::filesystem::exists(folder_ / "w.duckdb"); }));
    return daemon.stop(SIGTERM);
  }();
  const Json document = Json::parse(ended.out, nullptr, false);
  ASSERT_TRUE(document.is_object()) << ended.out << ended.err;
  EXPECT_EQ(document["exit_code"], ended.code);
  EXPECT_EQ(document["pipelines"][0]["pipeline"], "events");
  EXPECT_THAT(ended.err, HasSubstr("serving http://127.0.0.1:"));
}

}  // namespace
}  // namespace forebay::test
