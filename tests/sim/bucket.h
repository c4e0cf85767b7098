#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace forebay::sim {

// One immutable content of a key.
struct ObjectVersion {
  std::string etag;  // never used again
  std::string bytes;
  Time written{};
};

// All that a bucket ever held, by moments: a moment is one change of the bucket. A listing that
// lags sees an earlier moment; a read sees the present.
class Bucket {
 public:
  using Version = std::shared_ptr<const ObjectVersion>;  // null: not there

  const ObjectVersion& put(const std::string& key, std::string bytes, Time now);
  void remove(const std::string& key);

  std::size_t moment() const { return moment_; }
  Version at(const std::string& key, std::size_t moment) const;
  Version now(const std::string& key) const { return at(key, moment_); }
  // All keys that were there at a moment, with what they were.
  std::vector<std::pair<std::string, Version>> keys_at(std::size_t moment) const;
  // What an etag ever stood for; fails the process for one that was never given out.
  const ObjectVersion& version(std::string_view etag) const;

 private:
  struct Change {
    std::size_t moment;
    Version version;
  };
  std::map<std::string, std::vector<Change>> keys_;
  std::map<std::string, Version, std::less<>> by_etag_;
  std::size_t moment_ = 0;
};

}  // namespace forebay::sim
