#include <string>
#include <utility>
#include <vector>

#include "app/cli.h"
#include "app/environment.h"
#include "base/clock.h"

int main(int argc, char** argv) {
  forebay::handle_signals();
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return std::to_underlying(forebay::run_command_line(arguments, forebay::Environment::of_process(),
                                                      forebay::system_clock()));
}
