#include "store/local_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "support/temp_folder.h"

// Aim: which keys a file can have, and that descriptors are owned and checked. What a link may do
// is tested with the store.
namespace forebay::local {
namespace {

TEST(LocalFile, KnowsWhichKeysAFileCanHave) {
  for (const char* key : {"a", "a/b", "...", ".a/b..", "a b", "\xff", "a\n"}) {
    EXPECT_TRUE(possible_key(key)) << key;
  }
  for (const char* key : {"", "/", "/a", "a/", "a//b", ".", "..", "a/./b", "a/..", "../a"}) {
    EXPECT_FALSE(possible_key(key)) << key;
  }
  EXPECT_FALSE(possible_key(std::string_view("a\0b", 3)));
}

TEST(LocalFile, ClosesADescriptorOnceAndHandsItOn) {
  Fd first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int number = first.get();
  {
    Fd second(std::move(first));
    EXPECT_EQ(second.get(), number);
    EXPECT_FALSE(first.valid());  // NOLINT(bugprone-use-after-move): this is what is tested
  }
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

TEST(LocalFile, KnowsTheFolderFreeOfLinks) {
  const test::TempFolder folder;
  folder.write("real/file", "x");
  ASSERT_EQ(::symlink("real", (folder / "link").c_str()), 0);
  const auto root = open_root(folder / "link");
  ASSERT_TRUE(root) << describe(root.error());
  EXPECT_EQ(root->shown, folder / "link");
  EXPECT_TRUE(root->real.ends_with("/real"));
  EXPECT_TRUE(open_key(*root, "file"));
  EXPECT_EQ(open_root(folder / "real/file").error().code, ErrorCode::not_found);
}

TEST(LocalFile, SortsErrorsByWhatToDo) {
  EXPECT_EQ(system_error(EACCES, "read", "x").code, ErrorCode::denied);
  EXPECT_EQ(system_error(ENOENT, "read", "x").code, ErrorCode::not_found);
  EXPECT_EQ(system_error(ELOOP, "read", "x").code, ErrorCode::not_found);
  EXPECT_EQ(system_error(EIO, "read", "x").code, ErrorCode::unavailable);
  EXPECT_EQ(system_error(EMFILE, "read", "x").code, ErrorCode::unavailable);
}

TEST(LocalFile, ShowsPathsAsPeopleWriteThem) {
  EXPECT_EQ(display_path("/data", "a/b"), "/data/a/b");
  EXPECT_EQ(display_path("/", "a"), "/a");
  EXPECT_EQ(descriptor_path(7), "/proc/self/fd/7");
}

}  // namespace
}  // namespace forebay::local
