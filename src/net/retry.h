#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "net/shared_pause.h"

namespace forebay {

// How long and how patiently a failing request is tried again.
struct RetryPolicy {
  Duration retry_for = std::chrono::minutes(5);  // since the first failure, or since progress
  Duration first_delay = std::chrono::milliseconds(200);
  Duration max_delay = std::chrono::seconds(30);
};

// A number in [0, 1). Tests bring their own.
using RandomSource = std::function<double()>;
RandomSource system_random();  // thread-safe

// What one attempt may tell the loop.
class RetryAttempt {
 public:
  int number() const { return number_; }  // 1, 2, …

  // The server's wish. A wish that goes beyond the time left ends the attempts at once.
  void retry_after(std::optional<Duration> wait) { wait_ = wait; }
  // Something was achieved (bytes that need not be read again): the time left begins anew.
  void progressed() { progressed_ = true; }
  // The server has understood and says no: asking again would change nothing.
  void give_up() { given_up_ = true; }

 private:
  friend Status retry(const RetryPolicy&, Clock&, const RandomSource&, SharedPause*,
                      const std::function<Status(RetryAttempt&)>&);
  int number_ = 1;
  std::optional<Duration> wait_;
  bool progressed_ = false;
  bool given_up_ = false;
};

// The only retry loop of the program. Repeats `attempt` while it returns unavailable or throttled
// and time is left: full jitter (a random part of a delay that doubles), never sooner than the
// server wished. The time begins with the first failure. Any other error comes back at once. The
// final error holds the first cause, the number of attempts and the other causes, each once.
// interrupted: asked to stop while waiting. `pause` may be null; otherwise each attempt has a place
// in it.
Status retry(const RetryPolicy& policy, Clock& clock, const RandomSource& random,
             SharedPause* pause, const std::function<Status(RetryAttempt&)>& attempt);

// The same for an attempt that returns a value.
template <class T>
Result<T> retry_for_value(const RetryPolicy& policy, Clock& clock, const RandomSource& random,
                          SharedPause* pause,
                          const std::function<Result<T>(RetryAttempt&)>& attempt) {
  std::optional<T> value;
  RETURN_IF_ERROR(retry(policy, clock, random, pause, [&](RetryAttempt& state) -> Status {
    ASSIGN_OR_RETURN(value, attempt(state));
    return {};
  }));
  return std::move(*value);
}

// The header Retry-After: seconds, or an HTTP date (then the difference to `now`, at least zero).
// nullopt for anything else.
std::optional<Duration> parse_retry_after(std::string_view text, Time now);

}  // namespace forebay
