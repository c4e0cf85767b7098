#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "support/pipeline_fixture.h"
#include "support/random_lives.h"
#include "support/run_maker.h"

// Aim: a table of a change stream is what its source was, however drains end, come again or are
// seen late. Method: a source lives through transactions drawn from a seed; baseline and drains are
// written from its log, complete, cut, repeated or held back; after each load the table is compared
// with what the visible changes give, computed here from the log alone. FOREBAY_SEED=N repeats one
// life.
namespace forebay::test {
namespace {

// One change in the source's log.
struct Change {
  int place = 0;  // of its transaction
  int seq = 0;
  int id = 0;
  std::optional<int> value;  // none: a delete
};

enum class Engine { postgres, mysql, mssql };

// Texts whose order as text is not that of the log.
std::string position(Engine engine, int place) {
  switch (engine) {
    case Engine::postgres:
      return fmt::format(R"({{"lsn":"{:X}/{:X}"}})", 14 + place / 2, 15 + place % 2);
    case Engine::mysql:
      return fmt::format(R"({{"file":"binlog.{}","pos":{},"server_uuid":"u"}})", 999998 + place / 4,
                         98 + place % 4);
    case Engine::mssql:
      return place % 2 == 0 ? fmt::format(R"({{"lsn":"{:020x}"}})", place * 7)
                            : fmt::format(R"({{"lsn":"{:020X}"}})", place * 7);
  }
  std::unreachable();
}

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, const std::string& folder, const std::string& database)
      : random_(seed),
        engine_(static_cast<Engine>(seed % 3)),
        both_(seed % 4 == 0),
        maker_(fmt::format("{}/{}", folder, seed)),
        pipeline_({.feed = "rivet",
                   .options = {{"mode", "cdc"},
                               {"primary_key", "id"},
                               {"keep", both_ ? "both" : "current"}},
                   .name = fmt::format("life{}", seed),
                   .schema = fmt::format("life{}", seed),
                   .source = fmt::format("{}/{}", folder, seed),
                   .database = database}) {
    std::filesystem::create_directories(pipeline_.settings.source);
    pipeline_.clock().advance(system_clock().now() - pipeline_.clock().now());
    for (int id = 0; id < 4; ++id) transaction();
  }

  void live() {
    if (draw(3) > 0) take_baseline();
    for (int loads = 0; loads < 2; ++loads) {
      for (int steps = 1 + draw(3); steps > 0; --steps) step();
      load();
    }
    if (!baseline_) take_baseline();
    for (const ExportRun& run : held_back_) show(run);
    held_back_.clear();
    load();
  }

 private:
  int draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  void transaction() {
    ++place_;
    for (int seq = 0, changes = 1 + draw(3); seq < changes; ++seq) {
      const int id = draw(5);
      const bool deletes = source_.contains(id) && draw(3) == 0;
      Change change{.place = place_, .seq = seq, .id = id};
      if (!deletes) change.value = next_value_++;
      if (deletes) source_.erase(id);
      if (!deletes) source_[id] = *change.value;
      log_.push_back(change);
    }
  }

  // As it is read at this moment; MySQL's and SQL Server's are anchored in the log.
  void take_baseline() {
    const int anchor = std::max(1, place_ - draw(2));
    std::string rows = "SELECT 0::INT AS id, 0::INT AS v";
    if (engine_ != Engine::postgres) rows += ", '' AS __pos, 0::BIGINT AS __seq";
    rows += " WHERE false";
    baseline_.emplace();
    for (const auto& [id, value] : source_) {
      rows += fmt::format(" UNION ALL SELECT {}, {}", id, value);
      if (engine_ != Engine::postgres) rows += fmt::format(", '{}', -1", position(engine_, anchor));
      baseline_->push_back(
          {.place = engine_ == Engine::postgres ? 0 : anchor, .seq = -1, .id = id, .value = value});
    }
    ExportRun run = make_run("shop__snapshot_orders", "orders/snapshot", "batch");
    run.strategy = "full";
    run.parts = {{.rows = rows}};
    maker_.deliver(run);
  }

  ExportRun make_run(const std::string& name, const std::string& folder, const std::string& mode) {
    const int number = ++runs_;
    return {.id = fmt::format("{}_{}", name, number),
            .folder = folder,
            .export_name = name,
            .family = "shop",
            .table = "orders",
            .started_at = fmt::format("2026-11-30T{:02}:{:02}:00Z", number / 60, number % 60),
            .mode = mode,
            .strategy = mode};
  }

  // A part with the changes of the log from `begin` to before `end`; they are visible with it.
  ExportPart part(std::size_t begin, std::size_t end) {
    std::string rows =
        "SELECT '' AS __op, '' AS __pos, 0::BIGINT AS __seq, 0::INT AS id, 0::INT AS v WHERE false";
    for (std::size_t i = begin; i < end; ++i) {
      const Change& change = log_[i];
      rows +=
          fmt::format(" UNION ALL SELECT '{}', '{}', {}, {}, {}",
                      change.value ? "update" : "delete", position(engine_, change.place),
                      change.seq, change.id, change.value ? std::to_string(*change.value) : "NULL");
    }
    return {.rows = rows};
  }

