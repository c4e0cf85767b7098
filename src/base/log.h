#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace forebay {

// What the program says while it works: lines on standard error, as text for people or as one JSON
// object a line for machines. Results do not go here; they are printed on standard output.

enum class LogLevel { error, warning, info, debug };
enum class LogFormat { text, json };

struct LogOptions {
  LogLevel level = LogLevel::warning;  // and everything more serious
  LogFormat format = LogFormat::text;
};

// A value beside a message. A Secret is none of these, so that it cannot be logged by accident.
using LogValue = std::variant<std::string, std::int64_t, std::uint64_t, double, bool>;
using LogFields = std::vector<std::pair<std::string, LogValue>>;

// Whatever else draws on the terminal steps aside while a line is written.
class Screen {
 public:
  virtual ~Screen() = default;
  virtual void hide() = 0;
  virtual void show() = 0;
};

// Both are for the start of the process and of a progress bar. Thread-safe; nullptr: no screen. The
// screen must stay until another one, or none, was set.
void configure_log(const LogOptions& options);
void set_log_screen(Screen* screen);

LogOptions log_options();

// One line. Thread-safe; a failure to write is ignored. Line breaks in a message stay in text
// (hints are indented below it) and are escaped in JSON.
void log(LogLevel level, std::string_view message, const LogFields& fields = {});

// An error with all its parts as fields; in text as describe() tells it. `pipeline` may be empty.
void log_error(const Error& error, std::string_view pipeline = {});

// The line that log() would write, without the line break: pure, for tests.
std::string format_log_line(LogFormat format, std::string_view time, LogLevel level,
                            std::string_view message, const LogFields& fields);

}  // namespace forebay
