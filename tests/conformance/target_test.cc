// Aim: what target.h promises holds for every kind of target: each effect on rows, all or nothing,
// the fence, and a ledger that says what was done.
// Method: batches made by hand, the same for each target, and a look at the database by other
// means.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/target_place.h"

namespace forebay {
namespace {

using test::TargetPlace;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Time kNow{std::chrono::seconds(1'800'000'000)};

struct Kind {
  const char* name;
  test::MakeTargetPlace make;
};

// A row of a delta: key, value, and whether it deletes.
struct Line {
  std::string key;
  int value = 0;
  bool deletes = false;
};

class TargetConformanceTest : public ::testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<Target> open(TargetMode mode = TargetMode::write) {
    auto target = place_->open(mode);
    EXPECT_TRUE(target) << describe(target.error());
    return target ? std::move(*target) : nullptr;
  }

  TableName table(const std::string& name = "t") const { return {place_->schema(), name}; }

  // What brings these rows as a file: a put of each key's last action where `key` says so.
  TableChange change(std::int64_t file_id, const std::vector<Line>& lines, bool create,
                     std::vector<std::string> key = {"k"}) const {
    TableChange change{.table = table(), .create = create};
    change.columns = {{"k", {.kind = TypeKind::text}}, {"v", {.kind = TypeKind::int32}}};
    change.key = std::move(key);
    std::vector<std::string> rows;
    std::uint64_t deletes = 0;
    for (const Line& line : lines) {
      rows.push_back(fmt::format("('{}', {}::INTEGER, {}::BIGINT, {}, 0::BIGINT)", line.key,
                                 line.deletes ? "NULL" : fmt::format("{}", line.value), file_id,
                                 line.deletes));
      deletes += line.deletes ? 1 : 0;
    }
    if (lines.empty()) return change;
    change.delta = {.kind = change.key.empty() ? Delta::Kind::append : Delta::Kind::put,
                    .rows = fmt::format("(SELECT * FROM (VALUES {}) r(k, v, _forebay_file, "
                                        "_forebay_delete, _forebay_rank))",
                                        fmt::join(rows, ", ")),
                    .read = lines.size(),
                    .puts = lines.size() - deletes,
                    .deletes = deletes};
    return change;
  }

  static UnitEntry unit(std::int64_t id, UnitState state = UnitState::applied) {
    return {.unit = fmt::format("u{}", id),
            .version = fmt::format("v{}", id),
            .kind = "file",
            .state = state,
            .files = 1,
            .rows = 2,
            .unit_time = kNow,
            .place = fmt::format("\x01u{}", id),
            .digest = "d"};
  }

  static FileEntry file(std::int64_t id, const TableName& table) {
    return {.file_id = id,
            .unit = fmt::format("u{}", id),
            .store_key = fmt::format("k{}", id),
            .size = 9,
            .etag = fmt::format("e{}", id),
            .last_modified = kNow,
            .checksum = fmt::format("c{}", id),
            .table = table,
            .rows = 2,
            .place = fmt::format("\x01u{}", id)};
  }

  Batch batch(std::int64_t commit_no, std::int64_t file_id, TableChange change,
              std::string pipeline = "p") const {
    Batch batch{.pipeline = std::move(pipeline),
                .commit_no = commit_no,
                .decided_at = kNow,
                .mark = "name u",
                .mark_name = "u",
                .mark_place = std::string("\x01\0u'\xff", 5),
                .mark_time = kNow,
                .last_file_id = file_id};
    batch.units.push_back(unit(file_id));
    batch.files.push_back(file(file_id, change.table));
    if (change.create)
      batch.facts.push_back({.name = "table", .subject = change.table.display(), .value = "made"});
    batch.tables.push_back(std::move(change));
    return batch;
  }

  static TableCounts apply(Target& target, const Batch& batch) {
    const auto applied = target.apply(batch);
    EXPECT_TRUE(applied) << describe(applied.error());
    return applied ? applied->tables.at(batch.tables.front().table.display()) : TableCounts{};
  }

  std::string rows() { return place_->rows({"k", "v"}, table().display()); }
  std::string states() { return place_->rows({"file_id", "state"}, "_forebay.files"); }
  std::string gone() {
    return place_->rows({"k"}, fmt::format("_forebay.\"{}__gone\"", table().display()));
  }

  std::unique_ptr<TargetPlace> place_ = GetParam().make();
};

TEST_P(TargetConformanceTest, AnEmptyDatabaseReadsAsEmpty) {
  const auto target = open(TargetMode::read);
  const auto head = target->head("p");
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(head->commit_no, 0);
  EXPECT_EQ(head->next_file_id, 1);
  EXPECT_THAT(target->known("p", {"u1"}).value(), IsEmpty());
  const auto states = target->describe("p", {table()});
  ASSERT_TRUE(states) << describe(states.error());
  EXPECT_FALSE(states->at(0).exists);
}

TEST_P(TargetConformanceTest, RowsAndEntriesCommitTogether) {
  auto target = open();
  const TableCounts counts = apply(*target, batch(1, 1, change(1, {{"a", 1}, {"b", 2}}, true)));
  EXPECT_EQ(counts.inserted, 2U);
  EXPECT_EQ(counts.rows_after, 2U);
  const auto head = target->head("p");
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(head->commit_no, 1);
  EXPECT_EQ(head->mark_place, std::string("\x01\0u'\xff", 5));
  EXPECT_EQ(head->mark_time, kNow);
  EXPECT_EQ(head->next_file_id, 2);
  EXPECT_EQ(head->first_seen, kNow);
  ASSERT_THAT(head->facts, SizeIs(1));
  EXPECT_EQ(head->facts[0].subject, table().display());
  const auto known = target->known("p", {"nobody", "u1"});
  ASSERT_TRUE(known) << describe(known.error());
  ASSERT_THAT(*known, SizeIs(1));
  EXPECT_EQ(known->at(0).version, "v1");
  EXPECT_EQ(known->at(0).place, "\x01u1");
  EXPECT_TRUE(known->at(0).applied);
  const auto state = target->describe("p", {table()}).value().at(0);
  EXPECT_EQ(state.owner, "p");
  EXPECT_EQ(state.rows, 2U);
  EXPECT_THAT(state.columns, ElementsAre(Column{"k", {.kind = TypeKind::text}},
                                         Column{"v", {.kind = TypeKind::int32}}));
  target.reset();
  EXPECT_EQ(rows(), "a|1,b|2");
  EXPECT_EQ(states(), "1|live");
  EXPECT_THAT(place_->rows({"tables"}, "_forebay.commits"), HasSubstr("\"inserted\":2"));
}

TEST_P(TargetConformanceTest, RowsWithoutAKeyAppend) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"a", 1}}, true, {})));
  const TableCounts counts = apply(*target, batch(2, 2, change(2, {{"a", 1}}, false, {})));
  EXPECT_EQ(counts.inserted, 1U);
  EXPECT_EQ(counts.rows_after, 3U);
  target.reset();
  EXPECT_EQ(place_->rows({"k", "v", "_forebay_file"}, table().display()), "a|1|1,a|1|1,a|1|2");
}

