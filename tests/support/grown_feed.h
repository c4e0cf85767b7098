#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/crash_scene.h"
#include "support/run_maker.h"

namespace forebay::test {

// A feed that grows by deliveries drawn at random while loads of it are killed, and what must stand
// in a database when the ledger says which files it has.
class GrownFeed {
 public:
  virtual ~GrownFeed() = default;
  virtual void deliver(std::mt19937& random) = 0;
  virtual std::string problems(const std::string& database, Applied applied) const = 0;
  virtual std::string name() const = 0;
  virtual std::vector<std::string> options() const { return {}; }  // "name=value"
};

// Sees the key of each file below the feed's folder as it is written.
using Put = std::function<void(const std::string& key)>;

// The feeds that come with the program; the folder `feed` below `folder` is their source.
std::unique_ptr<GrownFeed> grow_rollerup(const std::string& folder, Put put);
std::unique_ptr<GrownFeed> grow_twisp(const std::string& folder, Put put);
std::unique_ptr<GrownFeed> grow_files(const std::string& folder, Put put);
std::unique_ptr<GrownFeed> grow_append(const std::string& folder, Put put);
std::unique_ptr<GrownFeed> grow_rivet(const std::string& folder, Put put);

}  // namespace forebay::test
