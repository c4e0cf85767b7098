#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "support/packed.h"
#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"
#include "support/type_oracle.h"

// Aim: whatever mix of CSV, TSV, JSON and Parquet files arrives, good, broken or drifting, after
// each load the table holds exactly the rows of the good ones, value by value, in the types that
// the contract names, and the others are quarantined (FEEDS 2.3 rules 1 and 8). Method: histories
// made from seeds; the oracle asks DuckDB alone which types a value prints back from.
// FOREBAY_SEED=17 runs that history alone.
namespace forebay::test {
namespace {

using Value = std::optional<std::string>;
using Row = std::map<std::string, Value>;

constexpr std::uint64_t kHistories = 150;  // in each of two suites
constexpr std::uint64_t kSideBySide = 50;
constexpr int kCycles = 3;

enum class Format { csv, tsv, json_lines, json_array, parquet };

struct File {
  std::string key;
  Format format = Format::csv;
  bool broken = false;
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

bool is_json_scalar(const std::string& text) {
  if (text == "true" || text == "false") return true;
  return !text.empty() && text.find_first_not_of("0123456789.-") == std::string::npos &&
         std::ranges::count(text, '-') < 2 && text != "007";
}

std::string separated(const File& file, char delimiter) {
  std::string text = fmt::format("{}\n", fmt::join(file.columns, std::string(1, delimiter)));
  for (std::size_t r = 0; r < file.rows.size(); ++r) {
    for (std::size_t c = 0; c < file.columns.size(); ++c) {
      const Value& value = file.rows[r].at(file.columns[c]);
      if (c > 0) text += delimiter;
      // Quotes where they are needed, and sometimes where they are not.
      if (!value) continue;
      const bool needed = value->empty() || value->contains(delimiter);
      text += needed || (r + c) % 3 == 0 ? quoted(*value) : *value;
    }
    text += r % 2 == 0 ? "\n" : "\r\n";
  }
  if (file.broken) text += "\"left open\n";
  return text;
}

std::string json_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '\t' ? "\\t" : std::string(1, c);
  return out + "\"";
}

std::string json(const File& file) {
  std::vector<std::string> rows;
  for (const Row& row : file.rows) {
    std::vector<std::string> fields;
    for (const std::string& column : file.columns) {
      const Value& value = row.at(column);
      if (value)
        fields.push_back(fmt::format("\"{}\": {}", column,
                                     is_json_scalar(*value) ? *value : json_string(*value)));
    }
    rows.push_back(fmt::format("{{{}}}", fmt::join(fields, ", ")));
  }
  const std::string end = file.broken ? "{\"n\": 1, \"n\": 2}" : "";
  if (file.format == Format::json_lines) return fmt::format("{}\n{}", fmt::join(rows, "\n"), end);
  if (file.broken) rows.push_back(end);
  return fmt::format("[{}]", fmt::join(rows, ",\n"));
}

// A life of the feed and, beside it, what the table must be.
class FilesHistory {
 public:
  FilesHistory(std::uint64_t seed, const std::string& folder, const std::string& database)
      : seed_(seed),
        random_(seed),
        name_(fmt::format("h{}", seed)),
        source_(fmt::format("{}/{}", folder, name_)),
        pipeline_({.feed = "files",
                   .options = {{"table", name_}},
                   .name = name_,
                   .schema = "main",
                   .source = source_,
                   .database = database}) {
    std::filesystem::create_directories(source_);
    pipeline_.clock().advance(std::chrono::hours(24 * 365 * 10));
    for (const char* column : {"a", "b", "c", "d"}) pools_[column] = draw(kPools.size());
  }

  std::unique_ptr<Target> open_target() const {
    auto target = pipeline_.open_target();
    EXPECT_TRUE(target);
    return target ? std::move(*target) : nullptr;
  }

  void load(Target& target) {
    std::vector<File> files;
    for (std::uint64_t i = draw(5) + 1; i > 0; --i) files.push_back(make_file());
    for (const File& file : files) write(file);
    expect(files);
    log_ += text(pipeline_.load_into(target));
  }

