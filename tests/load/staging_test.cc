#include "load/staging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "support/temp_folder.h"

namespace forebay::test {
namespace {

using ::testing::HasSubstr;

class StagingTest : public ::testing::Test {
 protected:
  std::unique_ptr<StagingFile> create() {
    auto file = create_staging_file(folder_ / "staging");
    EXPECT_TRUE(file) << describe(file.error());
    return file ? std::move(*file) : nullptr;
  }
  static void write(StagingFile& file, const std::string& text) {
    const Status written = file.write(std::as_bytes(std::span(text)));
    EXPECT_TRUE(written) << describe(written.error());
  }
  std::unique_ptr<OpenFile> staged(const std::string& text) {
    const auto file = create();
    write(*file, text);
    return file->finish({});
  }
  static std::string content(const OpenFile& file) {
    std::ifstream in(file.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static bool in_memory(const OpenFile& file) {
    return std::filesystem::read_symlink(file.path()).string().contains("memfd:");
  }

  TempFolder folder_;
};

TEST_F(StagingTest, ASmallFileStaysInMemoryAndALargerOneGoesToTheDisk) {
  const std::string most(kStagedInMemoryBytes, 'a');
  const auto small = staged(most);
  EXPECT_TRUE(in_memory(*small));
  EXPECT_EQ(content(*small), most);
  const auto large = staged(most + "b");
  EXPECT_FALSE(in_memory(*large));
  EXPECT_EQ(content(*large), most + "b");
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "staging"));
}

TEST_F(StagingTest, AFileThatGrowsMovesWithAllThatItHas) {
  const auto file = create();
  write(*file, "begin");
  ASSERT_TRUE(file->skip_to(1000));
  write(*file, std::string(kStagedInMemoryBytes, 'x'));
  EXPECT_EQ(file->written(), 1000 + kStagedInMemoryBytes);
  const auto open = file->finish({});
  EXPECT_FALSE(in_memory(*open));
  EXPECT_EQ(content(*open),
            "begin" + std::string(995, '\0') + std::string(kStagedInMemoryBytes, 'x'));
}

TEST_F(StagingTest, StartingOverForgetsEverything) {
  const auto file = create();
  write(*file, "first");
  ASSERT_TRUE(file->start_over());
  EXPECT_EQ(file->written(), 0U);
  write(*file, "2nd");
  EXPECT_EQ(content(*file->finish({})), "2nd");
}

TEST_F(StagingTest, AllTogetherTakeNoMoreMemoryThanTheirSum) {
  const std::string text(kStagedInMemoryBytes, 'a');
  std::vector<std::unique_ptr<OpenFile>> files;
  std::uint64_t bytes = 0;
  while (files.size() < 2 * kStagedInMemoryTotal / kStagedInMemoryBytes) {
    files.push_back(staged(text));
    if (in_memory(*files.back())) bytes += text.size();
  }
  EXPECT_EQ(bytes, kStagedInMemoryTotal);
  EXPECT_EQ(content(*files.back()), text);
  files.clear();
  EXPECT_TRUE(in_memory(*staged(text)));
}

TEST_F(StagingTest, PiecesOfALargeFileAreWrittenInAnyOrder) {
  auto file = create_staging_file(folder_ / "staging", kStagedInMemoryBytes + 1);
  ASSERT_TRUE(file) << describe(file.error());
  const std::string end = "end";
  const std::string begin = "begin ";
  ASSERT_TRUE((*file)->write_at(begin.size(), std::as_bytes(std::span(end))));
  ASSERT_TRUE((*file)->write_at(0, std::as_bytes(std::span(begin))));
  const auto open = (*file)->finish({});
  EXPECT_FALSE(in_memory(*open));
  EXPECT_EQ(content(*open), "begin end");
}

TEST_F(StagingTest, AFolderThatCannotBeOneIsNamed) {
  folder_.write("file", "");
  const auto file = create_staging_file(folder_ / "file/below");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().object, HasSubstr(folder_ / "file/below"));
}

}  // namespace
}  // namespace forebay::test
