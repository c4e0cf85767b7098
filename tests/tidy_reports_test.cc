// Aim: each report about another loader that docs/TESTING.md lists is answered: by a test that
// carries its number, or by a reason why it cannot happen here.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "support/paths.h"

namespace forebay::test {
namespace {

constexpr std::size_t kReports = 112;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text from one heading of the document to the next.
std::string section(const std::string& heading) {
  const std::string text = content(source_dir() / "docs/TESTING.md");
  const auto begin = text.find("\n## " + heading);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

void for_each_match(const std::string& text, const char* pattern,
                    const std::function<void(const std::smatch&)>& see) {
  const std::regex expression(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) see(*i);
}

// "DUP-2" of names such as DUP-2, DUP_2 and DUP2, as comments and the names of tests have them.
std::set<std::string> in_tests() {
  std::set<std::string> ids;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "tests")) {
    if (!entry.path().filename().string().ends_with("_test.cc")) continue;
    if (entry.path().filename() == "tidy_reports_test.cc") continue;
    for_each_match(
        content(entry.path()), "([A-Z]{3,5})[-_]?([0-9]{1,2})(?![0-9])",
        [&](const std::smatch& match) { ids.insert(match.str(1) + "-" + match.str(2)); });
  }
  return ids;
}

// The list, a line a family: "DUP 2 3 4".
std::set<std::string> listed() {
  std::set<std::string> ids;
  for_each_match(section("Reports about other loaders"), "\n([A-Z]+)((?: [0-9]+)+)(?=\n)",
                 [&](const std::smatch& line) {
                   for_each_match(line.str(2), "[0-9]+", [&](const std::smatch& number) {
                     ids.insert(line.str(1) + "-" + number.str());
                   });
                 });
  return ids;
}

// Those that have a reason instead: "| DUP-8 | why |".
std::map<std::string, std::string> reasons() {
  std::map<std::string, std::string> reasons;
  for_each_match(section("Reports about other loaders"), "\n\\| ([^|]+) \\| ([^|]+) \\|",
                 [&](const std::smatch& row) {
                   for_each_match(row.str(1), "[A-Z]+-[0-9]+",
                                  [&](const std::smatch& id) { reasons[id.str()] = row.str(2); });
                 });
  return reasons;
}

TEST(TidyReports, EachHasATestOrAReason) {
  const std::set<std::string> all = listed();
  const std::set<std::string> tested = in_tests();
  const auto excused = reasons();
  EXPECT_EQ(all.size(), kReports);
  for (const std::string& id : all) {
    const bool has_reason = excused.contains(id) && excused.at(id).size() > 30;
    EXPECT_TRUE(tested.contains(id) || has_reason) << id << " has neither a test nor a reason";
  }
  for (const auto& [id, reason] : excused) EXPECT_TRUE(all.contains(id)) << id << " is not listed";
}

}  // namespace
}  // namespace forebay::test
