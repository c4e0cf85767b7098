#include "base/fault.h"

namespace forebay {

Status fault_point(const char* /*name*/) { return {}; }

void reader_fault(const std::string& /*unit*/) {}

std::string checkpoint_fault() { return {}; }

bool has_fault_points() { return false; }

}  // namespace forebay
