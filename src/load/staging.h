#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "store/object_store.h"

namespace forebay {

// A file that is being downloaded. It has no name: it is opened through its descriptor and is gone
// with the process, however that ends, so nothing is ever left behind to be reclaimed or reused.
// Small ones stay in memory, up to a sum (limits.h): a disk needs longer to make a file than to
// fill it.
class StagingFile {
 public:
  virtual ~StagingFile() = default;
  // unavailable: no space left, or the disk failed.
  virtual Status write(std::span<const std::byte> bytes) = 0;
  virtual std::uint64_t written() const = 0;
  // Forgets what was written.
  virtual Status start_over() = 0;
  // Leaves a hole up to `offset`, which must not lie before what was written.
  virtual Status skip_to(std::uint64_t offset) = 0;
  // The finished file, to be read where it lies.
  virtual std::unique_ptr<OpenFile> finish(ObjectInfo info) = 0;
  // Writes at a place of its own, from several threads at once; counts for nothing in written().
  // Only for files that are created as too large for memory.
  virtual Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
};

// Creates a file in `folder`, and the folder if need be. `expected`: how large it will be, where
// that is known. unavailable, denied.
Result<std::unique_ptr<StagingFile>> create_staging_file(const std::string& folder,
                                                         std::uint64_t expected = 0);

}  // namespace forebay
