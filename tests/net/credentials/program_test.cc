#include "net/credentials/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/clock.h"
#include "support/temp_folder.h"

// Aim: a command is split as a shell would split it, run without one, and bounded; nothing that it
// says or is told gets into a message.
namespace forebay {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> words(std::string_view command) {
  auto split = split_command(command);
  return split ? *split : std::vector<std::string>{"error: " + describe(split.error())};
}

Result<std::string> shell(const std::string& script, const ProgramLimits& limits = {}) {
  return run_program({"/bin/sh", "-c", script}, limits);
}

// Neither gone nor a zombie that nobody has collected.
bool is_alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(stat, line);
  return !line.empty() && line.find(") Z") == std::string::npos;
}

TEST(SplitCommand, SplitsLikeAShell) {
  EXPECT_THAT(words("  a b\tc "), ElementsAre("a", "b", "c"));
  EXPECT_THAT(words(R"(a 'b c' "d e" f' 'g)"), ElementsAre("a", "b c", "d e", "f g"));
  EXPECT_THAT(words(R"(a\ b "c\"d\\e" 'f\g' "h\i")"),
              ElementsAre("a b", "c\"d\\e", "f\\g", "h\\i"));
  EXPECT_THAT(words("a '' \"\""), ElementsAre("a", "", ""));
  EXPECT_THAT(words("a $HOME | b; `c`"), ElementsAre("a", "$HOME", "|", "b;", "`c`"));
}

TEST(SplitCommand, RefusesWhatIsNoCommandAndRepeatsNothingOfIt) {
  for (const char* command : {"", "  ", "''", "hush 'open", "hush \"open", "\"hush\\\""}) {
    const auto split = split_command(command);
    ASSERT_FALSE(split) << command;
    EXPECT_EQ(split.error().code, ErrorCode::invalid_config);
    EXPECT_THAT(describe(split.error()), Not(HasSubstr("hush")));
  }
}

TEST(RunProgram, GivesWhatItWrites) {
  EXPECT_EQ(*run_program({"printf", "%s|", "a b", "$HOME"}), "a b|$HOME|");
  EXPECT_EQ(*shell("exit 0"), "");
  EXPECT_EQ(*shell("cat"), "") << "there is nothing to read";
  EXPECT_EQ(shell("i=0; while [ $i -lt 3000 ]; do echo x; i=$((i+1)); done")->size(), 6000U);
}

TEST(RunProgram, RepeatsNeitherErrorsNorArguments) {
  const auto failed = shell("echo hush; echo hush >&2; exit 3 # hush");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::invalid_config);
  EXPECT_THAT(describe(failed.error()), HasSubstr("code 3"));
  EXPECT_THAT(describe(failed.error()), Not(HasSubstr("hush")));
  EXPECT_THAT(describe(shell("kill -9 $$").error()), HasSubstr("signal 9"));
  EXPECT_THAT(describe(run_program({"/nowhere/program", "hush"}).error()),
              ::testing::AllOf(HasSubstr("/nowhere/program"), Not(HasSubstr("hush"))));
}

TEST(RunProgram, EndsOneThatNeverEndsWithItsChildren) {
  const test::TempFolder folder;
  const Time begun = system_clock().now();
  const auto stuck =
      shell("sleep 60 & echo $! > " + (folder / "child") + "; wait", {.time = milliseconds(300)});
  ASSERT_FALSE(stuck);
  EXPECT_EQ(stuck.error().code, ErrorCode::unavailable);
  EXPECT_LT(system_clock().now() - begun, std::chrono::seconds(20));
  std::ifstream child(folder / "child");
  pid_t pid = 0;
  child >> pid;
  ASSERT_GT(pid, 0);
  while (is_alive(pid) && system_clock().now() - begun < std::chrono::seconds(20))
    (void)system_clock().sleep(milliseconds(10));
  EXPECT_FALSE(is_alive(pid));
}

TEST(RunProgram, DoesNotWaitForWhatItLeavesBehind) {
  const Time begun = system_clock().now();
  EXPECT_EQ(*shell("sleep 60 & echo done"), "done\n");
  EXPECT_LT(system_clock().now() - begun, std::chrono::seconds(20));
}

TEST(RunProgram, EndsOneThatNeverStopsWriting) {
  EXPECT_EQ(shell("printf 12345", {.output = 5}).value_or(""), "12345");
  const auto endless = shell("while :; do echo hush; done", {.output = 1000});
  ASSERT_FALSE(endless);
  EXPECT_THAT(describe(endless.error()), HasSubstr("more than 1000 bytes"));
  EXPECT_THAT(describe(endless.error()), Not(HasSubstr("hush")));
}

}  // namespace
}  // namespace forebay
