#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/result.h"
#include "feed/feed.h"

namespace forebay {

// A unit as its name shows it, before anything was read.
struct UnitName {
  std::string name;  // a marker's file name, an object's key below the source
  std::string key;   // the object that stands for the unit, below the source
  // Its place in the order: compared as bytes. In feeds without order its name where versions
  // decide, since something must break their ties, else empty.
  std::string place;
  std::string generation;  // the place at which its generation begins; empty: there are none
  std::optional<Time> name_time;
  Captures captures;
  std::size_t pattern = 0;  // the number of the pattern that its key matched
};

// Whether `key` is a unit of this feed, and which. Keys that are not: nothing, no error. A key that
// ends in a slash never is one.
// refused: the key matches two patterns of the feed.
Result<std::optional<UnitName>> name_unit(const Feed& feed, std::string_view key);

// The key of the unit that is called so; nothing where names do not tell keys.
std::optional<std::string> key_of_unit(const Feed& feed, const std::string& name);

// A segment of the key begins with `_` or `.`.
bool is_hidden(std::string_view key);

// Whether what stands `below` a folder is data of the unit that is the folder.
bool is_folder_data(const FilesRule& rule, std::string_view below);

// Where to list for units: literal beginnings, in byte order, none within another. With `from`,
// `start_after` leaves out what the names say is older, as far as names begin with their time;
// units at or after `from` are always listed.
std::vector<ListRange> list_ranges(const Feed& feed, std::optional<Time> from = {});

// Where to list for the units of the days (or hours) from `from` to `to` alone, both included, one
// range each. Nothing: keys do not begin with their time, or there would be more than `most`.
std::optional<std::vector<ListRange>> dated_ranges(const Feed& feed, Time from, Time to,
                                                   std::size_t most);

// What a document says about a file's bytes.
struct FileHash {
  DigestKind kind = DigestKind::xxh3_64;
  std::string bytes;  // raw
};

// One file that a unit brings.
struct UnitFile {
  std::string table;
  std::string key;  // below the source
  std::optional<std::uint64_t> rows;
  std::optional<std::uint64_t> size;
  Effect effect;
  std::vector<FileHash> hashes;
  std::string moved;  // FilesRule::moved, filled in; empty: it is nowhere else
  // What its document says, where the feed leaves it to documents; null: as the feed has it.
  std::shared_ptr<const DecodeRule> decode;
  std::vector<std::string> key_columns;
  std::string unit = {};  // the piece that it is of (load/pieces.h); empty: its unit's own

  // The hashes as the ledger keeps them: "xxh3_64:<hex> md5:<hex>"; empty where nothing is known.
  std::string fingerprint() const;
};

// A window of one state, (above, to] of `by`; without a bound it is open.
struct Piece {
  std::string by;
  std::optional<std::string> above;
  std::optional<std::string> to;

  bool operator==(const Piece&) const = default;
};

// What a unit says once its document was read.
struct UnitContent {
  std::string kind;  // the word that chose the effect; "file" or "document" where none did
  std::vector<UnitFile> files;   // in the order in which they act
  std::optional<UnitFile> each;  // of a folder: what all of its files have, but for key and size
  std::optional<Time> time;      // its own time, from the document
  std::optional<std::uint64_t> rows;  // of all files together, where only the unit says so
  std::string digest;  // of what it means: the same for a document that says the same
  // The values of the unit that are part of its rows' version, in the order in which version and
  // tie name them; compared as bytes (feed/order.h).
  std::vector<std::string> version;

  // Of documents that are known by what they say.
  enum class Readiness {
    load,
    wait,
    skip,
    elsewhere,  // not what this pipeline selects
  } readiness = Readiness::load;
  std::string why;               // not load: "/status is \"failed\""
  std::string guess;             // the word that its document chose (EffectRule::guesses)
  std::size_t repeated = 0;      // files left out because they are there twice
  std::string name;              // the unit's; empty: its key's
  std::string place;             // in the order
  std::string document_version;  // xxh3-64 of the document's bytes
  // The table of all its files, where that does not depend on a file's entry: known also when there
  // is no file.
  std::optional<std::string> table;
  std::string part;                // the part of a table that it clears; empty: none
  std::vector<std::size_t> gates;  // those of the feed's gates that ask about it
  std::map<std::size_t, std::string> gate_values;  // of them, what the document says
  std::optional<Piece> piece;                      // it is a part of a state and not all of it
  std::optional<std::string> joins_from;           // where it begins and ends (JoinRule)
  std::optional<std::string> joins_to;
  std::map<std::string, std::string> named_columns;  // by VersionTerm::named_by
};

// What a document's paths are seen from (feed/document_path.h). In a bucket `root` is the source's
// prefix as it stands in the store's keys; in a folder it is the folder's absolute path.
struct SourceRoot {
  bool folder = false;
  std::string root;
  std::string bucket = {};  // its name
};

// The texts of a unit's companions, by their names.
using Companions = std::map<std::string, std::string>;

// Reads a unit's document. damaged: no JSON object, a field that is missing or of the wrong type, a
// file listed twice; refused: unknown kind or format version, a path that leaves the source. Fields
// that the feed does not name are ignored. Never throws, whatever the bytes.
Result<UnitContent> read_document(const Feed& feed, const SourceRoot& root, const UnitName& unit,
                                  std::string_view bytes, const Companions& companions = {});

// The content of a unit that is a file by itself.
Result<UnitContent> file_content(const Feed& feed, const UnitName& unit,
                                 const Companions& companions = {});

}  // namespace forebay
