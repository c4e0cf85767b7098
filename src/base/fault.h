#pragma once

#include "base/result.h"

namespace forebay {

// A named place where a test build can crash or fail (TESTING: the crash matrix). The names are
// listed in docs/TESTING.md, and a test holds that list against the code. In builds that ship
// (FOREBAY_FAULTS off) this is nothing. Test builds read FOREBAY_FAULT once:
//   "count"            print the number of points reached, at exit
//   "crash:N"          _exit(137) at the N-th point reached
//   "error:N"          fail once at the N-th point
//   "errors:NAME"      fail at every point of that name
#ifdef FOREBAY_FAULTS
Status fault_point(const char* name);
#else
inline Status fault_point(const char* /*name*/) { return {}; }
#endif

}  // namespace forebay
