// Aim: what docs/FEEDS.md shows as a whole description is one, and means what the page says.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "feed/unit.h"
#include "support/feeds.h"
#include "support/parquet_bytes.h"
#include "support/paths.h"

namespace forebay {
namespace {

TEST(FeedsPage, ItsExampleReadsTheManifestThatItShows) {
  std::ifstream file(test::source_dir() / "docs" / "FEEDS.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  auto last_block = [&](std::string_view language) {
    std::size_t begin = page.rfind("```" + std::string(language) + "\n");
    if (begin == page.npos) throw std::runtime_error("the page has no such block");
    begin = page.find('\n', begin) + 1;
    return page.substr(begin, page.find("```", begin) - begin);
  };
  Feed feed = test::feed(last_block("yaml"));
  UnitName unit = **name_unit(feed, "orders/2026-10-20/manifest.json");
  Result<UnitContent> content = read_document(feed, {}, unit, last_block("json"));
  ASSERT_TRUE(content) << describe(content.error());
  ASSERT_EQ(content->files.size(), 1u);
  EXPECT_EQ(content->files[0].table, "orders");
  EXPECT_EQ(content->files[0].key, "orders/2026-10-20/part-0.parquet");
  EXPECT_EQ(content->files[0].rows, 120u);
  EXPECT_TRUE(content->files[0].effect.put);
}

TEST(FeedsPage, NamesEveryExampleAndEachIsADescription) {
  const std::string page = test::read_file(test::source_dir() / "docs/FEEDS.md");
  std::size_t examples = 0;
  for (const auto& file : std::filesystem::directory_iterator(test::source_dir() / "examples")) {
    const std::string name = file.path().filename().string();
    const auto options = feed_options(test::read_file(file.path()), name);
    EXPECT_TRUE(options) << describe(options.error());
    EXPECT_NE(page.find("../examples/" + name), std::string::npos) << name;
    ++examples;
  }
  EXPECT_GE(examples, 20U);
}

}  // namespace
}  // namespace forebay
