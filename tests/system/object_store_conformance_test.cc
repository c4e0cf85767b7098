#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <ostream>
#include <set>
#include <thread>

#include "base/encode.h"
#include "store/stores.h"
#include "support/s3_script.h"
#include "support/store_place.h"

// Aim: what src/store/object_store.h promises, every store keeps, and what a store declares of
// itself is true. Method: one suite over a folder and over servers that speak S3, Google Cloud
// Storage's API and Azure's; each test works in a source of its own.
namespace forebay {
namespace {

using test::list_all;
using test::store_kinds;
using test::StoreKind;
using test::StorePlace;
using ::testing::ElementsAreArray;

class ObjectStoreConformance : public ::testing::TestWithParam<StoreKind> {
 protected:
  ObjectStoreConformance() : place_(GetParam().make()), store_(place_->open()) {}

  std::vector<std::string> keys(ListRequest request = {}) {
    const auto objects = list_all(*store_, std::move(request));
    if (!objects) return {"error: " + describe(objects.error())};
    std::vector<std::string> found;
    for (const auto& object : *objects) found.push_back(object.key);
    return found;
  }

  Result<std::string> read(const ReadRequest& request) {
    std::string content;
    const auto info = store_->read(request, [&](std::span<const std::byte> bytes) -> Status {
      content += as_text(bytes);
      return {};
    });
    if (!info) return fail(info.error());
    return content;
  }

