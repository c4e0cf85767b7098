#pragma once

#include <string>

#include "base/result.h"

namespace forebay {

// A named place where a program for tests can crash, fail or pause. The names stand in
// docs/TESTING.md, and a test holds that list against the code. Which program it is, the linker
// decides: fault_none.cc is in what ships and does nothing, fault.cc is in what tests run, beside
// the very same objects. It reads FOREBAY_FAULT once, a list of these, separated by commas:
//   count              print at exit which points were reached, and how often
//   crash:N            _exit(137) at the N-th point reached
//   stop:N             SIGSTOP to this process at the N-th point reached
//   stops              SIGSTOP at every point, each named on standard error
//   error:N            fail once at the N-th point reached
//   errors:NAME        fail at every point of that name
//   dies:NAME          SIGSEGV to this process while it reads the unit of that name
//   checkpoint:MODE    let DuckDB's checkpoints fail (debug_checkpoint_abort), those in COMMIT too
Status fault_point(const char* name);
// The MODE of `checkpoint:MODE`, or nothing.
std::string checkpoint_fault();
// Where a unit is about to be read: `dies:NAME`.
void reader_fault(const std::string& unit);

// Whether this program is one for tests.
bool has_fault_points();

}  // namespace forebay
