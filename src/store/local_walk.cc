#include "store/local_walk.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

#include "base/stop.h"

namespace forebay::local {
namespace {

struct CloseDir {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Errors that mean "this entry is no part of the folder", not "the folder cannot be listed".
bool passed_over(const Error& error) {
  return error.code == ErrorCode::not_found || error.code == ErrorCode::refused;
}

}  // namespace

Walker::Walker(Root root, std::string prefix, std::string after)
    : root_(std::move(root)), prefix_(std::move(prefix)), after_(std::move(after)) {}

Result<Walker> Walker::start(Root root, std::string prefix, std::string after) {
  Walker walker(std::move(root), std::move(prefix), std::move(after));
  RETURN_IF_ERROR(walker.descend_to_prefix());
  return walker;
}

bool Walker::wants_file(std::string_view key) const {
  return key > after_ && key.starts_with(prefix_);
}

bool Walker::wants_directory(std::string_view key) const {
  const bool has_prefix = key.starts_with(prefix_) || std::string_view(prefix_).starts_with(key);
  return has_prefix && (key > after_ || std::string_view(after_).starts_with(key));
}

// Goes straight to the directory that the prefix names, without reading those above it. They stay
// on the stack with nothing left to do, so that a link back to one of them is known as a loop.
Status Walker::descend_to_prefix() {
  ASSIGN_OR_RETURN(auto top, open_handle(root_, root_.fd.get(), ".", FollowLinks::no, ""));
  frames_.push_back({.directory = std::move(top), .path = "", .entries = {}});
  const std::size_t end = prefix_.rfind('/');
  const std::string folder = end == std::string::npos ? "" : prefix_.substr(0, end);
  if (!wants_directory(folder.empty() ? "" : folder + "/") ||
      (end != std::string::npos && !possible_key(folder))) {
    frames_.clear();
    return {};
  }
  for (std::size_t at = 0; at < folder.size();) {
    const std::size_t slash = std::min(folder.find('/', at), folder.size());
    const Entry entry{.name = folder.substr(at, slash - at) + "/", .link = true};
    ASSIGN_OR_RETURN(const bool entered, enter(entry));
    if (!entered) {
      frames_.clear();
      return {};
    }
    at = slash + 1;
  }
  return read_entries();
}

// Puts a directory on the stack. False: it is gone, outside of the folder, or holds itself.
Result<bool> Walker::enter(const Entry& entry) {
  const Frame& parent = frames_.back();
  const std::string key = parent.path + entry.name;
  auto handle =
      open_handle(root_, parent.directory.fd.get(), entry.name.substr(0, entry.name.size() - 1),
                  entry.link ? FollowLinks::yes : FollowLinks::no, key);
  if (!handle) {
    if (passed_over(handle.error())) return false;
    return fail(std::move(handle).error());
  }
  if (!S_ISDIR(handle->facts.st_mode)) return false;
  for (const Frame& frame : frames_) {
    if (same_file(frame.directory.facts, handle->facts)) return false;
  }
  frames_.push_back({.directory = std::move(*handle), .path = key, .entries = {}});
  return true;
}

// Reads the names of the directory on top of the stack, and keeps those that are wanted.
Status Walker::read_entries() {
  Frame& frame = frames_.back();
  const std::string shown = display_path(root_.shown, frame.path);
  const int fd = ::openat(frame.directory.fd.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return fail(system_error(errno, "list", shown));
  const std::unique_ptr<DIR, CloseDir> directory(::fdopendir(fd));
  if (!directory) {
    const int number = errno;
    const Fd closed(fd);
    return fail(system_error(number, "list", shown));
  }
  std::vector<Entry> entries;
  while (true) {
    errno = 0;
    const dirent* found = ::readdir(directory.get());
    if (found == nullptr) break;
    consider(frame, found->d_name, found->d_type, entries);
  }
  if (errno != 0) return fail(system_error(errno, "list", shown));
  std::ranges::sort(entries, std::ranges::greater{}, &Entry::name);
  frame.entries = std::move(entries);
  return {};
}

void Walker::consider(const Frame& frame, const char* name, unsigned char type,
                      std::vector<Entry>& entries) const {
  const std::string_view view(name);
  if (view == "." || view == "..") return;
  std::string key = frame.path + name;
  const bool file = wants_file(key);
  const bool directory = wants_directory(key += '/');
  if (!file && !directory) return;
  struct stat facts{};
  const int fd = frame.directory.fd.get();
  if (type == DT_UNKNOWN) {  // some file systems do not tell the kind while reading
    if (::fstatat(fd, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) return;
    type = IFTODT(facts.st_mode);
  }
  const bool link = type == DT_LNK;
  if (link) {  // where it leads decides how it sorts; whether that is allowed is asked later
    if (::fstatat(fd, name, &facts, 0) != 0) return;
    type = IFTODT(facts.st_mode);
  }
  if (type == DT_REG && file) entries.push_back({.name = name, .link = link});
  if (type == DT_DIR && directory)
    entries.push_back({.name = std::string(name) + "/", .link = link});
}

// The facts of one file; nullopt when it is gone, outside, or no longer a file.
Result<std::optional<ObjectInfo>> Walker::look_at(const Entry& entry) const {
  const Frame& frame = frames_.back();
  std::string key = frame.path + entry.name;
  struct stat facts{};
  if (entry.link) {
    auto handle = open_handle(root_, frame.directory.fd.get(), entry.name, FollowLinks::yes, key);
    if (!handle) {
      if (passed_over(handle.error())) return std::nullopt;
      return fail(std::move(handle).error());
    }
    facts = handle->facts;
  } else if (::fstatat(frame.directory.fd.get(), entry.name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) !=
             0) {
    Error error = system_error(errno, "stat", display_path(root_.shown, key));
    if (passed_over(error)) return std::nullopt;
    return fail(std::move(error));
  }
  if (!S_ISREG(facts.st_mode)) return std::nullopt;
  return std::optional(info_of(std::move(key), facts));
}

Result<std::optional<ObjectInfo>> Walker::next() {
  while (!frames_.empty()) {
    if (stop_requested()) {
      return fail({.code = ErrorCode::interrupted,
                   .operation = "list",
                   .object = root_.shown,
                   .cause = "asked to stop"});
    }
    Frame& frame = frames_.back();
    if (frame.entries.empty()) {
      frames_.pop_back();
      continue;
    }
    const Entry entry = std::move(frame.entries.back());
    frame.entries.pop_back();
    if (entry.name.ends_with('/')) {
      ASSIGN_OR_RETURN(const bool entered, enter(entry));
      if (entered) RETURN_IF_ERROR(read_entries());
      continue;
    }
    ASSIGN_OR_RETURN(auto info, look_at(entry));
    if (info) return info;
  }
  return std::nullopt;
}

}  // namespace forebay::local
