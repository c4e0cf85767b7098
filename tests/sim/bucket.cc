#include "sim/bucket.h"

#include <utility>

#include "base/check.h"

namespace forebay::sim {

const ObjectVersion& Bucket::put(const std::string& key, std::string bytes, Time now) {
  ++moment_;
  auto version = std::make_shared<const ObjectVersion>(
      ObjectVersion{"e" + std::to_string(moment_), std::move(bytes), now});
  by_etag_[version->etag] = version;
  keys_[key].push_back({moment_, version});
  return *version;
}

void Bucket::remove(const std::string& key) { keys_[key].push_back({++moment_, nullptr}); }

Bucket::Version Bucket::at(const std::string& key, std::size_t moment) const {
  const auto found = keys_.find(key);
  Version version;
  if (found == keys_.end()) return version;
  for (const Change& change : found->second) {
    if (change.moment <= moment) version = change.version;
  }
  return version;
}

std::vector<std::pair<std::string, Bucket::Version>> Bucket::keys_at(std::size_t moment) const {
  std::vector<std::pair<std::string, Version>> found;
  for (const auto& [key, changes] : keys_) {
    if (Version version = at(key, moment)) found.emplace_back(key, std::move(version));
  }
  return found;
}

const ObjectVersion& Bucket::version(std::string_view etag) const {
  const auto found = by_etag_.find(etag);
  CHECK(found != by_etag_.end());
  return *found->second;
}

}  // namespace forebay::sim
