#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "base/digest.h"
#include "base/encode.h"
#include "support/described_feed.h"

// Aim: documents of the shapes that real feeds have are described in YAML alone: nested lists,
// entries that are texts, URIs, JSON Lines, checksums, columns as one text (FEEDS, sections 1 and
// 3).
namespace forebay::test {
namespace {

class Dumps : public DescribedFeed {
 protected:
  Dumps() { describe_as_in("heap"); }
  static std::string table(const std::string& name, const std::string& incremental,
                           const std::string& files) {
    return fmt::format(R"({{"name": "{}", "incremental": {}, "files": [{}]}})", name, incremental,
                       files);
  }
  void dump(int n, const std::string& tables) {
    put(fmt::format("manifests/{}.json", n),
        fmt::format(R"({{"dump_id": {}, "tables": [{}]}})", n, tables));
  }
};

TEST_F(Dumps, OneTableIsWholeInsideADumpOfChanges) {
  put("sync_9/a.csv", "event_id,n\n1,1\n2,1\n");
  put("sync_9/b.csv", "event_id,n\n3,1\n");
  put("sync_9/u.csv", "user_id,event_id\n7,1\n8,1\n");
  dump(9, table("clicks", "true", R"("s3://heap/sync_9/a.csv", "s3://heap/sync_9/b.csv")") + "," +
              table("users", "true", R"("s3://heap/sync_9/u.csv")"));
  put("sync_10/a.csv", "event_id,n\n2,2\n");
  put("sync_10/u.csv", "user_id,event_id\n8,2\n");
  dump(10, table("clicks", "false", R"("s3://heap/sync_10/a.csv")") + "," +
               table("users", "true", R"("s3://heap/sync_10/u.csv")"));
  load();
  EXPECT_EQ(rows("clicks"), (Lines{"2|2"}));
  EXPECT_EQ(rows("users"), (Lines{"7|1", "8|2"}));
}

TEST_F(Dumps, AWholeTableWithoutFilesIsRefusedAndNotLeftAsItIs) {
  put("sync_9/a.csv", "event_id,n\n1,1\n");
  dump(9, table("clicks", "true", R"("s3://heap/sync_9/a.csv")"));
  load();
  dump(10, table("clicks", "false", ""));
  const CycleReport report = load(5);
  EXPECT_NE(text(report).find("table clicks becomes what its files bring, and none is listed"),
            std::string::npos)
      << text(report);
  EXPECT_EQ(rows("clicks"), (Lines{"1|1"}));
}

TEST_F(Dumps, AKeyOfOneTableIsFixedOnceRowsStand) {
  put("sync_9/a.csv", "event_id,n\n1,1\n");
  dump(9, table("clicks", "true", R"("s3://heap/sync_9/a.csv")"));
  load();
  std::string& yaml = settings_.yaml;
  yaml.replace(yaml.find("users: [user_id]"), 16, "clicks: [n]");
  const CycleReport report = load(5);
  EXPECT_NE(text(report).find("key of main.clicks"), std::string::npos) << text(report);
}

TEST_F(Dumps, WhatIsNoTextOrNoUriIsDamagedOrRefused) {
  dump(9, table("clicks", "true", R"({"path": "a.csv"})"));
  load(3);
  dump(9, table("clicks", "true", R"("sync_9/a.csv")"));
  const CycleReport report = load(5);
  EXPECT_NE(text(report).find("is no URI"), std::string::npos) << text(report);
}

// Redshift UNLOAD: entries[].url, with size and rows below `meta`.
TEST_F(DescribedFeed, AnUnloadManifestReplacesItsTable) {
  describe_as_in("redshift_unload");
  set("format", "csv");
  const auto unload = [&](const std::string& day, const std::string& content, int rows) {
    put("venue/" + day + "/0000_part_00", content);
    put("venue/" + day + "/manifest",
        fmt::format(R"({{"entries": [{{"url": "s3://lake/venue/{}/0000_part_00", "meta":
{{"content_length": {}, "record_count": {}}}}}]}})",
                    day, content.size(), rows));
  };
  unload("2026-10-20", "id\n1\n2\n", 2);
  unload("2026-10-21", "id\n3\n", 1);
  load();
  EXPECT_EQ(rows("venue"), (Lines{"3"}));
  unload("2026-10-22", "id\n4\n", 2);
  load(3);
  EXPECT_EQ(rows("venue"), (Lines{"3"}));
}

class Inventory : public DescribedFeed {
 protected:
  Inventory() { describe_as_in("s3_inventory"); }
  void inventory(const std::string& at, const std::string& content, const std::string& md5 = "",
                 const std::string& format = "CSV") {
    const std::string key = "inv/data/" + at + ".csv";
    put("all/" + key.substr(4), content);
    const std::string manifest = fmt::format(
        R"({{"sourceBucket": "shop", "destinationBucket": "arn:aws:s3:::lake", "version": "2016-11-30",
"creationTimestamp": "1792569600000", "fileFormat": "{}", "fileSchema": "Bucket, Key, Size",
"files": [{{"key": "in/all/data/{}.csv", "size": {}, "MD5checksum": "{}"}}]}})",
        format, at, content.size(), md5.empty() ? digest_hex(DigestKind::md5, content) : md5);
    put("all/" + at + "/manifest.json", manifest);
    put("all/" + at + "/manifest.checksum", digest_hex(DigestKind::md5, manifest) + "\n");
  }
};

TEST_F(Inventory, TheNewestOneIsTheTable) {
  inventory("2026-10-20T01-00Z", "\"shop\",\"a.txt\",\"10\"\n");
  inventory("2026-10-21T01-00Z", "\"shop\",\"a.txt\",\"11\"\n\"shop\",\"b.txt\",\"20\"\n");
  load();
  EXPECT_EQ(rows("all"), (Lines{"shop|a.txt|11", "shop|b.txt|20"}));
  EXPECT_EQ(query("SELECT column_name FROM duckdb_columns() WHERE table_name = 'all' AND NOT "
                  "starts_with(column_name, '_') ORDER BY column_index"),
            (Lines{"Bucket", "Key", "Size"}));
}

TEST_F(Inventory, ChecksumsAreComparedAndAnUnknownFormatIsRefused) {
  inventory("2026-10-20T01-00Z", "\"shop\",\"a.txt\",\"10\"\n", std::string(32, '0'));
  load(3);
  inventory("2026-10-20T01-00Z", "\"shop\",\"a.txt\",\"10\"\n", "", "ORC");
  const CycleReport report = load(5);
  EXPECT_NE(text(report).find("\"ORC\" is not known"), std::string::npos) << text(report);
  inventory("2026-10-20T01-00Z", "\"shop\",\"a.txt\",\"10\"\n");
  put("all/2026-10-20T01-00Z/manifest.checksum", std::string(32, '1'));
  load(3);  // for longer than the grace
  EXPECT_EQ(tables(), Lines());
}

// AWS Data Exports: one manifest a month, written again at every refresh.
TEST_F(DescribedFeed, AMonthIsReplacedWheneverItsManifestIsWrittenAgain) {
  describe_as_in("data_exports");
  const auto refresh = [&](const std::string& month, const std::string& run, int cost) {
    const std::string file = fmt::format("cur/data/BILLING_PERIOD={}/{}/cur-00001.csv", month, run);
    put(file, fmt::format("month,cost\n{},{}\n", month, cost));
    put(fmt::format("cur/metadata/BILLING_PERIOD={}/cur-Manifest.json", month),
        fmt::format(R"({{"executionId": "{}", "dataFiles": ["s3://bills/{}"]}})", run, file));
  };
  refresh("2026-09", "r1", 10);
  refresh("2026-10", "r1", 20);
  load();
  EXPECT_EQ(rows("cur"), (Lines{"2026-09|10", "2026-10|20"}));
  refresh("2026-09", "r2", 11);
  load();
  EXPECT_EQ(rows("cur"), (Lines{"2026-09|11", "2026-10|20"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

// Azure cost exports: each run has the month to date, in a folder of its own.
TEST_F(DescribedFeed, TheNewestRunOfAMonthCounts) {
  describe_as_in("azure_costs");
  const auto run = [&](const std::string& month, const std::string& at, const std::string& rows,
                       int count) {
    const std::string folder = fmt::format("daily/{}/{}/5f1c", month, at);
    const std::string content = "cost\n" + rows;
    put(folder + "/000001.csv", content);
    put(folder + "/manifest.json",
        fmt::format(R"({{"manifestVersion": "2024-04-01", "dataFormat": "Csv", "blobCount": 1,
"dataRowCount": {2}, "blobs": [{{"blobName": "{0}/000001.csv", "byteCount": {1}, "dataRowCount": {2},
"headerRowCount": 1}}]}})",
                    folder, content.size(), count));
  };
  run("20261001-20261031", "202610200300", "1\n", 1);
  run("20261001-20261031", "202610210300", "1\n2\n", 2);
  run("20260901-20260930", "202610010300", "9\n", 1);
  load();
  EXPECT_EQ(rows("daily"), (Lines{"1", "2", "9"}));
  run("20261001-20261031", "202610220300", "1\n2\n3\n", 3);
  load();
  EXPECT_EQ(rows("daily"), (Lines{"1", "2", "3", "9"}));
}

std::string md5(const std::string& text) {
  Digest digest(DigestKind::md5);
  digest.update(text);
  return digest.bytes();
}

// DynamoDB: the list of files is JSON Lines, MD5 in base64.
TEST_F(DescribedFeed, EachLineOfADocumentMayBeAnEntry) {
  describe_by(R"(about: Exports whose list of files is lines
unit:
  document: "exports/{id}/manifest-files.json"
  order: [id]
files:
  list: lines
  path: {field: dataFileS3Key, from: bucket}
  table: {text: items}
  rows: itemCount
  hash: {md5: {field: md5Checksum, form: "{base64}"}}
decode: {format: json, root: [/Item]}
effect: {clear: table, then: append}
)");
  const std::string rows_of = "{\"Item\": {\"id\": {\"S\": \"a\"}}}\n";
  put("exports/01/data/x.json", rows_of);
  const std::string line = fmt::format(
      R"({{"itemCount": 1, "md5Checksum": "{}", "dataFileS3Key": "exports/01/data/x.json"}})",
      base64_encode(md5(rows_of)));
  put("exports/01/manifest-files.json", line + "\n\n");
  load();
  EXPECT_EQ(rows("items"), (Lines{R"({"S":"a"})"}));
  put("exports/02/manifest-files.json", line + "\n{\n");
  const CycleReport report = load(3);
  EXPECT_NE(text(report).find("line 2"), std::string::npos) << text(report);
}

}  // namespace
}  // namespace forebay::test
