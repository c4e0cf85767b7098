#pragma once

#include <string>
#include <string_view>

namespace forebay {

// What the caller should do next, not where the failure came from. Adding a code breaks the build
// wherever the difference matters: every switch over it is exhaustive.
enum class ErrorCode {
  not_found,       // the object is not there: a listed one is listed again, a named one is damage
  changed,         // replaced since it was listed: list again
  damaged,         // bytes, counts or protocol do not agree: nothing of the unit is applied
  denied,          // credentials or rights: a person must act
  throttled,       // the server asked for patience: later, slower
  unavailable,     // network, server or disk failed for now: later
  busy,            // another loader holds the target or won the race: later
  interrupted,     // this process was asked to stop
  drift,           // the schema changed in a way the policy does not allow
  refused,         // going on could lose or mix up data
  commit_unknown,  // COMMIT reported an error; only the ledger knows: reopen and read it
  invalid_config,  // usage or configuration: a person must act
  internal,        // a bug in forebay
};

std::string_view to_string(ErrorCode code);

// The exit codes of the command line (public, documented in README).
enum class ExitCode : int {
  done = 0,
  configuration = 1,
  try_again = 2,
  integrity = 3,
  schema_drift = 4,
  data_protection = 5,
  bug = 6,
};

ExitCode exit_code(ErrorCode code);

// The more serious of two outcomes: integrity, bug, data protection, drift, try again,
// configuration.
ExitCode worse(ExitCode a, ExitCode b);

// A failure as the person on call reads it. No field ever holds a secret or a signed URL.
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string operation;  // what was being done: "read", "list", "parse marker"
  std::string object;     // bucket, key and version, or file and line; may be empty
  std::string cause;      // what went wrong, in one sentence
  std::string hint;       // what to do next; may be empty
};

// One line: operation, object, cause; then the hint.
std::string describe(const Error& error);

}  // namespace forebay
