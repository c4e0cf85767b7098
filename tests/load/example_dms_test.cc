#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/example_feed.h"
#include "support/parquet_bytes.h"
#include "support/pipeline_fixture.h"
#include "support/random_lives.h"
#include "support/temp_folder.h"

// Aim: examples/dms.yaml, which nobody thought of while the language was made, gives the tables of
// the database that was copied: full-load files in hexadecimal order without the operation, then
// change files, none with a header line, in whatever order they become visible (FEEDS, section 3).
// Method: lives of a small database from seeds, written as the replication task writes them; the
// oracle is that database.
//
// FOREBAY_SEED=17 runs that seed alone.
namespace forebay::test {
namespace {

OptionValue list(std::vector<std::string> values) {
  return {.values = std::move(values), .is_list = true, .where = "forebay.yaml:7"};
}

struct Life {
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>> files;  // name and content, as they arrive
  std::vector<std::size_t> loads;                          // after how many files
  Lines rows;                                              // what the database ends with
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : seed_(seed), random_(seed) {}

  Life make() {
    Life life{.seed = seed_};
    const int initial = below(30);
    const int parts = 1 + below(20);  // so that names reach LOAD0000000A and LOAD00000010
    std::vector<std::string> load(static_cast<std::size_t>(parts));
    for (int id = 0; id < initial; ++id)
      load[static_cast<std::size_t>(id % parts)] += line(id, fresh_row(id));
    for (std::size_t i = 0; i < load.size(); ++i) {
      if (!load[i].empty()) life.files.emplace_back(fmt::format("LOAD{:08X}.csv", i + 1), load[i]);
    }
    const int changes = below(8);
    for (int i = 0; i < changes; ++i)
      life.files.emplace_back(fmt::format("20261020-1415{:02}{:03}.csv", i / 2, 7 * i), change());
    std::ranges::shuffle(life.files, random_);
    for (std::size_t i = 1; i <= life.files.size(); ++i) {
      if (below(4) == 0 || i == life.files.size()) life.loads.push_back(i);
    }
    for (const auto& [id, row] : rows_)
      life.rows.push_back(fmt::format("{}|{}|{}", id, row.quantity, row.note.value_or("null")));
    std::ranges::sort(life.rows);
    return life;
  }

 private:
  struct Row {
    int quantity = 0;
    std::optional<std::string> note;
  };

  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }

  const Row& fresh_row(int id) {
    Row row{.quantity = below(1000)};
    if (below(5) > 0) row.note = fmt::format("no {}, \"really\"", below(100));
    return rows_[id] = row;
  }

  static std::string line(int id, const Row& row) {
    std::string note;
    for (const char c : row.note.value_or(""))
      note += c == '"' ? std::string("\"\"") : std::string(1, c);
    return fmt::format("{},{},{}\n", id, row.quantity, row.note ? '"' + note + '"' : "");
  }

  std::string change() {
    std::string content;
    for (int i = 1 + below(6); i > 0; --i) {
      const int id = below(40);
      const bool stands = rows_.contains(id);
      if (stands && below(3) == 0) {
        content += "D," + line(id, rows_.at(id));
        rows_.erase(id);
      } else {
        content += (stands ? "U," : "I,") + line(id, fresh_row(id));
      }
    }
    return content;
  }

  std::uint64_t seed_;
  std::mt19937_64 random_;
  std::map<int, Row> rows_;
};

TestPipeline::Settings settings(const std::string& name, const std::string& source,
                                const std::string& database) {
  TestPipeline::Settings settings = example_feed("dms", name, source, database);
  settings.more = {{"primary_key", list({"id"})},
                   {"columns", list({"Op", "id", "quantity", "note"})}};
  return settings;
}

void run(const Life& life, const std::string& folder, Target& target) {
  const std::string name = fmt::format("s{}", life.seed);
  const std::string source = folder + "/" + name + "/";
  std::filesystem::create_directories(source + "shop/orders");
  TestPipeline pipeline(settings(name, source, "none"));
  pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
  std::size_t arrived = 0;
  for (const std::size_t load : life.loads) {
    for (; arrived < load; ++arrived)
      write_file(source + "shop/orders/" + life.files[arrived].first, life.files[arrived].second);
    const CycleReport report = pipeline.load_into(target);
    EXPECT_EQ(code(report), 0) << "seed " << life.seed << "\n" << text(report);
  }
}

void check(std::uint64_t seed, DatabaseReader& reader) {
  const Life life = Maker(seed).make();
  if (life.files.empty()) return;
  Lines found;
  for (const auto& row :
       reader.rows(fmt::format("SELECT id || '|' || quantity || '|' || coalesce(note, 'null') FROM "
                               "s{}.orders",
                               seed)))
    found.push_back(row[0].value_or("null"));
  std::ranges::sort(found);
  EXPECT_EQ(found, life.rows) << "seed " << seed;
}

TEST(RandomDmsLives, TheTableIsTheDatabases) {
  expect_agreement(
      seeds_of(1, 60),
      [](std::uint64_t seed, const std::string& folder, Target& target) {
        run(Maker(seed).make(), folder, target);
      },
      check);
}

class DmsExample : public ::testing::Test {
 protected:
  DmsExample() { std::filesystem::create_directories(folder_ / "in/shop/orders"); }
  void put(const std::string& name, const std::string& content) {
    folder_.write("in/shop/orders/" + name, content);
  }
  CycleReport load(int expected = 0) {
    TestPipeline pipeline(settings_);
    pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
    CycleReport report = pipeline.load();
    EXPECT_EQ(code(report), expected) << text(report);
    return report;
  }
  Lines rows() const {
    return query_lines(folder_ / "w.duckdb",
                       "SELECT * EXCLUDE (_forebay_file) FROM main.orders ORDER BY id");
  }

  TempFolder folder_;
  TestPipeline::Settings settings_ = settings("main", folder_ / "in/", folder_ / "w.duckdb");
};

TEST_F(DmsExample, FullLoadFilesAreOrderedByTheirNumbersAndComeBeforeChanges) {
  put("20261020-141502123.csv", "U,1,12,changed\nD,2,5,gone\nI,3,7,new\n");
  put("LOAD0000000A.csv", "1,11,tenth\n");
  put("LOAD00000002.csv", "1,10,second\n2,5,gone\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|12|changed", "3|7|new"}));
  put("20261020-141500000.csv", "U,1,99,late\nU,3,99,late\nI,4,1,late\n");
  load();
  EXPECT_EQ(rows(), (Lines{"1|12|changed", "3|7|new", "4|1|late"}));
}

TEST_F(DmsExample, FilesMayNameTheirColumns) {
  settings_.more.erase("columns");
  settings_.options = {{"header", "true"}};
  put("LOAD00000001.csv", "id,quantity,note\n1,10,a\n2,20,b\n");
  put("20261020-141502123.csv", "Op,id,quantity,note\nD,1,10,a\nU,2,21,b\n");
  load();
  EXPECT_EQ(rows(), (Lines{"2|21|b"}));
}

TEST_F(DmsExample, AnUnknownOperationStopsBeforeItsFile) {
  put("LOAD00000001.csv", "1,10,a\n");
  put("20261020-141502123.csv", "X,1,10,a\n");
  put("20261020-141503000.csv", "U,1,11,a\n");
  load(5);
  EXPECT_EQ(rows(), (Lines{"1|10|a"}));
}

}  // namespace
}  // namespace forebay::test
