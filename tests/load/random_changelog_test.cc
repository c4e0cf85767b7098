#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/feed_maker.h"
#include "support/pipeline_fixture.h"
#include "support/random_lives.h"

// Aim: with `keep: both` in a feed whose units have an order, the history of each table is every
// row that was delivered and what each snapshot removed, and the current table what all of it ends
// with, whatever becomes visible when (CONTRACT, section 3; FEEDS 2.1 rules 5 and 8). Method:
// deliveries drawn from seeds, visible in any order, loaded a few at a time; the oracle goes
// through them in the order of their names and shares no code with the product.
//
// FOREBAY_SEED=17 runs that seed alone.
namespace forebay::test {
namespace {

struct Story {
  std::uint64_t seed = 0;
  std::vector<Marker> markers;       // in the order of their names
  std::vector<std::size_t> arrival;  // indices, as they become visible
  std::vector<std::size_t> loads;    // after how many of them
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }
  template <class List>
  void shuffle(List& list) {
    std::ranges::shuffle(list, random_);
  }

 private:
  std::mt19937_64 random_;
};

std::vector<FeedRow> make_rows(Draw& draw, bool deletes, int amount) {
  std::vector<FeedRow> rows;
  for (int i = draw.below(4); i > 0; --i) {
    const std::string id(1, static_cast<char>('a' + draw.below(4)));
    if (deletes && draw.below(3) == 0) {
      rows.push_back(gone(id));
    } else {
      rows.push_back(put(id, {std::int64_t{amount * 10 + i}}));
    }
  }
  return rows;
}

Story make_story(std::uint64_t seed) {
  Draw draw(seed);
  Story story{.seed = seed};
  const int count = 1 + draw.below(6);
  for (int i = 0; i < count; ++i) {
    const bool full = draw.below(3) == 0;
    std::vector<FeedFile> files;
    for (int f = draw.below(5) == 0 ? 2 : 1; f > 0; --f)
      files.push_back({.table = "visits", .rows = make_rows(draw, !full, 10 * i + f)});
    if (draw.below(8) == 0) files.clear();  // a heartbeat
    story.markers.push_back(full ? snapshot(batch_name(i), files) : batch(batch_name(i), files));
    story.arrival.push_back(static_cast<std::size_t>(i));
  }
  draw.shuffle(story.arrival);
  for (std::size_t i = 1; i <= story.arrival.size(); ++i) {
    if (draw.below(3) == 0 || i == story.arrival.size()) story.loads.push_back(i);
  }
  return story;
}

struct Expected {
  Lines history;
  Lines current;
};

Expected tables_of(const Story& story) {
  Expected expected;
  std::map<std::string, std::int64_t> stands;
  for (const Marker& marker : story.markers) {
    const bool full = marker.kind == "snapshot";
    const auto before = stands;
    if (full && !marker.files.empty()) stands.clear();
    Lines rows;
    std::size_t of_first_file = 0;
    for (const FeedFile& file : marker.files) {
      for (std::size_t i = 0; i < file.rows.size(); ++i) {
        const FeedRow& row = file.rows[i];
        if (row.deleted.value_or(false)) {
          rows.push_back(fmt::format("{}|{}|null|delete|{}", marker.name, *row.id, i));
          stands.erase(*row.id);
        } else {
          const auto amount = std::get<std::int64_t>(row.cells[0]);
          rows.push_back(fmt::format("{}|{}|{}|put|{}", marker.name, *row.id, amount, i));
          stands[*row.id] = amount;
        }
      }
      if (&file == &marker.files.front()) of_first_file = rows.size();
    }
    Lines cleared;
    for (const auto& [id, amount] : before) {
      if (full && !marker.files.empty() && !stands.contains(id))
        cleared.push_back(fmt::format("{}|{}|null|cleared|null", marker.name, id));
    }
    // They carry the number of the snapshot's first file.
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(of_first_file), cleared.begin(),
                cleared.end());
    expected.history.insert(expected.history.end(), rows.begin(), rows.end());
  }
  for (const auto& [id, amount] : stands)
    expected.current.push_back(id + "|" + std::to_string(amount));
  return expected;
}

void run(const Story& story, const std::string& folder, Target& target) {
  const std::string name = fmt::format("s{}", story.seed);
  const std::string source = folder + "/" + name;
  std::filesystem::create_directories(source);
  TestPipeline pipeline({.options = {{"keep", "both"}},
                         .name = name,
                         .schema = name,
                         .source = source,
                         .database = "none"});
  const FeedMaker feed(source, "");
  std::size_t arrived = 0;
  for (const std::size_t load : story.loads) {
    for (; arrived < load; ++arrived) feed.deliver(story.markers[story.arrival[arrived]]);
    const CycleReport report = pipeline.load_into(target);
    EXPECT_EQ(code(report), 0) << "seed " << story.seed << "\n" << text(report);
  }
}

Lines lines(DatabaseReader& reader, const std::string& sql) {
  Lines found;
  for (const auto& row : reader.rows(sql)) {
    std::string line;
    for (const auto& cell : row) line += (line.empty() ? "" : "|") + cell.value_or("null");
    found.push_back(std::move(line));
  }
  return found;
}

void check(const Story& story, DatabaseReader& reader) {
  const Expected expected = tables_of(story);
  const bool any =
      std::ranges::any_of(story.markers, [](const auto& m) { return !m.files.empty(); });
  if (!any) return;  // no table was ever named
  EXPECT_EQ(
      lines(reader,
            fmt::format("SELECT regexp_extract(u.unit, '(.*).json', 1), h._row_id, h.amount, "
                        "h._forebay_op, h._forebay_row FROM s{0}.visits__history h JOIN "
                        "_forebay.file_log u ON u.file_id = h._forebay_file ORDER BY u.place, "
                        "u.file_id, h._forebay_row, h._row_id",
                        story.seed)),
      expected.history)
      << "seed " << story.seed;
  EXPECT_EQ(
      lines(reader, fmt::format("SELECT _row_id, amount FROM s{}.visits ORDER BY 1", story.seed)),
      expected.current)
      << "seed " << story.seed;
}

TEST(RandomChangelogs, HistoryAndTableAreWhatAllDeliveriesInOrderGive) {
  expect_agreement(
      seeds_of(1, 100),
      [](std::uint64_t seed, const std::string& folder, Target& target) {
        run(make_story(seed), folder, target);
      },
      [](std::uint64_t seed, DatabaseReader& reader) { check(make_story(seed), reader); });
}

}  // namespace
}  // namespace forebay::test
