#include <csignal>

#include "app/cli.h"
#include "base/stop.h"

namespace forebay {
namespace {

extern "C" void on_stop_signal(int signal) {
  request_stop();
  // Who asks twice does not want to wait: the second one ends the process at once.
  if (signal == SIGINT) std::signal(SIGINT, SIG_DFL);
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

}  // namespace forebay
