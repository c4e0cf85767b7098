#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/files_feed_fixture.h"
#include "support/parquet_bytes.h"
#include "support/parquet_maker.h"

// Aim: the feed `files`, plainly used: each object is loaded once, a bad one is set aside while the
// others are loaded, and what is no data is left alone (EMPTY-1, EMPTY-4, OVER-1, MISS-8, MISS-10).
// Method: objects in a folder, loaded in process; the clock stands an hour after they were written.
namespace forebay::test {
namespace {

class FilesFeed : public FilesTest {
 protected:
  FilesFeed() { wait_until_all_settled(); }

  Lines units() const {
    return query("SELECT unit, state FROM _forebay.units ORDER BY commit_no, rowid");
  }
};

TEST_F(FilesFeed, AppendsEachObjectOnce) {
  put_file("a.parquet", "SELECT 1 AS n, 'x' AS t");
  put_file("dt=2026-10-20/b.parquet", "SELECT 2 AS n, 'y' AS t UNION ALL SELECT 2, 'y'");
  EXPECT_EQ(load().units.applied, 2U);
  EXPECT_EQ(rows(), (Lines{"1|x", "2|y", "2|y"}));
  put_file("0-late.parquet", "SELECT 0 AS n, 'late' AS t");
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows(), (Lines{"0|late", "1|x", "2|y", "2|y"}));
  EXPECT_EQ(query("SELECT count(DISTINCT _forebay_file) FROM main.events"), (Lines{"3"}));
}

// The engine itself does not look at the checksums of pages (CORR-1).
TEST_F(FilesFeed, ABitThatFlippedInAPageIsFoundByItsChecksum) {
  const std::string numbers("\x07\0\0\0\x08\0\0\0", 8);
  const std::string sound = file_of(page({numbers, 2}), 2);
  std::string flipped = sound;
  flipped[sound.find(numbers)] ^= 1;
  write_file(folder_ / "in/a.parquet", flipped);
  const CycleReport report = load(3);
  EXPECT_THAT(report.error->cause, ::testing::HasSubstr("checksum"));
  EXPECT_EQ(units(), (Lines{"a.parquet|quarantined"}));
  write_file(folder_ / "in/a.parquet", sound);
  load();
  EXPECT_EQ(rows(), (Lines{"7", "8"}));
}

// Packed bytes that do not unpack have no type of their own among the engine's errors.
TEST_F(FilesFeed, PackedBytesThatDoNotUnpackAreDamageAndTheOthersAreLoaded) {
  for (const char* name : {"a", "b", "c"})
    make_parquet(folder_ / fmt::format("in/{}.parquet", name),
                 fmt::format("SELECT range AS n, '{}' || range AS t FROM range(50)", name),
                 "COMPRESSION gzip");
  std::string bytes = read_file(folder_ / "in/b.parquet");
  const std::size_t packed = bytes.find("\x1f\x8b\x08");
  ASSERT_NE(packed, std::string::npos);
  bytes.replace(packed + 12, 8, 8, '\xff');
  write_file(folder_ / "in/b.parquet", bytes);
  const CycleReport report = load(3);
  EXPECT_EQ(report.error->code, ErrorCode::damaged) << describe(*report.error);
  EXPECT_EQ(report.units.quarantined, 1U);
  EXPECT_EQ(query("SELECT left(t, 1), count(*) FROM main.events GROUP BY ALL ORDER BY ALL"),
            (Lines{"a|50", "c|50"}));
}

TEST_F(FilesFeed, AValueThatDoesNotFitIsDriftAlsoWhereRowsAreOnlyAppended) {
  put_file("a.parquet", "SELECT 1::BIGINT AS n");
  load();
  put_file("b.parquet", "SELECT 1.5::DOUBLE AS n");
  put_file("c.parquet", "SELECT 3.0::DOUBLE AS n");
  const CycleReport report = load(4);
  EXPECT_EQ(report.units.quarantined, 1U);
  EXPECT_EQ(rows(), (Lines{"1", "3"}));
}

TEST_F(FilesFeed, ANameThatIsNoTextIsLeftOutWithAWarningAndTheOthersAreLoaded) {
  put_file("a.parquet", "SELECT 1 AS n");
  std::filesystem::copy_file(folder_ / "in/a.parquet", folder_ / "in/b\xff\xfe.parquet");
  const CycleReport report = load();
  EXPECT_EQ(report.units.applied, 1U);
  EXPECT_TRUE(warns(report, "is no UTF-8"));
  EXPECT_EQ(rows(), (Lines{"1"}));
}

TEST_F(FilesFeed, AnIdleCycleLoadsNothing) {
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  for (int i = 0; i < 2; ++i) {
    const CycleReport report = load();
    EXPECT_EQ(report.outcome, Outcome::nothing_new);
    EXPECT_EQ(report.units.already_applied, 1U);
    EXPECT_EQ(report.requests.get + report.requests.head, 0U);
  }
  EXPECT_EQ(rows(), (Lines{"1"}));
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.commits"), (Lines{"1"}));
}

TEST_F(FilesFeed, ABadObjectIsQuarantinedAndTheOthersAreLoaded) {
  put_file("a.parquet", "SELECT 1 AS n");
  folder_.write("in/b.parquet", "not Parquet at all");
  put_file("c.parquet", "SELECT 3 AS n");
  const CycleReport report = load(3);
  EXPECT_EQ(report.units.applied, 2U);
  EXPECT_EQ(report.units.quarantined, 1U);
  EXPECT_EQ(rows(), (Lines{"1", "3"}));
  EXPECT_EQ(query("SELECT unit, state, reason <> '' FROM _forebay.units WHERE state <> 'applied'"),
            (Lines{"b.parquet|quarantined|true"}));
  EXPECT_EQ(load(0).outcome, Outcome::nothing_new) << "it was told once";
}

// CORR-4
TEST_F(FilesFeed, ANewVersionOfAQuarantinedObjectIsTriedByItself) {
  folder_.write("in/b.parquet", "not Parquet at all");
  load(3);
  put_file("b.parquet", "SELECT 2 AS n");
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows(), (Lines{"2"}));
}

