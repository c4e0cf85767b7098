#include "load/pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "load/record.h"

namespace forebay {
namespace {

// Pieces that were applied together are of one state, whatever came since.
std::int64_t applied_in(const PlannedUnit& unit) {
  return unit.standing == Standing::changed && unit.known ? unit.known->commit_no : 0;
}

const Piece& piece_of(const PlannedUnit& unit) { return *unit.content->piece; }

// How long one began before or after the other, where both say when.
std::optional<Duration> apart(const PlannedUnit& a, const PlannedUnit& b) {
  if (!a.content->time || !b.content->time) return std::nullopt;
  return std::chrono::abs(*a.content->time - *b.content->time);
}

std::string bounds(const Piece& piece) {
  return fmt::format("{} from {} to {}", piece.by, piece.above.value_or("its beginning"),
                     piece.to.value_or("its end"));
}

// The windows of one state as indices into units that are sorted from the newest on.
class Chain {
 public:
  explicit Chain(const std::vector<PlannedUnit>& units) : units_(units) {}

  // Grows a chain around the piece at `first` to both ends, with the newest that fits; why it does
  // not reach them, or nothing.
  std::string grow(std::size_t first) {
    members_ = {first};
    end_ = first + 1;
    while (end_ < units_.size() && units_[end_].content->piece) ++end_;
    begin_ = first;
    while (piece_of(units_[members_.front()]).above) {
      const Piece& right = piece_of(units_[members_.front()]);
      const auto left =
          find([&](const Piece& piece) { return piece.by == right.by && piece.to == right.above; });
      if (!left) return fmt::format("no window of {} ends at {} yet", right.by, *right.above);
      members_.insert(members_.begin(), *left);
    }
    while (piece_of(units_[members_.back()]).to) {
      const Piece& left = piece_of(units_[members_.back()]);
      const auto right =
          find([&](const Piece& piece) { return piece.by == left.by && piece.above == left.to; });
      if (!right) return fmt::format("no window of {} begins at {} yet", left.by, *left.to);
      members_.push_back(*right);
    }
    return {};
  }

  const std::vector<std::size_t>& members() const { return members_; }

 private:
  template <class Fits>
  std::optional<std::size_t> find(Fits fits) const {
    for (std::size_t i = begin_; i < end_; ++i) {
      const bool taken = std::ranges::find(members_, i) != members_.end();
      if (!taken && fits(piece_of(units_[i])) && is_of_one(i)) return i;
    }
    return std::nullopt;
  }

  // Whether a piece is of the state of the first one, and not of one before it that had the same
  // window: then it began nearer to that one.
  bool is_of_one(std::size_t i) const {
    const PlannedUnit& first = units_[begin_];
    const PlannedUnit& unit = units_[i];
    if (applied_in(unit) != applied_in(first)) return false;
    return std::none_of(units_.begin() + static_cast<std::ptrdiff_t>(begin_) + 1,
                        units_.begin() + static_cast<std::ptrdiff_t>(end_),
                        [&](const PlannedUnit& other) {
                          return piece_of(other) == piece_of(first) && apart(unit, other) &&
                                 *apart(unit, other) <= *apart(unit, first);
                        });
  }

  const std::vector<PlannedUnit>& units_;
  std::vector<std::size_t> members_;  // in the order of their windows
  std::size_t begin_ = 0;
  std::size_t end_ = 0;  // pieces that may join
};

// One unit of all members; the newest of them, which comes first among the units, stands for it.
PlannedUnit join(const std::vector<PlannedUnit>& units, const std::vector<std::size_t>& members) {
  PlannedUnit whole = units[std::ranges::min(members)];
  UnitContent content = *whole.content;
  content.files.clear();
  for (const std::size_t member : members) {
    const PlannedUnit& unit = units[member];
    const bool itself = unit.name.name == whole.name.name;
    for (UnitFile file : unit.content->files) {
      if (!itself) file.unit = unit.name.name;
      content.files.push_back(std::move(file));
    }
    if (itself) continue;
    if (!whole.error) whole.error = unit.error;
    content.repeated += unit.content->repeated;
    UnitEntry entry = unit_entry({.planned = unit, .content = *unit.content, .files = {}},
                                 UnitState::applied, "together with " + whole.name.name);
    for (const UnitFile& file : unit.content->files)
      entry.rows += static_cast<std::int64_t>(file.rows.value_or(0));
    whole.joined.push_back(std::move(entry));
    std::ranges::copy(unit.documents, std::back_inserter(whole.documents));
  }
  whole.why += fmt::format("; together with {} more that make it whole", whole.joined.size());
  whole.content = std::make_shared<const UnitContent>(std::move(content));
  return whole;
}

}  // namespace

void join_pieces(std::vector<PlannedUnit>& units, std::vector<PlannedUnit>& waiting) {
  std::ranges::sort(units, std::greater(), [](const PlannedUnit& unit) { return unit.name.place; });
  while (!units.empty() && units.front().content->piece) {
    Chain chain(units);
    std::string why = chain.grow(0);
    if (why.empty()) {
      PlannedUnit whole = join(units, chain.members());
      std::vector<PlannedUnit> others;
      for (std::size_t i = 0; i < units.size(); ++i) {
        if (std::ranges::find(chain.members(), i) == chain.members().end())
          others.push_back(std::move(units[i]));
      }
      units = std::move(others);
      units.insert(units.begin(), std::move(whole));
      return;
    }
    PlannedUnit unit = std::move(units.front());
    units.erase(units.begin());
    unit.why = fmt::format("it brings {}, and {}", bounds(piece_of(unit)), why);
    unit.standing = Standing::waiting;
    unit.holds = false;
    waiting.push_back(std::move(unit));
  }
}

}  // namespace forebay
