#include "base/fault.h"

#include <unistd.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"

namespace forebay {
namespace {

struct Order {
  enum class Kind {
    count,
    crash,
    stop,
    stop_always,
    error_once,
    error_always,
    dies_reading,
    checkpoint
  } kind = Kind::count;
  long at = 0;
  std::string name;
};

std::atomic<long> g_reached{0};

// How often a name was reached, and as which of all points at first and at last.
struct Reached {
  long times = 0;
  long first = 0;
  long last = 0;
};

// Never destroyed: threads may still reach a point while the process ends.
struct Tally {
  std::mutex mutex;
  std::map<std::string, Reached> names;
};
Tally& tally() {
  static auto* const kTally = new Tally;
  return *kTally;
}

void print_count() {
  const std::scoped_lock lock(tally().mutex);
  for (const auto& [name, reached] : tally().names) {
    std::fprintf(stderr, "fault point %s: %ld times, from %ld to %ld\n", name.c_str(),
                 reached.times, reached.first, reached.last);
  }
  std::fprintf(stderr, "fault points reached: %ld\n", g_reached.load());
}

Order read_order(std::string_view text) {
  using enum Order::Kind;
  const auto colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  const std::string_view rest = colon == text.npos ? "" : text.substr(colon + 1);
  Order order{.name = std::string(rest)};
  std::from_chars(rest.data(), rest.data() + rest.size(), order.at);
  for (const auto& [name, kind] :
       {std::pair("count", count), std::pair("crash", crash), std::pair("stop", stop),
        std::pair("stops", stop_always), std::pair("error", error_once),
        std::pair("errors", error_always), std::pair("checkpoint", checkpoint),
        std::pair("dies", dies_reading)}) {
    if (word != name) continue;
    order.kind = kind;
    return order;
  }
  CHECK(false && "FOREBAY_FAULT has an unknown word");
  std::unreachable();
}

std::vector<Order> read_orders() {
  std::vector<Order> orders;
  const char* text = std::getenv("FOREBAY_FAULT");
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    orders.push_back(read_order(rest.substr(0, comma)));
    if (orders.back().kind == Order::Kind::count) std::atexit(print_count);
    rest = comma == rest.npos ? "" : rest.substr(comma + 1);
  }
  return orders;
}

const std::vector<Order>& orders() {
  static const std::vector<Order> kOrders = read_orders();
  return kOrders;
}

void count_point(const char* name, long at) {
  const std::scoped_lock lock(tally().mutex);
  Reached& reached = tally().names[name];
  if (++reached.times == 1) reached.first = at;
  reached.last = at;
}

}  // namespace

Status fault_point(const char* name) {
  if (orders().empty()) return {};
  const long reached = ++g_reached;
  bool wrong = false;
  for (const Order& order : orders()) {
    const bool here = reached == order.at;
    switch (order.kind) {
      case Order::Kind::count: count_point(name, reached); break;
      case Order::Kind::crash:
        if (here) _exit(137);
        break;
      case Order::Kind::stop:
        if (here) std::raise(SIGSTOP);
        break;
      case Order::Kind::stop_always:
        std::fprintf(stderr, "stopped at %s\n", name);
        std::raise(SIGSTOP);
        break;
      case Order::Kind::error_once: wrong = wrong || here; break;
      case Order::Kind::error_always: wrong = wrong || order.name == name; break;
      case Order::Kind::dies_reading:
      case Order::Kind::checkpoint: break;
    }
  }
  if (!wrong) return {};
  return fail({.code = ErrorCode::unavailable,
               .operation = "fault point",
               .object = name,
               .cause = "an error injected by a test"});
}

void reader_fault(const std::string& unit) {
  for (const Order& order : orders()) {
    if (order.kind == Order::Kind::dies_reading && order.name == unit) std::raise(SIGSEGV);
  }
}

std::string checkpoint_fault() {
  for (const Order& order : orders()) {
    if (order.kind == Order::Kind::checkpoint) return order.name;
  }
  return {};
}

bool has_fault_points() { return true; }

}  // namespace forebay
