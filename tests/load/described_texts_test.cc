#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/digest.h"
#include "support/described_feed.h"
#include "support/packed.h"

// Aim: checksums, counts and lists of files in texts that are no JSON, and JSON files that hold
// more than rows, as in examples/market_data, clickstream, cloudtrail, singer and daily_events
// (FEEDS: lines of text, `decode.list`, `decode.only`). Method: files as those producers write
// them, late, repeated, damaged and rewritten.
namespace forebay::test {
namespace {

using ::testing::HasSubstr;

std::string sum_of(DigestKind kind, const std::string& bytes) { return digest_hex(kind, bytes); }

TEST_F(DescribedFeed, AFileWaitsForItsChecksumAndMustAgreeWithIt) {
  describe_as_in("market_data");
  const std::string day = "t,price\n1,2.5\n";
  put("spot/BTC-2026-10-20.csv", day);
  load();
  EXPECT_EQ(waiting(), (Lines{"spot/BTC-2026-10-20.csv: spot/BTC-2026-10-20.csv.CHECKSUM is not "
                              "there yet"}));
  put("spot/BTC-2026-10-20.csv.CHECKSUM",
      sum_of(DigestKind::sha256, day) + "  BTC-2026-10-20.csv\n");
  load();
  EXPECT_EQ(rows("spot"), (Lines{"1|2.5|BTC"}));
  put("spot/ETH-2026-10-20.csv", "t,price\n1,9.5\n");
  put("spot/ETH-2026-10-20.csv.CHECKSUM",
      sum_of(DigestKind::sha256, day) + " *ETH-2026-10-20.csv\n");
  load(3);
  put("spot/LTC-2026-10-20.csv", day);
  put("spot/LTC-2026-10-20.csv.CHECKSUM", "no checksum\n");
  EXPECT_THAT(text(load(3)), HasSubstr("must have one line like \"{sha256} *{$file}\" or "));
  EXPECT_EQ(rows("spot"), (Lines{"1|2.5|BTC"}));
}

TEST_F(DescribedFeed, AManifestOfTextNamesFilesWithHashesAndRows) {
  describe_as_in("clickstream");
  set_list("columns", {"hit", "page"});
  const std::string hits = gzip("1\t/a\n2\t\"b\n");
  const auto manifest = [&](int rows, const std::string& md5) {
    return fmt::format(
        "Datafeed-Manifest-Version: 1.0\nLookup-Files: 1\nData-Files: 1\nTotal-Records: {0}\n\n"
        " Lookup-File: shop_2026-10-20-lookup_data.tar.gz\n MD5-Digest: af6d\n File-Size: 63750\n\n"
        " Data-File: 01-shop_2026-10-20.tsv.gz\n MD5-Digest: {1}\n File-Size: {2}\n"
        " Record-Count: {0}\n",
        rows, md5, hits.size());
  };
  put("01-shop_2026-10-20.tsv.gz", hits);
  load();
  EXPECT_EQ(tables(), Lines());
  put("shop_2026-10-20.txt", manifest(3, sum_of(DigestKind::md5, hits)));
  load(3);
  put("shop_2026-10-20.txt", manifest(2, sum_of(DigestKind::md5, "other")));
  load(3);
  put("shop_2026-10-20.txt", manifest(2, sum_of(DigestKind::md5, hits)));
  load();
  EXPECT_EQ(rows("shop"), (Lines{"1|/a", "2|\"b"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

TEST_F(DescribedFeed, RecordsStandInAListWithinEachObject) {
  describe_as_in("cloudtrail");
  const std::string at = "AWSLogs/1234/CloudTrail/eu-west-1/2026/10/20/";
  put(at + "a.json.gz",
      gzip(R"({"Records":[{"eventID":"x","n":1,"who":{"id":7}},{"eventID":"y","n":2}]})"));
  put(at + "b.json.gz", gzip(R"({"Records":[]})"));
  load();
  put(at + "c.json.gz", gzip(R"({"Records":[{"eventID":"y","n":2},{"eventID":"z","n":3}]})"));
  load();
  EXPECT_EQ(rows("cloudtrail", "\"eventID\", n"), (Lines{"x|1", "y|2", "z|3"}));
  put(at + "d.json.gz", gzip(R"({"Digest":[]})"));
  EXPECT_THAT(text(load(3)), HasSubstr("has no list at /Records"));
}

TEST_F(DescribedFeed, APipelineTakesTheMessagesOfItsTable) {
  describe_as_in("singer");
  set("stream", "orders");
  set("primary_key", "id");
  const auto record = [](const std::string& stream, const std::string& row, int minute) {
    return fmt::format(
        R"({{"type":"RECORD","stream":"{}","record":{},"time_extracted":"2026-10-20T10:{:02}:00Z"}})"
        "\n",
        stream, row, minute);
  };
  put("b.jsonl", record("orders", R"({"id":1,"n":2})", 9) +
                     record("users", R"({"id":1,"u":"x"})", 9) +
                     R"({"type":"STATE","value":{"orders":9}})" + "\n");
  load();
  put("a.jsonl", R"({"type":"SCHEMA","stream":"orders","schema":{},"key_properties":["id"]})"
                 "\n" +
                     record("orders", R"({"id":1,"n":1})", 5) +
                     record("orders", R"({"id":2,"n":5})", 5));
  load();
  EXPECT_EQ(rows("orders", "id, n"), (Lines{"1|2", "2|5"}));
  put("c.jsonl", record("orders", R"({"id":2,"n":5,"_sdc_deleted":true})", 11));
  put("d.jsonl", record("users", R"({"id":3})", 11));
  load();
  EXPECT_EQ(rows("orders", "id, n"), (Lines{"1|2"}));
  EXPECT_EQ(tables(), (Lines{"orders"}));
}

TEST_F(DescribedFeed, ADaysFolderReplacesThePreliminaryOne) {
  describe_as_in("daily_events");
  put("events_intraday_20261101/0.json.gz", gzip("{\"n\":1}\n"));
  load();
  put("events_20261101/0.json.gz", gzip("{\"n\":1}\n{\"n\":2}\n"));
  load();
  put("events_intraday_20261101/0.json.gz", gzip("{\"n\":9}\n"));
  load();
  EXPECT_EQ(rows("events"), (Lines{"1", "2"}));
  put("events_20261101/1.json.gz", gzip("{\"n\":3}\n"));
  load();
  EXPECT_EQ(rows("events"), (Lines{"1", "2", "3"}));
}

// Nothing is listed in a list whose entries would tell the table.
TEST_F(DescribedFeed, AnEmptyListOfDeletesNamesNoTableAndIsNone) {
  describe_by(R"(about: Exports of resources
unit:
  document: "{run}/manifest.json"
  identity: [{capture: run}]
  order: [{of: /time, as: time}]
files:
  list: {members: /, named: [output, deleted]}
  path: {field: url, from: document}
  table: type
effect: {by: {above: name}, when: {output: put, deleted: delete}}
rows: {key: [id]}
)");
  put("r1/p.ndjson", "{\"id\":\"p1\"}\n{\"id\":\"p2\"}\n");
  put("r1/manifest.json", R"({"time": "2026-10-20T00:00:00Z", "deleted": [],
"output": [{"type": "Patient", "url": "p.ndjson"}]})");
  load();
  EXPECT_EQ(rows("Patient"), (Lines{"p1", "p2"}));
  put("r2/d.ndjson", "{\"id\":\"p2\"}\n");
  put("r2/manifest.json", R"({"time": "2026-10-21T00:00:00Z", "output": [],
"deleted": [{"type": "Patient", "url": "d.ndjson"}]})");
  load();
  EXPECT_EQ(rows("Patient"), (Lines{"p1"}));
}

}  // namespace
}  // namespace forebay::test
