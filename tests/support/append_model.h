#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace forebay::test {

// What the feed `append` must make of a folder, by the rules of FEEDS 2.5 and row by row: the
// oracle for histories. It shares no code with the product and knows no SQL.
class AppendModel {
 public:
  using Row = std::pair<std::optional<std::int64_t>, std::int64_t>;  // time in seconds, value
  using Files = std::map<std::string, std::vector<Row>>;             // by key

  struct Options {
    std::int64_t overlap = 0;
    bool inclusive = false;
    bool load_late = false;
    bool load_nulls = true;
    bool replace = false;
    bool keyed = false;       // by key_of(value)
    std::int64_t latest = 0;  // times after it never become the mark
  };

  static constexpr std::int64_t kKeys = 5;
  static std::int64_t key_of(std::int64_t value) { return value % kKeys; }

  explicit AppendModel(Options options) : options_(options) {}

  // One cycle over the files that are there; of those that were written since they were looked at,
  // at most so many, which are written no longer afterwards.
  void load(const Files& files, std::set<std::string>& written,
            std::optional<std::size_t> max_files);

  struct Standing {
    Row row;
    std::int64_t read = 0;  // the number of the reading of its file
    std::string file;       // the key whose row it is
    auto operator<=>(const Standing&) const = default;
  };
  const std::multiset<Standing>& rows() const { return rows_; }
  std::optional<std::int64_t> mark() const { return mark_; }

 private:
  bool above(std::int64_t time) const;
  bool takes(const Row& row, bool whole) const;
  void reach(const Row& row);
  void put(const Standing& row);
  void read(const std::string& key, const std::vector<Row>& rows, const Files& files, bool fresh);

  Options options_;
  std::multiset<Standing> rows_;
  std::int64_t reads_ = 0;
  Files known_;  // as they were read last
  std::optional<std::int64_t> mark_;
  std::optional<std::int64_t> reached_;
};

}  // namespace forebay::test
