// Aim: a page that changed after it was written is found where the writer left a checksum, and
// costs nothing where it did not. Method: files put together from pages made here.

#include "parquet/pages.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "parquet/crc32.h"
#include "parquet/footer.h"
#include "support/parquet_bytes.h"
#include "support/parquet_maker.h"

namespace forebay {
namespace {

using test::file_of;
using test::page;

Status verify(const std::string& bytes) {
  test::MemoryFile file;
  file.set(bytes);
  return verify_parquet_pages(file.path(), "s3://bucket/key");
}

void expect_damaged(const Status& status, std::string_view cause) {
  ASSERT_FALSE(status.has_value()) << "expected: " << cause;
  EXPECT_EQ(status.error().code, ErrorCode::damaged);
  EXPECT_NE(status.error().cause.find(cause), std::string::npos) << status.error().cause;
}

TEST(Pages, AcceptsSoundPages) {
  const std::string pages = page({"first page", 3}) + page({std::string(3 << 20, 'b'), 4}) +
                            page({"", 0}) + page({"without", 1, false});
  const Status status = verify(file_of(pages, 8));
  EXPECT_TRUE(status.has_value()) << describe(status.error());
}

TEST(Pages, DamagedWhereverABitOfAPageIsFlipped) {
  const std::string file = file_of(page({"first page", 3}) + page({"second page", 4}), 7);
  ASSERT_TRUE(verify(file).has_value());
  const std::size_t body = file.find("second page");
  for (std::size_t bit = 0; bit < std::string("second page").size() * 8; ++bit) {
    std::string damaged = file;
    damaged[body + bit / 8] = static_cast<char>(damaged[body + bit / 8] ^ (1 << bit % 8));
    expect_damaged(verify(damaged), "checksum");
  }
}

TEST(Pages, NeverCrashesWhenAnyBitOfTheFileIsFlipped) {
  const std::string file = file_of(page({"first page", 3}) + page({"second page", 4}), 7);
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const Status status = verify(damaged);
    if (status) continue;
    EXPECT_TRUE(status.error().code == ErrorCode::damaged ||
                status.error().code == ErrorCode::refused);
  }
}

TEST(Pages, DamagedWhenPagesDoNotFillTheirColumnChunk) {
  const std::string pages = page({"first page", 3}) + page({"second page", 4});
  expect_damaged(verify(file_of(pages, 8)), "7 values instead of 8");
  expect_damaged(verify(file_of(pages.substr(0, pages.size() - 1), 7)), "leaves its column chunk");
  expect_damaged(verify(file_of(pages + '\x15', 7)), "no page header");
}

TEST(Pages, ReadsAHeaderThatIsLongerThanUsual) {
  const Status status = verify(file_of(page({"body", 2}, 100'000), 2));
  EXPECT_TRUE(status.has_value()) << describe(status.error());
}

TEST(Pages, AcceptsFilesWithoutChecksumsUnread) {
  const std::string path = ::testing::TempDir() + "pages_test.parquet";
  test::make_parquet(path, "SELECT i, 'x' || i FROM range(1000) t(i)");
  EXPECT_TRUE(verify_parquet_pages(path, "key").has_value());
  test::make_parquet(path, "SELECT 1 AS a WHERE false");
  EXPECT_TRUE(verify_parquet_pages(path, "key").has_value());
  std::filesystem::remove(path);
}

TEST(Pages, FindsTheDamagedFileAmongTheSamples) {
  const auto folder = test::samples_dir();
  if (!folder) GTEST_SKIP() << "no sample files; FOREBAY_SAMPLES names their folder";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".parquet") || !read_parquet_footer(entry.path(), name)) continue;
    const Status status = verify_parquet_pages(entry.path(), name);
    if (name == "datapage_v1-corrupt-checksum.parquet") {
      expect_damaged(status, "checksum");
    } else {
      EXPECT_TRUE(status.has_value()) << describe(status.error());
    }
  }
}

}  // namespace
}  // namespace forebay
