#include <atomic>
#include <csignal>

#include "app/cli.h"
#include "app/reload_signal.h"
#include "base/stop.h"

namespace forebay {
namespace {

extern "C" void on_stop_signal(int signal) {
  request_stop();
  // Who asks twice does not want to wait: the second one ends the process at once.
  if (signal == SIGINT) std::signal(SIGINT, SIG_DFL);
}

std::atomic<bool> g_reload{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

extern "C" void on_reload_signal(int /*signal*/) {
  g_reload.store(true, std::memory_order_relaxed);
}

}  // namespace

void handle_signals() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  // A reader that leaves (head, less) ends a write with an error, not the process.
  std::signal(SIGPIPE, SIG_IGN);
}

void handle_reload_signal() {
  struct sigaction action = {};
  action.sa_handler = on_reload_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGHUP, &action, nullptr);
}

bool take_reload_request() { return g_reload.exchange(false, std::memory_order_relaxed); }

}  // namespace forebay
