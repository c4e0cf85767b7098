#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/stop.h"
#include "decode/byte_source.h"

namespace forebay {
namespace {

constexpr std::size_t kPortion = std::size_t{256} << 10;

class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, std::string object)
      : descriptor_(descriptor), object_(std::move(object)), buffer_(kPortion) {}
  ~FileSource() override { ::close(descriptor_); }

  Result<std::string_view> next() override {
    if (stop_requested())
      return fail({.code = ErrorCode::interrupted,
                   .operation = "read",
                   .object = object_,
                   .cause = "asked to stop"});
    ssize_t count = 0;
    do {
      count = ::pread(descriptor_, buffer_.data(), buffer_.size(), offset_);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
      return fail({.code = ErrorCode::unavailable,
                   .operation = "read",
                   .object = object_,
                   .cause = std::strerror(errno)});
    offset_ += count;
    return std::string_view(buffer_.data(), static_cast<std::size_t>(count));
  }

 private:
  int descriptor_;
  off_t offset_ = 0;
  std::string object_;
  std::vector<char> buffer_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_file_source(const std::string& path,
                                                     const std::string& object) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return fail({.code = ErrorCode::unavailable,
                 .operation = "open",
                 .object = object,
                 .cause = std::strerror(errno)});
  return std::make_unique<FileSource>(descriptor, object);
}

Error undecodable(const std::string& object, std::string cause, std::string hint) {
  return {.code = ErrorCode::damaged,
          .operation = "read",
          .object = object,
          .cause = std::move(cause),
          .hint = hint.empty() ? "have the file written again" : std::move(hint)};
}

}  // namespace forebay
