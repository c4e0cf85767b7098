#include "app/environment.h"

#include <gtest/gtest.h>

namespace forebay {
namespace {

TEST(Environment, KnowsTheVariablesOfTheProcess) {
  EXPECT_TRUE(Environment::of_process().get("PATH"));
}

TEST(Environment, TellsAnEmptyVariableFromAMissingOne) {
  const Environment environment(std::map<std::string, std::string>{{"EMPTY", ""}});
  EXPECT_EQ(environment.get("EMPTY"), "");
  EXPECT_EQ(environment.get("MISSING"), std::nullopt);
}

}  // namespace
}  // namespace forebay
