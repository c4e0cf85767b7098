#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "store/object_store.h"

// File system calls of the folder store. Nothing here reaches outside the folder: every descriptor
// is checked by where it really points, after it was opened, so that a link exchanged in between
// wins nothing.
namespace forebay::local {

// An open descriptor, closed on destruction.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd();
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept;

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// The folder: a descriptor to start from, and its path free of links.
struct Root {
  Fd fd;
  std::string shown;  // as the configuration names it, for messages; no '/' at the end
  std::string real;
};

// not_found names the folder and hints at the configuration; denied when it cannot be looked into.
Result<Root> open_root(const std::string& folder);

// Something in the folder, opened as a mere handle (O_PATH): no device was touched by that.
struct Handle {
  Fd fd;
  struct stat facts{};
};

enum class FollowLinks { no, yes };

// Opens `name` in `directory`. not_found: it is not there (any more). refused: it lies outside of
// the folder. `key` is for messages.
Result<Handle> open_handle(const Root& root, int directory, const std::string& name,
                           FollowLinks follow, std::string_view key);

// The regular file of a key. refused: a key that no file can have ("..", ".", empty parts, a
// leading or trailing '/', a zero byte), or whose file lies outside of the folder. not_found
// otherwise.
Result<Handle> open_key(const Root& root, const std::string& key);

// Whether a file could have this key.
bool possible_key(std::string_view key);

// A descriptor to read the handle's file with, and a path that opens the same file.
Result<Fd> open_for_reading(const Handle& handle, const Root& root, std::string_view key);
std::string descriptor_path(int fd);

ObjectInfo info_of(std::string key, const struct stat& facts);

// The error for `number` (an errno value). No path of this kind is ever a secret.
Error system_error(int number, std::string operation, std::string object);

std::string display_path(std::string_view folder, std::string_view key);

}  // namespace forebay::local
