// Aim: docs/TESTING.md promises a test for each way in which a store can fail, and each test that
// it names is there. Method: names in backquotes are looked for in the tests' sources.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "support/tidy_source.h"

namespace forebay::test {
namespace {

// Every "`Suite.Name`" of a text.
std::vector<std::pair<std::string, std::string>> named_tests(const std::string& text) {
  static const std::regex name(R"(`([A-Z]\w+)\.([A-Z]\w+)`)");
  std::vector<std::pair<std::string, std::string>> found;
  for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it)
    found.emplace_back((*it)[1], (*it)[2]);
  return found;
}

bool is_defined(const std::vector<SourceFile>& files, const std::string& suite,
                const std::string& name) {
  const std::string definition = fmt::format("({}, {})", suite, name);
  return std::ranges::any_of(files, [&](const SourceFile& file) {
    return file.path.starts_with("tests/") && file.text.contains(definition);
  });
}

TEST(TestingPage, NamesTestsThatExist) {
  const std::vector<SourceFile> files = project_files();
  const auto page = std::ranges::find(files, "docs/TESTING.md", &SourceFile::path);
  ASSERT_NE(page, files.end());
  const auto names = named_tests(page->text);
  EXPECT_GT(names.size(), 40U);
  for (const auto& [suite, name] : names)
    EXPECT_TRUE(is_defined(files, suite, name)) << suite << "." << name;
}

// The faults that the page lists in parentheses behind StoreFaults.
TEST(TestingPage, NamesFaultsThatExist) {
  const std::vector<SourceFile> files = project_files();
  const auto page = std::ranges::find(files, "docs/TESTING.md", &SourceFile::path);
  const auto suite =
      std::ranges::find(files, "tests/system/store_faults_test.cc", &SourceFile::path);
  ASSERT_TRUE(page != files.end() && suite != files.end());
  static const std::regex list(R"(`StoreFaults` \(([A-Za-z0-9, ]+)\))");
  static const std::regex word("[A-Za-z0-9]+");
  std::size_t count = 0;
  for (std::sregex_iterator it(page->text.begin(), page->text.end(), list), end; it != end; ++it) {
    const std::string faults = (*it)[1];
    if (faults.contains("every fault")) continue;
    for (std::sregex_iterator each(faults.begin(), faults.end(), word); each != end; ++each) {
      ++count;
      EXPECT_TRUE(suite->text.contains(fmt::format("{{\"{}\",", each->str()))) << each->str();
    }
  }
  EXPECT_GT(count, 20U);
}

}  // namespace
}  // namespace forebay::test
