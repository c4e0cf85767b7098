#pragma once

#include <source_location>
#include <string_view>

namespace forebay {

// Prints what was violated and where, then ends the process with exit code 6. Never returns.
[[noreturn]] void check_failed(std::string_view what,
                               std::source_location where = std::source_location::current());

}  // namespace forebay

// An invariant of our own code. Stays on in release builds: a loader that stops is better than one
// that loads twice. Foreign input is never CHECKed; it becomes an Error.
#define CHECK(condition)                   \
  do {                                     \
    if (!(condition)) [[unlikely]]         \
      ::forebay::check_failed(#condition); \
  } while (false)
