#include "support/run_program.h"

#include "support/child_process.h"

namespace forebay::test {

ProgramResult run_program(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          const ProgramOptions& options) {
  return ChildProcess(program, arguments, options).wait();
}

}  // namespace forebay::test
