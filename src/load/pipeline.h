#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/clock.h"
#include "feed/feed.h"
#include "feed/unit.h"
#include "store/object_store.h"
#include "target/target.h"

namespace forebay {

// Store + feed + target + options: what one cycle works on. The parts outlive the cycle.
struct Pipeline {
  std::string name;
  Feed feed;
  SourceRoot root;
  std::string source;               // as people see it: "s3://acme-lake/carwash/"
  std::string schema;               // of the tables; never empty
  std::string staging_folder;       // created when needed, emptied afterwards
  std::uint64_t staging_limit = 0;  // bytes of one batch; 0: limits.h
  int fetch_threads = 8;
  ObjectStore* store = nullptr;
  Target* target = nullptr;
};

}  // namespace forebay
