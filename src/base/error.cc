#include "base/error.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"

namespace forebay {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::changed: return "changed";
    case ErrorCode::damaged: return "damaged";
    case ErrorCode::denied: return "denied";
    case ErrorCode::throttled: return "throttled";
    case ErrorCode::unavailable: return "unavailable";
    case ErrorCode::busy: return "busy";
    case ErrorCode::interrupted: return "interrupted";
    case ErrorCode::drift: return "drift";
    case ErrorCode::refused: return "refused";
    case ErrorCode::commit_unknown: return "commit_unknown";
    case ErrorCode::invalid_config: return "invalid_config";
    case ErrorCode::internal: return "internal";
  }
  std::unreachable();
}

ExitCode exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found:
    case ErrorCode::denied:
    case ErrorCode::invalid_config: return ExitCode::configuration;
    case ErrorCode::changed:
    case ErrorCode::throttled:
    case ErrorCode::unavailable:
    case ErrorCode::busy:
    case ErrorCode::interrupted:
    case ErrorCode::commit_unknown: return ExitCode::try_again;
    case ErrorCode::damaged: return ExitCode::integrity;
    case ErrorCode::drift: return ExitCode::schema_drift;
    case ErrorCode::refused: return ExitCode::data_protection;
    case ErrorCode::internal: return ExitCode::bug;
  }
  std::unreachable();
}

ExitCode worse(ExitCode a, ExitCode b) {
  // Seriousness by exit code: 3 first, then 6, 5, 4, 2, 1, 0.
  constexpr std::array<int, 7> kSeriousness = {0, 1, 2, 6, 3, 4, 5};
  return kSeriousness[std::to_underlying(a)] >= kSeriousness[std::to_underlying(b)] ? a : b;
}

std::string describe(const Error& error) {
  std::string text = error.operation;
  if (!error.object.empty()) text += (text.empty() ? "" : " ") + error.object;
  if (!error.cause.empty()) text += (text.empty() ? "" : ": ") + error.cause;
  if (!error.hint.empty()) text += fmt::format("\n  hint: {}", error.hint);
  // Keys and documents may hold any bytes; a message is text.
  return valid_utf8(text);
}

}  // namespace forebay
