#pragma once

#include <string>
#include <vector>

#include "support/tidy_source.h"

namespace forebay::test {

// The rules of docs/STYLE.md that a machine can check. Each takes files and returns what breaks it;
// tests/tidy_test.cc runs each on the project and on made-up bad input.

// Who may include whom: DESIGN's picture of layers (docs/ARCHITECTURE.md).
Findings check_layers(const SourceFile& file);

// Every <…> include is of the C++ or C library, or of a third-party library in its place.
Findings check_libraries(const SourceFile& file);

// Calls that have a better place or a replacement, and notes of work left that say too little.
Findings check_banned(const SourceFile& file);

// No feed's vendor is named in C++: what is special about a feed stands in its description.
Findings check_vendor_names(const SourceFile& file);

// Headers start with #pragma once and name other headers from the root of src.
Findings check_header_form(const SourceFile& file);

// No folder of one machine and no host of a package registry.
Findings check_machine_names(const SourceFile& file);

// Files and functions stay short, and the listed exceptions only shrink.
Findings check_lengths(const std::vector<SourceFile>& files, const SourceFile& ratchet);

// ignore_error() is used exactly as often as the ratchet says.
Findings check_ignored_errors(const std::vector<SourceFile>& files, const SourceFile& ratchet);

// Every source has the test that mirrors its path, or a reason in the list.
Findings check_tests_mirror(const std::vector<SourceFile>& files, const SourceFile& untested);

// Relative links in README.md and docs/*.md lead to files of the project.
Findings check_links(const std::vector<SourceFile>& files);

}  // namespace forebay::test
