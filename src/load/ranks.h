#pragma once

#include <cstdint>
#include <iterator>
#include <set>
#include <string>

namespace forebay {

// The places that one table's batch has to compare, as numbers that grow with them.
class Ranks {
 public:
  void add(const std::string& place) { places_.insert(place); }
  std::int64_t of(const std::string& place) const {
    return std::distance(places_.begin(), places_.find(place));
  }

 private:
  std::set<std::string> places_;
};

}  // namespace forebay
