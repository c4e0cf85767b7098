#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/digest.h"
#include "load/fetch.h"

namespace forebay {

// All fingerprints of one file, taken in one pass over its bytes: ours, and those that its unit
// tells. The file given lives as long.
class Fingerprints {
 public:
  explicit Fingerprints(const UnitFile& file);
  void update(std::span<const std::byte> bytes);
  // Keeps ours, and compares the others. damaged: one differs.
  Status finish(StagedFile& staged) const;

 private:
  const UnitFile* file_;
  Digest own_;
  std::vector<Digest> told_;
};

// Takes those of a file that is open already. unavailable, interrupted.
Status hash_in_place(const OpenFile& file, const std::string& object, Fingerprints& digest);

}  // namespace forebay
