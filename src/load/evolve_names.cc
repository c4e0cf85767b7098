#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "load/evolver.h"

// The part of evolve() that knows which column of the table a name of a file means, and what a new
// column is called.
namespace forebay {
namespace {

// The names that a column may get, in turn: its own, unless it has none or one of ours.
std::string possible_name(const std::string& exact, int attempt) {
  std::string name = exact.empty() ? "unnamed" : exact;
  constexpr std::string_view kOurs = "_forebay_";
  if (equal_ignoring_case(name.substr(0, kOurs.size()), kOurs)) name = "x" + name;
  return attempt == 1 ? name : fmt::format("{}_{}", name, attempt);
}

}  // namespace

std::optional<std::size_t> Evolver::find(const std::string& name,
                                         const std::set<std::size_t>& taken, bool exact) const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < read_.size(); ++i) {
    if (taken.contains(i)) continue;
    const std::string& column = file_name(i);
    if (column == name) return i;
    if (exact || !equal_ignoring_case(column, name)) continue;
    if (found) return std::nullopt;  // two differ by case only: none of them is meant for sure
    found = i;
  }
  return found;
}

// A name that the table can hold: not empty, not one of ours, not taken by another spelling.
std::string Evolver::free_name(const std::string& wanted) const {
  for (int attempt = 1;; ++attempt) {
    std::string name = possible_name(wanted, attempt);
    const bool taken = std::ranges::any_of(
        read_, [&](const Column& column) { return equal_ignoring_case(column.name, name); });
    if (!taken) return name;
  }
}

// A name is bound to its column for good.
Status Evolver::check_name(const FileSchema& schema, std::size_t position,
                           std::size_t column) const {
  const std::string& exact = schema.names[position];
  const std::string renamed = feed_.columns.of(exact).rename;
  if (renamed.empty() || column >= standing_ || renamed == read_[column].name) return {};
  return fail({.code = ErrorCode::refused,
               .operation = "match the columns of " + table_.display() + " with",
               .object = schema.object,
               .cause = fmt::format("column '{}' stands as '{}', and `rename` says '{}'", exact,
                                    read_[column].name, renamed),
               .hint = "the name is fixed once rows stand: set it back, or reset the table"});
}

// What a column of the table is called in files.
const std::string& Evolver::file_name(std::size_t column) const {
  const std::string& name = read_[column].name;
  const auto renamed = evolution_.names.find(name);
  return renamed == evolution_.names.end() ? name : renamed->second;
}

// The name of a new column.
Result<std::string> Evolver::new_name(const std::string& exact) const {
  const std::string renamed = feed_.columns.of(exact).rename;
  std::string name = free_name(renamed.empty() ? exact : renamed);
  if (renamed.empty() || name == renamed) return name;
  return fail(
      {.code = ErrorCode::invalid_config,
       .operation = "name the columns of " + table_.display(),
       .cause = fmt::format("column '{}' cannot be called '{}': that name is taken, or ours", exact,
                            renamed),
       .hint = "choose another name in `rename`"});
}

// A column that stands, by the name that files' columns are given.
std::optional<std::size_t> Evolver::find_renamed(const std::string& name,
                                                 const std::set<std::size_t>& taken) const {
  const std::string renamed = feed_.columns.of(name).rename;
  if (renamed.empty()) return std::nullopt;
  const auto found = std::ranges::find(read_, renamed, &Column::name);
  const auto column = static_cast<std::size_t>(found - read_.begin());
  if (found == read_.end() || taken.contains(column)) return std::nullopt;
  return column;
}

}  // namespace forebay
