#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "feed/feed.h"

namespace forebay {

// A unit as its name shows it, before anything was read.
struct UnitName {
  std::string name;   // a marker's file name, an object's key below the source
  std::string key;    // the object that stands for the unit, below the source
  std::string place;  // its place in the order: compared as bytes; empty in feeds without order
  std::optional<Time> name_time;
  Captures captures;
};

// Whether `key` is a unit of this feed, and which. Keys that are not: nothing, no error.
// refused: the key matches two patterns of the feed.
Result<std::optional<UnitName>> name_unit(const Feed& feed, std::string_view key);

// One file that a unit brings.
struct UnitFile {
  std::string table;
  std::string key;  // below the source
  std::optional<std::uint64_t> rows;
  std::optional<std::uint64_t> size;
  Effect effect;
};

// What a unit says once its document was read.
struct UnitContent {
  std::string kind;             // the word that chose the effect, or "file"
  std::vector<UnitFile> files;  // in the order in which they act
  std::optional<Time> time;     // its own time, from the document
  std::string digest;           // of what it means: the same for a document that says the same
};

// How a document's path finds its way from the bucket's root to a key below the source.
// In a bucket `root` is the source's prefix; in a folder it is the folder's path, and the longest
// ending of it with which the document's path begins is cut off, else the path is read below it.
struct SourceRoot {
  bool folder = false;
  std::string root;
};

// Reads a unit's document. damaged: no JSON object, a field that is missing or of the wrong type;
// refused: unknown kind or format version, a path that leaves the source.
Result<UnitContent> read_document(const Feed& feed, const SourceRoot& root, const UnitName& unit,
                                  std::string_view bytes);

// The content of a unit that is a file by itself.
Result<UnitContent> file_content(const Feed& feed, const UnitName& unit);

}  // namespace forebay
