// Aim: what a marker says arrives whole, or the unit is damaged or refused with the reason; no
// bytes make the reader crash, and none that say something else pass for the original.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "feed/unit.h"
#include "support/feeds.h"

namespace forebay {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr std::string_view kMarker = R"({
  "batch": "20261020T141502Z",
  "kind": "incremental",
  "format_version": "v1",
  "created_at": "2026-10-20T14:15:02.118Z",
  "files": [
    {"table": "prices", "path": "rollerup/prices/20261020T141502Z.parquet", "rows": 3},
    {"table": "visits", "path": "rollerup/visits/20261020T141502Z.parquet", "rows": 0}
  ]
})";

Result<UnitContent> read(std::string_view bytes, const SourceRoot& root = {false, "rollerup/"}) {
  static const Feed feed = test::builtin("rollerup");
  static const UnitName unit = **name_unit(feed, "_batches/20261020T141502Z.json");
  return read_document(feed, root, unit, bytes);
}

std::string with(std::string_view from, std::string_view to) {
  std::string text(kMarker);
  std::size_t at = text.find(from);
  if (at == text.npos) throw std::runtime_error("not in the marker");
  return text.replace(at, from.size(), to);
}

std::string error(std::string_view bytes, ErrorCode code) {
  Result<UnitContent> content = read(bytes);
  if (content) return "none";
  EXPECT_EQ(content.error().code, code);
  EXPECT_EQ(content.error().object, "_batches/20261020T141502Z.json");
  return content.error().cause;
}
std::string damage(std::string_view bytes) { return error(bytes, ErrorCode::damaged); }
std::string refusal(std::string_view bytes) { return error(bytes, ErrorCode::refused); }

TEST(ReadDocument, GivesFilesInTheListedOrder) {
  Result<UnitContent> content = read(kMarker);
  ASSERT_TRUE(content) << describe(content.error());
  EXPECT_EQ(content->kind, "incremental");
  EXPECT_EQ(content->time, Time(std::chrono::sys_days(2026y / 10 / 20) + 14h + 15min + 2118ms));
  ASSERT_EQ(content->files.size(), 2u);
  EXPECT_EQ(content->files[0].table, "prices");
  EXPECT_EQ(content->files[0].key, "prices/20261020T141502Z.parquet");
  EXPECT_EQ(content->files[0].rows, 3u);
  EXPECT_EQ(content->files[0].size, std::nullopt);
  EXPECT_EQ(content->files[0].effect, (Effect{.clear_table = false, .put = true}));
  EXPECT_EQ(content->files[1].table, "visits");
  EXPECT_EQ(content->files[1].rows, 0u);
}

TEST(ReadDocument, RollerupRule2_PathsAreSeenFromTheBucketsRoot) {
  EXPECT_EQ(refusal(with("rollerup/prices", "other/prices")),
            "/files/0: the path \"other/prices/20261020T141502Z.parquet\" is outside the source, "
            "whose prefix is \"rollerup/\"");
  Result<UnitContent> folder = read(kMarker, {true, "/data/rollerup"});
  EXPECT_EQ(folder->files[0].key, "prices/20261020T141502Z.parquet");
  folder = read(kMarker, {true, "/data/copy"});
  EXPECT_EQ(folder->files[0].key, "rollerup/prices/20261020T141502Z.parquet");
  EXPECT_EQ(read(with("rollerup/prices", "../prices"), {true, "/data/copy"}).error().code,
            ErrorCode::refused);
}

TEST(ReadDocument, RollerupRule2_AMarkerThatIsNoJsonObjectIsDamaged) {
  for (const char* text : {"", " ", "null", "[]", "3", "\"x\"", "not json", "[{}]"}) {
    EXPECT_NE(damage(text), "none") << text;
  }
  EXPECT_EQ(damage("[1]"), "must be an object, but is an array");
}

TEST(ReadDocument, RollerupRule3_KindAloneDecides) {
  Result<UnitContent> snapshot = read(with("\"incremental\"", "\"snapshot\""));
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->kind, "snapshot");
  EXPECT_EQ(snapshot->files[0].effect, (Effect{.clear_table = true, .put = false}));
}

TEST(ReadDocument, RollerupRule3_UnknownOrMissingKindIsRefused) {
  EXPECT_EQ(refusal(with("\"incremental\"", "\"full\"")),
            "/kind is \"full\", allowed: incremental, snapshot");
  EXPECT_EQ(refusal(with("\"kind\"", "\"kin\"")),
            "/kind is nothing, allowed: incremental, snapshot");
  EXPECT_EQ(refusal(with("\"incremental\"", "7")), "/kind is 7, allowed: incremental, snapshot");
  EXPECT_EQ(refusal(with("\"incremental\"", "[\"incremental\"]")),
            "/kind is an array, allowed: incremental, snapshot");
  EXPECT_EQ(refusal(with("\"incremental\"", "\"Incremental\"")),
            "/kind is \"Incremental\", allowed: incremental, snapshot");
}