// DRIFT-6: one of them shares no column with the table.
TEST_F(FilesFeed, AnObjectWhoseColumnsDriftIsQuarantinedAndTheOthersAreLoaded) {
  put_file("a.parquet", "SELECT 1 AS n");
  put_file("b.parquet", "SELECT 'two' AS n");
  put_file("c.parquet", "SELECT 3 AS n");
  put_file("d.parquet", "SELECT 4 AS other");
  const CycleReport report = load(4);
  EXPECT_EQ(report.units.applied, 2U);
  EXPECT_EQ(report.units.quarantined, 2U);
  EXPECT_EQ(rows(), (Lines{"1", "3"}));
}

TEST_F(FilesFeed, AChangedObjectIsReportedAndItsOldRowsStay) {
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  put_file("a.parquet", "SELECT 10 AS n UNION ALL SELECT 11");
  const CycleReport report = load();
  EXPECT_EQ(report.changed_since_applied, 1U);
  EXPECT_TRUE(warns(report, "changed since it was applied")) << text(report);
  EXPECT_EQ(rows(), (Lines{"1"}));
  EXPECT_EQ(load().changed_since_applied, 0U) << "each version is told once";
}

TEST_F(FilesFeed, TheSameBytesWrittenAgainAreNothingNew) {
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  put_file("a.parquet", "SELECT 1 AS n");
  EXPECT_EQ(load().changed_since_applied, 0U);
  EXPECT_EQ(units(), (Lines{"a.parquet|applied", "a.parquet|ignored"}));
  EXPECT_EQ(rows(), (Lines{"1"}));
}

// Packed otherwise and in another order: bytes differ, rows do not. By every policy nothing is new.
TEST_F(FilesFeed, TheSameRowsInOtherBytesAreNothingNew) {
  for (const char* policy : {"warn", "replace", "append", "stop"}) {
    SCOPED_TRACE(policy);
    pipeline_.settings.name = policy;
    pipeline_.settings.options = {{"table", policy}, {"on_rewrite", policy}};
    put_file("a.parquet",
             "SELECT 1 AS n, 'x' AS t UNION ALL SELECT 1, 'x' UNION ALL SELECT 2, NULL");
    load();
    make_parquet(folder_ / "in/a.parquet",
                 "SELECT 2 AS n, NULL::TEXT AS t UNION ALL SELECT 1, 'x' UNION ALL SELECT 1, 'x'",
                 "COMPRESSION gzip");
    const CycleReport report = load();
    EXPECT_EQ(report.changed_since_applied, 0U);
    EXPECT_EQ(report.units.applied, 0U);
    EXPECT_EQ(query(fmt::format("SELECT n, t FROM main.{} ORDER BY n", policy)),
              (Lines{"1|x", "1|x", "2|null"}));
    EXPECT_EQ(query(fmt::format("SELECT state FROM _forebay.units WHERE pipeline = '{}' "
                                "ORDER BY commit_no",
                                policy)),
              (Lines{"applied", "ignored"}));
    // One row fewer of the two that are equal, one of another instead: other content.
    put_file("a.parquet",
             "SELECT 1 AS n, 'x' AS t UNION ALL SELECT 2, NULL UNION ALL SELECT 2, NULL");
    load(std::string(policy) == "stop" ? 5 : 0);
    EXPECT_EQ(query(fmt::format("SELECT count(*) FROM _forebay.units WHERE pipeline = '{}' "
                                "AND state = 'ignored'",
                                policy)),
              (Lines{std::string(policy) == "warn" ? "2" : "1"}));
  }
}

