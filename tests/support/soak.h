#pragma once

#include <cstdlib>

namespace forebay::test {

// Whether the long forms of tests are asked for (`make soak`).
inline bool soaking() { return std::getenv("FOREBAY_SOAK") != nullptr; }

}  // namespace forebay::test