TEST(ReadDocument, RollerupRule3_UnknownOrMissingFormatVersionIsRefused) {
  EXPECT_EQ(refusal(with("\"v1\"", "\"v2\"")), "/format_version is \"v2\", allowed: v1");
  EXPECT_EQ(refusal(with("\"format_version\": \"v1\",", "")),
            "/format_version is nothing, allowed: v1");
  EXPECT_EQ(refusal(with("\"v1\"", "null")), "/format_version is null, allowed: v1");
  // Nothing else is looked at before: a new format may say everything in another way.
  EXPECT_EQ(refusal("{\"format_version\": \"v2\", \"files\": 3}"),
            "/format_version is \"v2\", allowed: v1");
}

TEST(ReadDocument, RollerupRule5_ATableListedTwiceIsTwoFilesOfOneTable) {
  Result<UnitContent> content = read(with("\"visits\"", "\"prices\""));
  ASSERT_TRUE(content);
  EXPECT_EQ(content->files[0].table, content->files[1].table);
}

TEST(ReadDocument, RollerupRule7_AMarkerWithoutFilesIsAHeartbeat) {
  Result<UnitContent> content =
      read(R"({"kind": "incremental", "format_version": "v1", "files": []})");
  ASSERT_TRUE(content);
  EXPECT_TRUE(content->files.empty());
  EXPECT_EQ(content->time, std::nullopt);
}

TEST(ReadDocument, FilesThatAreMissingOrNoListAreDamage) {
  EXPECT_EQ(damage(R"({"kind": "incremental", "format_version": "v1"})"),
            "/files must be an array, but is nothing");
  EXPECT_EQ(damage(R"({"kind": "incremental", "format_version": "v1", "files": {}})"),
            "/files must be an array, but is an object");
  EXPECT_EQ(damage(R"({"kind": "incremental", "format_version": "v1", "files": null})"),
            "/files must be an array, but is null");
  EXPECT_EQ(damage(R"({"kind": "incremental", "format_version": "v1", "files": ["x"]})"),
            "/files/0 must be an object, but is \"x\"");
}

TEST(ReadDocument, FieldsOfAFileHaveTheirTypes) {
  for (const char* value :
       {"-1", "3.0", "1.5", "\"3\"", "null", "true", "18446744073709551616", "1e3", "[]"}) {
    EXPECT_THAT(damage(with("\"rows\": 3", std::string("\"rows\": ") + value)),
                HasSubstr("/files/0: rows must be a whole number, 0 or more, but is"))
        << value;
  }
  EXPECT_EQ(damage(with(", \"rows\": 3", "")),
            "/files/0: rows must be a whole number, 0 or more, but is nothing");
  for (const char* value : {"\"\"", "null", "3", "[]", "\"a\\u0000b\""}) {
    EXPECT_THAT(damage(with("\"prices\"", value)),
                HasSubstr("/files/0: table must be a text that is not empty, but is"))
        << value;
    EXPECT_THAT(damage(with("\"rollerup/prices/20261020T141502Z.parquet\"", value)),
                HasSubstr("/files/0: path must be a text that is not empty, but is"))
        << value;
  }
  EXPECT_THAT(damage(with("\"prices\"", "\"" + std::string(513, 't') + "\"")),
              HasSubstr("the table's name is longer than 512 bytes"));
}

TEST(ReadDocument, AFileListedTwiceIsDamage) {
  EXPECT_EQ(damage(with("rollerup/visits", "rollerup/prices")),
            "/files/1 lists the file prices/20261020T141502Z.parquet a second time");
}

TEST(ReadDocument, ATimeThatIsNoneIsDamage) {
  EXPECT_EQ(damage(with("2026-10-20T14:15:02.118Z", "yesterday")),
            "/created_at must be a time such as 2026-10-20T14:15:02Z, but is \"yesterday\"");
  EXPECT_NE(damage(with("\"2026-10-20T14:15:02.118Z\"", "5")), "none");
  EXPECT_EQ(damage(with("\"2026-10-20T14:15:02.118Z\"", "null")), "none");
}

TEST(ReadDocument, UnknownFieldsAreIgnored) {
  std::string text = with("\"rows\": 3", "\"rows\": 3, \"checksum\": {\"a\": [1]}");
  EXPECT_EQ(read(text)->digest, read(kMarker)->digest);
}