  // What is wrong, or nothing.
  std::string check(DatabaseReader& reader) const {
    std::string wrong;
    const auto units =
        reader.rows(fmt::format("SELECT unit FROM _forebay.units WHERE pipeline = '{}' AND state = "
                                "'quarantined' ORDER BY 1",
                                name_));
    std::set<std::string> set_aside;
    for (const auto& row : units) set_aside.insert(row[0].value_or("null"));
    if (set_aside != bad_) wrong += fmt::format("quarantined are {}, not {}\n", set_aside, bad_);
    if (types_.empty()) return wrong;
    std::vector<std::string> names;
    for (const auto& [column, type] : types_) {
      names.push_back(column + "::VARCHAR");
      const auto found = reader.rows(fmt::format(
          "SELECT data_type FROM duckdb_columns() WHERE table_name = '{}' AND column_name = '{}'",
          name_, column));
      if (found.size() != 1 || found[0][0] != type)
        wrong += fmt::format("{} is {}, not {}\n", column, found.empty() ? "missing" : *found[0][0],
                             type);
    }
    if (!wrong.empty()) return wrong;
    std::vector<std::string> expected;
    for (const Row& row : rows_) {
      std::vector<std::string> cells;
      for (const auto& [column, type] : types_) {
        const auto cell = row.find(column);
        cells.push_back(cell == row.end() || !cell->second ? "null" : shown(*cell->second, type));
      }
      expected.push_back(fmt::format("{}", fmt::join(cells, "|")));
    }
    std::vector<std::string> found;
    for (const auto& row :
         reader.rows(fmt::format("SELECT {} FROM main.{}", fmt::join(names, ", "), name_))) {
      std::vector<std::string> cells;
      for (const auto& cell : row) cells.push_back(cell.value_or("null"));
      found.push_back(fmt::format("{}", fmt::join(cells, "|")));
    }
    std::ranges::sort(expected);
    std::ranges::sort(found);
    if (expected != found)
      wrong += fmt::format("expected:\n{}\nfound:\n{}\n", fmt::join(expected, "\n"),
                           fmt::join(found, "\n"));
    return wrong;
  }

  std::string story() const { return fmt::format("FOREBAY_SEED={}\n{}", seed_, log_); }

 private:
  using Pool = std::vector<const char*>;
  inline static const std::vector<Pool> kPools = {
      {"1", "-20", "9007199254740993", "0"},
      {"1.5", "-0.25", "1234.125", "0.1"},
      {"true", "false"},
      {"2024-02-29", "1999-12-31"},
      {"2024-02-29 12:00:00", "2024-02-29 12:00:00.125"},
      {"word", "", "007", "a,b", "tab\tbed", "ünï"},
  };

  std::uint64_t draw(std::uint64_t below) { return random_() % below; }

  Value draw_value(const std::string& column, bool stray) {
    if (draw(6) == 0) return std::nullopt;
    const Pool& pool = kPools[stray ? draw(kPools.size()) : pools_.at(column)];
    return pool[draw(pool.size())];
  }

  File make_file() {
    File file{.format = static_cast<Format>(draw(5)), .broken = draw(8) == 0};
    static constexpr std::array kSuffixes{".csv", ".tsv", ".jsonl", ".json", ".parquet"};
    file.key = fmt::format("{:03}{}", files_++, kSuffixes[static_cast<std::size_t>(file.format)]);
    file.columns = {"n"};
    // Parquet says its types: it keeps to columns whose types are settled.
    for (const auto& [column, pool] : pools_) {
      const bool settled = filled_.contains(column) && filled_.at(column) > 0;
      if ((file.format != Format::parquet || settled) && draw(3) > 0)
        file.columns.push_back(column);
    }
    std::ranges::shuffle(file.columns, random_);
    const bool stray = draw(6) == 0;
    for (std::uint64_t r = draw(6); r > 0; --r) {
      Row row;
      for (const std::string& column : file.columns)
        row[column] =
            column == "n" ? Value(std::to_string(rows_made_++)) : draw_value(column, stray);
      file.rows.push_back(std::move(row));
    }
    // A JSON file without rows, or with nothing but nulls in a column, does not name it.
    if (file.format == Format::json_lines || file.format == Format::json_array) {
      std::erase_if(file.columns, [&](const std::string& column) {
        return std::ranges::none_of(file.rows,
                                    [&](const Row& row) { return row.at(column).has_value(); });
      });
    }
    return file;
  }

  void write(const File& file) {
    std::string path = source_ + "/" + file.key;
    if (file.format == Format::parquet) {
      write_parquet(file, path);
    } else {
      std::string bytes = file.format == Format::csv   ? separated(file, ',')
                          : file.format == Format::tsv ? separated(file, '\t')
                                                       : json(file);
      const std::uint64_t packing = draw(3);
      if (packing == 1) bytes = gzip(bytes);
      if (packing == 2) bytes = zstd(bytes);
      path += packing == 1 ? ".gz" : packing == 2 ? ".zst" : "";
      std::ofstream(path, std::ios::binary) << bytes;
    }
    keys_[file.key] = std::filesystem::path(path).filename().string();
    log_ += fmt::format("{}{}:\n{}", keys_[file.key], file.broken ? " (broken)" : "",
                        separated(file, ','));
  }

  void write_parquet(const File& file, const std::string& path) {
    std::vector<std::string> types;
    for (const std::string& column : file.columns)
      types.push_back(column == "n" ? "BIGINT" : type_of(values({&file}, column)));
    std::vector<std::string> selects;
    Row nothing;
    for (const std::string& column : file.columns) nothing[column] = std::nullopt;
    for (std::size_t r = 0; r <= file.rows.size(); ++r) {
      const Row& row = r < file.rows.size() ? file.rows[r] : nothing;
      std::vector<std::string> cells;
      for (std::size_t c = 0; c < types.size(); ++c) {
        const Value& value = row.at(file.columns[c]);
        cells.push_back(fmt::format("{}::{} AS {}", value ? "'" + *value + "'" : "NULL", types[c],
                                    file.columns[c]));
      }
      selects.push_back(fmt::format("SELECT {}", fmt::join(cells, ", ")));
    }
    make_parquet(path, fmt::format("SELECT * FROM ({}) LIMIT {}", fmt::join(selects, " UNION ALL "),
                                   file.rows.size()));
    if (file.broken) std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  }

