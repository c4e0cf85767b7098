#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace forebay {

// One immutable content of a key, as a listing or a response told it. `version` is the store's own
// word for it, opaque and compared only for equality: an ETag without quotes, a generation, or for
// a folder "<mtime ns>-<size>-<inode>".
struct ObjectInfo {
  std::string key;  // below the source, bytes as they are: never decoded, folded or normalised
  std::uint64_t size = 0;
  std::string version;
  Time last_modified{};

  bool operator==(const ObjectInfo&) const = default;
};

// Which keys to list. All of it is literal bytes; nothing is ever taken as a pattern.
struct ListRequest {
  std::string prefix;       // below the source; empty: everything
  std::string start_after;  // keys greater than this in byte order; empty: from the beginning
  std::string page_token;   // from the page before; empty: the first page
  int page_size = 1000;     // 1 to 1,000
};

struct ListPage {
  std::vector<ObjectInfo> objects;        // byte order of keys, where the store promises it
  std::optional<std::string> next_token;  // absent: this was the last page
};

struct ReadRequest {
  std::string key;
  std::string version;  // read exactly this version; empty: whatever is current
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;  // exactly so many bytes; absent: to the end
  // Lets a store that finds the bytes damaged read once more from the first one: makes void what
  // went into the sink. Absent: damaged at once.
  std::function<Status()> start_over = {};
};

// Receives bytes in order. An error stops the read and comes back from it.
using ByteSink = std::function<Status(std::span<const std::byte>)>;

// A file that is read where it lies. The descriptor keeps the version alive even if the name goes;
// unchanged() compares device, inode, size, mtime and ctime with those at opening.
class OpenFile {
 public:
  virtual ~OpenFile() = default;
  virtual std::string path() const = 0;  // a path that opens this very file, free of odd characters
  virtual const ObjectInfo& info() const = 0;
  virtual Status unchanged() const = 0;  // changed: someone wrote to it since
};

// What a store can do; shown by `check`, relied on by discover, never assumed.
struct StorePromises {
  bool ordered = true;  // listings come in byte order of keys
  bool honours_start_after = true;
  bool in_place = false;       // open_in_place() works
  bool lists_versions = true;  // a listing tells size and version
};

// Requests made so far, by kind: `load --json` shows them.
struct RequestCounts {
  std::uint64_t list = 0;
  std::uint64_t get = 0;
  std::uint64_t head = 0;
  std::uint64_t other = 0;
};

// The seam to where files are. One source: a bucket with a prefix, or a folder. All keys are below
// that prefix, and no call can reach outside it.
//
// Thread rule: every method may be called from several threads at once.
// Errors: denied (rights, credentials), not_found (the key, or the bucket or folder itself: then
// `object` names it and the hint says so), changed (the version asked for is no longer there),
// damaged (the protocol was violated: short body, repeated page token, foreign key),
// throttled and unavailable (after the retries of the layer below), refused (a key that leaves the
// source), interrupted.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;

  virtual StorePromises promises() const = 0;

  // What people see: "s3://bucket/prefix/key", "/folder/key". Never a secret, never a signed URL.
  virtual std::string display(const std::string& key) const = 0;
  // The key as the ledger keeps it: the full key in a bucket, the path below the source in a
  // folder.
  virtual std::string ledger_key(const std::string& key) const = 0;
  // The way back: the key below the source of what ledger_key() gave.
  virtual std::string source_key(const std::string& ledger_key) const = 0;

  // One page. Calling again with the same request repeats it. An empty prefix in a bucket that can
  // be read is an empty page; a bucket or folder that is missing is not_found.
  virtual Result<ListPage> list(const ListRequest& request) = 0;

  // Size, version and time of one key. not_found when it is not there.
  virtual Result<ObjectInfo> stat(const std::string& key) = 0;

  // Streams bytes of one version into `sink` and returns what it read. All bytes come from one
  // version, resumed reads included; a short body is never taken for the end. damaged: the version
  // has fewer bytes than were asked for. Bytes that already went into the sink when an error comes
  // back are worth nothing.
  virtual Result<ObjectInfo> read(const ReadRequest& request, const ByteSink& sink) = 0;

  // Opens a key to be read where it lies; unavailable stores (promises().in_place false) refuse it.
  virtual Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& key) = 0;

  // Removes a key; one that is not there is no error. refused: this store cannot.
  virtual Status remove(const std::string& key) {
    return fail({.code = ErrorCode::refused,
                 .operation = "remove",
                 .object = display(key),
                 .cause = "nothing can be removed from this kind of source"});
  }

  virtual RequestCounts requests() const = 0;

  // How the source is reached, for people: ("region", "eu-west-1"), ("credentials",
  // "/home/u/.aws/credentials [dev]"). What servers tell is known after a request. Never a secret.
  virtual std::vector<std::pair<std::string, std::string>> access() const { return {}; }
};

}  // namespace forebay
