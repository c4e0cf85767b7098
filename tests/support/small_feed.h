#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace forebay::test {

// One row as a file of the feed brings it.
struct SmallRow {
  std::int64_t id = 0;
  std::int64_t value = 0;
  bool deleted = false;
};

struct SmallFile {
  std::string table;
  std::vector<SmallRow> rows;
};

struct Delivery {
  int number = 0;  // its place in the order; deliveries may be made in another order (late markers)
  bool snapshot = false;
  std::vector<SmallFile> files;  // none: a heartbeat
};

// A RollerUp feed of a test's own making, in a folder, which remembers what it put there: the
// oracle for tests that crash the loader. It shares no code with the product.
class SmallFeed {
 public:
  using Table = std::map<std::int64_t, std::int64_t>;  // id → value

  // Files below `folder`, which plays the bucket; the feed stands in its folder `feed`.
  explicit SmallFeed(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::string source() const { return (folder_ / "feed").string() + "/"; }
  // Writes the files, then the marker. `put`, when given, sees each file's key in that order.
  void deliver(const Delivery& delivery,
               const std::function<void(const std::string& key)>& put = {});

  std::set<std::string> markers() const;
  // The tables after the deliveries with these markers, in the order of the markers' names.
  std::map<std::string, Table> tables(const std::set<std::string>& markers) const;
  // Rows of each file of a marker, by "table/name" below the feed's folder.
  std::map<std::string, std::int64_t> files(const std::string& marker) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, Delivery> delivered_;  // by marker
};

// What is wrong with a database, or nothing. Compares every table with the oracle for the markers
// that the ledger says are applied, and the ledger with itself: no unit and no file twice, the
// files' rows as delivered, commits without a gap, every row from a live file, and the last row
// counts as they are. With `all`, every delivered marker must have been applied.
enum class Applied { some, all };
std::string problems(const std::string& database, const SmallFeed& feed, Applied applied);

// The markers that the ledger has as applied.
std::set<std::string> applied_markers(const std::string& database);

}  // namespace forebay::test
