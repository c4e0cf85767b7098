#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/local_file.h"
#include "store/object_store.h"

namespace forebay::local {

// Walks a folder in exact byte order of the keys ("a.b" comes before "a/b", since '.' < '/').
// Directories that hold no key with `prefix` or none after `after` are not opened, and only files
// that are handed out are looked at one by one. Memory: the names of the directories on the way
// down that are still to come. Links that leave the folder, lead nowhere or lead back to a
// directory they are in are passed over, as is everything that is no regular file. Not thread-safe.
class Walker {
 public:
  // A prefix that names no directory gives an empty walk. denied: a directory cannot be read.
  static Result<Walker> start(Root root, std::string prefix, std::string after);

  // The next file; nullopt at the end. A file that vanished since its directory was read is passed
  // over. denied names the directory that cannot be read: a part is never taken for the whole.
  Result<std::optional<ObjectInfo>> next();

 private:
  struct Entry {
    std::string name;  // a directory's ends with '/': that is how its keys sort
    bool link = false;
  };
  struct Frame {
    Handle directory;
    std::string path;            // the beginning of all its keys: "" or "a/b/"
    std::vector<Entry> entries;  // last one first, so that the next one is at the back
  };

  Walker(Root root, std::string prefix, std::string after);

  Status descend_to_prefix();
  Result<bool> enter(const Entry& entry);
  Status read_entries();
  void consider(const Frame& frame, const char* name, unsigned char type,
                std::vector<Entry>& entries) const;
  Result<std::optional<ObjectInfo>> look_at(const Entry& entry) const;
  bool wants_file(std::string_view key) const;
  bool wants_directory(std::string_view key) const;

  Root root_;
  std::string prefix_;
  std::string after_;
  std::vector<Frame> frames_;
};

}  // namespace forebay::local