  void step() {
    for (int n = draw(4); n > 0; --n) transaction();
    const int what = draw(8);
    if (what == 0 && !baseline_) return take_baseline();
    if (what == 1 && !shown_.empty()) return grow();
    // A drain reads on where the last one stopped, or from further back what was not acknowledged.
    const std::size_t back = draw(3) == 0 ? static_cast<std::size_t>(draw(6)) : 0;
    const std::size_t begin = drained_ - std::min(drained_, back);
    ExportRun run = make_run("orders", "orders", "cdc");
    const std::size_t middle = begin + (log_.size() - begin) / 2;
    if (middle > begin) run.parts.push_back(part(begin, middle));
    if (log_.size() > middle) run.parts.push_back(part(middle, log_.size()));
    drained_ = log_.size();
    seen_in_[run.id] = {{begin, log_.size()}};
    if (draw(4) == 0) {
      held_back_.push_back(run);
    } else {
      show(run);
    }
  }

  // Whole, or by its copy only: it died before it could certify itself.
  void show(const ExportRun& run) {
    if (draw(3) > 0) {
      maker_.deliver(run);
    } else {
      maker_.write_parts(run);
      maker_.write_copy(run);
    }
    for (const auto& range : seen_in_.at(run.id)) visible_.push_back(range);
    shown_.push_back(run);
  }

  // A drain that goes on writes its manifest again with more parts.
  void grow() {
    ExportRun& run = shown_[static_cast<std::size_t>(draw(static_cast<int>(shown_.size())))];
    if (drained_ == log_.size()) return;
    run.parts.push_back(part(drained_, log_.size()));
    visible_.emplace_back(drained_, log_.size());
    drained_ = log_.size();
    maker_.write_parts(run);
    maker_.write_copy(run);
  }

  // The newest of each key's changes that can be seen.
  Lines expected() const {
    std::map<int, Change> last;
    const auto see = [&](const Change& change) {
      const auto known = last.find(change.id);
      if (known == last.end() ||
          std::tie(known->second.place, known->second.seq) < std::tie(change.place, change.seq))
        last[change.id] = change;
    };
    for (const Change& change : baseline_.value_or(std::vector<Change>())) see(change);
    for (const auto& [begin, end] : visible_) {
      for (std::size_t i = begin; i < end; ++i) see(log_[i]);
    }
    Lines lines;
    for (const auto& [id, change] : last) {
      if (change.value) lines.push_back(fmt::format("{}|{}", id, *change.value));
    }
    std::ranges::sort(lines);
    return lines;
  }

  Lines lines_of(const std::string& table, const std::string& columns) const {
    DatabaseReader reader(pipeline_.settings.database);
    Lines lines;
    const auto found = reader.rows(
        fmt::format("SELECT 1 FROM duckdb_tables() WHERE schema_name = '{}' AND table_name = '{}'",
                    pipeline_.settings.schema, table));
    if (found.empty()) return lines;
    for (const auto& row : reader.rows(
             fmt::format("SELECT {} FROM {}.{}", columns, pipeline_.settings.schema, table))) {
      std::string line;
      for (const auto& cell : row) line += (line.empty() ? "" : "|") + cell.value_or("null");
      lines.push_back(line);
    }
    std::ranges::sort(lines);
    return lines;
  }

  void load() {
    const CycleReport report = pipeline_.load();
    ASSERT_EQ(code(report), 0) << text(report);
    EXPECT_EQ(lines_of("orders", "id, v"), expected());
    if (both_) compare_history();
  }

  // Each change that can be seen, once.
  void compare_history() {
    std::vector<std::string> changes;
    for (const auto& [begin, end] : visible_) {
      for (std::size_t i = begin; i < end; ++i) {
        const Change& change = log_[i];
        changes.push_back(fmt::format("{}|{}|{}|{}", change.id,
                                      change.value ? std::to_string(*change.value) : "null",
                                      position(engine_, change.place), change.seq));
      }
    }
    if (changes.empty()) return;  // a baseline alone may lack the columns of changes
    std::ranges::sort(changes);
    const auto repeated = std::ranges::unique(changes);
    changes.erase(repeated.begin(), repeated.end());
    Lines found = lines_of("orders__history", "id, v, __pos, __seq");
    std::erase_if(found, [](const std::string& line) {
      return line.ends_with("|null") || line.ends_with("|-1");
    });
    EXPECT_EQ(found, changes);
  }

  std::mt19937_64 random_;
  const Engine engine_;
  const bool both_;
  RunMaker maker_;
  TestPipeline pipeline_;
  std::map<int, int> source_;
  std::vector<Change> log_;
  std::optional<std::vector<Change>> baseline_;
  std::vector<std::pair<std::size_t, std::size_t>> visible_;
  std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> seen_in_;  // by run
  std::vector<ExportRun> shown_;
  std::vector<ExportRun> held_back_;
  std::size_t drained_ = 0;  // so much of the log was read
  int place_ = 0;
  int runs_ = 0;
  int next_value_ = 1;
};

TEST(RivetRandomStreams, TheTableIsWhatTheLogSays) { live_each<RandomStream>(seeds_of(1, 160)); }

}  // namespace
}  // namespace forebay::test
