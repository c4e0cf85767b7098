#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/list_api.h"
#include "feed/decode_rule.h"
#include "feed/listing_rule.h"
#include "feed/pattern.h"
#include "feed/row_rule.h"
#include "feed/window_rule.h"

namespace forebay {

// A feed description after it was read, checked and bound to a pipeline's options: all that load
// needs to find units, put them in order and know what their rows mean. Plain data; immutable.

// What commits as one.
enum class UnitKind {
  document,  // an object that lists its files
  file,      // each object by itself
  window,    // the rows of all objects above a mark
};

// Where a value comes from: a path into the unit's document ("/kind", "/a/b"), a field of the entry
// of a file ("rows"), or a capture of the unit's name.
struct ValueRef {
  enum class From { document, entry, capture, constant } from = From::entry;
  std::string name;
};

// What the path in a document starts from.
enum class PathBase {
  bucket,    // the bucket's root: the source's own prefix is part of the path
  document,  // beside the document
  source,    // below the source
};

// The time in a unit's name: where a listing may start, and how old the unit is. The format must
// match at the beginning of the capture; what follows it is free.
struct NameTime {
  std::string capture;
  std::string format;
};

struct UnitRule {
  UnitKind kind = UnitKind::file;
  std::vector<Pattern> patterns;   // a name that matches two of them is refused
  std::vector<std::string> order;  // captures, `$file` or `$key`; empty: no order
  bool skip_hidden = false;        // keys with a segment that begins with `_` or `.` are no units
  std::optional<NameTime> name_time;
  // How far below the mark a cycle lists again. Without order and without it: a cycle lists all.
  std::optional<Duration> lookback;
  std::optional<ValueRef> time;  // the unit's own time in the document, RFC 3339
};

struct FilesRule {   // documents only
  std::string list;  // path to the array of entries
  ValueRef path;
  PathBase base = PathBase::source;
  ValueRef table;
  std::optional<ValueRef> rows;
  std::optional<ValueRef> size;
};

// What a unit does to a table before its rows act, and how they act.
struct Effect {
  bool clear_table = false;
  bool put = false;  // false: append as they are

  bool operator==(const Effect&) const = default;
};

struct EffectRule {
  std::optional<ValueRef> by;             // absent: always `fixed`
  std::map<std::string, Effect> choices;  // any other value refuses the unit
  Effect fixed;
};

// A field of the document whose value must be one of these; "*" accepts any.
struct AcceptRule {
  std::string path;
  std::vector<std::string> values;
};

enum class OnRewrite { warn, replace, append, stop };
enum class OnSchemaChange { evolve, add, ignore, fail };

struct Feed {
  std::string name;  // as built in, or the file it came from
  std::string about;
  // xxh3-64 of what the rows depend on (unit, files, accept, effect, rows, columns, table) as
  // bound: a changed meaning shows. Timing and policies are not part of it.
  std::string digest;
  UnitRule unit;
  std::optional<WindowRule> window;  // unit kind window
  DecodeRule decode;
  ListingRule listing;
  std::optional<FilesRule> files;
  std::vector<AcceptRule> accept;
  EffectRule effect;
  RowRule rows;
  ColumnRule columns;
  CheckRule check;
  std::optional<ValueRef> table;  // unit kinds file and window: the table's name
  std::optional<ListApi> api;     // how a source that is an HTTP API is listed and read
  OnRewrite on_rewrite = OnRewrite::warn;
  OnSchemaChange on_schema_change = OnSchemaChange::evolve;
  std::optional<Duration> stale_after;
  Duration audit_every = std::chrono::hours(24);
  Duration max_future = std::chrono::hours(24);
  // How old an object must be; absent: 2s for units that are files in a folder, else none.
  std::optional<Duration> settle;
  bool kept = true;  // false: whoever delivers deletes objects, and gone is nothing to report

  bool ordered() const { return !unit.order.empty(); }
  bool windowed() const { return unit.kind == UnitKind::window; }
  // Versions decide, and where they are equal the names of the units do.
  bool placed_by_name() const { return !ordered() && rows.versioned(); }
  bool keeps_history() const { return rows.keep == Keep::both; }
};

}  // namespace forebay
