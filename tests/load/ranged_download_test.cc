#include "load/ranged_download.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include "base/digest.h"
#include "base/encode.h"
#include "base/transfer_limits.h"
#include "support/temp_folder.h"

// Aim: a large object that is read by ranges is the object, of one version, or an error. Method: a
// store in memory that keeps what it was asked for and can change its object in between.
namespace forebay::test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

std::string content_of(std::uint64_t size) {
  std::string content(size, '\0');
  std::uint64_t state = 1;
  for (char& c : content) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    c = static_cast<char>(state >> 56);
  }
  return content;
}

class OneObject final : public ObjectStore {
 public:
  std::string content;
  std::string version = "v1";
  std::uint64_t damaged_at = UINT64_MAX;     // this byte comes wrong
  std::uint64_t changes_after = UINT64_MAX;  // so many reads
  std::set<std::uint64_t> refused;           // offsets
  std::multiset<std::string> asked;          // versions of the reads
  std::uint64_t stats = 0;

  StorePromises promises() const override { return {}; }
  std::string display(const std::string& key) const override { return "s3://b/" + key; }
  std::string ledger_key(const std::string& key) const override { return key; }
  std::string source_key(const std::string& key) const override { return key; }
  Result<ListPage> list(const ListRequest& /*request*/) override { return ListPage{}; }
  Result<ObjectInfo> stat(const std::string& key) override {
    const std::scoped_lock lock(mutex_);
    ++stats;
    return ObjectInfo{.key = key, .size = content.size(), .version = version};
  }
  Result<ObjectInfo> read(const ReadRequest& request, const ByteSink& sink) override {
    std::string part;
    {
      const std::scoped_lock lock(mutex_);
      if (asked.size() == changes_after) version = "v2";
      asked.insert(request.version);
      const auto refusal = [&](ErrorCode code, std::string cause) {
        return fail({.code = code, .operation = "read", .cause = std::move(cause)});
      };
      if (request.version != version) return refusal(ErrorCode::changed, "replaced");
      if (refused.contains(request.offset))
        return refusal(ErrorCode::denied, std::to_string(request.offset));
      part = content.substr(request.offset, request.length.value_or(content.size()));
      if (damaged_at >= request.offset && damaged_at < request.offset + part.size())
        part[damaged_at - request.offset] ^= 1;
    }
    RETURN_IF_ERROR(sink(as_byte_span(std::string_view(part).substr(0, 1000))));
    RETURN_IF_ERROR(sink(as_byte_span(std::string_view(part).substr(1000))));
    return ObjectInfo{.key = request.key, .size = content.size(), .version = version};
  }
  Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& /*key*/) override {
    return std::unique_ptr<OpenFile>();
  }
  RequestCounts requests() const override { return {}; }

 private:
  std::mutex mutex_;
};

class RangedDownloads : public ::testing::Test {
 protected:
  RangedDownloads() {
    store_.content = content_of(kSize);
    pipeline_ = {.staging_folder = folder_.path(), .fetch_threads = 4, .store = &store_};
  }

