#pragma once

#include <memory>
#include <string>
#include <vector>

#include "target/target.h"

namespace forebay::test {

// A database of some kind for one test, empty at first: where a target writes, and another way to
// look at what it wrote.
class TargetPlace {
 public:
  virtual ~TargetPlace() = default;

  virtual Result<std::unique_ptr<Target>> open(TargetMode mode) = 0;
  // The rows of these columns as text, sorted, joined by '|' and ','; "null" for nothing. No target
  // may be open where only one process can look at a database.
  virtual std::string rows(const std::vector<std::string>& columns, const std::string& from) = 0;
  virtual void run(const std::string& sql) = 0;
  // The schema in which tables are made when nothing else is said.
  virtual std::string schema() const = 0;
};

using MakeTargetPlace = std::unique_ptr<TargetPlace> (*)();
std::unique_ptr<TargetPlace> duckdb_place();
std::unique_ptr<TargetPlace> postgres_place();

}  // namespace forebay::test
