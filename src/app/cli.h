#pragma once

#include <string>
#include <vector>

#include "app/environment.h"
#include "base/clock.h"
#include "base/error.h"

namespace forebay {

// The command line: reads `arguments` (without the program's name), runs the command and returns
// the exit code of the process. Prints results on standard output and all else on standard error;
// never throws.
ExitCode run_command_line(const std::vector<std::string>& arguments, const Environment& environment,
                          Clock& clock);

// Where a process asked to end stands: sets up SIGTERM, SIGINT and SIGPIPE. Call once, at start.
void handle_signals();

}  // namespace forebay
