#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace forebay {

// The words of a command, split as a POSIX shell splits them: spaces outside of quotes, '…', "…"
// and backslashes. Nothing else of a shell is done: no variables, no ~, no pipes. invalid_config: a
// quote is left open, or there is no word at all. The message repeats nothing of the command, which
// may hold secrets.
Result<std::vector<std::string>> split_command(std::string_view command);

struct ProgramLimits {
  std::chrono::milliseconds time = std::chrono::minutes(1);
  std::size_t output = 64 * 1024;
};

// Runs a program without a shell, found by PATH, with this process's environment and nothing to
// read, and gives what it writes to standard output. Its standard error goes nowhere: it may hold
// secrets. When time is up or the output too long the program is killed, with all processes that it
// has started in its group. Errors name the program and none of its arguments: invalid_config (it
// cannot be started, ends with another code than 0, writes too much), unavailable (time is up),
// interrupted (this process was asked to stop).
Result<std::string> run_program(const std::vector<std::string>& words,
                                const ProgramLimits& limits = {});

}  // namespace forebay
