#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <set>

#include "base/encode.h"
#include "store/stores.h"
#include "support/temp_folder.h"

// Aim: a folder behaves as a bucket does, and nothing outside of it is ever reached. What all
// stores promise is in the conformance suite; here is what only folders have: links, rights, odd
// files.
namespace forebay {
namespace {

using test::TempFolder;

class LocalStoreTest : public ::testing::Test {
 protected:
  LocalStoreTest() { store_ = *open_local_store({.folder = folder_.path()}); }

  std::vector<std::string> keys(ListRequest request = {}) {
    std::vector<std::string> found;
    while (true) {
      auto page = store_->list(request);
      if (!page) {
        ADD_FAILURE() << describe(page.error());
        return found;
      }
      for (const auto& object : page->objects) found.push_back(object.key);
      if (!page->next_token) return found;
      request.page_token = *page->next_token;
    }
  }

  Result<std::string> content(const ReadRequest& request) {
    std::string bytes;
    const auto info = store_->read(request, [&](std::span<const std::byte> part) -> Status {
      bytes += as_text(part);
      return {};
    });
    if (!info) return fail(info.error());
    return bytes;
  }

  TempFolder folder_;
  std::unique_ptr<ObjectStore> store_;
};

using Keys = std::vector<std::string>;

TEST_F(LocalStoreTest, ListsInByteOrderOfWholeKeys) {
  for (const char* key : {"a/b", "a.b", "a", "a0", "b/c/d", "b/c.d", "\xff", "Z"}) {
    if (std::string_view(key) != "a") folder_.write(key, "x");
  }
  EXPECT_EQ(keys(), (Keys{"Z", "a.b", "a/b", "a0", "b/c.d", "b/c/d", "\xff"}));
  EXPECT_EQ(keys({.page_size = 1}), keys());
}

TEST_F(LocalStoreTest, TakesPrefixAndStartAsLiteralBytes) {
  for (const char* key : {"dt=1/a", "dt=1/b", "dt=10/a", "dt=2/x/y", "dt=2/x0", "top"}) {
    folder_.write(key, "x");
  }
  EXPECT_EQ(keys({.prefix = "dt=1"}), (Keys{"dt=1/a", "dt=1/b", "dt=10/a"}));
  EXPECT_EQ(keys({.prefix = "dt=1/"}), (Keys{"dt=1/a", "dt=1/b"}));
  EXPECT_EQ(keys({.prefix = "dt=2/x/"}), (Keys{"dt=2/x/y"}));
  EXPECT_EQ(keys({.prefix = "dt=*"}), Keys{});
  EXPECT_EQ(keys({.prefix = "none/of/this"}), Keys{});
  EXPECT_EQ(keys({.prefix = "top/"}), Keys{});
  EXPECT_EQ(keys({.start_after = "dt=1/a"}),
            (Keys{"dt=1/b", "dt=10/a", "dt=2/x/y", "dt=2/x0", "top"}));
  EXPECT_EQ(keys({.start_after = "dt=1/"}).size(), 6U);
  EXPECT_EQ(keys({.prefix = "dt=2", .start_after = "dt=2/x/y"}), (Keys{"dt=2/x0"}));
  EXPECT_EQ(keys({.prefix = "dt=1/", .start_after = "dt=2"}), Keys{});
  EXPECT_EQ(keys({.prefix = "dt=2/", .start_after = "dt=1/a"}).size(), 2U);
}

TEST_F(LocalStoreTest, FindsNothingThroughPrefixesThatNoKeyHas) {
  folder_.write("a/b", "x");
  for (const char* prefix : {"/", "//", "../", "./", "a//", "a/../", "/a", "a/./b"}) {
    EXPECT_EQ(keys({.prefix = prefix}), Keys{}) << prefix;
  }
}

TEST_F(LocalStoreTest, RepeatsAPageThatIsAskedForTwice) {
  for (int i = 0; i < 5; ++i) folder_.write(fmt::format("f{}", i), "x");
  const auto first = *store_->list({.page_size = 2});
  const ListRequest second{.page_token = *first.next_token, .page_size = 2};
  const auto page = *store_->list(second);
  EXPECT_EQ(store_->list(second)->objects, page.objects);
  EXPECT_EQ(page.objects.front().key, "f2");
}

TEST_F(LocalStoreTest, DoesNotOpenDirectoriesThatTheRequestLeavesOut) {
  folder_.write("a/old", "x");
  folder_.write("b/new", "x");
  std::filesystem::create_directory(folder_ / "locked");
  ::chmod((folder_ / "a").c_str(), 0);
  ::chmod((folder_ / "locked").c_str(), 0);
  ::chmod(folder_.path().c_str(), 0755);
  const auto user = ::setfsuid(65534);  // root reads everything; this thread may not
  EXPECT_EQ(keys({.prefix = "b/", .start_after = "a/zzz"}), (Keys{"b/new"}));
  EXPECT_EQ(store_->list({.start_after = "b"}).error().code, ErrorCode::denied);
  const auto listed = store_->list({});
  ::setfsuid(static_cast<uid_t>(user));
  ::chmod((folder_ / "a").c_str(), 0755);
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::denied);
  EXPECT_EQ(listed.error().object, folder_ / "a/");
}

TEST_F(LocalStoreTest, TellsAFileThatMayNotBeReadFromOneThatIsNotThereCRED5) {
  folder_.write("secret", "x");
  ::chmod((folder_ / "secret").c_str(), 0);
  ::chmod(folder_.path().c_str(), 0755);
  const auto user = ::setfsuid(65534);
  const auto denied = content({.key = "secret"});
  ::setfsuid(static_cast<uid_t>(user));
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, ErrorCode::denied);
  EXPECT_EQ(denied.error().object, folder_ / "secret");
  EXPECT_EQ(content({.key = "gone"}).error().code, ErrorCode::not_found);
}

