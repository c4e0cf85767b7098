// Aim: every fault point of the code stands in docs/TESTING.md with what a crash there means, and
// nothing stands there that the code does not have.

#include "base/fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "support/paths.h"

namespace forebay::test {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> all_matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i)
    found.push_back((*i)[1]);
  return found;
}

std::set<std::string> points_in_code() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "src")) {
    if (entry.path().extension() != ".cc") continue;
    for (const std::string& name :
         all_matches(read(entry.path()), R"re(fault_point\("([^"]+)"\))re"))
      names.insert(name);
  }
  return names;
}

TEST(FaultPoints, AreThoseOfTheDocumentEachOnce) {
  const std::string text = read(source_dir() / "docs/TESTING.md");
  const auto begin = text.find("## Fault points");
  ASSERT_NE(begin, text.npos);
  const std::string section = text.substr(begin, text.find("\n## ", begin) - begin);
  const auto listed = all_matches(section, R"(\| `([a-z_.]+)` \|)");
  EXPECT_THAT(listed, testing::UnorderedElementsAreArray(points_in_code()));
}

TEST(FaultPoints, DoNothingUnlessAsked) {
  EXPECT_TRUE(fault_point("apply.commit"));
  EXPECT_EQ(checkpoint_fault(), "");
}

}  // namespace
}  // namespace forebay::test
