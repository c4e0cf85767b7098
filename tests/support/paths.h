#pragma once

#include <filesystem>

namespace forebay::test {

// Where this build's parts lie; set by CMake, true only on the machine that built the tests.

// The root of the sources.
std::filesystem::path source_dir();

// What scripts/setup has brought (test servers in venv/bin).
std::filesystem::path deps_dir();

// The forebay with fault points.
std::filesystem::path faulty_binary();

// The forebay without them: the one that ships, where this is the release build (`make test`).
std::filesystem::path shipping_binary();

}  // namespace forebay::test
