#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "support/pipeline_fixture.h"
#include "support/random_lives.h"
#include "support/run_maker.h"

// Aim: whatever runs do, and in whatever order a loader sees it, the table is what the manifests
// say at that moment. Method: lives of one export drawn from seeds: complete, failed, unfinished,
// late and repaired runs; after each load the table is compared with an oracle that computes it
// from the runs alone. FOREBAY_SEED=N repeats one life.
namespace forebay::test {
namespace {

struct Part {
  std::vector<std::pair<int, int>> rows;  // id, value
  bool committed = true;
};

struct Life {
  struct Made {
    ExportRun run;
    std::vector<Part> parts;
    int hour = 0;  // its place
    bool failed = false;
  };
  std::vector<Made> runs;
  std::optional<std::size_t> canonical;   // the run that manifest.json describes
  std::optional<std::size_t> unfinished;  // the run that waits for its _SUCCESS
};

class RandomRuns {
 public:
  RandomRuns(std::uint64_t seed, const std::string& folder, const std::string& database)
      : random_(seed),
        full_(seed % 2 == 0),
        maker_(fmt::format("{}/{}", folder, seed)),
        pipeline_({.feed = "rivet",
                   .options = full_ ? Options{{"mode", "full"}}
                                    : Options{{"mode", "incremental"}, {"primary_key", "id"}},
                   .name = fmt::format("life{}", seed),
                   .schema = fmt::format("life{}", seed),
                   .source = fmt::format("{}/{}", folder, seed),
                   .database = database}) {
    std::filesystem::create_directories(pipeline_.settings.source);
    pipeline_.clock().advance(system_clock().now() - pipeline_.clock().now());
  }

  void live() {
    for (int loads = 0; loads < 2; ++loads) {
      for (int steps = 1 + draw(3); steps > 0; --steps) step();
      load();
    }
    finish();
    load();
  }

 private:
  using Options = std::vector<std::pair<std::string, std::string>>;

  int draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  Part part() {
    Part part;
    for (int n = draw(4); n > 0; --n) {
      const int id = draw(6);
      std::erase_if(part.rows, [&](const auto& row) { return row.first == id; });
      part.rows.emplace_back(id, next_value_++);
    }
    return part;
  }

  static std::string rows_sql(const Part& part) {
    std::string sql = "SELECT 0::INT AS id, 0::INT AS v WHERE false";
    for (const auto& [id, value] : part.rows)
      sql += fmt::format(" UNION ALL SELECT {}, {}", id, value);
    return sql;
  }

  static void write_into(Life::Made& made) {
    made.run.parts.clear();
    for (const Part& part : made.parts)
      made.run.parts.push_back(
          {.rows = rows_sql(part), .status = part.committed ? "committed" : "superseded"});
    made.run.status = made.failed ? "failed" : "success";
  }

