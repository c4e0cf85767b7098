// Aim: what a manifest says of its run as a whole: name, place, table, part, readiness, gates.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/digest.h"
#include "feed/unit.h"
#include "support/feeds.h"

namespace forebay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Readiness = UnitContent::Readiness;

constexpr std::string_view kManifest = R"({
  "manifest_version": 1, "run_id": "r#1", "export_name": "shop#0", "mode": "batch",
  "started_at": "2026-11-30T10:00:00.123456789+00:00", "status": "success",
  "source": {"table": null},
  "row_count": 3, "part_count": 1,
  "parts": [
    {"part_id": 1, "path": "a.parquet", "rows": 3, "size_bytes": 9,
     "content_fingerprint": "xxh3:df9c53f4fc070b1b", "content_md5": "yqZVziu4bFBDAfRBSi3Yiw==",
     "status": "committed"},
    {"part_id": 2, "path": "b.parquet", "rows": 4, "size_bytes": 9, "content_fingerprint": "",
     "content_md5": "", "status": "superseded"}]})";

std::string with(std::string_view from, std::string_view to) {
  std::string text(kManifest);
  const std::size_t at = text.find(from);
  if (at == text.npos) throw std::runtime_error("not in the manifest");
  return text.replace(at, from.size(), to);
}

Result<UnitContent> read(std::string_view bytes) {
  static const Feed feed = test::builtin("rivet", test::options({{"mode", "full"}}));
  static const UnitName unit = **name_unit(feed, "x/y/manifest-r-1.json");
  return read_document(feed, {}, unit, bytes);
}

std::string error(std::string_view bytes) {
  const auto content = read(bytes);
  return content ? "none" : content.error().cause;
}

TEST(DocumentRun, SaysWhatItIs) {
  const auto content = read(kManifest);
  ASSERT_TRUE(content) << describe(content.error());
  EXPECT_EQ(content->name, "x/y/r#1");
  EXPECT_EQ(content->table, "shop");
  EXPECT_EQ(content->part, "shop\nshop\nshop");
  EXPECT_EQ(content->document_version, digest_hex(DigestKind::xxh3_64, kManifest));
  EXPECT_EQ(content->readiness, Readiness::load);
  EXPECT_THAT(content->gates, ElementsAre(0U));
  ASSERT_EQ(content->files.size(), 1U) << "only what is committed";
  EXPECT_EQ(content->files[0].key, "x/y/a.parquet");
  EXPECT_EQ(content->files[0].fingerprint(),
            "xxh3_64:df9c53f4fc070b1b md5:caa655ce2bb86c504301f4414a2dd88b");
}

TEST(DocumentRun, ALaterStartIsALaterPlace) {
  const auto later = read(with(":00.123456789", ":00.2"));
  const auto early = read(kManifest);
  ASSERT_TRUE(later && early);
  EXPECT_LT(early->place, later->place);
}

TEST(DocumentRun, TheTableIsTheSourcesWithItsSchemaBeforeIt) {
  const auto content = read(with("\"table\": null", "\"table\": \"sales.orders\""));
  ASSERT_TRUE(content);
  EXPECT_EQ(content->table, "sales_orders");
}

TEST(DocumentRun, WhatIsNotReadyIsNotReadFurther) {
  const auto running = read(with("\"success\"", "\"running\""));
  ASSERT_TRUE(running);
  EXPECT_EQ(running->readiness, Readiness::wait);
  EXPECT_TRUE(running->files.empty());
  const auto failed = read(with("\"success\"", "\"failed\""));
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->readiness, Readiness::skip);
  EXPECT_EQ(failed->why, "/status is \"failed\"");
  EXPECT_THAT(error(with("\"success\"", "\"odd\"")), HasSubstr("which this feed does not know"));
}

TEST(DocumentRun, TheGateAsksAboutBatchRunsOnly) {
  EXPECT_EQ(read(with("\"mode\": \"batch\"", "\"mode\": null"))->gates.size(), 1U);
  EXPECT_THAT(error(with("\"batch\"", "\"cdc\"")), HasSubstr("/mode is \"cdc\""));
}

TEST(DocumentRun, MustAgreeWithItself) {
  EXPECT_THAT(error(with("\"row_count\": 3", "\"row_count\": 7")), HasSubstr("are 3"));
  EXPECT_THAT(error(with("\"part_count\": 1", "\"part_count\": 2")), HasSubstr("are 1"));
  EXPECT_THAT(error(with("\"part_id\": 2", "\"part_id\": 1")), HasSubstr("two entries"));
  EXPECT_THAT(error(with("df9c53f4fc070b1b", "DF9C53F4FC070B1B")), HasSubstr("must be like"));
}

TEST(DocumentRun, NeedsItsNameAndItsTime) {
  EXPECT_THAT(error(with("\"run_id\": \"r#1\"", "\"run_id\": \"\"")), HasSubstr("/run_id"));
  EXPECT_THAT(error(with("2026-11-30T", "2026-11-31T")), HasSubstr("/started_at must be a time"));
}

}  // namespace
}  // namespace forebay
