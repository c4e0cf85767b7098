#include "app/file_text.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace forebay {
namespace {

TEST(FileText, ReadsAFileWhole) {
  const test::TempFolder folder;
  folder.write("a", std::string("x\0y\n", 4));
  EXPECT_EQ(*read_file_text(folder / "a", 4), std::string("x\0y\n", 4));
  folder.write("empty", "");
  EXPECT_EQ(*read_file_text(folder / "empty", 4), "");
}

TEST(FileText, RefusesWhatIsMissingTooLargeOrAFolder) {
  const test::TempFolder folder;
  folder.write("a", "12345");
  EXPECT_EQ(read_file_text(folder / "a", 4).error().code, ErrorCode::invalid_config);
  EXPECT_EQ(read_file_text(folder / "b", 4).error().code, ErrorCode::not_found);
  EXPECT_EQ(read_file_text(folder.path(), 4).error().code, ErrorCode::invalid_config);
}

TEST(FileText, ResolvesPathsWithoutDots) {
  EXPECT_EQ(resolve_path("b", "/a"), "/a/b");
  EXPECT_EQ(resolve_path("./b/", "/a"), "/a/b/");
  EXPECT_EQ(resolve_path("../b", "/a"), "/b");
  EXPECT_EQ(resolve_path("/c/./d", "/a"), "/c/d");
}

}  // namespace
}  // namespace forebay