TEST_P(TargetConformanceTest, APutReplacesADeleteBuriesAndAPutBringsBack) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"b", 2}, {"c", 3}}, true)));
  const TableCounts counts =
      apply(*target,
            batch(2, 2, change(2, {{"a", 10}, {"b", 0, true}, {"x", 0, true}, {"d", 4}}, false)));
  EXPECT_EQ(counts.inserted, 1U);
  EXPECT_EQ(counts.updated, 1U);
  EXPECT_EQ(counts.deleted, 1U);
  EXPECT_EQ(counts.ignored.at("unknown_key"), 1U);
  target.reset();
  EXPECT_EQ(rows(), "a|10,c|3,d|4");
  EXPECT_EQ(gone(), "b,x");
  target = open();
  apply(*target, batch(3, 3, change(3, {{"b", 5}}, false)));
  target.reset();
  EXPECT_EQ(rows(), "a|10,b|5,c|3,d|4");
  EXPECT_EQ(gone(), "x");
}

TEST_P(TargetConformanceTest, ASnapshotReplacesRowsAndRetractsFiles) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"b", 0, true}}, true)));
  TableChange next = change(2, {{"c", 3}}, false);
  next.clear = true;
  next.clear_place = "\x01u2";
  next.clear_below_file = 2;
  const TableCounts counts = apply(*target, batch(2, 2, next));
  EXPECT_EQ(counts.deleted, 1U);
  EXPECT_EQ(counts.inserted, 1U);
  EXPECT_EQ(target->describe("p", {table()}).value().at(0).cleared_place, "\x01u2");
  target.reset();
  EXPECT_EQ(rows(), "c|3");
  EXPECT_EQ(gone(), "");
  EXPECT_EQ(states(), "1|retracted,2|live");
}

