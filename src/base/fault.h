#pragma once

#include <string>

#include "base/result.h"

namespace forebay {

// A named place where a test build can crash, fail or pause. The names stand in docs/TESTING.md,
// and a test holds that list against the code. In builds that ship (FOREBAY_FAULTS off) this is
// nothing. Test builds read FOREBAY_FAULT once, a list of these, separated by commas:
//   count              print at exit which points were reached, and how often
//   crash:N            _exit(137) at the N-th point reached
//   stop:N             SIGSTOP to this process at the N-th point reached
//   error:N            fail once at the N-th point reached
//   errors:NAME        fail at every point of that name
//   checkpoint:MODE    let DuckDB's checkpoints fail (debug_checkpoint_abort), those in COMMIT too
#ifdef FOREBAY_FAULTS
Status fault_point(const char* name);
// The MODE of `checkpoint:MODE`, or nothing.
std::string checkpoint_fault();
#else
inline Status fault_point(const char* /*name*/) { return {}; }
inline std::string checkpoint_fault() { return {}; }
#endif

}  // namespace forebay
