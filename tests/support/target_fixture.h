#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/target_place.h"

namespace forebay::test {

inline const Time kNow{std::chrono::seconds(1'800'000'000)};

// A kind of target, as a parameter of a suite.
struct TargetKind {
  const char* name;
  MakeTargetPlace make;
};

// A row of a delta: key, value, and whether it deletes.
struct Line {
  std::string key;
  int value = 0;
  bool deletes = false;
};

// Batches made by hand, the same for every target.
class TargetConformanceTest : public ::testing::TestWithParam<TargetKind> {
 protected:
  std::unique_ptr<Target> open(TargetMode mode = TargetMode::write) {
    auto target = place_->open(mode);
    EXPECT_TRUE(target) << forebay::describe(target.error());
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
    EXPECT_TRUE(applied) << forebay::describe(applied.error());
    return applied ? applied->tables.at(batch.tables.front().table.display()) : TableCounts{};
  }

  std::string rows() { return place_->rows({"k", "v"}, table().display()); }
  std::string states() { return place_->rows({"file_id", "state"}, "_forebay.files"); }
  std::string gone() {
    return place_->rows({"k"}, fmt::format("_forebay.\"{}__gone\"", table().display()));
  }

  std::unique_ptr<TargetPlace> place_ = GetParam().make();
};

inline const auto& every_target() {
  static const auto kKinds = ::testing::Values(TargetKind{"DuckDB", duckdb_place},
                                               TargetKind{"PostgreSQL", postgres_place});
  return kKinds;
}
inline std::string target_kind_name(const ::testing::TestParamInfo<TargetKind>& kind) {
  return kind.param.name;
}

}  // namespace forebay::test
