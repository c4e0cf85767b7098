#include "store/local_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace forebay::local {
namespace {

// Where a descriptor really points. Empty: the kernel does not say.
std::string real_path(int fd) {
  std::string path(4096, '\0');
  const ssize_t size = ::readlink(descriptor_path(fd).c_str(), path.data(), path.size());
  path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return path;
}

bool lies_in(const Root& root, const std::string& real) {
  if (root.real == "/") return real.starts_with('/');
  return real.starts_with(root.real) &&
         (real.size() == root.real.size() || real[root.real.size()] == '/');
}

// What "it is not there" looks like; a chain of links that never ends leads nowhere as well.
bool means_absent(int number) {
  return number == ENOENT || number == ENOTDIR || number == ELOOP || number == ENAMETOOLONG;
}

}  // namespace

Fd::~Fd() {
  if (fd_ >= 0) ::close(fd_);
}

Fd& Fd::operator=(Fd&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Error system_error(int number, std::string operation, std::string object) {
  Error error{.code = ErrorCode::unavailable,
              .operation = std::move(operation),
              .object = std::move(object),
              .cause = std::system_category().message(number)};
  if (number == EACCES || number == EPERM) {
    error.code = ErrorCode::denied;
    error.hint = "let the user that runs forebay read it";
  } else if (means_absent(number)) {
    error.code = ErrorCode::not_found;
  }
  return error;
}

std::string display_path(std::string_view folder, std::string_view key) {
  return fmt::format("{}/{}", folder == "/" ? "" : folder, key);
}

std::string descriptor_path(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

Result<Root> open_root(const std::string& folder) {
  Root root{.fd = Fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)),
            .shown = folder,
            .real = {}};
  if (!root.fd.valid()) {
    Error error = system_error(errno, "open folder", folder);
    if (error.code == ErrorCode::not_found) error.hint = "check the source in the configuration";
    return fail(std::move(error));
  }
  root.real = real_path(root.fd.get());
  if (root.real.empty()) {
    return fail({.code = ErrorCode::unavailable,
                 .operation = "open folder",
                 .object = folder,
                 .cause = "/proc/self/fd cannot be read",
                 .hint = "mount /proc: files are read through their descriptors"});
  }
  return root;
}

Result<Handle> open_handle(const Root& root, int directory, const std::string& name,
                           FollowLinks follow, std::string_view key) {
  const int flags = O_PATH | O_CLOEXEC | (follow == FollowLinks::no ? O_NOFOLLOW : 0);
  Handle handle{.fd = Fd(::openat(directory, name.c_str(), flags)), .facts = {}};
  if (!handle.fd.valid() || ::fstat(handle.fd.get(), &handle.facts) != 0) {
    return fail(system_error(errno, "open", display_path(root.shown, key)));
  }
  if (follow == FollowLinks::yes && !lies_in(root, real_path(handle.fd.get()))) {
    return fail({.code = ErrorCode::refused,
                 .operation = "open",
                 .object = display_path(root.shown, key),
                 .cause = "a symbolic link leads out of the folder",
                 .hint = "copy the file into the folder, or name the folder it is in as source"});
  }
  return handle;
}

bool possible_key(std::string_view key) {
  if (key.empty() || key.find('\0') != std::string_view::npos) return false;
  while (true) {
    const std::string_view part = key.substr(0, key.find('/'));
    if (part.empty() || part == "." || part == "..") return false;
    if (part.size() == key.size()) return true;
    key.remove_prefix(part.size() + 1);
  }
}

Result<Handle> open_key(const Root& root, const std::string& key) {
  if (!possible_key(key)) {
    return fail({.code = ErrorCode::refused,
                 .operation = "open",
                 .object = display_path(root.shown, key),
                 .cause = "no file in the folder can have this name"});
  }
  auto handle = open_handle(root, root.fd.get(), key, FollowLinks::yes, key);
  if (!handle) return handle;
  if (!S_ISREG(handle->facts.st_mode)) {
    return fail({.code = ErrorCode::not_found,
                 .operation = "open",
                 .object = display_path(root.shown, key),
                 .cause = "this is not a regular file"});
  }
  return handle;
}

Result<Fd> open_for_reading(const Handle& handle, const Root& root, std::string_view key) {
  // By the handle and not by name: this is the very file that was checked.
  Fd fd(::open(descriptor_path(handle.fd.get()).c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!fd.valid()) return fail(system_error(errno, "open", display_path(root.shown, key)));
  return fd;
}

ObjectInfo info_of(std::string key, const struct stat& facts) {
  const auto modified =
      std::chrono::seconds(facts.st_mtim.tv_sec) + std::chrono::nanoseconds(facts.st_mtim.tv_nsec);
  return {.key = std::move(key),
          .size = static_cast<std::uint64_t>(facts.st_size),
          .version = fmt::format("{}-{}-{}", modified.count(), facts.st_size, facts.st_ino),
          .last_modified = Time(std::chrono::floor<Duration>(modified))};
}

}  // namespace forebay::local
