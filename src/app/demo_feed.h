#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace forebay {

namespace duckdb {
class Connection;
class Database;
}  // namespace duckdb

// A car wash that delivers its data batch by batch: three tables, a first
// snapshot, then batches of changes, each with a marker. Small on purpose; `visits` makes it big.
class DemoFeed {
 public:
  struct Options {
    std::string folder;         // receives the feed; created
    std::string prefix;         // what the folder is in its bucket: begins every path in a marker
    std::uint64_t visits = 12;  // rows of the table visits in the first delivery
    Time first{};               // when the first delivery was made; the others follow by minutes
  };
  static Result<DemoFeed> create(const Options& options);
  DemoFeed(DemoFeed&&) noexcept;
  ~DemoFeed();

  struct Delivery {
    std::string marker;      // its file name
    std::string story;       // what happened at the car wash
    std::uint64_t rows = 0;  // in all its files
  };
  static constexpr int kDeliveries = 4;

  // Lets the next thing happen at the car wash and writes what the feed says of it: files first,
  // the marker last. At most kDeliveries times.
  Result<Delivery> deliver();

  // Writes the car wash's own tables as they stand now, one Parquet file a table, into `folder`:
  // what a loader must have made of the deliveries so far.
  Status write_truth(const std::string& folder);

  static const std::vector<std::string>& tables();

 private:
  DemoFeed(Options options, std::unique_ptr<duckdb::Database> database,
           std::unique_ptr<duckdb::Connection> connection);
  Result<Delivery> write(const std::string& kind, const std::string& story);

  Options options_;
  std::unique_ptr<duckdb::Database> database_;
  std::unique_ptr<duckdb::Connection> connection_;
  int delivered_ = 0;
};

// How the tables of a database differ from what write_truth() wrote: one line a difference, none
// when they are equal, row by row and value by value.
Result<std::vector<std::string>> compare_with_truth(const std::string& database,
                                                    const std::string& schema,
                                                    const std::string& folder);

}  // namespace forebay