  Life::Made make(int hour) {
    const std::size_t number = life_.runs.size();
    Life::Made made{
        .run = {.id = fmt::format("orders_{}", number),
                .started_at = fmt::format("2026-11-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24),
                .strategy = full_ ? "full" : "incremental"},
        .hour = hour};
    for (int n = draw(3); n >= 0; --n) made.parts.push_back(part());
    if (draw(6) == 0) made.parts.clear();
    return made;
  }

  void step() {
    const int what = draw(10);
    if (what < 4) return complete();
    if (what < 5) return fail_one();
    if (what < 6) return leave_unfinished();
    if (what < 8) return late();
    repair();
  }

  void complete() {
    finish();
    add(make(hour_ += 2));
    maker_.deliver(life_.runs.back().run);
    life_.canonical = life_.runs.size() - 1;
  }
  void add(Life::Made made) {
    write_into(made);
    life_.runs.push_back(std::move(made));
  }
  // It takes manifest.json over, and _SUCCESS goes.
  void fail_one() {
    finish();
    Life::Made made = make(hour_ += 2);
    made.failed = true;
    add(std::move(made));
    const ExportRun& run = life_.runs.back().run;
    maker_.write_parts(run);
    maker_.write_copy(run);
    maker_.write_canonical(run);
    if (life_.canonical && !life_.runs[*life_.canonical].failed) maker_.remove("orders/_SUCCESS");
    life_.canonical = life_.runs.size() - 1;
  }
  void leave_unfinished() {
    finish();
    add(make(hour_ += 2));
    const ExportRun& run = life_.runs.back().run;
    maker_.write_parts(run);
    maker_.write_copy(run);
    maker_.write_canonical(run);
    life_.canonical = life_.unfinished = life_.runs.size() - 1;
  }
  void finish() {
    if (!life_.unfinished) return;
    maker_.write_success(life_.runs[*life_.unfinished].run);
    life_.unfinished.reset();
  }
  // A run that began before the newest and is seen after it, by its copy.
  void late() {
    if (hour_ < 4) return complete();
    const int hour = 1 + 2 * draw(hour_ / 2);
    const bool taken =
        std::ranges::any_of(life_.runs, [&](const Life::Made& made) { return made.hour == hour; });
    if (taken) return complete();
    add(make(hour));
    maker_.write_parts(life_.runs.back().run);
    maker_.write_copy(life_.runs.back().run);
  }
  void repair() {
    if (life_.runs.empty()) return complete();
    const std::size_t which = static_cast<std::size_t>(draw(static_cast<int>(life_.runs.size())));
    Life::Made& made = life_.runs[which];
    if (made.failed || which == life_.unfinished) return;
    if (!made.parts.empty())
      made.parts[static_cast<std::size_t>(draw(static_cast<int>(made.parts.size())))].committed =
          false;
    if (draw(3) > 0) made.parts.push_back(part());
    write_into(made);
    maker_.write_parts(made.run);
    maker_.write_copy(made.run);
    if (which != life_.canonical) return;
    maker_.write_canonical(made.run);
    maker_.write_success(made.run);
  }

  // What the table must hold, sorted.
  Lines expected() const {
    std::vector<const Life::Made*> good;
    for (std::size_t i = 0; i < life_.runs.size(); ++i) {
      if (!life_.runs[i].failed && i != life_.unfinished) good.push_back(&life_.runs[i]);
    }
    std::ranges::sort(good, {}, [](const Life::Made* made) { return made->hour; });
    if (full_ && good.size() > 1) good.erase(good.begin(), good.end() - 1);
    Lines lines;
    std::map<int, int> last;
    for (const Life::Made* made : good) {
      for (const Part& part : made->parts) {
        if (!part.committed) continue;
        for (const auto& [id, value] : part.rows) {
          last[id] = value;
          if (full_) lines.push_back(fmt::format("{}|{}", id, value));
        }
      }
    }
    if (!full_) {
      for (const auto& [id, value] : last) lines.push_back(fmt::format("{}|{}", id, value));
    }
    std::ranges::sort(lines);
    return lines;
  }

  void load() {
    const CycleReport report = pipeline_.load();
    ASSERT_EQ(code(report), 0) << text(report) << to_text();
    EXPECT_EQ(report.units.waiting, life_.unfinished ? 1U : 0U) << text(report);
    DatabaseReader reader(pipeline_.settings.database);
    const auto found = reader.rows(fmt::format(
        "SELECT 1 FROM duckdb_tables() WHERE schema_name = '{}'", pipeline_.settings.schema));
    Lines lines;
    if (!found.empty()) {
      for (const auto& row :
           reader.rows(fmt::format("SELECT id, v FROM {}.orders", pipeline_.settings.schema)))
        lines.push_back(row[0].value_or("null") + "|" + row[1].value_or("null"));
    }
    std::ranges::sort(lines);
    EXPECT_EQ(lines, expected()) << to_text();
  }

  std::string to_text() const {
    std::string all = full_ ? "full" : "incremental";
    for (const Life::Made& made : life_.runs) {
      all += fmt::format("\n  {} hour {} {}", made.run.id, made.hour, made.run.status);
      for (const Part& part : made.parts) {
        all += part.committed ? " [" : " superseded [";
        for (const auto& [id, value] : part.rows) all += fmt::format(" {}={}", id, value);
        all += " ]";
      }
    }
    return all;
  }

  std::mt19937_64 random_;
  const bool full_;
  RunMaker maker_;
  TestPipeline pipeline_;
  Life life_;
  int hour_ = 2;
  int next_value_ = 1;
};

TEST(RivetRandomRuns, TheTableIsWhatTheManifestsSay) { live_each<RandomRuns>(seeds_of(1, 140)); }

}  // namespace
}  // namespace forebay::test
