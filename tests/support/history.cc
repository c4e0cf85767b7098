#include "support/history.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

namespace forebay::test {
namespace {

constexpr int kMostMarkers = 12;
constexpr int kMostKeys = 10;

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) { history_.seed = seed; }

  History make() {
    tables_ = {"visits", "prices", "washes"};
    tables_.resize(1 + below(1 + below(3)));  // mostly few: more loads in the same time
    hot_ = 1 + static_cast<int>(below(4));
    const int count = 2 + static_cast<int>(below(kMostMarkers - 1));
    for (int i = 0; i < count; ++i) history_.markers.push_back(marker(i));
    make_steps();
    return std::move(history_);
  }

 private:
  // Not a distribution of the library's: those differ from one to the next.
  std::size_t below(std::size_t end) { return random_() % end; }
  bool one_in(std::size_t n) { return below(n) == 0; }

  Marker marker(int i) {
    if (one_in(10)) return batch(batch_name(i));
    const bool is_snapshot = one_in(4);
    Marker made = is_snapshot ? snapshot(batch_name(i), {}) : batch(batch_name(i));
    for (const std::string& table : tables_) {
      if (one_in(3)) continue;
      const std::size_t files = 1 + (one_in(4) ? 1 + below(2) : 0);
      for (std::size_t n = 0; n < files; ++n) made.files.push_back(file(table, is_snapshot));
    }
    // The sender lists a table's files in their order, but tables may alternate.
    if (one_in(4) && made.files.size() > 2) std::swap(made.files[0], made.files[1]);
    return made;
  }

  FeedFile file(const std::string& table, bool is_snapshot) {
    FeedFile made{.table = table, .columns = columns(table)};
    const std::size_t rows = one_in(5) ? 0 : below(6);
    for (std::size_t i = 0; i < rows; ++i) made.rows.push_back(row(made.columns, is_snapshot));
    return made;
  }

  FeedColumns columns(const std::string& table) {
    FeedColumns& known = columns_[table];
    if (known.empty())
      known = {{"n", "INTEGER"}, {"s", "VARCHAR"}, {"d", "DECIMAL(6,2)"}, {"r", "FLOAT"}};
    if (one_in(6))
      known.push_back({fmt::format("x{}", known.size()), one_in(2) ? "INTEGER" : "VARCHAR"});
    FeedColumns made = known;
    for (FeedColumn& column : made) {
      if (!one_in(6)) continue;
      if (column.type == "INTEGER") column.type = "BIGINT";
      if (column.type == "FLOAT") column.type = "DOUBLE";
      if (column.type == "DECIMAL(6,2)") column.type = "DECIMAL(12,4)";
    }
    if (one_in(8)) made.erase(made.begin() + static_cast<std::ptrdiff_t>(below(made.size())));
    if (one_in(8)) std::ranges::reverse(made);
    return made;
  }

  FeedRow row(const FeedColumns& columns, bool is_snapshot) {
    // Few keys that change all the time, and some that rarely do.
    const std::size_t key = one_in(3) ? below(kMostKeys) : below(static_cast<std::size_t>(hot_));
    const std::string id = fmt::format("k{}", key);
    if (is_snapshot ? one_in(12) : one_in(3)) return gone(id);
    FeedRow made = put(id);
    if (one_in(10)) made.deleted.reset();
    for (const FeedColumn& column : columns) made.cells.push_back(cell(column.type));
    return made;
  }

  Cell cell(const std::string& type) {
    if (one_in(6)) return {};
    const auto number = static_cast<std::int64_t>(below(9000)) - 4500;
    if (type == "INTEGER") return number;
    if (type == "BIGINT") return number * (one_in(2) ? 1'000'000'007 : 1);
    if (type == "FLOAT") return static_cast<double>(number) / 4;
    if (type == "DOUBLE") return static_cast<double>(number * (one_in(2) ? 1'000'000'007 : 1)) / 4;
    if (type == "DECIMAL(6,2)") return fmt::format("{}.{:02}", number, below(100));
    if (type == "DECIMAL(12,4)") return fmt::format("{}.{:04}", number * 1000, below(10000));
    return fmt::format("v{}", ++texts_);
  }

  void make_steps() {
    std::vector<std::size_t> held;
    std::vector<std::size_t> there;
    const auto deliver = [&](std::size_t i) {
      step({.kind = History::Step::Kind::deliver, .marker = i});
      there.push_back(i);
    };
    for (std::size_t i = 0; i < history_.markers.size(); ++i) {
      if (one_in(4)) {
        held.push_back(i);
      } else {
        deliver(i);
      }
      if (!held.empty() && one_in(3)) {
        const std::size_t which = below(held.size());
        deliver(held[which]);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
      }
      if (!there.empty() && one_in(6))
        step({.kind = one_in(2) ? History::Step::Kind::repeat : History::Step::Kind::repeat_whole,
              .marker = there[below(there.size())]});
      if (one_in(5)) load();
    }
    while (!held.empty()) {
      const std::size_t which = below(held.size());
      deliver(held[which]);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
      if (one_in(5)) load();
    }
    step({});
  }

  void load() {
    step({.max_units = one_in(3) ? std::optional<std::size_t>(1 + below(2)) : std::nullopt});
  }
  void step(History::Step step) { history_.steps.push_back(step); }

  std::mt19937_64 random_;
  History history_;
  std::vector<std::string> tables_;
  std::map<std::string, FeedColumns> columns_;
  int hot_ = 1;
  int texts_ = 0;
};

std::string cell_text(const Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return "null";
}

}  // namespace

History make_history(std::uint64_t seed) { return Maker(seed).make(); }

std::string to_text(const Marker& marker) {
  std::string text = fmt::format("{} {}\n", marker.name, marker.kind);
  for (const FeedFile& file : marker.files) {
    text += "    " + file.table;
    for (const FeedColumn& column : file.columns)
      text += fmt::format(" {}:{}", column.name, column.type);
    text += "\n";
    for (const FeedRow& row : file.rows) {
      std::vector<std::string> cells;
      for (const Cell& cell : row.cells) cells.push_back(cell_text(cell));
      text += fmt::format("      {} {} {}\n", row.deleted.value_or(false) ? "gone" : "put",
                          row.id.value_or("null"), fmt::join(cells, ", "));
    }
  }
  return text;
}

std::string to_text(const History& history) {
  std::string text = fmt::format("history of seed {}\n", history.seed);
  for (const Marker& marker : history.markers) text += "  " + to_text(marker);
  for (const History::Step& step : history.steps) {
    switch (step.kind) {
      case History::Step::Kind::deliver:
        text += "  deliver " + history.markers[step.marker].name + "\n";
        break;
      case History::Step::Kind::repeat:
        text += "  write the marker again: " + history.markers[step.marker].name + "\n";
        break;
      case History::Step::Kind::repeat_whole:
        text += "  deliver again " + history.markers[step.marker].name + "\n";
        break;
      case History::Step::Kind::load:
        text +=
            step.max_units ? fmt::format("  load --max-units {}\n", *step.max_units) : "  load\n";
        break;
    }
  }
  return text;
}

}  // namespace forebay::test
