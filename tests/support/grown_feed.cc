#include "support/grown_feed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "support/attached_database.h"
#include "support/parquet_maker.h"

namespace forebay::test {
namespace {

int draw(std::mt19937& random, int least, int most) {
  return std::uniform_int_distribution(least, most)(random);
}

// RollerUp, with late markers, deletes, snapshots and heartbeats.
class Rollerup final : public GrownFeed {
 public:
  Rollerup(const std::string& folder, Put put) : put_(std::move(put)), feed_(folder) {}

  void deliver(std::mt19937& random) override {
    int number = ++last_;
    // Now and then a marker is late: its place is taken by the one after it.
    if (late_ > 0) {
      number = std::exchange(late_, 0);
    } else if (draw(random, 0, 7) == 0) {
      late_ = number;
      number = ++last_;
    }
    Delivery delivery{.number = number};
    const int chance = draw(random, 0, 11);
    if (chance == 0) {
      delivery.snapshot = true;
      delivery.files.push_back(some_rows(random, 3'000, false));
    } else if (chance > 1) {
      for (int i = draw(random, 2, 6); i > 0; --i)
        delivery.files.push_back(some_rows(random, draw(random, 1, 900), true));
    }
    feed_.deliver(delivery, put_);
  }
  std::string problems(const std::string& database, Applied applied) const override {
    return test::problems(database, feed_, applied);
  }
  std::string name() const override { return "rollerup"; }

 private:
  static SmallFile some_rows(std::mt19937& random, int rows, bool deletes) {
    SmallFile file{.table = fmt::format("t{}", draw(random, 1, 3)), .rows = {}};
    std::map<std::int64_t, SmallRow> once;
    for (int i = 0; i < rows; ++i) {
      const std::int64_t id = draw(random, 1, 6'000);
      once[id] = {.id = id,
                  .value = draw(random, 0, 1'000'000),
                  .deleted = deletes && draw(random, 0, 9) == 0};
    }
    for (const auto& [id, row] : once) file.rows.push_back(row);
    return file;
  }

  Put put_;
  SmallFeed feed_;
  int last_ = 0;
  int late_ = 0;
};

// One row as the other feeds bring it: an entity, and which state of it.
struct GrownRow {
  int id = 0;
  int version = 0;
  bool deleted = false;
  auto operator<=>(const GrownRow&) const = default;
};

// A feed whose files the ledger names; the tables follow from the rows of those that are live.
class FileFeed : public GrownFeed {
 public:
  FileFeed(std::string folder, Put put) : folder_(std::move(folder)), put_(std::move(put)) {}

  std::string problems(const std::string& database, Applied applied) const override {
    if (!std::filesystem::exists(database))
      return applied == Applied::some ? "" : "there is no database\n";
    const AttachedDatabase reader(database);
    std::set<std::string> live;
    std::string wrong;
    if (reader.has("_forebay", "file_log")) {
      std::istringstream names(
          reader.list("parse_filename(store_key) || ' ' || rows", "_forebay.file_log"));
      for (std::string line; std::getline(names, line);) {
        const std::string file = line.substr(0, line.find(' '));
        if (!live.insert(file).second) wrong += fmt::format("{} is there twice\n", file);
        if (!rows_.contains(file)) return fmt::format("{} was never delivered\n", file);
        if (line != fmt::format("{} {}", file, rows_.at(file).size()))
          wrong += fmt::format("{}, and it has {} rows\n", line, rows_.at(file).size());
      }
      if (reader.value("coalesce(max(commit_no), 0) - count(*)", "_forebay.commit_log") != "0")
        wrong += "commits have a gap\n";
    }
    for (const std::vector<std::string>& unit : units_) {
      const auto there =
          std::ranges::count_if(unit, [&](const std::string& file) { return live.contains(file); });
      if (there != 0 && there != std::ssize(unit))
        wrong += fmt::format("of {} only {} files are there\n", unit.front(), there);
      if (applied == Applied::all && there != std::ssize(unit))
        wrong += fmt::format("{} is not there\n", unit.front());
    }
    return wrong + compare(reader, live);
  }

 protected:
  virtual std::string compare(const AttachedDatabase& reader,
                              const std::set<std::string>& live) const = 0;

  // Rows of a table against those expected; a table that is missing has none.
  static std::string compare_table(const AttachedDatabase& reader, const std::string& table,
                                   const std::string& expression, std::vector<std::string> rows) {
    std::ranges::sort(rows);
    const std::string expected = fmt::format("{}", fmt::join(rows, "\n"));
    const std::string found =
        reader.has("main", table) ? reader.list(expression, "main." + table) : "";
    if (found == expected) return {};
    return fmt::format("{}: {} rows expected, found {} bytes of lines for {}\n", table, rows.size(),
                       found.size(), expected.size());
  }
  std::vector<GrownRow> rows_of(const std::set<std::string>& live) const {
    std::vector<GrownRow> all;
    for (const std::string& file : live)
      all.insert(all.end(), rows_.at(file).begin(), rows_.at(file).end());
    return all;
  }
  static std::vector<std::string> lines(const std::vector<GrownRow>& rows) {
    std::vector<std::string> lines;
    for (const GrownRow& row : rows) lines.push_back(fmt::format("{} {}", row.id, row.version));
    return lines;
  }
  // Of each entity the newest, unless that deletes it.
  static std::vector<GrownRow> newest(const std::vector<GrownRow>& rows) {
    std::map<int, GrownRow> newest;
    for (const GrownRow& row : rows) {
      GrownRow& known = newest[row.id];
      known = std::max(known, row);
    }
    std::vector<GrownRow> standing;
    for (const auto& [id, row] : newest) {
      if (!row.deleted) standing.push_back(row);
    }
    return standing;
  }
  // A SELECT of the rows, as id, version and deleted.
  static std::string select(const std::vector<GrownRow>& rows) {
    std::vector<std::string> values;
    for (const GrownRow& row : rows)
      values.push_back(fmt::format("({},{},{})", row.id, row.version, row.deleted));
    return fmt::format("(SELECT * FROM (VALUES {}) r(id, version, deleted))",
                       fmt::join(values, ","));
  }
  // A unit of one file.
  void put_file(const std::string& key, const std::vector<GrownRow>& rows,
                const std::string& query) {
    const std::filesystem::path path = folder_ + "/feed/" + key;
    std::filesystem::create_directories(path.parent_path());
    make_parquet(path.string() + ".part", query);
    std::filesystem::rename(path.string() + ".part", path);
    remember(path.filename().string(), rows);
    units_.push_back({path.filename().string()});
    if (put_) put_("feed/" + key);
  }
  void remember(const std::string& file, const std::vector<GrownRow>& rows) { rows_[file] = rows; }

  std::string folder_;
  Put put_;
  int last_ = 0;
  std::vector<std::vector<std::string>> units_;  // the files of each

 private:
  std::map<std::string, std::vector<GrownRow>> rows_;  // by file
};

// Files that only arrive, two at a time.
class Files : public FileFeed {
 public:
  using FileFeed::FileFeed;

  void deliver(std::mt19937& random) override {
    for (int i = 0; i < 2; ++i) {
      std::vector<GrownRow> rows;
      ++last_;
      for (int n = draw(random, 1, 600); n > 0; --n)
        rows.push_back({.id = draw(random, 1, 9'999), .version = last_});
      put_file(fmt::format("{}{:05}.parquet", draw(random, 0, 9), last_), rows,
               fmt::format("SELECT id, version FROM {}", select(rows)));
    }
  }
  std::string name() const override { return "files"; }
  std::vector<std::string> options() const override { return {"table=events", "settle=0s"}; }

 private:
  std::string compare(const AttachedDatabase& reader,
                      const std::set<std::string>& live) const override {
    return compare_table(reader, "events", "id || ' ' || version", lines(rows_of(live)));
  }
};

// The same as a table that grows in time.
class Append final : public Files {
 public:
  using Files::Files;
  std::string name() const override { return "append"; }
  std::vector<std::string> options() const override {
    return {"table=events", "settle=0s", "time_column=version", "time_format=unix_seconds"};
  }
};

// Versions of records, some delivered again, in no order.
class Twisp final : public FileFeed {
 public:
  using FileFeed::FileFeed;

  void deliver(std::mt19937& random) override {
    std::set<GrownRow> rows;
    for (int n = draw(random, 1, 300); n > 0; --n) {
      const int id = draw(random, 1, 800);
      // A version says the same wherever it is delivered; every seventh deletes.
      const int version = draw(random, 1, 20);
      rows.insert({.id = id, .version = version, .deleted = (id + version) % 7 == 0});
    }
    const std::vector<GrownRow> all(rows.begin(), rows.end());
    put_file(fmt::format("warehouse/parquet/2026/07/29/{:02}/entry/batch-{:05}.parquet",
                         draw(random, 8, 11), ++last_),
             all,
             fmt::format("SELECT format('00000000-0000-4000-8000-{{:012d}}', id) AS record_rowid, "
                         "'c0ffee00-0000-4000-8000-000000000001' AS record_tenantid, "
                         "version::UBIGINT AS record_version, CASE WHEN deleted THEN 'DELETE' ELSE "
                         "'ALIVE' END AS record_status, TIMESTAMP '2026-07-29 10:00:00' AS "
                         "record_begin FROM {}",
                         select(all)));
  }
  std::string name() const override { return "twisp"; }
  std::vector<std::string> options() const override { return {"settle=0s"}; }

 private:
  std::string compare(const AttachedDatabase& reader,
                      const std::set<std::string>& live) const override {
    const auto rows = rows_of(live);
    const std::set<GrownRow> once(rows.begin(), rows.end());
    const char* line = "right(record_rowid, 12)::BIGINT || ' ' || record_version";
    return compare_table(reader, "entry", line, lines(newest(rows))) +
           compare_table(reader, "entry__history", line,
                         lines(std::vector<GrownRow>(once.begin(), once.end())));
  }
};

// Verified runs of one to three parts; a cursor is never used twice.
class Rivet final : public FileFeed {
 public:
  using FileFeed::FileFeed;

  void deliver(std::mt19937& random) override {
    const int run_number = ++last_;
    ExportRun run{.id = fmt::format("r{:05}", run_number),
                  .started_at = fmt::format("2026-11-{:02}T{:02}:{:02}:00Z", 1 + run_number / 1440,
                                            run_number / 60 % 24, run_number % 60),
                  .strategy = "incremental"};
    std::vector<std::string> files;
    for (int part = draw(random, 1, 3); part > 0; --part) {
      std::map<int, GrownRow> rows;
      for (int n = draw(random, 1, 200); n > 0; --n) {
        const int id = draw(random, 1, 900);
        rows[id] = {.id = id, .version = ++cursor_};
      }
      std::vector<GrownRow> all;
      for (const auto& [id, row] : rows) all.push_back(row);
      files.push_back(fmt::format("{}-{}.parquet", run.id, files.size() + 1));
      remember(files.back(), all);
      run.parts.push_back({.rows = fmt::format("SELECT id, version AS c FROM {}", select(all)),
                           .path = files.back()});
    }
    run.change = [](auto& json) { json["source"]["extraction"]["cursor_column"] = "c"; };
    RunMaker(folder_ + "/feed").deliver(run);
    units_.push_back(files);
    if (!put_) return;
    for (const std::string& file : files) put_("feed/" + RunMaker::key(run, file));
    for (const std::string& file : {fmt::format("manifest-{}.json", run.id),
                                    std::string("manifest.json"), std::string("_SUCCESS")})
      put_("feed/" + RunMaker::key(run, file));
  }
  std::string name() const override { return "rivet"; }
  std::vector<std::string> options() const override {
    return {"mode=incremental", "primary_key=id"};
  }

 private:
  std::string compare(const AttachedDatabase& reader,
                      const std::set<std::string>& live) const override {
    return compare_table(reader, "orders", "id || ' ' || c", lines(newest(rows_of(live))));
  }

  int cursor_ = 0;
};

}  // namespace

std::unique_ptr<GrownFeed> grow_rollerup(const std::string& folder, Put put) {
  return std::make_unique<Rollerup>(folder, std::move(put));
}
std::unique_ptr<GrownFeed> grow_twisp(const std::string& folder, Put put) {
  return std::make_unique<Twisp>(folder, std::move(put));
}
std::unique_ptr<GrownFeed> grow_files(const std::string& folder, Put put) {
  return std::make_unique<Files>(folder, std::move(put));
}
std::unique_ptr<GrownFeed> grow_append(const std::string& folder, Put put) {
  return std::make_unique<Append>(folder, std::move(put));
}
std::unique_ptr<GrownFeed> grow_rivet(const std::string& folder, Put put) {
  return std::make_unique<Rivet>(folder, std::move(put));
}

}  // namespace forebay::test