TEST_F(LocalStoreTest, SaysWhichFolderIsMissingEMPTY4) {
  auto store = *open_local_store({.folder = folder_ / "nowhere/"});
  for (const auto& error :
       {store->list({}).error(), store->stat("a").error(), store->open_in_place("a").error()}) {
    EXPECT_EQ(error.code, ErrorCode::not_found);
    EXPECT_EQ(error.object, folder_ / "nowhere");
    EXPECT_FALSE(error.hint.empty());
  }
  EXPECT_EQ(open_local_store({}).error().code, ErrorCode::invalid_config);
  EXPECT_EQ(keys(), Keys{});
}

TEST_F(LocalStoreTest, FollowsLinksOnlyInsideTheFolder) {
  const TempFolder outside;
  outside.write("secret", "top secret");
  folder_.write("real/file", "inside");
  ASSERT_EQ(::symlink((outside / "secret").c_str(), (folder_ / "leak").c_str()), 0);
  ASSERT_EQ(::symlink(outside.path().c_str(), (folder_ / "leaks").c_str()), 0);
  ASSERT_EQ(::symlink((folder_ / "real").c_str(), (folder_ / "alias").c_str()), 0);
  ASSERT_EQ(::symlink("real/file", (folder_ / "link").c_str()), 0);
  EXPECT_EQ(keys(), (Keys{"alias/file", "link", "real/file"}));
  EXPECT_EQ(keys({.prefix = "leaks/"}), Keys{});
  EXPECT_EQ(content({.key = "alias/file"}).value(), "inside");
  EXPECT_EQ(content({.key = "leak"}).error().code, ErrorCode::refused);
  EXPECT_EQ(content({.key = "leaks/secret"}).error().code, ErrorCode::refused);
  EXPECT_EQ(store_->stat("leak").error().code, ErrorCode::refused);
}

TEST_F(LocalStoreTest, EndsInFrontOfLoopsAndLinksToNowhere) {
  folder_.write("sub/file", "x");
  ASSERT_EQ(::symlink("..", (folder_ / "sub/up").c_str()), 0);
  ASSERT_EQ(::symlink("itself", (folder_ / "itself").c_str()), 0);
  ASSERT_EQ(::symlink("nowhere", (folder_ / "broken").c_str()), 0);
  EXPECT_EQ(keys(), (Keys{"sub/file"}));
  EXPECT_EQ(keys({.prefix = "sub/"}), (Keys{"sub/file"}));
  EXPECT_EQ(store_->stat("itself").error().code, ErrorCode::not_found);
}

