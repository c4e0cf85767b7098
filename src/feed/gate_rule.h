#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "feed/pattern.h"
#include "feed/run_rule.h"
#include "feed/value_ref.h"

namespace forebay {

// When a unit may be read. Objects are named by templates: a key below the source in which
// {capture}, {$folder}, {$file} and {$key} stand for the unit's own; a slash at the beginning,
// which an empty folder leaves, is dropped. An unmet gate means waiting, with the reason, and from
// `grace` after the last change of the unit's object on an error.
struct GateRule {
  enum class Kind {
    exists,  // the object is there
    absent,  // the object is not there
    hash,   // `object` holds the hash of the document `of`; asked only if that is one of the unit's
    still,  // the unit's own object has not changed for `still`
    unlike,  // the JSON object `object` has another value at `path` than the unit's `value`
    below,   // the unit's `capture` is less than that of some name of the form `checkpoint`
  } kind = Kind::exists;
  std::string object;
  std::string of;
  DigestKind digest = DigestKind::xxh3_64;
  std::string form;  // of the text in `object`, with {hex} or {base64}
  Duration still{};
  std::string path;
  ValueRef value;
  std::optional<Pattern> checkpoint;
  std::string capture;
  std::optional<Duration> grace;  // absent: waits for ever
  std::vector<AcceptRule> when;   // asked only for documents that say so
};

}  // namespace forebay
