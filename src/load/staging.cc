#include "load/staging.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "base/fault.h"

namespace forebay {
namespace {

Error disk_error(const std::string& folder, const char* operation, int number) {
  const bool full = number == ENOSPC || number == EDQUOT;
  const bool denied = number == EACCES || number == EPERM || number == EROFS;
  return {.code = denied ? ErrorCode::denied : ErrorCode::unavailable,
          .operation = operation,
          .object = "the staging folder " + folder,
          .cause = std::strerror(number),
          .hint = full ? "free space on that disk, or set `staging` to a folder on a larger one"
                       : "set `staging` to a folder that can be written to"};
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

class StagedOpenFile final : public OpenFile {
 public:
  StagedOpenFile(Descriptor descriptor, ObjectInfo info)
      : descriptor_(std::move(descriptor)), info_(std::move(info)) {}
  std::string path() const override { return fmt::format("/proc/self/fd/{}", descriptor_.get()); }
  const ObjectInfo& info() const override { return info_; }
  Status unchanged() const override { return {}; }  // nobody else can reach it

 private:
  Descriptor descriptor_;
  ObjectInfo info_;
};

class NamelessFile final : public StagingFile {
 public:
  NamelessFile(Descriptor descriptor, std::string folder)
      : descriptor_(std::move(descriptor)), folder_(std::move(folder)) {}

  Status write(std::span<const std::byte> bytes) override {
    RETURN_IF_ERROR(fault_point("fetch.chunk"));
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_.get(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(disk_error(folder_, "write to", errno));
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      written_ += static_cast<std::uint64_t>(count);
    }
    return {};
  }
  std::uint64_t written() const override { return written_; }
  Status start_over() override {
    if (::ftruncate(descriptor_.get(), 0) < 0 || ::lseek(descriptor_.get(), 0, SEEK_SET) < 0)
      return fail(disk_error(folder_, "write to", errno));
    written_ = 0;
    return {};
  }
  Status skip_to(std::uint64_t offset) override {
    CHECK(offset >= written_);
    if (::lseek(descriptor_.get(), static_cast<off_t>(offset), SEEK_SET) < 0)
      return fail(disk_error(folder_, "write to", errno));
    written_ = offset;
    return {};
  }
  std::unique_ptr<OpenFile> finish(ObjectInfo info) override {
    return std::make_unique<StagedOpenFile>(std::move(descriptor_), std::move(info));
  }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    RETURN_IF_ERROR(fault_point("fetch.chunk"));
    while (!bytes.empty()) {
      const ssize_t count =
          ::pwrite(descriptor_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(disk_error(folder_, "write to", errno));
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      offset += static_cast<std::uint64_t>(count);
    }
    return {};
  }

 private:
  Descriptor descriptor_;
  std::string folder_;
  std::uint64_t written_ = 0;
};

// Some file systems have no nameless files: there a file loses its name right after it was made.
int open_nameless(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
  std::string name = folder + "/staged-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

Result<std::unique_ptr<StagingFile>> create_staging_file(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(disk_error(folder, "create", error.value()));
  const int fd = open_nameless(folder);
  if (fd < 0) return fail(disk_error(folder, "create a file in", errno));
  return std::make_unique<NamelessFile>(Descriptor(fd), folder);
}

}  // namespace forebay
