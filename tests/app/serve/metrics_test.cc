#include "app/serve/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "support/paths.h"

namespace forebay {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

const Time kNow{seconds(1'800'000'000)};

ServeState::Snapshot busy_day() {
  ServeState state(kNow - seconds(500));
  state.set_pipelines({{.name = "car\"wash\n"}, {.name = "new"}});
  const std::string name = "car\"wash\n";
  CycleReport report;
  report.pipeline = name;
  report.outcome = Outcome::applied;
  report.units = {.applied = 2, .quarantined = 1};
  report.files = 5;
  report.rows = 123'456'789;
  report.bytes = 9'007'199'254;
  report.requests = {.list = 1, .get = 6, .head = 0, .other = 2};
  report.seconds = 1.5;
  state.begin(name, kNow - seconds(60));
  state.finish(report, kNow - seconds(50));
  report.exit = ExitCode::schema_drift;
  state.begin(name, kNow - seconds(20));
  state.finish(report, kNow - seconds(10));
  PipelineStatus status{.waiting = 3, .stale_after = seconds(60)};
  status.newest = KnownUnit{.unit = "u", .unit_time = kNow - seconds(90), .decided_at = kNow};
  status.quarantined.resize(2);
  state.read(name, status);
  state.plan_next(name, kNow + seconds(30));
  return state.snapshot(kNow);
}

std::string value_of(const std::string& text, const std::string& series) {
  const std::size_t at = text.find("\n" + series + " ");
  if (at == std::string::npos) return "missing";
  const std::size_t begin = at + series.size() + 2;
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST(Metrics, TellWhatEachPipelineDid) {
  const std::string text = metrics_text(busy_day(), kNow);
  const std::string label = R"(pipeline="car\"wash\n")";
  const auto of = [&](const std::string& name, const std::string& more = "") {
    return std::stod(value_of(text, name + "{" + label + more + "}"));
  };
  EXPECT_EQ(of("forebay_units_applied_total"), 4);
  EXPECT_EQ(of("forebay_rows_total"), 246'913'578);
  EXPECT_EQ(of("forebay_read_bytes_total"), 18'014'398'508);
  EXPECT_EQ(of("forebay_requests_total", R"(,kind="get")"), 12);
  EXPECT_EQ(of("forebay_cycles_total", R"(,exit_code="0")"), 1);
  EXPECT_EQ(of("forebay_cycles_total", R"(,exit_code="4")"), 1);
  EXPECT_EQ(of("forebay_cycles_total", R"(,exit_code="3")"), 0);
  EXPECT_EQ(of("forebay_cycle_seconds_total"), 3);
  EXPECT_EQ(of("forebay_last_cycle_exit_code"), 4);
  EXPECT_EQ(of("forebay_last_success_timestamp_seconds"), 1'799'999'950);
  EXPECT_EQ(of("forebay_last_cycle_timestamp_seconds"), 1'799'999'990);
  EXPECT_EQ(of("forebay_next_cycle_timestamp_seconds"), 1'800'000'030);
  EXPECT_EQ(of("forebay_newest_unit_age_seconds"), 90);
  EXPECT_EQ(of("forebay_newest_unit_timestamp_seconds"), 1'799'999'910);
  EXPECT_EQ(of("forebay_stale"), 1);
  EXPECT_EQ(of("forebay_units_waiting"), 3);
  EXPECT_EQ(of("forebay_units_quarantined"), 2);
  EXPECT_EQ(of("forebay_ready"), 1);
}

TEST(Metrics, LeaveOutWhatIsNotKnown) {
  const std::string text = metrics_text(busy_day(), kNow);
  EXPECT_EQ(value_of(text, R"(forebay_ready{pipeline="new"})"), "0");
  EXPECT_EQ(value_of(text, R"(forebay_newest_unit_age_seconds{pipeline="new"})"), "missing");
  EXPECT_EQ(value_of(text, R"(forebay_last_success_timestamp_seconds{pipeline="new"})"), "missing");
}

// docs/SERVE.md names every metric, and no other.
TEST(Metrics, AreThoseThatTheDocumentNames) {
  const std::string text = metrics_text(busy_day(), kNow);
  std::ifstream file(test::source_dir() / "docs/SERVE.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const auto names = [](const std::string& in, const std::string& pattern) {
    const std::regex regex(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator i(in.begin(), in.end(), regex), end; i != end; ++i)
      found.insert((*i)[1].str());
    return found;
  };
  const auto written = names(text, "# TYPE ([a-z_]+) ");
  EXPECT_GT(written.size(), 15U);
  EXPECT_EQ(written, names(page, R"(\| `(forebay_[a-z_]+))"));
}

}  // namespace
}  // namespace forebay
