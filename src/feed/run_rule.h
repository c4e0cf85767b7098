#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "feed/value_ref.h"

namespace forebay {

// What a feed needs whose units are known by what their documents say, not by the documents' names:
// runs of an exporter, each described by one or more manifests.

// A field of the document whose value must be one of these; `*` in one stands for any text, and
// alone accepts any value that is there; "absent" accepts a field that is missing or null.
struct AcceptRule {
  std::string path;
  std::vector<std::string> values;
  std::string with = {};  // the companion in which; empty: the unit's own document
};

// One part of a place that stands in the document.
struct OrderPart {
  enum class As { text, number, time } as = As::text;
  ValueRef of;
};

struct RunRule {
  // The parts of the unit's name. Empty: the name of its key. Several documents may have one name:
  // of those the newest counts, of equally new ones the one of the later pattern.
  std::vector<ValueRef> identity;
  std::vector<OrderPart> order;  // the place, from the document

  bool by_content() const { return !identity.empty(); }
};

// The scope of the order is the scope of a stop.
enum class StopScope {
  feed,
  table,
  captures,  // UnitRule::stop_by
};

// Whether the document says that its unit may be loaded. Any other word refuses the unit.
struct StatusRule {
  ValueRef by;
  std::vector<std::string> load;
  std::vector<std::string> wait;  // not yet
  std::vector<std::string> skip;  // never; hides nothing else
};

// What a file's entry says about its bytes: `form` is the text with {hex} or {base64} where the
// digest stands. An empty or missing text says nothing.
struct HashRule {
  DigestKind kind = DigestKind::xxh3_64;
  ValueRef of;
  std::string form;
};

// The words of an entry's field: its file is loaded, is no (longer a) file of the unit, or is
// passed over.
struct FileStatusRule {
  ValueRef by;
  std::vector<std::string> load;
  std::vector<std::string> retract;
  std::vector<std::string> skip;
};

// Units that bring windows (above, to] of one state: all windows of it together are one unit. A
// document without `in` is no piece. A bound that is missing is open; bounds are compared as texts.
struct PieceRule {
  std::string in;  // path
  // Fields below it: what the windows are of, and the bounds.
  std::string by;
  std::string above;
  std::string to;
};

// Paths of where a unit begins and ends in what all units of its table read one after the other.
struct JoinRule {
  std::string from;
  std::string to;
};

// A document must agree with itself, and with the files.
struct AgreementRule {
  std::string files;                                      // path: number of files to load
  std::optional<ValueRef> rows;                           // of all files of the unit together
  std::optional<ValueRef> size;                           // units that are files: bytes
  std::vector<HashRule> hashes;                           // units that are files
  std::vector<std::string> unique;                        // fields that no two entries share
  std::vector<std::pair<std::string, std::string>> same;  // paths; where one is absent, nothing
};

}  // namespace forebay
