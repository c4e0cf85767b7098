#include "parquet/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/limits.h"

namespace forebay {
namespace {

constexpr std::uint64_t kMark = 4;
constexpr std::uint64_t kTail = 8;  // the footer's length and the closing mark
constexpr std::uint64_t kFirstRead = 64 << 10;
constexpr std::string_view kPlain = "PAR1";
constexpr std::string_view kEncrypted = "PARE";

std::unexpected<Error> unavailable(const std::string& object, std::string cause) {
  return fail({.code = ErrorCode::unavailable,
               .operation = "read the Parquet file",
               .object = object,
               .cause = std::move(cause)});
}

std::unexpected<Error> damaged(const std::string& object, std::string cause,
                               std::string hint = "Have the file written again.") {
  return fail({.code = ErrorCode::damaged,
               .operation = "read the Parquet footer",
               .object = object,
               .cause = std::move(cause),
               .hint = std::move(hint)});
}

// Why a file without the opening mark is none, said so that the reader sees what it is instead.
std::string no_parquet(std::string_view start) {
  if (start.starts_with('<')) return "this is no Parquet file: it looks like HTML or XML";
  if (start.starts_with('{') || start.starts_with('[')) {
    return "this is no Parquet file: it looks like JSON";
  }
  return "this is no Parquet file: it does not start with PAR1";
}

Status check_marks(const std::string& object, std::string_view start, std::string_view end) {
  if (start == kEncrypted && end == kEncrypted) {
    return fail({.code = ErrorCode::refused,
                 .operation = "read the Parquet footer",
                 .object = object,
                 .cause = "the file is encrypted",
                 .hint = "Encrypted Parquet files cannot be loaded; have it written without."});
  }
  if (start != kPlain && start != kEncrypted) {
    return damaged(object, no_parquet(start), "Check what writes files of this name here.");
  }
  if (end != start) {
    return damaged(object, "the end of the file is missing: it does not end with PAR1",
                   "Was the upload cut short? Have the file written again.");
  }
  return {};
}

std::uint32_t little_endian_32(std::string_view bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

Result<std::uint64_t> footer_length(const ParquetFile& file, std::string_view tail) {
  const std::uint64_t length = little_endian_32(tail);
  const std::uint64_t room = file.size() - kMark - kTail;
  if (length == 0) return damaged(file.object(), "the footer has no bytes");
  if (length > room) {
    return damaged(file.object(),
                   fmt::format("the footer claims {} bytes, but only {} are there", length, room));
  }
  if (length > kMaxParquetFooterBytes) {
    return damaged(file.object(), fmt::format("the footer claims {} bytes; at most {} are read",
                                              length, kMaxParquetFooterBytes));
  }
  return length;
}

}  // namespace

ParquetFile::ParquetFile(int descriptor, std::uint64_t size, std::string object)
    : descriptor_(descriptor), size_(size), object_(std::move(object)) {}

ParquetFile::ParquetFile(ParquetFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      object_(std::move(other.object_)) {}

ParquetFile::~ParquetFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<ParquetFile> ParquetFile::open(const std::string& path, const std::string& object) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return unavailable(object, fmt::format("open: {}", std::strerror(errno)));
  ParquetFile file(descriptor, 0, object);
  struct stat facts = {};
  if (::fstat(descriptor, &facts) != 0) {
    return unavailable(object, fmt::format("fstat: {}", std::strerror(errno)));
  }
  if (!S_ISREG(facts.st_mode)) return unavailable(object, "this is no regular file");
  file.size_ = static_cast<std::uint64_t>(facts.st_size);
  return file;
}

Status ParquetFile::read(std::uint64_t offset, std::uint64_t length, std::string& bytes) const {
  bytes.resize(length);
  std::uint64_t done = 0;
  while (done < length) {
    const ssize_t got =
        ::pread(descriptor_, bytes.data() + done, length - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unavailable(object_, fmt::format("read: {}", std::strerror(errno)));
    if (got == 0) return unavailable(object_, "the file became shorter while it was read");
    done += static_cast<std::uint64_t>(got);
  }
  return {};
}

Result<std::string> read_footer_bytes(const ParquetFile& file) {
  if (file.size() == 0) {
    return damaged(file.object(), "the file has 0 bytes", "An empty object is never data.");
  }
  std::string end;
  const std::uint64_t end_size = std::min(file.size(), kFirstRead);
  RETURN_IF_ERROR(file.read(file.size() - end_size, end_size, end));
  std::string start = end.substr(0, kMark);
  if (end_size < file.size()) RETURN_IF_ERROR(file.read(0, kMark, start));
  if (file.size() < kMark + kTail) {
    return damaged(file.object(),
                   start == kPlain ? "the file ends after its opening mark" : no_parquet(start));
  }
  RETURN_IF_ERROR(check_marks(file.object(), start, std::string_view(end).substr(end_size - 4)));
  ASSIGN_OR_RETURN(const std::uint64_t length,
                   footer_length(file, std::string_view(end).substr(end_size - kTail)));
  if (length + kTail <= end_size) return end.substr(end_size - kTail - length, length);
  // The rare large footer: read whole, since a second read costs less than putting parts together.
  std::string footer;
  RETURN_IF_ERROR(file.read(file.size() - kTail - length, length, footer));
  return footer;
}

std::uint64_t data_end(const ParquetFile& file, std::uint64_t footer_bytes) {
  return file.size() - kTail - footer_bytes;
}

}  // namespace forebay