TEST_P(TargetConformanceTest, ASnapshotMayBringNothing) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  TableChange next = change(2, {}, false);
  next.clear = true;
  next.clear_place = "\x01u2";
  next.clear_below_file = 2;
  EXPECT_EQ(apply(*target, batch(2, 2, next)).rows_after, 0U);
  target.reset();
  EXPECT_EQ(rows(), "");
}

TEST_P(TargetConformanceTest, FilesAreTakenBackWithRowsAndTombstones) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  apply(*target, batch(2, 2, change(2, {{"b", 2}, {"c", 0, true}}, false)));
  TableChange next = change(3, {{"d", 4}}, false);
  next.retract = {2};
  EXPECT_EQ(apply(*target, batch(3, 3, next)).deleted, 1U);
  target.reset();
  EXPECT_EQ(rows(), "a|1,d|4");
  EXPECT_EQ(gone(), "");
  EXPECT_EQ(states(), "1|live,2|retracted,3|live");
}

TEST_P(TargetConformanceTest, ColumnsAreAddedAndWidened) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  TableChange next = change(2, {{"b", 2}}, false);
  next.columns[1].type.kind = TypeKind::int64;
  next.columns.push_back({"w \"x\"", {.kind = TypeKind::float64}});
  next.added = {next.columns[2]};
  next.retyped = {next.columns[1]};
  next.delta.rows =
      "(SELECT k, 5000000000::BIGINT AS v, 0.5::DOUBLE AS \"w \"\"x\"\"\", "
      "_forebay_file, _forebay_delete, _forebay_rank FROM " +
      next.delta.rows + ")";
  apply(*target, batch(2, 2, next));
  EXPECT_EQ(target->describe("p", {table()}).value().at(0).columns, next.columns);
  target.reset();
  EXPECT_EQ(place_->rows({"k", "v", "\"w \"\"x\"\"\""}, table().display()),
            "a|1|null,b|5000000000|0.5");
}

TEST_P(TargetConformanceTest, SeveralTablesOfSeveralUnitsAreOneTransaction) {
  auto target = open();
  Batch two = batch(1, 1, change(1, {{"a", 1}}, true));
  TableChange other = change(2, {{"b", 2}}, true, {});
  other.table.name = "Other t";
  two.tables.push_back(other);
  two.units.push_back(unit(2));
  two.files.push_back(file(2, other.table));
  two.last_file_id = 2;
  two.tables[1].delta.puts = 2;  // not what the delta has
  two.tables[1].delta.read = 2;
  const auto broken = target->apply(two);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::damaged) << describe(broken.error());
  EXPECT_EQ(target->head("p").value().commit_no, 0);
  EXPECT_FALSE(target->describe("p", {table()}).value().at(0).exists);
  two.tables[1].delta.puts = 1;
  two.tables[1].delta.read = 1;
  apply(*target, two);
  EXPECT_THAT(target->known("p", {"u1", "u2"}).value(), SizeIs(2));
  target.reset();
  EXPECT_EQ(rows(), "a|1");
  EXPECT_EQ(place_->rows({"k"}, place_->schema() + ".\"Other t\""), "b");
}

TEST_P(TargetConformanceTest, ABatchMayBringEntriesAlone) {
  auto target = open();
  Batch quarantined{.pipeline = "p", .commit_no = 1, .decided_at = kNow};
  quarantined.units.push_back(unit(7, UnitState::quarantined));
  quarantined.units.back().reason = "it's 'damaged'\n\\";
  quarantined.documents.push_back({.key = "doc", .version = "1", .unit = "u7"});
  ASSERT_TRUE(target->apply(quarantined));
  const auto known = target->known("p", {"u7"}).value();
  ASSERT_THAT(known, SizeIs(1));
  EXPECT_EQ(known[0].reason, "it's 'damaged'\n\\");
  EXPECT_FALSE(known[0].applied);
  EXPECT_EQ(target->known_documents("p", {"doc"}).value().at(0).unit, "u7");
  const auto history = target->history("p", {.states = {UnitState::quarantined}, .limit = 5});
  ASSERT_TRUE(history) << describe(history.error());
  EXPECT_THAT(*history, SizeIs(1));
}