  static std::vector<std::string> values(const std::vector<const File*>& files,
                                         const std::string& column) {
    std::vector<std::string> all;
    for (const File* file : files) {
      for (const Row& row : file->rows) {
        const auto cell = row.find(column);
        if (cell != row.end() && cell->second) all.push_back(*cell->second);
      }
    }
    return all;
  }
  // As a column of this type shows a value that it holds.
  static std::string shown(const std::string& value, const std::string& type) {
    return type == "DOUBLE" && !value.contains('.') ? value + ".0" : value;
  }

  // The contract: what a standing column takes.
  bool fits(const File& file, const std::string& column) const {
    const auto all = values({&file}, column);
    const std::string& type = types_.at(column);
    if (file.format == Format::parquet) {
      const std::string own = column == "n" ? "BIGINT" : type_of(all);
      if (all.empty() || own == type) return true;  // without a value it has no say
      return own == "BIGINT" && type == "DOUBLE" && double_takes(all);
    }
    return all.empty() || type == "VARCHAR" || print_back(all, type) ||
           (type == "DOUBLE" && double_takes(all));
  }
  static bool double_takes(const std::vector<std::string>& values) {
    return std::ranges::all_of(values, [](const std::string& value) {
      return value != "9007199254740993" &&
             (print_back({value}, "DOUBLE") || print_back({value}, "BIGINT"));
    });
  }

  void expect(const std::vector<File>& files) {
    std::vector<const File*> good;
    for (const File& file : files) {
      const bool fits_all = std::ranges::all_of(file.columns, [&](const std::string& column) {
        return !filled_.contains(column) || filled_.at(column) == 0 || fits(file, column);
      });
      if (file.broken || !fits_all) {
        bad_.insert(keys_.at(file.key));
      } else {
        good.push_back(&file);
      }
    }
    for (const File* file : good) {
      for (const std::string& column : file->columns) {
        const bool typed = file->format == Format::parquet && column == "n";
        types_.try_emplace(column, typed ? "BIGINT" : "VARCHAR");
        filled_.try_emplace(column, 0);
      }
      rows_.insert(rows_.end(), file->rows.begin(), file->rows.end());
    }
    for (auto& [column, count] : filled_) {
      const auto all = values(good, column);
      if (count == 0 && !all.empty()) types_[column] = type_of(all);
      count += all.size();
    }
  }

  std::uint64_t seed_;
  std::mt19937_64 random_;
  std::string name_;
  std::string source_;
  TestPipeline pipeline_;
  std::map<std::string, std::size_t> pools_;  // the kind of values that a column mostly has
  int files_ = 0;
  int rows_made_ = 0;
  std::map<std::string, std::string> keys_;
  std::string log_;
  std::map<std::string, std::string> types_;
  std::map<std::string, std::size_t> filled_;  // values in a column
  std::set<std::string> bad_;
  std::vector<Row> rows_;
};

std::vector<std::string> run(std::uint64_t first, std::uint64_t count) {
  const TempFolder folder;
  const std::string database = folder / "warehouse.duckdb";
  std::vector<std::unique_ptr<FilesHistory>> histories;
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    histories.push_back(std::make_unique<FilesHistory>(seed, folder.path(), database));
  std::vector<std::string> found;
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    {
      const auto target = histories.front()->open_target();
      for (const auto& history : histories) history->load(*target);
    }
    DatabaseReader reader(database);
    std::erase_if(histories, [&](const auto& history) {
      const std::string wrong = history->check(reader);
      if (!wrong.empty()) found.push_back(wrong + history->story());
      return !wrong.empty();
    });
    if (histories.empty()) break;
  }
  return found;
}

void expect_agreement(std::uint64_t from) {
  const char* seed = std::getenv("FOREBAY_SEED");
  const std::uint64_t first = seed == nullptr ? from : std::strtoull(seed, nullptr, 10);
  const std::uint64_t end = seed == nullptr ? first + kHistories : first + 1;
  for (std::uint64_t at = first; at < end; at += kSideBySide) {
    for (const std::string& problem : run(at, std::min(kSideBySide, end - at)))
      ADD_FAILURE() << problem;
  }
}

// Two suites, so that they can run at the same time.
TEST(RandomHistoriesOfFilesOne, EveryLoadLeavesWhatTheGoodFilesHold) { expect_agreement(1); }

TEST(RandomHistoriesOfFilesTwo, EveryLoadLeavesWhatTheGoodFilesHold) {
  expect_agreement(1 + kHistories);
}

}  // namespace
}  // namespace forebay::test
