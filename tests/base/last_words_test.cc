#include "base/last_words.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "support/parquet_bytes.h"
#include "support/temp_folder.h"

// Aim: a process that dies of a fault leaves its last words, and one that ends in any other way
// does not. Method: children that die.
namespace forebay::test {
namespace {

// How a child ended that did this while it had something to say.
int status_of(const std::string& path, const std::function<void()>& end) {
  const pid_t child = ::fork();
  if (child == 0) {
    const LastWords words(path, "these words");
    end();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(LastWords, AreLeftByAProcessThatDiesOfAFault) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    TempFolder folder;
    const std::string path = folder / "made/words";
    const int status = status_of(path, [&] { ::raise(signal); });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << signal;
    ASSERT_TRUE(std::filesystem::exists(path)) << signal;
    EXPECT_EQ(read_file(path), "these words");
  }
}

TEST(LastWords, AreNotLeftByOneThatEndsOtherwise) {
  TempFolder folder;
  const std::string path = folder / "words";
  status_of(path, [] {});
  status_of(path, [] { ::raise(SIGKILL); });
  status_of(path, [] { ::raise(SIGTERM); });
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(LastWords, AreForgottenWithTheirObject) {
  TempFolder folder;
  const std::string path = folder / "words";
  const int status = status_of(folder / "other", [&] {});
  EXPECT_TRUE(WIFEXITED(status));
  const pid_t child = ::fork();
  if (child == 0) {
    {
      const LastWords words(path, "old");
    }
    ::raise(SIGSEGV);
    ::_exit(0);
  }
  int ended = 0;
  ::waitpid(child, &ended, 0);
  EXPECT_TRUE(WIFSIGNALED(ended));
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace forebay::test
