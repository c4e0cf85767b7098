#include "feed/builtin.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "support/paths.h"

namespace forebay {
namespace {

// Aim: what the program carries is what stands in feeds/, byte for byte, and nothing is left out.
TEST(BuiltinFeeds, AreTheFilesInTheFolderFeeds) {
  std::set<std::string> names;
  for (const BuiltinFeed& feed : builtin_feeds()) {
    const std::string name(feed.name);
    EXPECT_TRUE(names.insert(name).second) << name;
    std::ifstream file(test::source_dir() / "feeds" / (name + ".yaml"), std::ios::binary);
    ASSERT_TRUE(file) << name;
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(feed.yaml, text) << name;
  }
  std::set<std::string> files;
  if (std::filesystem::exists(test::source_dir() / "feeds")) {
    for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "feeds")) {
      if (entry.path().extension() == ".yaml") files.insert(entry.path().stem());
    }
  }
  EXPECT_EQ(names, files);
}

}  // namespace
}  // namespace forebay
