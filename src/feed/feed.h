#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/list_api.h"
#include "feed/decode_rule.h"
#include "feed/gate_rule.h"
#include "feed/line_form.h"
#include "feed/listing_rule.h"
#include "feed/object_columns.h"
#include "feed/pattern.h"
#include "feed/row_rule.h"
#include "feed/select_rule.h"
#include "feed/unit_rule.h"
#include "feed/value_ref.h"
#include "feed/window_rule.h"

namespace forebay {

// A feed description after it was read, checked and bound to a pipeline's options: all that load
// needs to find units, put them in order and know what their rows mean. Plain data; immutable.

// What the path in a document starts from.
enum class PathBase {
  bucket,    // the bucket's root: the source's own prefix is part of the path
  document,  // beside the document
  source,    // below the source
  uri,       // scheme://bucket/key: as from the bucket's root, and the bucket must be the source's
};

inline constexpr const char* kBelowFolder = "below_the_folder";

// An object beside a unit's own, whose fields are the unit's too: JSON, or a text of one of
// `forms`. `key` is a template. The unit waits until it is there; a later version of it is no news.
struct Companion {
  std::string name;
  std::string key;
  std::vector<LineForm> forms = {};
};

struct FilesRule {     // documents only
  std::string list;    // path to the array of entries
  std::string below;   // not empty: that is a list of tables, and the entries stand in this field
  bool lines = false;  // the document is JSON Lines, each line an entry
  std::vector<LineForm> forms;  // not empty: it is a text, and what has one of these forms an entry
  bool pass_others = false;     // what has none of them says nothing
  // At `list` stands an object: each of its members, or of those named, is a list of entries, above
  // which the field `name` has the member's name. A member that is missing has no entries.
  bool members = false;
  std::vector<std::string> named;
  bool has_above() const { return members || !below.empty(); }
  // Instead of a list: all data below this beginning of keys, a template, is the unit; the document
  // is a flag whose content says nothing. `match` chooses among the keys below it.
  std::string folder;
  std::optional<Pattern> match;
  ValueRef path;
  PathBase base = PathBase::source;
  std::optional<ValueRef> bucket;  // in which the paths are; it must be the source's
  ValueRef table;
  // The key's beginning below which a file that is not at its path may have been moved, as a
  // template; it is taken from there only if the document tells its fingerprint. Empty: nowhere.
  std::string moved;
  std::optional<ValueRef> rows;
  std::optional<ValueRef> size;
  std::vector<HashRule> hashes;
  bool once = false;  // a file with the fingerprint of an earlier one of its unit is that one again
  std::optional<FileStatusRule> status;
};

// What a unit does to a table before its rows act, and how they act.
struct Effect {
  bool clear_table = false;
  // Clears what earlier units of the same part of the table brought (EffectRule::part): only the
  // newest unit of a part is read, older ones are superseded.
  bool clear_part = false;
  // Clears what units of an earlier generation brought (UnitRule::generation).
  bool clear_generation = false;
  bool put = false;     // false: append as they are
  bool remove = false;  // rows are keys, and what has them goes; with put
  // One unit of this kind begins a table: a second one is refused.
  bool begins = false;
  // Appended rows with the values of a row that stands in these columns are that row again; a null
  // is like nothing.
  std::vector<std::string> once;

  bool operator==(const Effect&) const = default;
};

struct EffectRule {
  std::optional<ValueRef> by;             // absent: always `fixed`
  std::map<std::string, Effect> choices;  // any other value refuses the unit
  Effect fixed;
  std::string word;  // the choice of an option that led here; empty: none
  // The pipeline leaves that choice to the documents: the first word whose conditions hold. Where
  // none does, the pipeline must say it.
  struct Guess {
    std::string word;
    std::vector<AcceptRule> when;
  };
  std::vector<Guess> guesses;
  std::string guessed_option;
  std::vector<ValueRef> part;  // what names a part of a table, for clear_part
  std::map<std::string, std::vector<AcceptRule>> accept;  // by the unit's kind, as the next two
  std::map<std::string, PieceRule> pieces;                // needs clear_part
  std::map<std::string, JoinRule> joins;
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
  std::vector<Companion> companions;
  DecodeRule decode;
  DecodeSource decode_from;  // what documents say instead
  ListingRule listing;
  std::vector<ObjectColumn> object_columns;
  std::optional<FilesRule> files;
  std::vector<AcceptRule> accept;
  std::optional<StatusRule> status;
  std::vector<GateRule> gates;
  AgreementRule agrees;
  EffectRule effect;
  RowRule rows;
  ColumnRule columns;
  CheckRule check;
  std::optional<ValueRef> table;  // unit kinds file and window: the table's name
  std::optional<ListApi> api;     // how a source that is an HTTP API is listed and read
  OnRewrite on_rewrite = OnRewrite::warn;
  bool dedup_content = false;  // unit kind file: the same bytes under another name are no news
  OnSchemaChange on_schema_change = OnSchemaChange::evolve;
  bool adopts = false;  // an empty table that somebody else made is taken over
  std::optional<Duration> stale_after;
  Duration audit_every = std::chrono::hours(24);
  Duration max_future = std::chrono::hours(24);
  // How old an object must be; absent: 2s for units that are files in a folder, else none.
  std::optional<Duration> settle;
  SelectRule select;
  std::map<std::string, std::shared_ptr<const Feed>> keyed;    // by table: those with other keys
  std::map<std::string, std::shared_ptr<const Feed>> guessed;  // by word, where effect has guesses
  bool cleans_source = false;  // objects of units that were applied are removed from the source
  bool kept = true;  // false: whoever delivers deletes objects, and gone is nothing to report

  bool ordered() const { return !unit.order.empty(); }
  bool windowed() const { return unit.kind == UnitKind::window; }
  // Versions decide, and where they are equal the names of the units do.
  bool placed_by_name() const { return !ordered() && rows.versioned(); }
  bool keeps_history() const { return rows.keep == Keep::both; }
  // What holds for one table, and for what was guessed of it (UnitContent::guess): what its rows
  // mean (effect, rows, keep, columns, check) may differ.
  const Feed& of(const std::string& table, const std::string& guess = {}) const;
};

}  // namespace forebay
