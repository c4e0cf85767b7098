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
void add_backfill(const Command& program);
void add_verify(const Command& program);
void add_reset(const Command& program);
void add_quarantine(const Command& program);
void add_serve(const Command& program);
void add_demo(const Command& program);
void add_version(const Command& program);

// Times on the command line: RFC 3339, UTC without a zone. `option` names it in the error.
Result<Time> parse_time_option(std::string_view option, std::string_view text);

// The same, or a date, which means the whole day: from its first instant to the first of the next.
struct TimeSpan {
  Time begin;
  Time end;  // no longer part of it
};
Result<TimeSpan> parse_date_option(std::string_view option, std::string_view text);

}  // namespace forebay::cli