TEST(ReadDocument, RollerupRule9_TheDigestTellsWhatAMarkerMeansNotHowItIsWritten) {
  std::string digest = read(kMarker)->digest;
  EXPECT_EQ(digest.size(), 16u);
  EXPECT_EQ(read(with("2026-10-20T14:15:02.118Z", "2026-10-21T00:00:00Z"))->digest, digest);
  EXPECT_EQ(read(with("  \"batch\": \"20261020T141502Z\",\n", ""))->digest, digest);
  EXPECT_NE(read(with("\"rows\": 3", "\"rows\": 4"))->digest, digest);
  EXPECT_NE(read(with("\"incremental\"", "\"snapshot\""))->digest, digest);
  EXPECT_NE(read(with("\"prices\"", "\"price\""))->digest, digest);
  EXPECT_NE(read(with("rollerup/prices/2026", "rollerup/prices/2027"))->digest, digest);
  EXPECT_NE(read(with("{\"table\": \"visits\", \"path\": "
                      "\"rollerup/visits/20261020T141502Z.parquet\", \"rows\": 0}",
                      "{\"table\": \"visits\", \"path\": \"rollerup/v\", \"rows\": 0}"))
                ->digest,
            digest);
}

TEST(ReadDocument, AMarkerCutOffAnywhereIsDamaged) {
  for (std::size_t length = 0; length < kMarker.size(); ++length) {
    EXPECT_NE(damage(kMarker.substr(0, length)), "none") << length;
  }
}

TEST(ReadDocument, HostileBytesAreDamage) {
  EXPECT_NE(damage(std::string(1'000'000, '[')), "none");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
  EXPECT_NE(damage(deep), "none");
  EXPECT_NE(damage(std::string(kMarker) + kMarker.data()), "none");
  EXPECT_NE(damage(std::string(4096, '\0')), "none");
  EXPECT_NE(damage(with("prices",
                        "pri\xff"
                        "es")),
            "none");
  EXPECT_NE(damage(with("\"kind\"", "\"kind\": \"snapshot\", \"kind\"")), "none");
  EXPECT_EQ(damage("\xef\xbb\xbf" + std::string(kMarker)),
            "none");  // a byte order mark is harmless
}

TEST(ReadDocument, RandomDamageNeverCrashesNorTakesAPathOutOfTheSource) {
  std::mt19937 random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string text(kMarker);
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0: text[at] = static_cast<char>(random()); break;
        case 1: text.erase(at, 1 + random() % 5); break;
        default: text.insert(at, 1, "{}[]\",:0\\"[random() % 9]); break;
      }
    }
    Result<UnitContent> content = read(text);
    if (content) continue;
    EXPECT_TRUE(content.error().code == ErrorCode::damaged ||
                content.error().code == ErrorCode::refused);
  }
}

TEST(ReadDocument, ReadsTheChoiceFromTheEntryWhereTheFeedSaysSo) {
  Feed feed = test::feed(R"(
about: x
unit: {document: "m/{n:int}.json", order: [n], time: /at}
files: {list: /a/b, path: {field: /file/name, from: document}, table: {text: t}, size: bytes}
accept: {/version: [1, 2], /note: ["*"]}
effect: {by: mode, when: {full: {clear: table, then: append}, delta: append}}
)");
  UnitName unit = **name_unit(feed, "m/7.json");
  Result<UnitContent> content = read_document(feed, {}, unit, R"({
    "version": 1, "note": false,
    "a": {"b": [{"file": {"name": "x"}, "mode": "delta", "bytes": 5},
                {"file": {"name": "y"}, "mode": "full", "bytes": 6}]}})");
  ASSERT_TRUE(content) << describe(content.error());
  EXPECT_EQ(content->kind, "document");
  EXPECT_EQ(content->files[0].key, "m/x");
  EXPECT_EQ(content->files[0].size, 5u);
  EXPECT_FALSE(content->files[0].effect.clear_table);
  EXPECT_TRUE(content->files[1].effect.clear_table);
  Result<UnitContent> unknown = read_document(feed, {}, unit, R"({
    "version": 2, "note": 1, "a": {"b": [{"file": {"name": "x"}, "bytes": 5}]}})");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().cause, "/a/b/0: mode is nothing, allowed: delta, full");
  EXPECT_EQ(read_document(feed, {}, unit, R"({"version": 1, "a": {"b": []}})").error().cause,
            "/note is nothing, allowed: *");
}

}  // namespace
}  // namespace forebay
