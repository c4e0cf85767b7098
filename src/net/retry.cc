#include "net/retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "base/stop.h"
#include "base/time_text.h"

namespace forebay {
namespace {

bool worth_repeating(ErrorCode code) {
  return code == ErrorCode::unavailable || code == ErrorCode::throttled;
}

// Every cause that was seen, in order, each once.
class Causes {
 public:
  void add(const Error& error) {
    ++failures_;
    // Ten different causes tell the story; a server that invents new ones must not fill memory.
    constexpr std::size_t kMostCauses = 10;
    if (causes_.size() < kMostCauses && seen_.insert(error.cause).second) {
      causes_.push_back(error.cause);
    }
  }

  // The error of the last attempt, with the story of all of them.
  Error tell(Error last, Duration time) const {
    if (failures_ == 1) return last;
    const double seconds = std::chrono::duration<double>(time).count();
    std::string others;
    for (std::size_t i = 1; i < causes_.size(); ++i) others += "; " + causes_[i];
    last.cause = fmt::format("{} ({} attempts in {:.0f} s{}{})", causes_.front(), failures_,
                             seconds, others.empty() ? "" : ", later", others);
    return last;
  }

 private:
  int failures_ = 0;
  std::set<std::string> seen_;
  std::vector<std::string> causes_;
};

Error interrupted(Error error) {
  error.code = ErrorCode::interrupted;
  error.cause = "asked to stop while waiting; before that: " + error.cause;
  return error;
}

// While the server wants to be left alone by all of them.
Status wait_for_others(const RetryPolicy& policy, Clock& clock, const SharedPause* pause) {
  if (pause == nullptr || pause->end() <= clock.now()) return {};
  const Duration wait = std::min<Duration>(pause->end() - clock.now(), policy.max_delay);
  if (clock.sleep(wait)) return {};
  return fail({.code = ErrorCode::interrupted,
               .operation = {},
               .object = {},
               .cause = "asked to stop",
               .hint = {}});
}

Status attempt_once(SharedPause* pause, RetryAttempt& state,
                    const std::function<Status(RetryAttempt&)>& attempt) {
  if (pause == nullptr) return attempt(state);
  const auto place = pause->enter();
  Status status = attempt(state);
  if (status) pause->succeeded();
  if (!status && status.error().code == ErrorCode::throttled) pause->throttled(place);
  return status;
}

}  // namespace

RandomSource system_random() {
  return [] {
    thread_local std::mt19937_64 engine(std::random_device{}());
    return std::uniform_real_distribution<double>(0.0, 1.0)(engine);
  };
}

Status retry(const RetryPolicy& policy, Clock& clock, const RandomSource& random,
             SharedPause* pause, const std::function<Status(RetryAttempt&)>& attempt) {
  Causes causes;
  RetryAttempt state;
  const Time start = clock.now();
  std::optional<Time> deadline;
  Duration ceiling = policy.first_delay;
  while (true) {
    RETURN_IF_ERROR(wait_for_others(policy, clock, pause));
    state.wait_.reset();
    state.progressed_ = false;
    Status status = attempt_once(pause, state, attempt);
    if (status) return status;
    Error error = std::move(status).error();
    causes.add(error);
    const Time now = clock.now();
    if (!worth_repeating(error.code) || state.given_up_)
      return fail(causes.tell(std::move(error), now - start));
    if (stop_requested()) return fail(interrupted(std::move(error)));
    if (state.progressed_) ceiling = policy.first_delay;
    if (state.progressed_ || !deadline) deadline = now + policy.retry_for;
    const auto jitter = std::chrono::duration_cast<Duration>(ceiling * random());
    const Duration wished = state.wait_.value_or(Duration{});
    if (now >= *deadline || now + wished > *deadline) {
      return fail(causes.tell(std::move(error), now - start));
    }
    // The last attempt falls on the deadline instead of being given up some seconds before it.
    const Duration delay = std::min<Duration>(wished + jitter, *deadline - now);
    if (pause != nullptr && error.code == ErrorCode::throttled) pause->until(now + delay);
    if (!clock.sleep(delay)) return fail(interrupted(std::move(error)));
    ceiling = std::min(ceiling * 2, policy.max_delay);
    ++state.number_;
  }
}

std::optional<Duration> parse_retry_after(std::string_view text, Time now) {
  if (const auto date = parse_http_date(text)) return std::max(Duration{}, Duration(*date - now));
  if (text.empty() || text.size() > 9) return std::nullopt;
  std::int64_t seconds = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    seconds = seconds * 10 + (c - '0');
  }
  return std::chrono::seconds(seconds);
}

}  // namespace forebay
