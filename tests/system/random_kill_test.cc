// Aim: the binary that ships may be killed at any moment, whatever feed it loads.
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
#include "support/grown_feed.h"
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
};

using Grow = std::unique_ptr<GrownFeed> (*)(const std::string& folder, Put put);

class RandomKill : public testing::TestWithParam<std::pair<const char*, Grow>> {
 protected:
  RandomKill() {
    if (!std::filesystem::exists(shipping_binary()))
      ADD_FAILURE() << shipping_binary() << " is missing: `make build` makes it";
  }

  int draw(int least, int most) { return std::uniform_int_distribution(least, most)(random_); }
  void grow(Put put) { feed_ = GetParam().second(folder_.path(), std::move(put)); }
  LoadPlace place(const std::string& source, std::vector<std::string> options = {}) const {
    std::vector<std::string> words;
    for (const auto& more : {feed_->options(), options}) {
      for (const std::string& option : more) {
        words.emplace_back("--set");
        words.push_back(option);
      }
    }
    LoadPlace place(shipping_binary(), source, words);
    place.feed = feed_->name();
    return place;
  }

  void load_all(const LoadPlace& place) {
    const auto begun = Clock::now();
    const ProgramResult result = place.load();
    typical_ = std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(feed_->problems(place.database(), Applied::all), "");
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
    EXPECT_EQ(feed_->problems(place.database(), Applied::some), "");
    EXPECT_TRUE(place.staging_is_empty());
    return alive && code != 0;
  }

  void run(const LoadPlace& place, const Plan& plan) {
    for (int i = 0; i < 3; ++i) feed_->deliver(random_);
    load_all(place);
    int hits = 0;
    for (int round = 1; round <= plan.rounds && !HasFailure(); ++round) {
      SCOPED_TRACE(fmt::format("seed {}, round {}", seed(), round));
      for (int i = 0; i < 2; ++i) feed_->deliver(random_);
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
  std::unique_ptr<GrownFeed> feed_;
  std::mt19937 random_{seed()};
  milliseconds typical_{0};
  milliseconds slowest_{0};
};

TEST_P(RandomKill, NothingIsLostOrDoubledFromAFolder) {
  grow({});
  run(place(folder_ / "feed/"), {.rounds = soaking() ? 1'000 : 24});
}

TEST_P(RandomKill, NothingIsLostOrDoubledFromS3) {
  S3Server& server = seaweed();
  const std::string bucket = fmt::format("random-kill-{}", GetParam().first);
  server.create_bucket(bucket);
  const S3StoreOptions options = server.options(bucket);
  grow([&](const std::string& key) {
    std::ifstream file(folder_ / key, std::ios::binary);
    server.put(bucket, key, std::string(std::istreambuf_iterator<char>(file), {}));
  });
  LoadPlace loads = place("s3://" + bucket + "/feed/", {"endpoint=" + options.endpoint.value()});
  for (const auto& [name, value] : options.environment) loads.environment[name] = value;
  run(loads, {.rounds = soaking() ? 200 : 6});
}

TEST_P(RandomKill, ARequestToStopEndsWithTryAgainAndNothingHalfDone) {
  grow({});
  run(place(folder_ / "feed/"), {.rounds = soaking() ? 300 : 10, .signal = SIGTERM});
}

INSTANTIATE_TEST_SUITE_P(Feeds, RandomKill,
                         testing::Values(std::pair("rollerup", &grow_rollerup),
                                         std::pair("twisp", &grow_twisp),
                                         std::pair("files", &grow_files),
                                         std::pair("append", &grow_append),
                                         std::pair("rivet", &grow_rivet)),
                         [](const auto& param) { return std::string(param.param.first); });

}  // namespace
}  // namespace forebay::test