TEST_P(TargetConformanceTest, WhoPlannedOnAnOlderStateFailsAndChangesNothing_CONC1) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  const auto applied = target->apply(batch(1, 2, change(2, {{"b", 2}}, false)));
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, ErrorCode::busy) << describe(applied.error());
  EXPECT_THAT(applied.error().cause, HasSubstr("another loader"));
  apply(*target, batch(2, 2, change(2, {{"c", 3}}, false)));
  target.reset();
  EXPECT_EQ(rows(), "a|1,c|3");
  EXPECT_EQ(place_->rows({"unit"}, "_forebay.units"), "u1,u2");
}

TEST_P(TargetConformanceTest, ManyNamesAreCompared) {
  auto target = open();
  Batch many = batch(1, 1, change(1, {{"a", 1}}, true));
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) {
    names.push_back(fmt::format("Ü{:05}\\'\"", i));
    if (i % 2 == 1) continue;
    many.units.push_back(unit(1));
    many.units.back().unit = names.back();
  }
  apply(*target, many);
  const auto known = target->known("p", names);
  ASSERT_TRUE(known) << describe(known.error());
  EXPECT_THAT(*known, SizeIs(2500));
  const auto files = target->known_files("p", table(), {"a", "k1"});
  ASSERT_TRUE(files) << describe(files.error());
  ASSERT_THAT(*files, SizeIs(1));
  EXPECT_EQ(files->at(0).checksum, "c1");
}

TEST_P(TargetConformanceTest, FilesAreFoundByPlaceUnitAndChecksum) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  apply(*target, batch(2, 2, change(2, {{"b", 2}}, false)));
  const auto ids = [](const auto& files) {
    std::string list;
    for (const auto& file : files.value()) list += fmt::format("{} ", file.file_id);
    return list;
  };
  EXPECT_EQ(ids(target->live_files("p", table(), "", "")), "1 2 ");
  EXPECT_EQ(ids(target->live_files("p", table(), "\x01u1", "\x01u2")), "1 ");
  EXPECT_EQ(ids(target->live_files_of("p", "u2")), "2 ");
  EXPECT_EQ(ids(target->files_of("p", "u1")), "1 ");
  EXPECT_EQ(ids(target->files_from("p", table(), "\x01u2")), "2 ");
  EXPECT_EQ(target->files_of("p", "u2").value().at(0).last_modified, kNow);
  EXPECT_EQ(target->units_with("p", {"c2", "c9"}).value().at("c2"), "u2");
  EXPECT_FALSE(target->column_is_all_null(table(), "v").value());
}

TEST_P(TargetConformanceTest, ListingsAreCompared) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  apply(*target, batch(2, 2, change(2, {{"b", 2}}, false)));
  ASSERT_TRUE(target->begin_listing());
  ASSERT_TRUE(target->add_listing({{"k1", "e1"}}));
  const auto differences = target->compare_listing("p", 10);
  ASSERT_TRUE(differences) << describe(differences.error());
  ASSERT_THAT(*differences, SizeIs(1));
  EXPECT_EQ(differences->at(0).file.store_key, "k2");
  EXPECT_TRUE(differences->at(0).gone);
  const auto audit = target->audit("p", table(), false, 10);
  ASSERT_TRUE(audit) << describe(audit.error());
  EXPECT_EQ(audit->rows, 2U);
  EXPECT_EQ(audit->recorded, 2U);
}

TEST_P(TargetConformanceTest, CyclesAreNotedAndToldBack) {
  auto target = open();
  ASSERT_TRUE(target->note_cycle(
      "p", {.finished_at = kNow, .outcome = "nothing_new", .full_listing = true}));
  ASSERT_TRUE(target->note_cycle("p", {.finished_at = kNow + std::chrono::microseconds(9),
                                       .outcome = "failed",
                                       .exit_code = 3,
                                       .message = "m"}));
  const auto head = target->head("p");
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(head->last_full_cycle->finished_at, kNow);
  EXPECT_EQ(head->last_cycle->exit_code, 3);
  EXPECT_EQ(head->last_cycle->finished_at, kNow + std::chrono::microseconds(9));
}

TEST_P(TargetConformanceTest, AResetForgetsAndGoesOnCounting) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"b", 0, true}}, true)));
  ASSERT_TRUE(target->reset({.pipeline = "p",
                             .commit_no = 2,
                             .decided_at = kNow,
                             .whole = true,
                             .tables = {table()},
                             .drop_tables = true}));
  const auto head = target->head("p").value();
  EXPECT_EQ(head.commit_no, 2);
  EXPECT_EQ(head.next_file_id, 2);
  EXPECT_THAT(target->known("p", {"u1"}).value(), IsEmpty());
  apply(*target, batch(3, 2, change(2, {{"c", 3}}, true)));
  target.reset();
  EXPECT_EQ(rows(), "c|3");
}

