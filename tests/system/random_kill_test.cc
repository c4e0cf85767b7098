// Aim: the binary that ships may be killed at any moment.
// Method: a feed grows while rounds go on. In each round a load is started and killed after a time
// that the seed draws between nothing and somewhat more than a load takes; then rows and ledger
// must agree. Every few rounds a load may end, and then everything must be there. The test
// remembers what it put into the feed; FOREBAY_SEED chooses another seed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "support/crash_scene.h"
#include "support/paths.h"
#include "support/s3_server.h"
#include "support/soak.h"

namespace forebay::test {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

std::uint32_t seed() {
  const char* text = std::getenv("FOREBAY_SEED");
  return text == nullptr ? 20'261'020U : static_cast<std::uint32_t>(std::stoul(text));
}

// What happens to the loader in each round.
struct Plan {
  int rounds = 0;
  int signal = SIGKILL;
  std::function<void(const std::string& key)> put;  // brings a file to where the loader reads it
};

class RandomKill : public testing::Test {
 protected:
  RandomKill() {
    if (!std::filesystem::exists(shipping_binary()))
      ADD_FAILURE() << shipping_binary() << " is missing: `make build` makes it";
  }

  int draw(int least, int most) { return std::uniform_int_distribution(least, most)(random_); }

  SmallFile some_rows(int rows, bool deletes) {
    SmallFile file{.table = fmt::format("t{}", draw(1, 3)), .rows = {}};
    std::map<std::int64_t, SmallRow> once;
    for (int i = 0; i < rows; ++i) {
      const std::int64_t id = draw(1, 6'000);
      once[id] = {.id = id, .value = draw(0, 1'000'000), .deleted = deletes && draw(0, 9) == 0};
    }
    for (const auto& [id, row] : once) file.rows.push_back(row);
    return file;
  }

  void deliver(const Plan& plan) {
    int number = ++last_;
    // Now and then a marker is late: its place is taken by the round after it.
    if (late_ > 0) {
      number = std::exchange(late_, 0);
    } else if (draw(0, 7) == 0) {
      late_ = number;
      number = ++last_;
    }
    Delivery delivery{.number = number};
    const int chance = draw(0, 11);
    if (chance == 0) {
      delivery.snapshot = true;
      delivery.files.push_back(some_rows(3'000, false));
    } else if (chance > 1) {
      for (int i = draw(2, 6); i > 0; --i) delivery.files.push_back(some_rows(draw(1, 900), true));
    }
    feed_.deliver(delivery, plan.put);
  }

  void load_all(const LoadPlace& place) {
    const auto begun = Clock::now();
    const ProgramResult result = place.load();
    typical_ = std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(problems(place.database(), feed_, Applied::all), "");
  }

  // Lets a load run for a while, then sends the signal. Whether it was hit while it ran.
  bool hit(const LoadPlace& place, const Plan& plan) {
    ChildProcess child(shipping_binary(), place.words(), place.options());
    const milliseconds moment(draw(0, static_cast<int>(typical_.count() * 6 / 5)));
    auto ended = child.wait_for(moment);
    const bool alive = !ended.has_value();
    if (alive) {
      child.signal(plan.signal);
      const auto asked = Clock::now();
      ended = child.wait_for(std::chrono::seconds(plan.signal == SIGKILL ? 60 : 2));
      slowest_ = std::max(slowest_, std::chrono::duration_cast<milliseconds>(Clock::now() - asked));
      EXPECT_TRUE(ended.has_value())
          << "still there after a request to end, " << moment.count() << " ms after its start";
      if (!ended) return true;
    }
    const int code = ended->code;
    // Before main() has begun a signal does what signals do.
    const bool killed = code == 128 + plan.signal && (plan.signal == SIGKILL || ended->err.empty());
    EXPECT_TRUE(code == 0 || killed || (plan.signal != SIGKILL && code == 2)) << code << "\n"
                                                                              << ended->err;
    EXPECT_EQ(problems(place.database(), feed_, Applied::some), "");
    EXPECT_TRUE(place.staging_is_empty());
    return alive && code != 0;
  }

  void run(const LoadPlace& place, const Plan& plan) {
    for (int i = 0; i < 3; ++i) deliver(plan);
    load_all(place);
    int hits = 0;
    for (int round = 1; round <= plan.rounds && !HasFailure(); ++round) {
      SCOPED_TRACE(fmt::format("seed {}, round {}", seed(), round));
      for (int i = 0; i < 2; ++i) deliver(plan);
      hits += hit(place, plan) ? 1 : 0;
      if (round % 4 == 0) load_all(place);
    }
    load_all(place);
    RecordProperty("hits", hits);
    RecordProperty("slowest_end_ms", static_cast<int>(slowest_.count()));
    fmt::print("{} of {} loads were hit; slowest end {} ms, a load {} ms\n", hits, plan.rounds,
               slowest_.count(), typical_.count());
    EXPECT_GE(hits * 4, plan.rounds) << "too few loads were hit while they ran";
  }

  TempFolder folder_;
  SmallFeed feed_{folder_.path()};
  std::mt19937 random_{seed()};
  int last_ = 0;
  int late_ = 0;
  milliseconds typical_{0};
  milliseconds slowest_{0};
};

TEST_F(RandomKill, NothingIsLostOrDoubledFromAFolder) {
  run(LoadPlace(shipping_binary(), feed_.source()), {.rounds = soaking() ? 2'000 : 100, .put = {}});
}

TEST_F(RandomKill, NothingIsLostOrDoubledFromS3) {
  S3Server& server = seaweed();
  const std::string bucket = "random-kill";
  server.create_bucket(bucket);
  const S3StoreOptions options = server.options(bucket);
  LoadPlace place(shipping_binary(), "s3://" + bucket + "/feed/",
                  {"--set", "endpoint=" + options.endpoint.value()});
  for (const auto& [name, value] : options.environment) place.environment[name] = value;
  const auto put = [&](const std::string& key) {
    std::ifstream file(folder_ / key, std::ios::binary);
    server.put(bucket, key, std::string(std::istreambuf_iterator<char>(file), {}));
  };
  run(place, {.rounds = soaking() ? 200 : 20, .put = put});
}

TEST_F(RandomKill, ARequestToStopEndsWithTryAgainAndNothingHalfDone) {
  run(LoadPlace(shipping_binary(), feed_.source()),
      {.rounds = soaking() ? 500 : 40, .signal = SIGTERM, .put = {}});
}

}  // namespace
}  // namespace forebay::test
