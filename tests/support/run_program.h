#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace forebay::test {

// What a program left behind when it ended.
struct ProgramResult {
  int code = -1;  // its exit code; 128 + N when signal N ended it
  std::string out;
  std::string err;
};

struct ProgramOptions {
  std::string folder = ".";                        // where it runs
  std::map<std::string, std::string> environment;  // all of it: nothing is inherited
};

// Runs a program to its end, without a terminal. Ends the test process when it cannot be started.
ProgramResult run_program(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          const ProgramOptions& options = {});

}  // namespace forebay::test
