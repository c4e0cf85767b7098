#include "app/serve/status_page.h"

#include <gtest/gtest.h>

#include <utility>

namespace forebay {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const Time kNow{seconds(1'800'000'000)};

class StatusPageTest : public ::testing::Test {
 protected:
  StatusPageTest() {
    state_.set_pipelines(
        {{.name = "a", .feed = "files", .source = "s3://b/p/", .every = minutes(1)}});
  }

  void cycle(ErrorCode code) { cycle(Error{code, "read", "s3://b/k", "it does not fit", ""}); }
  void cycle(std::optional<Error> error) {
    CycleReport report;
    report.pipeline = "a";
    report.error = std::move(error);
    report.exit = report.error ? exit_code(report.error->code) : ExitCode::done;
    report.units.waiting = 1;
    report.waiting = {{"late.json", "x is not there yet"}};
    state_.begin("a", kNow - seconds(9));
    state_.finish(report, kNow - seconds(7));
  }
  Json document() { return status_document(state_.snapshot(kNow), kNow); }
  Json pipeline() { return document()["pipelines"][0]; }

  ServeState state_{kNow - minutes(5)};
};

TEST_F(StatusPageTest, HasTheShapeOfStatusWithMoreKeys) {
  cycle(std::nullopt);
  state_.read("a", PipelineStatus{.stale_after = minutes(1)});
  const Json status = status_json("a", "files", PipelineStatus{.stale_after = minutes(1)}, kNow);
  const Json shown = pipeline();
  for (const auto& [key, value] : status.items()) {
    EXPECT_EQ(shown[key], value) << key;
  }
  EXPECT_EQ(document()["exit_code"], 0);
  EXPECT_EQ(shown["source"], "s3://b/p/");
  EXPECT_EQ(shown["every_seconds"], 60.0);
  EXPECT_EQ(shown["cycles"][0]["seconds"], 2.0);
  EXPECT_EQ(shown["waiting"][0]["unit"], "late.json");
  EXPECT_EQ(shown["waiting"][0]["reason"], "x is not there yet");
}

TEST_F(StatusPageTest, SaysInOneWordHowAPipelineIs) {
  EXPECT_EQ(pipeline()["state"], "new");
  state_.begin("a", kNow);
  EXPECT_EQ(pipeline()["state"], "running");
  cycle(ErrorCode::damaged);
  EXPECT_EQ(pipeline()["state"], "failing");
  cycle(ErrorCode::busy);
  EXPECT_EQ(pipeline()["state"], "held_up");
  cycle(std::nullopt);
  EXPECT_EQ(pipeline()["state"], "loaded");
  PipelineStatus status{.stale_after = minutes(1)};
  state_.read("a", status);
  EXPECT_EQ(pipeline()["state"], "stale");
  status.newest = KnownUnit{.unit = "u", .decided_at = kNow};
  state_.read("a", status);
  EXPECT_EQ(pipeline()["state"], "fresh");
}

TEST_F(StatusPageTest, SaysWhyThereIsNoStatus) {
  state_.read("a", fail(Error{ErrorCode::busy, "open", "w.duckdb", "another process", ""}));
  EXPECT_EQ(document()["exit_code"], 2);
  EXPECT_EQ(pipeline()["error"]["code"], "busy");
  EXPECT_NE(pipeline()["error"]["hint"], "");
}

TEST_F(StatusPageTest, NamesSomeOfManyQuarantinedAndCountsAll) {
  PipelineStatus status;
  status.quarantined.resize(kQuarantinedNamed + 7);
  state_.read("a", status);
  EXPECT_EQ(pipeline()["quarantined"].size(), kQuarantinedNamed);
  EXPECT_EQ(pipeline()["units"]["quarantined"], kQuarantinedNamed + 7);
}

}  // namespace
}  // namespace forebay
