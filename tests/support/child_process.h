#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/temp_folder.h"

namespace forebay::test {

// A program that a test stops, ends and watches while it runs. Whatever happens, it is gone when
// this object is.
class ChildProcess {
 public:
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
               const ProgramOptions& options);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const;

  // What it has written so far to standard output and to standard error.
  std::string output() const;
  std::string errors() const;

  // Waits until the program has stopped itself (true) or has ended (false).
  bool wait_until_stopped();
  // What it left behind; nothing when it has not ended by then. Once only.
  std::optional<ProgramResult> wait_for(std::chrono::milliseconds limit);
  ProgramResult wait();

 private:
  ProgramResult result(int status);

  TempFolder folder_;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

}  // namespace forebay::test
