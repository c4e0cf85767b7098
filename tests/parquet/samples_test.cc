// Aim: files of many writers, old and odd ones too, are accepted, and only sound ones.
// Method: the sample collection that readers of the format share; it is not part
// of this project, so without it this suite is skipped.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>

#include "parquet/footer.h"
#include "support/parquet_bytes.h"

namespace forebay {
namespace {

// What is not accepted, and as what. Everything else must be.
const std::map<std::string, ErrorCode>& expected_failures() {
  static const std::map<std::string, ErrorCode> failures{
      // A type in its schema is -7.
      {"PARQUET-1481.parquet", ErrorCode::damaged},
      // The footer claims no rows, its row group has six.
      {"repeated_no_annotation.parquet", ErrorCode::damaged},
      {"encrypt_columns_and_footer.parquet.encrypted", ErrorCode::refused},
      {"encrypt_columns_and_footer_aad.parquet.encrypted", ErrorCode::refused},
      {"encrypt_columns_and_footer_disable_aad_storage.parquet.encrypted", ErrorCode::refused},
      {"encrypt_columns_plaintext_footer.parquet.encrypted", ErrorCode::refused},
      {"external_key_material_java.parquet.encrypted", ErrorCode::refused},
  };
  return failures;
}

TEST(Samples, AreAcceptedUnlessTheyAreEncryptedOrDamaged) {
  const auto folder = test::samples_dir();
  if (!folder) GTEST_SKIP() << "no sample files; FOREBAY_SAMPLES names their folder";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".parquet") == std::string::npos) continue;
    ++files;
    const auto footer = read_parquet_footer(entry.path().string(), name);
    const auto failure = expected_failures().find(name);
    if (failure == expected_failures().end()) {
      EXPECT_TRUE(footer.has_value()) << describe(footer.error());
    } else {
      ASSERT_FALSE(footer.has_value()) << name;
      EXPECT_EQ(footer.error().code, failure->second) << describe(footer.error());
    }
  }
  EXPECT_GE(files, 40);
}

TEST(Samples, StayWithoutCrashWhenTheyAreCutAnywhere) {
  const auto folder = test::samples_dir();
  if (!folder) GTEST_SKIP() << "no sample files; FOREBAY_SAMPLES names their folder";
  test::MemoryFile file;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(*folder + "/parquet-testing")) {
    if (!entry.is_regular_file() || entry.file_size() > 20000) continue;
    if (entry.path().filename().string().find(".parquet") == std::string::npos) continue;
    const std::string bytes = test::read_file(entry.path().string());
    file.set(bytes);
    for (std::size_t size = bytes.size() - 1; size > 0; --size) {
      file.cut(size);
      const auto footer = read_parquet_footer(file.path(), entry.path().filename().string());
      ASSERT_FALSE(footer.has_value()) << entry.path() << " cut at " << size;
      ASSERT_EQ(footer.error().code, ErrorCode::damaged) << entry.path() << " cut at " << size;
    }
  }
}

}  // namespace
}  // namespace forebay
