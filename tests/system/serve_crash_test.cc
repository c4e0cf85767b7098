// Aim: a daemon may be killed or asked to stop at every step, between cycles and while it stops
// too. Method: it dies, or stops itself, at the k-th fault point, for each k of its first cycle and
// of its end; then `load` must find the database right.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

#include "support/cli_fixture.h"
#include "support/crash_scene.h"
#include "support/daemon.h"

namespace forebay::test {
namespace {

using namespace std::chrono_literals;
using testing::AnyOf;
using testing::Eq;
using testing::HasSubstr;

constexpr auto kStopLimit = 2s;

class ServeCrash : public CliFilesTest {
 protected:
  ServeCrash() {
    configure("    every: 1h\n");
    put_file("a.parquet", 1);
    put_file("b.parquet", 2);
  }

  Daemon start(const std::string& fault) {
    std::filesystem::remove(folder_ / "w.duckdb");
    std::filesystem::remove(folder_ / "w.duckdb.wal");
    auto environment = environment_;
    environment["FOREBAY_FAULT"] = fault;
    return {folder_.path(), environment};
  }

  // The points of one cycle, of what comes after it, and of the end.
  long count_points() {
    Daemon daemon = start("count");
    EXPECT_TRUE(daemon.wait_until([&] { return daemon.get("/readyz").status == 200; }));
    return fault_count(daemon.stop(SIGTERM)).points;
  }

  void expect_recovery() {
    EXPECT_EQ(run({"load"}).code, 0);
    EXPECT_EQ(rows(), (Lines{"1", "2"}));
    EXPECT_EQ(query("SELECT count(*) FROM _forebay.units WHERE state = 'applied'"), (Lines{"2"}));
  }
};

TEST_F(ServeCrash, EveryStepCanBeTheLast) {
  const long points = count_points();
  EXPECT_GT(points, 10);
  for (long k = 1; k <= points; ++k) {
    SCOPED_TRACE(fmt::format("crash:{}", k));
    Daemon daemon = start(fmt::format("crash:{}", k));
    // It dies on the way, or between cycles, or once it is asked to stop.
    if (daemon.wait_until([&] { return daemon.get("/readyz").status == 200; }))
      daemon.process().signal(SIGTERM);
    EXPECT_EQ(daemon.process().wait().code, 137);
    expect_recovery();
  }
}

TEST_F(ServeCrash, ARequestToStopIsObeyedAtEveryStep) {
  const long points = count_points();
  bool cut_short = false;
  // The last point is reached after the request alone.
  for (long k = 1; k < points; ++k) {
    SCOPED_TRACE(fmt::format("stop:{}", k));
    Daemon daemon = start(fmt::format("stop:{}", k));
    ASSERT_TRUE(daemon.process().wait_until_stopped());
    daemon.process().signal(SIGTERM);
    daemon.process().signal(SIGCONT);
    const auto ended = daemon.process().wait_for(kStopLimit);
    ASSERT_TRUE(ended) << "it does not end";
    EXPECT_THAT(ended->code, AnyOf(Eq(0), Eq(2))) << ended->err;
    cut_short = cut_short || ended->code == 2;
    // Between cycles there is nothing to cut short.
    if (k == points - 1) {
      EXPECT_EQ(ended->code, 0);
    }
    expect_recovery();
  }
  EXPECT_TRUE(cut_short);
}

TEST_F(ServeCrash, AFaultBetweenCyclesIsSaidAndEndsNothing) {
  Daemon daemon = start("errors:daemon.between_cycles");
  ASSERT_TRUE(daemon.wait_until([&] { return daemon.get("/readyz").status == 200; }));
  const ProgramResult ended = daemon.stop(SIGTERM);
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.err, HasSubstr("daemon.between_cycles"));
}

}  // namespace
}  // namespace forebay::test
