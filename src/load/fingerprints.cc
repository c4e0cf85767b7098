#include "load/fingerprints.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "base/encode.h"
#include "base/stop.h"

namespace forebay {

Fingerprints::Fingerprints(const UnitFile& file) : file_(&file), own_(DigestKind::xxh3_128) {
  for (const FileHash& hash : file.hashes) told_.emplace_back(hash.kind);
}

void Fingerprints::update(std::span<const std::byte> bytes) {
  own_.update(bytes);
  for (Digest& digest : told_) digest.update(bytes);
}

Status Fingerprints::finish(StagedFile& staged) const {
  staged.checksum = own_.hex();
  for (std::size_t i = 0; i < told_.size(); ++i) {
    if (told_[i].bytes() == file_->hashes[i].bytes) continue;
    return fail(
        {.code = ErrorCode::damaged,
         .operation = "verify",
         .object = staged.object,
         .cause = fmt::format("its {} is {}, its unit says {}", to_string(file_->hashes[i].kind),
                              told_[i].hex(), hex_encode(file_->hashes[i].bytes)),
         .hint = "have the delivery repeated; it is tried again by the next load"});
  }
  return {};
}

Status hash_in_place(const OpenFile& file, const std::string& object, Fingerprints& digest) {
  const int fd = ::open(file.path().c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return fail({.code = ErrorCode::unavailable,
                 .operation = "open",
                 .object = object,
                 .cause = "cannot be opened again"});
  // No larger than the file: of thousands of small ones, clearing the buffer would cost more than
  // all.
  constexpr std::uint64_t kMost = 1 << 20;
  std::vector<std::byte> buffer(std::clamp<std::uint64_t>(file.info().size, 1, kMost));
  ssize_t count = 0;
  while ((count = ::read(fd, buffer.data(), buffer.size())) > 0) {
    digest.update({buffer.data(), static_cast<std::size_t>(count)});
    if (stop_requested()) break;
  }
  ::close(fd);
  if (stop_requested())
    return fail({.code = ErrorCode::interrupted,
                 .operation = "read",
                 .object = object,
                 .cause = "asked to stop"});
  if (count < 0)
    return fail({.code = ErrorCode::unavailable,
                 .operation = "read",
                 .object = object,
                 .cause = "the disk reports an error"});
  return {};
}

}  // namespace forebay
