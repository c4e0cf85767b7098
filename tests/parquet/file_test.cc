// Aim: the bytes of a footer are found with as few reads as can be, and reading fails softly.

#include "parquet/file.h"

#include <gtest/gtest.h>

#include "support/parquet_bytes.h"

namespace forebay {
namespace {

TEST(ParquetFile, ReadsExactlyTheBytesAskedFor) {
  test::MemoryFile memory;
  memory.set("0123456789");
  const auto file = ParquetFile::open(memory.path(), "key");
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(file->size(), 10u);
  std::string bytes = "something longer than the answer";
  ASSERT_TRUE(file->read(3, 4, bytes).has_value());
  EXPECT_EQ(bytes, "3456");
}

TEST(ParquetFile, UnavailableWhenItBecomesShorter) {
  test::MemoryFile memory;
  memory.set("0123456789");
  const auto file = ParquetFile::open(memory.path(), "key");
  ASSERT_TRUE(file) << describe(file.error());
  memory.cut(5);
  std::string bytes;
  const Status status = file->read(3, 4, bytes);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::unavailable);
}

TEST(ParquetFile, FindsFootersOnBothSidesOfTheFirstRead) {
  const std::uint64_t first_read = 64 << 10;
  test::MemoryFile memory;
  for (const std::uint64_t size : {std::uint64_t{1}, first_read - 12, first_read - 9,
                                   first_read - 8, first_read - 7, first_read, 3 * first_read}) {
    const std::string footer(size, 'f');
    memory.set(test::join("PAR1data", footer));
    const auto file = ParquetFile::open(memory.path(), "key");
    ASSERT_TRUE(file) << describe(file.error());
    const auto found = read_footer_bytes(*file);
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_TRUE(*found == footer) << size;
    EXPECT_EQ(data_end(*file, found->size()), 8u);
  }
}

}  // namespace
}  // namespace forebay
