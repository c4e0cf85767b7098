#include "support/append_model.h"

#include <algorithm>

namespace forebay::test {

bool AppendModel::above(std::int64_t time) const {
  if (!mark_) return true;
  const std::int64_t bound = *mark_ - options_.overlap;
  return options_.inclusive ? time >= bound : time > bound;
}

bool AppendModel::takes(const Row& row, bool whole) const {
  return row.first ? whole || above(*row.first) : options_.load_nulls;
}

void AppendModel::reach(const Row& row) {
  if (row.first && *row.first <= options_.latest)
    reached_ = std::max(reached_.value_or(*row.first), *row.first);
}

// Rule 4: the latest time stays; where times are equal the file that is later by name, and of one
// file what was read later. No time is older than any.
void AppendModel::put(const Standing& row) {
  const auto same = std::ranges::find_if(rows_, [&](const Standing& standing) {
    return key_of(standing.row.second) == key_of(row.row.second);
  });
  if (same != rows_.end()) {
    if (std::pair(row.row.first, row.file) < std::pair(same->row.first, same->file)) return;
    rows_.erase(same);
  }
  rows_.insert(row);
}

void AppendModel::read(const std::string& key, const std::vector<Row>& rows, const Files& files,
                       bool fresh) {
  const std::int64_t number = ++reads_;
  const bool whole = (fresh && options_.load_late) || (!fresh && options_.replace);
  if (options_.keyed) {
    for (const Row& row : rows) {
      if (!takes(row, whole)) continue;
      reach(row);
      put({row, number, key});
    }
    return;
  }
  if (!fresh && options_.replace)
    std::erase_if(rows_, [&](const Standing& standing) { return standing.file == key; });
  // What may be one of these rows, read before; each is found at most once.
  std::multiset<Row> own;
  std::multiset<Standing> gone;
  for (const Standing& standing : rows_) {
    if (standing.file == key) own.insert(standing.row);
    if (!files.contains(standing.file)) gone.insert(standing);
  }
  for (const Row& row : rows) {
    if (!takes(row, whole)) continue;
    reach(row);
    if (const auto same = own.find(row); same != own.end()) {
      own.erase(same);
      continue;
    }
    const auto again = std::ranges::find(gone, row, &Standing::row);
    if (again != gone.end()) {
      rows_.erase(rows_.find(*again));
      gone.erase(again);
    }
    rows_.insert({row, number, key});
  }
}

void AppendModel::load(const Files& files, std::set<std::string>& written,
                       std::optional<std::size_t> max_files) {
  std::vector<std::string> due;
  for (const auto& [key, rows] : files) {
    if (written.contains(key)) due.push_back(key);
  }
  const bool cut = max_files && *max_files < due.size();
  if (cut) due.resize(*max_files);
  for (const std::string& key : due) {
    written.erase(key);
    const auto known = known_.find(key);
    if (known != known_.end() && known->second == files.at(key)) continue;
    read(key, files.at(key), files, !known_.contains(key));
    known_[key] = files.at(key);
  }
  if (!due.empty() && !cut && reached_) mark_ = reached_;
}

}  // namespace forebay::test