TEST_P(TargetConformanceTest, AHistoryKeepsEveryAction) {
  auto target = open();
  const auto with_history = [&](TableChange change) {
    change.history = HistoryChange{.create = change.create, .columns = change.columns};
    change.delta.rows =
        fmt::format("(SELECT *, true AS _forebay_current, 0::BIGINT AS _forebay_row FROM {})",
                    change.delta.rows);
    return change;
  };
  apply(*target, batch(1, 1, with_history(change(1, {{"a", 1}}, true))));
  apply(*target, batch(2, 2, with_history(change(2, {{"a", 0, true}}, false))));
  EXPECT_TRUE(target->describe("p", {table()}).value().at(0).has_history);
  target.reset();
  EXPECT_EQ(rows(), "");
  EXPECT_EQ(
      place_->rows({"k", "v", "_forebay_op", "_forebay_file"}, history_table(table()).display()),
      "a|1|put|1,a|null|delete|2");
}

TEST_P(TargetConformanceTest, RowsReadAgainAreAddedOnce) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}, {"a", 1}, {"b", 2}}, true, {})));
  TableChange again = change(2, {{"a", 1}, {"a", 1}, {"a", 1}, {"b", 2}, {"c", 3}}, false, {});
  again.delta.kind = Delta::Kind::add_missing;
  again.match.earlier = {{1, 2}};
  again.match.range = TimeRange{
      .axis = {.column = "v", .type = {.kind = TypeKind::int32}, .form = TimeAxis::Form::number},
      .least = 1,
      .most = 3};
  const TableCounts counts = apply(*target, batch(2, 2, again));
  EXPECT_EQ(counts.inserted, 2U);
  EXPECT_EQ(counts.ignored.at("stored"), 3U);
  const auto standing = target->standing_files("p", table(), again.match.range);
  ASSERT_TRUE(standing) << describe(standing.error());
  EXPECT_THAT(*standing, SizeIs(2));
  TableChange moved = change(3, {{"a", 1}, {"d", 4}}, false, {});
  moved.delta.kind = Delta::Kind::add_missing;
  moved.match.gone = {1};
  EXPECT_EQ(apply(*target, batch(3, 3, moved)).inserted, 1U);
  target.reset();
  EXPECT_EQ(place_->rows({"k", "v", "_forebay_file"}, table().display()),
            "a|1|1,a|1|2,a|1|3,b|2|1,c|3|2,d|4|3");
}

TEST_P(TargetConformanceTest, RowsBeforeATimeExpire) {
  auto target = open();
  TableChange rows = change(1, {{"a", 1}, {"b", 2}}, true, {});
  rows.columns[1].type.kind = TypeKind::timestamp_us;
  rows.delta.rows =
      fmt::format("(SELECT k, make_timestamp(v * 1000000::BIGINT + 1) AS v, _forebay_file FROM {})",
                  rows.delta.rows);
  apply(*target, batch(1, 1, rows));
  TableChange expire{.table = table(), .columns = rows.columns};
  expire.expiry =
      Expiry{.axis = TimeAxis{.column = "v", .type = rows.columns[1].type}, .before = 1'000'001};
  EXPECT_FALSE(target->any_expired("p", table(), *expire.expiry).value());
  expire.expiry->before = 1'000'002;
  EXPECT_TRUE(target->any_expired("p", table(), *expire.expiry).value());
  Batch second{.pipeline = "p", .commit_no = 2, .decided_at = kNow, .last_file_id = 1};
  second.tables.push_back(expire);
  EXPECT_EQ(apply(*target, second).deleted, 1U);
  target.reset();
  EXPECT_EQ(place_->rows({"k"}, table().display()), "b");
}

TEST_P(TargetConformanceTest, ReopenedItTellsWhatWasCommitted) {
  auto target = open();
  apply(*target, batch(1, 1, change(1, {{"a", 1}}, true)));
  ASSERT_TRUE(target->reopen());
  EXPECT_EQ(target->head("p").value().commit_no, 1);
  apply(*target, batch(2, 2, change(2, {{"b", 2}}, false)));
  target.reset();
  EXPECT_EQ(rows(), "a|1,b|2");
}

INSTANTIATE_TEST_SUITE_P(Every, TargetConformanceTest,
                         ::testing::Values(Kind{"DuckDB", test::duckdb_place},
                                           Kind{"PostgreSQL", test::postgres_place}),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace forebay
