#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/run_fixture.h"

// Aim: rule 6 of the feed `rivet` for `mode: cdc`: the newest change of each key by its place in
// the source's log decides, whatever run brings it and when. Method: baselines and drains as
// exporters of several databases write them, loaded in process in every order.
namespace forebay::test {
namespace {

class RivetRule6 : public RunTest {
 protected:
  explicit RivetRule6(std::vector<std::pair<std::string, std::string>> more = {})
      : RunTest(with(std::move(more))) {}

  static std::vector<std::pair<std::string, std::string>> with(
      std::vector<std::pair<std::string, std::string>> more) {
    more.emplace_back("mode", "cdc");
    more.emplace_back("primary_key", "id");
    return more;
  }

  static std::string at(int hour) { return fmt::format("2026-11-30T{:02}:00:00Z", hour); }
  static ExportRun baseline(int hour, const std::string& rows) {
    return {.id = fmt::format("shop__snapshot_orders_{}", hour),
            .folder = "shop/orders/snapshot",
            .export_name = "shop__snapshot_orders",
            .family = "shop",
            .table = "orders",
            .started_at = at(hour),
            .parts = {{.rows = rows}}};
  }
  static ExportRun drain(int hour, const std::string& rows) {
    ExportRun run{.id = fmt::format("shop_{}", hour),
                  .folder = "shop/orders",
                  .export_name = "orders",
                  .family = "shop",
                  .table = "orders",
                  .started_at = at(hour),
                  .mode = "cdc",
                  .strategy = "cdc"};
    if (!rows.empty()) run.parts = {{.rows = rows}};
    return run;
  }
  // One change: operation, position, number in the transaction, key and value ("NULL" for none).
  static std::string change(const std::string& op, const std::string& pos, int seq, int id,
                            const std::string& v = "NULL") {
    return fmt::format(
        "SELECT '{}' AS __op, '{}' AS __pos, {}::BIGINT AS __seq, {} AS id, {}::INT AS v", op, pos,
        seq, id, v);
  }
  static std::string lsn(const std::string& place) { return R"({"lsn":")" + place + R"("})"; }
  static std::string binlog(int file, int pos, const std::string& server = "s1") {
    return fmt::format(R"({{"file":"binlog.{:06}","pos":{},"server_uuid":"{}"}})", file, pos,
                       server);
  }
};

TEST_F(RivetRule6, ChangesActOnTheBaseline) {
  runs_.deliver(baseline(10, "SELECT 1 AS id, 10 AS v UNION ALL SELECT 2, 20"));
  runs_.deliver(drain(11, change("update", lsn("0/10"), 0, 1, "11") + " UNION ALL " +
                              change("delete", lsn("0/20"), 0, 2) + " UNION ALL " +
                              change("insert", lsn("0/20"), 1, 3, "30")));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|11", "3|30"}));
  EXPECT_EQ(query("SELECT column_name FROM duckdb_columns() WHERE table_name = 'orders' AND "
                  "column_name NOT LIKE '\\_forebay%' ESCAPE '\\' ORDER BY column_index"),
            (Lines{"id", "v"}));
  expect_quiet();
}

// Places are numbers: 9/F < 10/0, and 999999 < 1000000 although their texts say otherwise.
TEST_F(RivetRule6, PlacesAreComparedByValue) {
  runs_.deliver(baseline(10, "SELECT 1 AS id, 0 AS v"));
  runs_.deliver(drain(11, change("update", lsn("10/0"), 0, 1, "2")));
  load();
  runs_.deliver(drain(12, change("update", lsn("9/FFFFFFFF"), 0, 1, "1")));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|2"}));
}

TEST_F(RivetRule6, FilesOfABinaryLogAreNumbered) {
  runs_.deliver(drain(11, change("insert", binlog(1000000, 4), 0, 1, "3") + " UNION ALL " +
                              change("insert", binlog(999999, 900), 0, 1, "2") + " UNION ALL " +
                              change("insert", binlog(999999, 1000), 0, 2, "7")));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|3", "2|7"}));
  runs_.deliver(drain(12, change("update", binlog(999999, 999), 9, 2, "6")));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|3", "2|7"}));
}

TEST_F(RivetRule6, HexadecimalPlacesHaveNoCase) {
  runs_.deliver(drain(11, change("insert", lsn("0000002D000000D80194"), 0, 1, "1") + " UNION ALL " +
                              change("update", lsn("0000002d000000d80195"), 0, 1, "2")));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|2"}));
}

TEST_F(RivetRule6, OtherLogsHaveFormsOfTheirOwn) {
  const auto token = [](const std::string& data) { return R"({"_data":")" + data + R"("})"; };
  runs_.deliver(drain(11, change("insert", token("826B"), 0, 1, "2") + " UNION ALL " +
                              change("insert", token("826A"), 0, 1, "1")));
  ExportRun oracle =
      drain(12, change("insert", R"({"low_water":5,"commit_scn":100})", 0, 1, "2") + " UNION ALL " +
                    change("insert", R"({"low_water":5,"commit_scn":99})", 0, 1, "1"));
  oracle.folder = "erp/bills";
  oracle.export_name = "bills";
  oracle.table = "bills";
  oracle.family = "erp";
  runs_.deliver(oracle);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|2"}));
  EXPECT_EQ(rows("bills"), (Lines{"1|2"}));
}

TEST_F(RivetRule6, APlaceOfNoKnownFormIsRefused) {
  runs_.deliver(drain(11, change("insert", R"({"offset":1})", 0, 1, "1")));
  load(5);
  EXPECT_FALSE(exists("orders"));
}

TEST_F(RivetRule6, AnUnknownOperationIsRefused) {
  runs_.deliver(drain(11, change("truncate", lsn("0/1"), 0, 1, "1")));
  load(5);
  EXPECT_FALSE(exists("orders"));
}

// A baseline that was anchored in the log beats what is older, and loses to what is not.
TEST_F(RivetRule6, AnAnchoredBaselineRanksByItsAnchor) {
  runs_.deliver(drain(12, change("insert", binlog(1, 100), 0, 1, "1") + " UNION ALL " +
                              change("insert", binlog(1, 300), 0, 2, "3")));
  load();
  const std::string anchor = binlog(1, 200);
  runs_.deliver(
      baseline(10, fmt::format("SELECT 1 AS id, 2 AS v, '{0}' AS __pos, -1::BIGINT AS __seq "
                               "UNION ALL SELECT 2, 2, '{0}', -1 UNION ALL SELECT 3, 2, "
                               "'{0}', -1",
                               anchor)));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|2", "2|3", "3|2"}));
}

// What the drains changed is not undone by a baseline that is seen late.
TEST_F(RivetRule6, ABaselineWithoutAnAnchorIsBelowAllChanges) {
  runs_.deliver(drain(11, change("delete", lsn("0/20"), 0, 2) + " UNION ALL " +
                              change("update", lsn("0/10"), 0, 1, "11")));
  load();
  runs_.deliver(
      baseline(10, "SELECT 1 AS id, 10 AS v UNION ALL SELECT 2, 20 UNION ALL SELECT 3, 30"));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|11", "3|30"}));
}

TEST_F(RivetRule6, ASecondBaselineUnderATableThatStandsIsRefused) {
  runs_.deliver(baseline(10, "SELECT 1 AS id, 10 AS v"));
  runs_.deliver(drain(11, change("update", lsn("0/10"), 0, 1, "11")));
  load();
  runs_.deliver(baseline(12, "SELECT 1 AS id, 12 AS v"));
  const CycleReport report = load(5);
  ASSERT_TRUE(report.error);
  EXPECT_NE(report.error->hint.find("reset"), std::string::npos) << text(report);
  EXPECT_EQ(rows("orders"), (Lines{"1|11"}));
}

// In a new database it is the beginning, and what is older is history.
TEST_F(RivetRule6, TheNewestBaselineBeginsANewTable) {
  runs_.deliver(baseline(10, "SELECT 1 AS id, 10 AS v UNION ALL SELECT 2, 20"));
  runs_.deliver(drain(11, change("update", lsn("0/10"), 0, 1, "11")));
  runs_.deliver(baseline(12, "SELECT 1 AS id, 12 AS v"));
  runs_.deliver(drain(13, change("insert", lsn("0/20"), 0, 3, "13")));
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|12", "3|13"}));
  EXPECT_EQ(query("SELECT unit FROM _forebay.units WHERE state = 'superseded' ORDER BY unit"),
            (Lines{"shop/orders/shop_11", "shop/orders/snapshot/shop__snapshot_orders_10"}));
  expect_quiet();
}

TEST_F(RivetRule6, AnotherServerIsRefused) {
  runs_.deliver(drain(11, change("insert", binlog(1, 100, "a"), 0, 1, "1")));
  load();
  runs_.deliver(drain(12, change("insert", binlog(1, 200, "b"), 0, 1, "2")));
  load(5);
  EXPECT_EQ(rows("orders"), (Lines{"1|1"}));
}

// Rule 2: a drain that dies leaves a copy without _SUCCESS, and its rows never come again.
TEST_F(RivetRule6, ADrainIsLoadableWithoutItsFlag) {
  const ExportRun run = drain(11, change("insert", lsn("0/10"), 0, 1, "1"));
  runs_.write_parts(run);
  runs_.write_copy(run);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|1"}));
}

// Rule 5: a drain's manifest grows under its run id; only what is new is read.
TEST_F(RivetRule6, ADrainGrows) {
  ExportRun run = drain(11, change("insert", lsn("0/10"), 0, 1, "1"));
  runs_.deliver(run);
  load();
  run.parts.push_back({.rows = change("update", lsn("0/20"), 0, 1, "2")});
  runs_.deliver(run);
  EXPECT_EQ(load().files, 1U);
  EXPECT_EQ(rows("orders"), (Lines{"1|2"}));
  EXPECT_EQ(query("SELECT count(*) FROM _forebay.files"), (Lines{"2"}));
}

// At-least-once: what comes again changes nothing.
TEST_F(RivetRule6, ChangesThatComeAgainChangeNothing) {
  runs_.deliver(drain(11, change("insert", lsn("0/10"), 0, 1, "1") + " UNION ALL " +
                              change("delete", lsn("0/20"), 0, 1)));
  load();
  runs_.deliver(drain(12, change("insert", lsn("0/10"), 0, 1, "1")));
  load();
  EXPECT_EQ(rows("orders"), (Lines{}));
}

TEST_F(RivetRule6, ADrainWithoutChangesIsRecorded) {
  runs_.deliver(drain(11, ""));
  EXPECT_EQ(load().units.applied, 1U);
  EXPECT_FALSE(exists("orders"));
  expect_quiet();
}

TEST_F(RivetRule6, WithoutAKeyItIsRefusedAndTheColumnsAreNamed) {
  pipeline_.settings.options = {{"mode", "cdc"}};
  runs_.deliver(drain(11, change("insert", lsn("0/10"), 0, 1, "1")));
  const CycleReport report = load(5);
  ASSERT_TRUE(report.error);
  EXPECT_NE(report.error->hint.find("id, v"), std::string::npos) << text(report);
}

class RivetHistory : public RivetRule6 {
 protected:
  RivetHistory() : RivetRule6({{"keep", "both"}}) {}
};

TEST_F(RivetHistory, KeepsEachChangeOnce) {
  runs_.deliver(baseline(10, "SELECT 1 AS id, 10 AS v"));
  load();
  runs_.deliver(drain(11, change("update", lsn("0/10"), 0, 1, "11") + " UNION ALL " +
                              change("delete", lsn("0/10"), 1, 1)));
  load();
  runs_.deliver(drain(12, change("update", lsn("0/10"), 0, 1, "11")));
  load();
  EXPECT_EQ(rows("orders"), (Lines{}));
  EXPECT_EQ(query("SELECT id, v, __op, __pos, __seq, _forebay_op FROM raw.orders__history ORDER BY "
                  "__seq NULLS FIRST"),
            (Lines{"1|10|null|null|null|put", R"(1|11|update|{"lsn":"0/10"}|0|put)",
                   R"(1|null|delete|{"lsn":"0/10"}|1|delete)"}));
}

// Rule 5: what a part brought that became superseded leaves the history as well, but for what
// other files had brought too.
TEST_F(RivetHistory, APartThatBecameSupersededIsTakenBack) {
  runs_.deliver(baseline(10, "SELECT 1 AS id, 10 AS v UNION ALL SELECT 2, 20"));
  runs_.deliver(drain(11, change("update", lsn("0/10"), 0, 1, "11")));
  load();
  ExportRun repaired = drain(12, change("update", lsn("0/10"), 0, 1, "11") + " UNION ALL " +
                                     change("update", lsn("0/20"), 0, 1, "12") + " UNION ALL " +
                                     change("delete", lsn("0/20"), 1, 2));
  repaired.parts.push_back({.rows = change("insert", lsn("0/30"), 0, 3, "30")});
  runs_.deliver(repaired);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|12", "3|30"}));
  repaired.parts[0].status = "superseded";
  repaired.parts.push_back({.rows = change("update", lsn("0/21"), 0, 2, "22")});
  runs_.deliver(repaired);
  load();
  EXPECT_EQ(rows("orders"), (Lines{"1|11", "2|22", "3|30"}));
  EXPECT_EQ(query("SELECT id, v, __pos, _forebay_op FROM raw.orders__history ORDER BY id, __pos "
                  "NULLS FIRST"),
            (Lines{"1|10|null|put", R"(1|11|{"lsn":"0/10"}|put)", "2|20|null|put",
                   R"(2|22|{"lsn":"0/21"}|put)", R"(3|30|{"lsn":"0/30"}|put)"}));
  expect_quiet();
}

class RivetAppendOnly : public RunTest {
 protected:
  RivetAppendOnly() : RunTest({{"mode", "cdc"}, {"append_only", "true"}}) {}
};

TEST_F(RivetAppendOnly, KeepsEachPlaceOnce) {
  const auto change = [](const std::string& op, int pos, int seq, int id) {
    return fmt::format(
        "SELECT '{}' AS __op, '{{\"lsn\":\"0/{}\"}}' AS __pos, {}::BIGINT AS __seq, {} "
        "AS id",
        op, pos, seq, id);
  };
  const auto drain = [](int number, const std::string& rows) {
    return ExportRun{.id = fmt::format("shop_{}", number),
                     .folder = "orders",
                     .export_name = "orders",
                     .family = "shop",
                     .table = "orders",
                     .started_at = fmt::format("2026-11-30T{:02}:00:00Z", number),
                     .mode = "cdc",
                     .strategy = "cdc",
                     .parts = {{.rows = rows}}};
  };
  ExportRun baseline = drain(10, "SELECT 1 AS id UNION ALL SELECT 1");
  baseline.mode = "batch";
  baseline.strategy = "full";
  baseline.folder = "orders/snapshot";
  runs_.deliver(baseline);
  runs_.deliver(drain(11, change("update", 10, 0, 1) + " UNION ALL " + change("update", 10, 1, 1) +
                              " UNION ALL " + change("update", 10, 1, 1)));
  load();
  runs_.deliver(drain(12, change("update", 10, 1, 1) + " UNION ALL " + change("delete", 20, 0, 1)));
  load();
  EXPECT_EQ(query("SELECT __op, __seq, id FROM raw.orders ORDER BY __pos NULLS FIRST, __seq"),
            (Lines{"null|null|1", "null|null|1", "update|0|1", "update|1|1", "delete|0|1"}));
  expect_quiet();
}

}  // namespace
}  // namespace forebay::test
