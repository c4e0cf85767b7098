#include "app/error_text.h"

#include <fmt/format.h>

#include <utility>

namespace forebay {
namespace {

std::string_view hint_for(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found: return "check the name; nothing was changed";
    case ErrorCode::changed: return "run the command again: it lists the object anew";
    case ErrorCode::damaged:
      return "nothing of this unit was applied; ask the producer to deliver it again";
    case ErrorCode::denied: return "check the credentials and rights; 'forebay check' tests each";
    case ErrorCode::throttled:
    case ErrorCode::unavailable: return "run the command again later; nothing is lost";
    case ErrorCode::busy: return "wait until the other process is done, then run it again";
    case ErrorCode::interrupted: return "run the command again; it goes on where it stopped";
    case ErrorCode::drift:
      return "nothing of this unit was applied; 'forebay check' compares file and table";
    case ErrorCode::refused: return "nothing of this unit was applied; a person must decide";
    case ErrorCode::commit_unknown: return "run the command again: it reads the ledger first";
    case ErrorCode::invalid_config: return "see 'forebay --help' and README.md";
    case ErrorCode::internal: return "this is a bug in forebay: please report it with this message";
  }
  std::unreachable();
}

}  // namespace

Json error_json(const Error& given) {
  const Error error = with_hint(given);
  const std::string message =
      error.operation.empty() ? error.cause : fmt::format("{}: {}", error.operation, error.cause);
  return {{"code", to_string(error.code)},
          {"message", message},
          {"object", error.object},
          {"hint", error.hint}};
}

Error with_hint(Error error) {
  if (error.hint.empty()) error.hint = hint_for(error.code);
  return error;
}

}  // namespace forebay
