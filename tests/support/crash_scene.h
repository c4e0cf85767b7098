#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/child_process.h"
#include "support/run_program.h"
#include "support/small_feed.h"
#include "support/temp_folder.h"

namespace forebay::test {

// The surroundings of one load: a database of its own, and an empty staging folder.
class LoadPlace {
 public:
  // `program` loads `source`; `more` are further words of its command line.
  LoadPlace(std::filesystem::path program, std::string source, std::vector<std::string> more = {});

  std::string database() const { return *folder_ / "t.duckdb"; }
  const TempFolder& folder() const { return *folder_; }
  // Takes over another place's database as it is, write-ahead log and all.
  void copy_database(const LoadPlace& from) const;

  std::string feed = "rollerup";
  // FOREBAY_FAULT, or anything else the program is to find in its environment.
  std::map<std::string, std::string> environment;

  std::vector<std::string> words() const;
  ProgramResult load(const std::string& fault = "") const;
  ProgramOptions options(const std::string& fault = "") const;
  ChildProcess start(const std::string& fault) const { return {program_, words(), options(fault)}; }
  bool staging_is_empty() const;

 private:
  std::unique_ptr<TempFolder> folder_ = std::make_unique<TempFolder>();
  std::filesystem::path program_;
  std::string source_;
  std::vector<std::string> more_;
};

// The only pipeline in the document of `load --json`.
nlohmann::json pipeline_report(const ProgramResult& result);

// What FOREBAY_FAULT=count printed: how many points a load reached, their names, and which of
// them were the first or the last of their name.
struct FaultCount {
  long points = 0;
  std::set<std::string> names;
  std::set<long> ends;
};
FaultCount fault_count(const ProgramResult& result);

// What the tests that crash the loader load: a first set of deliveries (a snapshot of two tables,
// increments, a heartbeat), and a second (deletes, a third table, a late marker, a snapshot of one
// table). Small, and reaching every step.
void deliver_first(SmallFeed& feed, const std::function<void(const std::string&)>& put = {});
void deliver_second(SmallFeed& feed, const std::function<void(const std::string&)>& put = {});

}  // namespace forebay::test
