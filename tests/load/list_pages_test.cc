#include "load/list_pages.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

#include "support/files_feed_fixture.h"

// Aim: a listing ends, whatever a store says, for everybody who lists (FEEDS 2.2 rule 7: a repeated
// token is an error).
namespace forebay::test {
namespace {

class ListPages : public WatchedFilesTest {};

TEST_F(ListPages, ATokenThatComesTwiceEndsTheLoad) {
  put_file("a.parquet", 1);
  watch_.stuck = true;
  const CycleReport report = load(3);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->cause, "the server gave the same page token twice");
  EXPECT_FALSE(std::filesystem::exists(database_) && !query("FROM _forebay.units").empty());
}

// A folder with a flag is listed after its document was found.
TEST_F(ListPages, NorDoesTheListingOfAFolderGoOnForEver) {
  put_file("day/a.parquet", 1);
  folder_.write("in/day/_SUCCESS", "");
  pipeline_.settings.options.clear();
  pipeline_.settings.yaml =
      "about: x\nunit: {document: \"{day}/_SUCCESS\"}\n"
      "files: {folder: \"{$folder}/\", match: \"*.parquet\", table: {text: events}}\n"
      "effect: append\n";
  watch_.after_page = [this](std::vector<ObjectInfo>& objects) {
    for (ObjectInfo& object : objects) object.last_modified = Time{};
    watch_.stuck = true;  // from the next listing on
  };
  const CycleReport report = load(3);
  ASSERT_TRUE(report.error);
  EXPECT_EQ(report.error->cause, "the server gave the same page token twice");
}

// A store of two pages a prefix, with one key each. It can hold a listing
// until others are under way too, and refuse one.
class TwoPages final : public ObjectStore {
 public:
  std::size_t together = 1;                    // first pages wait for so many
  std::map<std::string, std::string> refused;  // prefix, cause
  std::size_t most = 0;                        // listings under way at once

  StorePromises promises() const override { return {}; }
  std::string display(const std::string& key) const override { return key; }
  std::string ledger_key(const std::string& key) const override { return key; }
  std::string source_key(const std::string& key) const override { return key; }
  Result<ListPage> list(const ListRequest& request) override {
    std::unique_lock lock(mutex_);
    most = std::max(most, ++now_);
    met_.notify_all();
    met_.wait_for(lock, std::chrono::seconds(20), [&] { return most >= together; });
    --now_;
    if (const auto found = refused.find(request.prefix); found != refused.end())
      return fail({.code = ErrorCode::denied, .operation = "list", .cause = found->second});
    if (request.page_token.empty())
      return ListPage{.objects = {{.key = request.prefix + "1"}}, .next_token = "2"};
    return ListPage{.objects = {{.key = request.prefix + "2"}}, .next_token = {}};
  }
  Result<ObjectInfo> stat(const std::string& key) override { return ObjectInfo{.key = key}; }
  Result<ObjectInfo> read(const ReadRequest& /*request*/, const ByteSink& /*sink*/) override {
    return ObjectInfo{};
  }
  Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& /*key*/) override {
    return std::unique_ptr<OpenFile>();
  }
  RequestCounts requests() const override { return {}; }

 private:
  std::mutex mutex_;
  std::condition_variable met_;
  std::size_t now_ = 0;
};

Result<std::vector<std::string>> list_ahead(TwoPages& store, int threads,
                                            const std::vector<ListRange>& ranges) {
  const Pipeline pipeline{.source = "x", .fetch_threads = threads, .store = &store};
  std::vector<std::string> keys;
  RETURN_IF_ERROR(list_ranges_ahead(pipeline, ranges, [&](ListPage& page) -> Status {
    for (const ObjectInfo& object : page.objects) keys.push_back(object.key);
    return {};
  }));
  return keys;
}

std::vector<ListRange> prefixes(std::string_view letters) {
  std::vector<ListRange> ranges;
  for (const char letter : letters) ranges.push_back({.prefix = std::string(1, letter)});
  return ranges;
}

TEST(ListRangesAhead, ListsSeveralAtOnceAndHandsThemOverInTheirOrder) {
  TwoPages store;
  store.together = 3;
  const auto keys = list_ahead(store, 3, prefixes("cab"));
  ASSERT_TRUE(keys) << describe(keys.error());
  EXPECT_EQ(*keys, (std::vector<std::string>{"c1", "c2", "a1", "a2", "b1", "b2"}));
  EXPECT_EQ(store.most, 3U) << "they waited for each other";
}

TEST(ListRangesAhead, ListsNoMoreAtOnceThanItMay) {
  TwoPages store;
  const auto keys = list_ahead(store, 2, prefixes("abcdefghij"));
  ASSERT_TRUE(keys) << describe(keys.error());
  EXPECT_EQ(keys->size(), 20U);
  EXPECT_LE(store.most, 2U);
}

TEST(ListRangesAhead, GivesTheErrorOfTheFirstRangeThatHasOne) {
  for (int round = 0; round < 50; ++round) {
    TwoPages store;
    store.refused = {{"b", "first"}, {"c", "second"}, {"d", "third"}};
    const auto keys = list_ahead(store, 4, prefixes("abcd"));
    ASSERT_FALSE(keys);
    EXPECT_EQ(keys.error().cause, "first");
  }
}

TEST(ListRangesAhead, EndsWhenWhoeverReadsItHasEnough) {
  TwoPages store;
  const Pipeline pipeline{.source = "x", .fetch_threads = 2, .store = &store};
  const std::vector<ListRange> ranges = prefixes("abcdefgh");
  const Status ended = list_ranges_ahead(pipeline, ranges, [](ListPage& /*page*/) -> Status {
    return fail({.code = ErrorCode::refused, .operation = "read", .cause = "enough"});
  });
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().cause, "enough");
}

TEST(ListRangesAhead, OfNothingThereIsNothing) {
  TwoPages store;
  EXPECT_TRUE(list_ahead(store, 4, {})->empty());
}

}  // namespace
}  // namespace forebay::test
