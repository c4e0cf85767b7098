#include "load/staging.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/fault.h"
#include "base/limits.h"

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
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_;
};

// A file's share of the memory that all staged files may take together.
class MemoryShare {
 public:
  MemoryShare() = default;
  MemoryShare(MemoryShare&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryShare& operator=(MemoryShare&&) = delete;
  ~MemoryShare() { give_back(); }

  // Makes it large enough for a file of so many bytes, which takes whole pages. false: it cannot.
  bool grow_to(std::uint64_t size) {
    constexpr std::uint64_t kPage = 4096;
    const std::uint64_t wanted = (size + kPage - 1) / kPage * kPage;
    if (wanted <= bytes_) return true;
    if (wanted > kStagedInMemoryBytes) return false;
    const std::uint64_t more = wanted - bytes_;
    if (in_use_.fetch_add(more) + more > kStagedInMemoryTotal) {
      in_use_.fetch_sub(more);
      return false;
    }
    bytes_ = wanted;
    return true;
  }
  void give_back() { in_use_.fetch_sub(std::exchange(bytes_, 0)); }

 private:
  static inline std::atomic<std::uint64_t> in_use_{0};
  std::uint64_t bytes_ = 0;
};

class StagedOpenFile final : public OpenFile {
 public:
  StagedOpenFile(Descriptor descriptor, MemoryShare memory, ObjectInfo info)
      : memory_(std::move(memory)), descriptor_(std::move(descriptor)), info_(std::move(info)) {}
  std::string path() const override { return fmt::format("/proc/self/fd/{}", descriptor_.get()); }
  const ObjectInfo& info() const override { return info_; }
  Status unchanged() const override { return {}; }  // nobody else can reach it

 private:
  MemoryShare memory_;  // given back after the descriptor is closed
  Descriptor descriptor_;
  ObjectInfo info_;
};

// Some file systems have no nameless files: there a file loses its name right after it was made.
Descriptor nameless_on_disk(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return Descriptor(fd);
  std::string name = folder + "/staged-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return Descriptor(named);
}

// Begins in memory, where the kernel can make one (memfd_create), and moves to the disk when it
// outgrows its share.
class NamelessFile final : public StagingFile {
 public:
  explicit NamelessFile(std::string folder) : folder_(std::move(folder)) {}

  Status open(std::uint64_t expected) {
    if (expected <= kStagedInMemoryBytes) {
      descriptor_ = Descriptor(::memfd_create("staged", MFD_CLOEXEC));
      in_memory_ = descriptor_.open();
    }
    return in_memory_ ? Status() : open_on_disk();
  }
  Status write(std::span<const std::byte> bytes) override {
    RETURN_IF_ERROR(fault_point("fetch.chunk"));
    RETURN_IF_ERROR(make_room(written_ + bytes.size()));
    return put(bytes);
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
    RETURN_IF_ERROR(make_room(offset));
    if (::lseek(descriptor_.get(), static_cast<off_t>(offset), SEEK_SET) < 0)
      return fail(disk_error(folder_, "write to", errno));
    written_ = offset;
    return {};
  }
  std::unique_ptr<OpenFile> finish(ObjectInfo info) override {
    return std::make_unique<StagedOpenFile>(std::move(descriptor_), std::move(memory_),
                                            std::move(info));
  }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    CHECK(!in_memory_);
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
  Status open_on_disk() {
    descriptor_ = nameless_on_disk(folder_);
    if (!descriptor_.open()) return fail(disk_error(folder_, "create a file in", errno));
    return {};
  }

  Status put(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_.get(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(disk_error(folder_, "write to", errno));
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      written_ += static_cast<std::uint64_t>(count);
    }
    return {};
  }

  Status make_room(std::uint64_t size) {
    if (!in_memory_ || memory_.grow_to(size)) return {};
    const Descriptor memory = std::exchange(descriptor_, Descriptor(-1));
    in_memory_ = false;
    RETURN_IF_ERROR(open_on_disk());
    std::vector<std::byte> bytes(std::exchange(written_, 0));
    // Where the file ends in a hole there is less to read than its size, and zeros are what it has.
    CHECK(::pread(memory.get(), bytes.data(), bytes.size(), 0) >= 0);
    memory_.give_back();
    return put(bytes);
  }

  std::string folder_;
  MemoryShare memory_;
  Descriptor descriptor_{-1};
  bool in_memory_ = false;
  std::uint64_t written_ = 0;
};

}  // namespace

Result<std::unique_ptr<StagingFile>> create_staging_file(const std::string& folder,
                                                         std::uint64_t expected) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(disk_error(folder, "create", error.value()));
  auto file = std::make_unique<NamelessFile>(folder);
  RETURN_IF_ERROR(file->open(expected));
  return file;
}

}  // namespace forebay
