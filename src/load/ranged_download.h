#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "load/fetch.h"
#include "load/pipeline.h"
#include "load/progress.h"
#include "load/staging.h"

namespace forebay {

// Whether a file of so many bytes is downloaded by ranges from this store.
bool reads_by_ranges(const ObjectStore& store, std::uint64_t size);
std::size_t count_ranges(std::uint64_t size);

// What fetching a file asks the store for, if nothing has to be repeated. `size`: as far as it is
// known, else 0; `listed`: a listing told the version.
RequestCounts requests_to_fetch(const Pipeline& pipeline, std::uint64_t size, bool listed);

// One large object, read by ranges on several threads into one staged file. All of them are of one
// version: the one asked for, or, when that is empty, the one that stood there at the beginning.
// Memory is independent of sizes.
class RangedDownload {
 public:
  // What downloads of one store learn from each other.
  struct Learned {
    std::atomic<bool> versions_are_md5 = true;
  };

  // `size`: what its unit or the listing says; another one is damaged. All references outlive it.
  RangedDownload(const Pipeline& pipeline, const UnitFile& file, std::string version,
                 std::uint64_t size, Learned& learned, Progress& progress);

  // Reads range number `i` of count_ranges(size); each once, from any thread. True: it was the last
  // one, and finish() may be called.
  bool read(std::size_t i);

  // The file, its length and fingerprints verified, its content not looked at. Errors of the
  // ranges: that of the first one by its number. damaged: also when the bytes have not the MD5 that
  // the version may be; whether it is one, only reading the whole shows, and then
  // whole_was_sound() keeps the question from being asked again.
  Result<StagedFile> finish();
  void whole_was_sound();

 private:
  Status begin();
  Status read_range(std::uint64_t offset, std::uint64_t length);

  const Pipeline& pipeline_;
  const UnitFile& unit_file_;
  const std::uint64_t size_;
  Learned& learned_;
  Progress& progress_;
  StagedFile staged_;
  bool compared_md5_ = false;

  std::mutex mutex_;
  ObjectInfo info_;                     // guarded by mutex_ until begun
  std::unique_ptr<StagingFile> bytes_;  // guarded likewise; writing at a place needs no guard
  bool begun_ = false;
  Status error_;  // guarded by mutex_, as the rest
  std::size_t error_range_ = 0;
  std::size_t left_ = 0;  // ranges
};

}  // namespace forebay