// OVER-5
TEST_F(FilesFeed, ReplaceTakesTheOldRowsOfAChangedObjectBack) {
  pipeline_.settings.options.emplace_back("on_rewrite", "replace");
  put_file("a.parquet", "SELECT 1 AS n UNION ALL SELECT 2");
  put_file("b.parquet", "SELECT 2 AS n");
  load();
  put_file("a.parquet", "SELECT 3 AS n");
  load();
  EXPECT_EQ(rows(), (Lines{"2", "3"}));
  EXPECT_EQ(query("SELECT state, count(*) FROM _forebay.files GROUP BY 1 ORDER BY 1"),
            (Lines{"live|2", "retracted|1"}));
}

TEST_F(FilesFeed, AppendAddsTheRowsOfAChangedObject) {
  pipeline_.settings.options.emplace_back("on_rewrite", "append");
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  put_file("a.parquet", "SELECT 2 AS n");
  load();
  EXPECT_EQ(rows(), (Lines{"1", "2"}));
}

TEST_F(FilesFeed, StopSetsAChangedObjectAsideOnce) {
  pipeline_.settings.options.emplace_back("on_rewrite", "stop");
  put_file("a.parquet", "SELECT 1 AS n");
  load();
  put_file("a.parquet", "SELECT 2 AS n");
  put_file("b.parquet", "SELECT 3 AS n");
  load(5);
  EXPECT_EQ(rows(), (Lines{"1", "3"}));
  load(0);
}

// EMPTY-6: what is left alone is counted and named.
TEST_F(FilesFeed, WhatIsNoDataIsLeftAlone) {
  put_file("a.parquet", "SELECT 1 AS n");
  put_file("_temporary/b.parquet", "SELECT 2 AS n");
  put_file(".hidden.parquet", "SELECT 3 AS n");
  put_file("_c.parquet", "SELECT 4 AS n");
  folder_.write("in/empty.parquet", "");
  folder_.write("in/_SUCCESS", "");
  folder_.write("in/readme.txt", "text");
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows(), (Lines{"1"}));
}

// EMPTY-2
// EMPTY-6: applied with no rows, and not refused or skipped.
TEST_F(FilesFeed, AnObjectWithoutRowsIsRecorded) {
  put_file("a.parquet", "SELECT 1 AS n LIMIT 0");
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_EQ(rows(), Lines{});
  EXPECT_EQ(units(), (Lines{"a.parquet|applied"}));
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
}

TEST_F(FilesFeed, OddKeysAreKeysAndNothingElse) {
  Lines expected;
  int n = 0;
  for (const char* key :
       {"a b+c%20%2B.parquet", "k=v/[x]*?.parquet", "quote'\".parquet", "ü/é.parquet",
        "semi;DROP TABLE events.parquet", "back\\slash.parquet", "{brace}.parquet"}) {
    put_file("plain.tmp", "SELECT " + std::to_string(++n) + " AS n");
    const std::string path = folder_ / (std::string("in/") + key);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::filesystem::rename(folder_ / "in/plain.tmp", path);
    expected.push_back(std::to_string(n));
  }
  EXPECT_EQ(load().units.applied, expected.size());
  EXPECT_EQ(rows(), expected);
  EXPECT_EQ(load().units.already_applied, expected.size());
}

TEST_F(FilesFeed, WithAKeyAndNoVersionItIsAConfigurationError) {
  pipeline_.settings.options.emplace_back("primary_key", "n");
  put_file("a.parquet", "SELECT 1 AS n");
  load(1);
}

// KEY-3: FEEDS 2.3 rule 1.
TEST_F(FilesFeed, WithAKeyAndAVersionTheNewestRowOfAKeyStandsWhateverComesLast) {
  pipeline_.settings.options.emplace_back("primary_key", "id");
  pipeline_.settings.options.emplace_back("version", "v");
  put_file("b.parquet", "SELECT 1 AS id, 5 AS v, 'five' AS t UNION ALL SELECT 1, 2, 'two'");
  load();
  put_file("c.parquet", "SELECT 1 AS id, 4 AS v, 'four' AS t UNION ALL SELECT 2, 1, 'one'");
  load();
  EXPECT_EQ(rows(), (Lines{"1|5|five", "2|1|one"}));
  put_file("a.parquet", "SELECT 1 AS id, 6 AS v, 'six' AS t");
  load();
  EXPECT_EQ(rows(), (Lines{"1|6|six", "2|1|one"}));
}

TEST_F(FilesFeed, AnEmptyFolderIsNothingNewAndAMissingOneAnError) {
  EXPECT_EQ(load().outcome, Outcome::nothing_new);
  pipeline_.settings.source = folder_ / "not there";
  load(1);
}

}  // namespace
}  // namespace forebay::test