  Result<StagedFile> download(const UnitFile& file, const std::string& version,
                              std::uint64_t size = kSize) {
    RangedDownload ranged(pipeline_, file, version, size, learned_, silent_);
    const std::size_t ranges = count_ranges(size);
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> lasts = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < ranges; i = next++) lasts += ranged.read(i) ? 1 : 0;
    };
    {
      const std::jthread other(work);
      work();
    }
    EXPECT_EQ(lasts, 1U) << "the last one knows itself";
    auto staged = ranged.finish();
    if (sound_) ranged.whole_was_sound();
    return staged;
  }

  static std::string bytes_of(const StagedFile& staged) {
    std::ifstream file(staged.bytes->path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  static constexpr std::uint64_t kSize = 2 * kRangeBytes + 4711;
  TempFolder folder_;
  OneObject store_;
  Pipeline pipeline_;
  RangedDownload::Learned learned_;
  Progress silent_;
  const UnitFile file_{.key = "k"};
  bool sound_ = false;
};

TEST_F(RangedDownloads, GiveTheObjectAndItsFingerprint) {
  const auto staged = download(file_, "v1");
  ASSERT_TRUE(staged) << describe(staged.error());
  EXPECT_TRUE(bytes_of(*staged) == store_.content);
  EXPECT_EQ(staged->checksum, digest_hex(DigestKind::xxh3_128, store_.content));
  EXPECT_EQ(store_.asked.size(), 3U);
  EXPECT_THAT(store_.asked, Each("v1"));
  EXPECT_EQ(store_.stats, 0U) << "the listing told the version";
}

TEST_F(RangedDownloads, PinTheVersionThatStandsThereAtTheBeginning) {
  const auto staged = download(file_, "");
  ASSERT_TRUE(staged) << describe(staged.error());
  EXPECT_EQ(store_.stats, 1U);
  EXPECT_THAT(store_.asked, Each("v1"));
}

TEST_F(RangedDownloads, AreNoMixOfTwoVersions) {
  store_.changes_after = 1;
  const auto staged = download(file_, "");
  ASSERT_FALSE(staged);
  EXPECT_EQ(staged.error().code, ErrorCode::changed);
}

TEST_F(RangedDownloads, OfAnotherSizeThanTheUnitSaysAreDamage) {
  const auto staged = download(file_, "", kSize + 1);
  ASSERT_FALSE(staged);
  EXPECT_EQ(staged.error().code, ErrorCode::damaged);
  EXPECT_THAT(staged.error().cause, HasSubstr("its unit says"));
  EXPECT_TRUE(store_.asked.empty());
}

TEST_F(RangedDownloads, GiveTheErrorOfTheFirstRangeThatHasOne) {
  store_.refused = {kRangeBytes, 2 * kRangeBytes};
  const auto staged = download(file_, "v1");
  ASSERT_FALSE(staged);
  EXPECT_EQ(staged.error().code, ErrorCode::denied);
  EXPECT_EQ(staged.error().cause, std::to_string(kRangeBytes));
}

TEST_F(RangedDownloads, AreComparedWithTheHashesOfTheirUnit) {
  UnitFile file = file_;
  file.hashes = {{.kind = DigestKind::xxh3_64,
                  .bytes = *hex_decode(digest_hex(DigestKind::xxh3_64, store_.content))}};
  EXPECT_TRUE(download(file, "v1"));
  store_.damaged_at = kRangeBytes + 5;
  const auto staged = download(file, "v1");
  ASSERT_FALSE(staged);
  EXPECT_EQ(staged.error().code, ErrorCode::damaged);
}

TEST_F(RangedDownloads, AreComparedWithAVersionThatIsTheirMd5) {
  store_.version = digest_hex(DigestKind::md5, store_.content);
  EXPECT_TRUE(download(file_, store_.version));
  store_.damaged_at = kSize - 1;
  const auto staged = download(file_, store_.version);
  ASSERT_FALSE(staged);
  EXPECT_EQ(staged.error().code, ErrorCode::damaged);
}

// Encrypted, a version looks like an MD5 and is none: reading the whole shows it, once.
TEST_F(RangedDownloads, AskNoLongerForAnMd5WhereVersionsAreNone) {
  store_.version = digest_hex(DigestKind::md5, "something else");
  sound_ = true;
  EXPECT_FALSE(download(file_, store_.version));
  EXPECT_TRUE(download(file_, store_.version));
}

TEST_F(RangedDownloads, AreCountedBeforeTheyAreMade) {
  const auto counts = [&](std::uint64_t size, bool listed) {
    const RequestCounts counted = requests_to_fetch(pipeline_, size, listed);
    return std::vector<std::uint64_t>{counted.list, counted.get, counted.head, counted.other};
  };
  using Counts = std::vector<std::uint64_t>;
  EXPECT_EQ(counts(0, false), (Counts{0, 1, 0, 0}));
  EXPECT_EQ(counts(kMinRangedBytes - 1, true), (Counts{0, 1, 0, 0}));
  EXPECT_EQ(counts(kMinRangedBytes, true), (Counts{0, 2, 0, 0}));
  EXPECT_EQ(counts(kMinRangedBytes + 1, false), (Counts{0, 3, 1, 0}));
}

}  // namespace
}  // namespace forebay::test
