#pragma once

#include <cstdint>
#include <string>

namespace forebay {

// How far a cycle is, for a person at a terminal. Numbers only grow, totals may grow too. Called
// from the cycle's thread and from fetch threads: implementations lock.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void listed(std::uint64_t /*keys*/) {}                           // so far
  virtual void due(std::uint64_t /*units*/) {}                             // found by discover
  virtual void expect(std::uint64_t /*files*/, std::uint64_t /*rows*/) {}  // added to the totals
  virtual void fetched(std::uint64_t /*bytes*/) {}                         // added
  virtual void step(const std::string& /*what*/) {}  // "reading 12 files of visits"
  virtual void applied(std::uint64_t /*units*/, std::uint64_t /*files*/, std::uint64_t /*rows*/) {}
};

}  // namespace forebay