  std::unique_ptr<StorePlace> place_;
  std::unique_ptr<ObjectStore> store_;
};

std::vector<std::string> numbered(std::size_t from, std::size_t to) {
  std::vector<std::string> keys;
  for (std::size_t i = from; i < to; ++i) keys.push_back(fmt::format("many/k{:05}", i));
  return keys;
}

TEST_P(ObjectStoreConformance, ListsAnyNumberOfKeysMISS12) {
  if (!GetParam().many_keys) GTEST_SKIP() << "this server takes minutes for 2,001 puts";
  std::vector<std::thread> threads;
  for (std::size_t part = 0; part < 4; ++part) {
    threads.emplace_back([&, part] {
      for (std::size_t i = part; i < 2001; i += 4) place_->put(fmt::format("many/k{:05}", i), "x");
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(keys({.prefix = "many/"}), numbered(0, 2001));
  for (const std::size_t count : {0U, 1U, 999U, 1000U, 1001U}) {
    const auto expected = numbered(2001 - count, 2001);
    const auto start = fmt::format("many/k{:05}", 2000 - count);
    EXPECT_EQ(keys({.prefix = "many/", .start_after = start}), expected) << count;
  }
  EXPECT_EQ(keys({.prefix = "many/k0000", .page_size = 1}), numbered(0, 10));
  EXPECT_EQ(store_->promises().ordered, GetParam().ordered);
  EXPECT_EQ(store_->promises().honours_start_after, GetParam().honours_start_after);
}

TEST_P(ObjectStoreConformance, FindsNothingInAnEmptySourceEMPTY4) {
  EXPECT_EQ(keys(), std::vector<std::string>{});
  EXPECT_EQ(keys({.prefix = "none/"}), std::vector<std::string>{});
}

TEST_P(ObjectStoreConformance, TellsAMissingSourceFromAnEmptyOneEMPTY4CRED5) {
  const auto missing = place_->open_missing();
  for (const auto& error : {missing->list({}).error(), missing->stat("a").error()}) {
    EXPECT_EQ(error.code, ErrorCode::not_found) << describe(error);
    EXPECT_THAT(error.object, ::testing::HasSubstr("missing"));
  }
}

TEST_P(ObjectStoreConformance, StartsAfterAnyKeyAlsoOneThatIsNotThere) {
  for (const char* key : {"a", "b/1", "b/2", "b0", "c"}) place_->put(key, "x");
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys(), (Keys{"a", "b/1", "b/2", "b0", "c"}));
  EXPECT_EQ(keys({.start_after = "b/1"}), (Keys{"b/2", "b0", "c"}));
  EXPECT_EQ(keys({.start_after = "b/1x"}), (Keys{"b/2", "b0", "c"}));
  EXPECT_EQ(keys({.prefix = "b/", .start_after = "a"}), (Keys{"b/1", "b/2"}));
  EXPECT_EQ(keys({.prefix = "b", .start_after = "b/2"}), (Keys{"b0"}));
  EXPECT_EQ(keys({.start_after = "c"}), Keys{});
  EXPECT_EQ(keys({.prefix = "a", .start_after = "b"}), Keys{});
}

std::vector<std::string> odd_keys(const StorePlace& place) {
  std::vector<std::string> keys = {"a b",
                                   "a+b",
                                   "a%2Bb",
                                   "a%20b",
                                   "100%",
                                   "q?x=1",
                                   "h#x",
                                   "amp&x=y",
                                   "quote'\"`",
                                   "br[1]{2}(3)<4>",
                                   "*.parquet",
                                   "semi;colon:at@comma,",
                                   "back\\slash|^",
                                   "tilde~!$-_.",
                                   "year=2026/dt=2026-01-01T00:00:00+00:00/1.parquet",
                                   "\xf0\x9f\x90\x9f/fish",
                                   "nfc-\xc3\xa9",
                                   "nfd-e\xcc\x81",
                                   "tab\tx",
                                   "line\nfeed",
                                   "double//slash",
                                   "dot/./x",
                                   "dots/../x",
                                   "./first",
                                   "folder/",
                                   std::string(200, 'n'),
                                   std::string(200, 'l') + "/" + std::string(700, 'm'),
                                   "/leading",
                                   std::string(500, 'o') + "/" + std::string(500, 'p')};
  std::erase_if(keys, [&](const std::string& key) { return !place.takes(key); });
  std::ranges::sort(keys);
  return keys;
}

TEST_P(ObjectStoreConformance, KeepsOddKeysByteForByteCHAR1CHAR2) {
  const auto expected = odd_keys(*place_);
  for (const auto& key : expected) place_->put(key, "content of " + key);
  EXPECT_THAT(keys(), ElementsAreArray(expected));
  EXPECT_THAT(keys({.page_size = 1}), ElementsAreArray(expected));
  for (const auto& key : expected) {
    EXPECT_EQ(read({.key = key}).value_or("nothing"), "content of " + key) << key;
    EXPECT_TRUE(store_->stat(key)) << key;
  }
}

TEST_P(ObjectStoreConformance, StartsAfterAndSelectsOddKeysCHAR2) {
  const auto all = odd_keys(*place_);
  for (const auto& key : all) place_->put(key, "x");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<std::string> rest(all.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                        all.end());
    EXPECT_THAT(keys({.start_after = all[i]}), ElementsAreArray(rest)) << all[i];
    EXPECT_THAT(keys({.prefix = all[i]}), ElementsAreArray({all[i]})) << all[i];
  }
}

TEST_P(ObjectStoreConformance, SaysTheSameInListingStatAndRead) {
  place_->put("a", "12345");
  place_->put("empty", "");
  const auto listed = *list_all(*store_);
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].size, 5U);
  EXPECT_EQ(listed[1].size, 0U);
  for (const auto& object : listed) {
    const auto stat = store_->stat(object.key);
    ASSERT_TRUE(stat) << describe(stat.error());
    const auto seen = store_->read({.key = object.key, .version = object.version},
                                   [](std::span<const std::byte>) { return Status{}; });
    ASSERT_TRUE(seen) << describe(seen.error());
    for (const auto& other : {*stat, *seen}) {
      EXPECT_EQ(other.key, object.key);
      EXPECT_EQ(other.size, object.size);
      EXPECT_EQ(other.version, object.version);
      // Some servers tell fractions of a second in one place and not in the other.
      EXPECT_LT(std::chrono::abs(other.last_modified - object.last_modified),
                std::chrono::seconds(1));
    }
  }
}

TEST_P(ObjectStoreConformance, ReadsRanges) {
  std::string content;
  for (int i = 0; i < 3'000'000; ++i) content += static_cast<char>('a' + i % 23);
  place_->put("big", content);
  const auto version = store_->stat("big")->version;
  EXPECT_TRUE(read({.key = "big", .version = version}) == content);
  const auto part = [&](std::uint64_t offset, std::optional<std::uint64_t> length) {
    return read({.key = "big", .version = version, .offset = offset, .length = length})
        .value_or("nothing");
  };
  EXPECT_EQ(part(0, 4), content.substr(0, 4));
  EXPECT_EQ(part(1'999'999, 7), content.substr(1'999'999, 7));
  EXPECT_EQ(part(2'999'990, std::nullopt), content.substr(2'999'990));
  EXPECT_EQ(part(2'999'990, 10), content.substr(2'999'990));
  EXPECT_EQ(part(3'000'000, std::nullopt), "");
  EXPECT_EQ(part(5, 0), "");
  const auto beyond = read({.key = "big", .version = version, .offset = 2'999'990, .length = 11});
  EXPECT_EQ(beyond.error().code, ErrorCode::damaged);
}

TEST_P(ObjectStoreConformance, ReadsRangesBeyondFourGigabytes) {
  constexpr std::uint64_t kSize = (std::uint64_t{5} << 30) + 512;
  if (!place_->put_sparse("large", kSize, "the end"))
    GTEST_SKIP() << "this server has no sparse objects; tests/store reads such a range of it";
  const auto info = store_->stat("large");
  ASSERT_TRUE(info) << describe(info.error());
  EXPECT_EQ(info->size, kSize);
  const auto part = [&](std::uint64_t offset, std::optional<std::uint64_t> length) {
    return read({.key = "large", .version = info->version, .offset = offset, .length = length})
        .value_or("nothing");
  };
  EXPECT_EQ(part(kSize - 7, 7), "the end");
  EXPECT_EQ(part(kSize - 3, std::nullopt), "end");
  EXPECT_EQ(part((std::uint64_t{4} << 30) - 2, 4), std::string(4, '\0'));
}

TEST_P(ObjectStoreConformance, RemovesAKeyAndMindsNoneThatIsGone) {
  for (const char* key : {"a", "a b+c", "keep"}) place_->put(key, "x");
  const Status removed = store_->remove("a");
  if (!removed && removed.error().code == ErrorCode::refused)
    GTEST_SKIP() << "this store removes nothing, and says so: " << describe(removed.error());
  EXPECT_TRUE(removed) << describe(removed.error());
  EXPECT_TRUE(store_->remove("a b+c"));
  EXPECT_TRUE(store_->remove("a"));
  EXPECT_TRUE(store_->remove("never was"));
  EXPECT_EQ(keys(), std::vector<std::string>{"keep"});
}

TEST_P(ObjectStoreConformance, SaysThatAnObjectWasReplaced) {
  place_->put("a", "first");
  const auto old = *store_->stat("a");
  place_->put("a", "other");
  EXPECT_EQ(read({.key = "a", .version = old.version}).error().code, ErrorCode::changed);
  EXPECT_EQ(read({.key = "a", .version = old.version, .offset = 1, .length = 2}).error().code,
            ErrorCode::changed);
  const auto now = *store_->stat("a");
  EXPECT_NE(now.version, old.version);
  EXPECT_EQ(read({.key = "a", .version = now.version}).value(), "other");
  EXPECT_EQ(read({.key = "a"}).value(), "other");
}

TEST_P(ObjectStoreConformance, SaysThatAnObjectIsGone) {
  place_->put("a", "first");
  const auto old = *store_->stat("a");
  place_->remove("a");
  EXPECT_EQ(read({.key = "a", .version = old.version}).error().code, ErrorCode::not_found);
  const auto stat = store_->stat("a");
  ASSERT_FALSE(stat);
  EXPECT_EQ(stat.error().code, ErrorCode::not_found);
  EXPECT_EQ(stat.error().object, store_->display("a"));
  EXPECT_EQ(store_->source_key(store_->ledger_key("a")), "a");
  EXPECT_EQ(keys(), std::vector<std::string>{});
}

TEST_P(ObjectStoreConformance, OpensInPlaceExactlyWhereItPromisesTo) {
  place_->put("a", "content");
  const auto file = store_->open_in_place("a");
  if (!store_->promises().in_place) {
    EXPECT_EQ(file.error().code, ErrorCode::refused);
    return;
  }
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ((*file)->info(), *store_->stat("a"));
  EXPECT_TRUE((*file)->unchanged());
}

TEST_P(ObjectStoreConformance, ServesSeveralThreadsAtOnce) {
  for (int i = 0; i < 20; ++i) place_->put(fmt::format("k{:02}", i), fmt::format("content {}", i));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(read({.key = fmt::format("k{:02}", i)}).value_or(""),
                  fmt::format("content {}", i));
      }
      EXPECT_EQ(keys({.page_size = 3}).size(), 20U);
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST_P(ObjectStoreConformance, EndsWithTheSinksError) {
  place_->put("a", "content");
  const auto result = store_->read({.key = "a"}, [](std::span<const std::byte>) -> Status {
    return fail({.code = ErrorCode::internal, .operation = "write", .cause = "disk full"});
  });
  EXPECT_EQ(result.error().cause, "disk full");
}

INSTANTIATE_TEST_SUITE_P(Stores, ObjectStoreConformance, ::testing::ValuesIn(store_kinds()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace forebay
