#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "support/parquet_maker.h"
#include "support/pipeline_fixture.h"
#include "support/random_lives.h"

// Aim: whatever versions of whatever records stand in whatever files, and in whatever order the
// files arrive, history and current table are what an oracle computes from all rows at once (FEEDS
// 2.2 rules 3 and 4, KEY-10, TESTING section 2 item 1). Method: files drawn from seeds, loaded a
// few at a time by a pipeline a seed; all seeds share one database, which is compared at the end.
// The oracle sorts the rows and shares no code with the product.
//
// FOREBAY_SEED=17 runs that seed alone.
namespace forebay::test {
namespace {

struct Row {
  std::string file;
  int number = 0;  // in the file
  int record = 0;
  int version = 0;
  int status = 0;
  int begin = -1;  // -1: null
};

constexpr const char* kStatus[] = {"ALIVE", "EOL", "DELETE"};

struct Story {
  std::uint64_t seed = 0;
  std::vector<std::vector<Row>> files;  // in the order of arrival
  std::vector<std::size_t> loads;       // after how many files
  bool history = true;
};

Story make_story(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random() % static_cast<std::uint64_t>(bound));
  };
  Story story{.seed = seed, .history = below(4) != 0};
  const int count = 1 + below(6);
  std::vector<int> names(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) names[static_cast<std::size_t>(i)] = i;
  for (std::size_t i = names.size(); i > 1; --i)
    std::swap(names[i - 1], names[static_cast<std::size_t>(below(static_cast<int>(i)))]);
  for (const int name : names) {
    std::vector<Row>& rows = story.files.emplace_back();
    const int size = below(8);
    for (int n = 0; n < size; ++n)
      rows.push_back({.file = fmt::format("f{}", name),
                      .number = n,
                      .record = below(3),
                      .version = 1 + below(4),
                      .status = below(3),
                      .begin = below(4) - 1});
    if (rows.empty()) rows.push_back({.file = fmt::format("f{}", name), .record = 9, .version = 1});
    if (below(4) == 0) story.loads.push_back(story.files.size());
  }
  story.loads.push_back(story.files.size());
  return story;
}

std::string select(const std::vector<Row>& rows) {
  std::string values;
  for (const Row& row : rows)
    values += fmt::format("{}({}, {}, '{}', {}, '{}.{}')", values.empty() ? "" : ", ", row.record,
                          row.version, kStatus[row.status],
                          row.begin < 0 ? "NULL" : std::to_string(row.begin), row.file, row.number);
  return "SELECT r::INTEGER AS record, v::UBIGINT AS version, s AS status, b::INTEGER AS began, t "
         "AS note FROM (VALUES " +
         values + ") x(r, v, s, b, t)";
}

// record → version → the row that wins.
using Winners = std::map<int, std::map<int, Row>>;

Winners winners(const Story& story) {
  Winners all;
  const auto weight = [](const Row& row) {
    return std::tuple(row.status, row.begin, row.file, row.number);
  };
  for (const auto& file : story.files) {
    for (const Row& row : file) {
      const auto [place, fresh] = all[row.record].try_emplace(row.version, row);
      if (!fresh && weight(place->second) < weight(row)) place->second = row;
    }
  }
  return all;
}

std::string line(const Row& row) {
  return fmt::format("{}|{}|{}|{}.{}", row.record, row.version, kStatus[row.status], row.file,
                     row.number);
}

std::string yaml(const Story& story) {
  return std::string(
             "about: a test\nunit: {file: \"*.parquet\"}\ntable: {text: t}\neffect: put\n") +
         "rows:\n  key: [record]\n  version: [version]\n" +
         "  tie: [{rank: status, order: [ALIVE, EOL, DELETE]}, began]\n" +
         "  delete: {operation: status, is: [DELETE], others: [ALIVE, EOL]}\n" +
         (story.history ? "keep: both\ncheck: {consecutive: [version]}\n" : "");
}

void run(const Story& story, const std::string& folder, Target& target) {
  const std::string name = fmt::format("s{}", story.seed);
  const std::string source = folder + "/" + name + "/";
  std::filesystem::create_directories(source);
  TestPipeline pipeline(
      {.yaml = yaml(story), .name = name, .schema = name, .source = source, .database = "none"});
  pipeline.clock().advance(std::chrono::hours(24 * 365 * 10));
  std::size_t arrived = 0;
  for (const std::size_t load : story.loads) {
    for (; arrived < load; ++arrived) {
      const std::vector<Row>& rows = story.files[arrived];
      make_parquet(source + rows.front().file + ".parquet", select(rows));
    }
    const CycleReport report = pipeline.load_into(target);
    EXPECT_EQ(code(report), 0) << "seed " << story.seed << "\n" << text(report);
  }
}

Lines table(DatabaseReader& reader, const Story& story, const std::string& name) {
  Lines lines;
  for (const auto& row : reader.rows(
           fmt::format("SELECT record || '|' || version || '|' || status || '|' || note FROM "
                       "s{}.{} ORDER BY record, version",
                       story.seed, name)))
    lines.push_back(row[0].value_or("null"));
  return lines;
}

void check(const Story& story, DatabaseReader& reader) {
  Lines history;
  Lines current;
  std::int64_t gaps = 0;
  for (const auto& [record, versions] : winners(story)) {
    for (const auto& [version, row] : versions) history.push_back(line(row));
    gaps += versions.rbegin()->first - versions.begin()->first + 1 -
            static_cast<std::int64_t>(versions.size());
    const Row& newest = versions.rbegin()->second;
    if (newest.status != 2) current.push_back(line(newest));
  }
  EXPECT_EQ(table(reader, story, "t"), current) << "seed " << story.seed;
  if (!story.history) return;
  EXPECT_EQ(table(reader, story, "t__history"), history) << "seed " << story.seed;
  EXPECT_EQ(reader
                .rows(fmt::format("SELECT arg_max(counts->>'gaps', commit_no) FROM "
                                  "_forebay.commit_tables WHERE pipeline = 's{}'",
                                  story.seed))
                .at(0)
                .at(0),
            std::to_string(gaps))
      << "seed " << story.seed;
}

void expect_all(std::uint64_t first) {
  expect_agreement(
      seeds_of(first, 100),
      [](std::uint64_t seed, const std::string& folder, Target& target) {
        run(make_story(seed), folder, target);
      },
      [](std::uint64_t seed, DatabaseReader& reader) { check(make_story(seed), reader); });
}

// Three suites, so that they can run at the same time.
TEST(RandomVersionsOne, TablesAreWhatAllRowsAtOnceGive) { expect_all(1); }
TEST(RandomVersionsTwo, TablesAreWhatAllRowsAtOnceGive) { expect_all(101); }
TEST(RandomVersionsThree, TablesAreWhatAllRowsAtOnceGive) { expect_all(201); }

}  // namespace
}  // namespace forebay::test
