#pragma once

#include <string>

namespace forebay {

// What this process leaves behind should it die of a fault in code (SIGSEGV, SIGBUS, SIGILL,
// SIGFPE, SIGABRT) while this object lives: a file with these words. Nothing is written otherwise,
// also not when the process is killed or asked to end. The folder is made when needed, its parent
// must be there. Thread-safe. Signals that already have a handler are left alone.
class LastWords {
 public:
  LastWords(std::string path, std::string words);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  void write() const noexcept;  // safe in a handler of signals

 private:
  std::string folder_;
  std::string path_;
  std::string words_;
};

}  // namespace forebay
