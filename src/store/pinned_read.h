#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/http.h"
#include "net/retry.h"
#include "store/object_store.h"

namespace forebay {

// What one GET asks for.
struct PinnedPart {
  std::string version;               // empty: whatever is current
  std::optional<std::string> range;  // the value of the header Range; absent: the whole object
};

// An answer that is no success, as its protocol understands it.
struct PinnedRefusal {
  int status = 0;
  Error error;
};

// A fingerprint that a store tells of the whole content.
struct Fingerprint {
  enum class Kind { md5, crc32c } kind = Kind::md5;
  std::string hex;  // small letters
};

// One object, as the protocol of its store shows it to read_pinned(). No thread rule: one read has
// one of these.
class PinnedObject {
 public:
  virtual ~PinnedObject() = default;

  // The retry loop of the store.
  virtual Status repeat(const std::function<Status(RetryAttempt&)>& attempt) = 0;

  // One GET. The receiver sees a success (2xx) only; nullopt: it was one. Errors: those of Http and
  // of the receiver.
  virtual Result<std::optional<PinnedRefusal>> get(const PinnedPart& part,
                                                   const HttpReceiver& receiver,
                                                   RetryAttempt& attempt) = 0;

  // One question for size, version and time of what is current.
  virtual Result<ObjectInfo> stat(RetryAttempt& attempt) = 0;

  // What the headers of a GET tell; `size` is that of the body. An error: they tell no version.
  virtual Result<ObjectInfo> info_from(const HttpHead& head) const = 0;

  // What the headers tell of the whole content, also when the body is a part.
  virtual std::vector<Fingerprint> fingerprints(const HttpHead& head) const = 0;

  virtual std::string display() const = 0;
};

// Reads one version of an object into `sink`, as ObjectStore::read promises: pinned to the version
// that was asked for or that the first answer tells, resumed where a connection broke, ranges and
// lengths checked, and a content that is read whole compared with its fingerprints.
Result<ObjectInfo> read_pinned(PinnedObject& object, const ReadRequest& request,
                               const ByteSink& sink);

}  // namespace forebay
