#pragma once

#include <string_view>

#include "app/cli/command.h"
#include "base/clock.h"
#include "base/result.h"

namespace forebay::cli {

// Each adds its command to the program.
void add_load(const Command& program);
void add_plan(const Command& program);
void add_check(const Command& program);
void add_status(const Command& program);
void add_history(const Command& program);
void add_inspect(const Command& program);
void add_feeds(const Command& program);
void add_demo(const Command& program);
void add_version(const Command& program);

// Times on the command line: RFC 3339, UTC without a zone. `option` names it in the error.
Result<Time> parse_time_option(std::string_view option, std::string_view text);

}  // namespace forebay::cli