TEST_F(LocalStoreTest, PassesOverWhatIsNoRegularFile) {
  folder_.write("file", "x");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(folder_ / "empty");
  EXPECT_EQ(keys(), (Keys{"file"}));
  EXPECT_EQ(content({.key = "pipe"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(content({.key = "empty"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(content({.key = "file/below"}).error().code, ErrorCode::not_found);
}

TEST_F(LocalStoreTest, PassesOverAFileThatVanishesWhileListing) {
  for (const char* key : {"a", "b", "c", "d"}) folder_.write(key, "x");
  const auto first = *store_->list({.page_size = 1});
  std::filesystem::remove(folder_ / "c");
  EXPECT_EQ(keys({.page_token = *first.next_token}), (Keys{"b", "d"}));
}

TEST_F(LocalStoreTest, RefusesKeysThatLeaveTheFolderOrNoFileCanHave) {
  folder_.write("a/b", "x");
  for (const std::string& key :
       {std::string("../x"), std::string("a/../a/b"), std::string("/etc/passwd"),
        std::string("a//b"), std::string("./a/b"), std::string("a/b/"), std::string(""),
        std::string("a/b\0c", 5)}) {
    EXPECT_EQ(content({.key = key}).error().code, ErrorCode::refused) << key;
    EXPECT_EQ(store_->stat(key).error().code, ErrorCode::refused) << key;
    EXPECT_EQ(store_->open_in_place(key).error().code, ErrorCode::refused) << key;
  }
}

TEST_F(LocalStoreTest, NamesAVersionByTimeSizeAndInode) {
  folder_.write("a", "abc");
  const timespec times[2] = {{.tv_sec = 1, .tv_nsec = 0}, {.tv_sec = 12, .tv_nsec = 345678901}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder_ / "a").c_str(), times, 0), 0);
  struct stat facts{};
  ASSERT_EQ(::stat((folder_ / "a").c_str(), &facts), 0);
  const auto info = *store_->stat("a");
  EXPECT_EQ(info.version, fmt::format("12345678901-3-{}", facts.st_ino));
  EXPECT_EQ(info.last_modified.time_since_epoch(), std::chrono::microseconds(12345678));
  EXPECT_EQ(store_->list({})->objects, std::vector{info});
}

TEST_F(LocalStoreTest, NoticesAFileThatIsWrittenToWhileItIsRead) {
  folder_.write("a", std::string(3 << 20, 'x'));
  const auto result = store_->read({.key = "a"}, [&](std::span<const std::byte>) -> Status {
    std::ofstream(folder_ / "a", std::ios::app) << "more";
    return {};
  });
  EXPECT_EQ(result.error().code, ErrorCode::changed);
}

TEST_F(LocalStoreTest, NoticesAFileThatIsCutShortWhileItIsRead) {
  folder_.write("a", std::string(3 << 20, 'x'));
  const auto result = store_->read({.key = "a"}, [&](std::span<const std::byte>) -> Status {
    std::filesystem::resize_file(folder_ / "a", 10);
    return {};
  });
  EXPECT_EQ(result.error().code, ErrorCode::changed);
}

TEST_F(LocalStoreTest, HoldsTheVersionThatWasOpenedInPlace) {
  folder_.write("odd name?#'.csv", "first");
  const auto file = *store_->open_in_place("odd name?#'.csv");
  EXPECT_TRUE(file->unchanged());
  EXPECT_EQ(file->info(), *store_->stat("odd name?#'.csv"));
  folder_.write("new", "second");
  std::filesystem::rename(folder_ / "new", folder_ / "odd name?#'.csv");
  std::ifstream in(file->path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "first");
  EXPECT_EQ(file->unchanged().error().code, ErrorCode::changed);
}

TEST_F(LocalStoreTest, NoticesAWriteToAFileThatIsOpenInPlace) {
  folder_.write("a", "first");
  const auto file = *store_->open_in_place("a");
  std::ofstream(folder_ / "a", std::ios::app) << "!";
  EXPECT_EQ(file->unchanged().error().code, ErrorCode::changed);
}

TEST_F(LocalStoreTest, ListsManyFilesInOneFolderQuicklyLIST9) {
  const int directory = ::open(folder_.path().c_str(), O_PATH | O_DIRECTORY);
  for (int i = 0; i < 20'000; ++i) {
    ::close(::openat(directory, fmt::format("part-{:06}.parquet", i).c_str(), O_CREAT, 0600));
  }
  ::close(directory);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(keys().size(), 20'000U);
  const auto all = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(keys({.start_after = "part-019990.parquet"}).size(), 9U);
  const auto few = std::chrono::steady_clock::now() - start - all;
  RecordProperty("all_ms", static_cast<int>(all / std::chrono::milliseconds(1)));
  RecordProperty("few_ms", static_cast<int>(few / std::chrono::milliseconds(1)));
  // Generous: machines under load are slow, but a listing per page would take many times as long.
  EXPECT_LT(all, std::chrono::seconds(5));
}

TEST_F(LocalStoreTest, CountsItsRequests) {
  folder_.write("a", "x");
  (void)keys();
  (void)content({.key = "a"});
  ASSERT_TRUE(store_->stat("a"));
  const auto counts = store_->requests();
  EXPECT_EQ(counts.list, 1U);
  EXPECT_EQ(counts.get, 1U);
  EXPECT_EQ(counts.head, 1U);
  EXPECT_EQ(store_->display("a"), folder_ / "a");
  EXPECT_EQ(store_->ledger_key("a"), "a");
}

}  // namespace
}  // namespace forebay
