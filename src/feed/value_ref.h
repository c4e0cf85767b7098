#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "feed/type_name.h"

namespace forebay {

// Where a value comes from: a path into the unit's document or one of its companions ("/kind",
// "/a/b"), a field of the entry of a file ("rows"), or a capture of the unit's name. `otherwise`
// are tried in turn where there is none, or an empty text; the text found ends before the first of
// `cut`, and then `replace` is done.
struct ValueRef {
  enum class From {
    document,  // a path in the document `with`
    entry,     // of a file; without a name the entry itself, which is a text
    above,     // of the list in which the entry's list stands
    capture,
    constant,
    hash,  // the xxh3-64 of the document's bytes, which tells its versions apart
    join,  // all of `parts`, one behind the other; nothing where one is missing
  } from = From::entry;
  std::string name;
  std::vector<ValueRef> otherwise = {};
  std::vector<std::string> cut = {};
  std::vector<std::pair<std::string, std::string>> replace = {};
  std::string with = {};  // of a document: which companion; empty: the unit's own
  std::vector<ValueRef> parts = {};
  std::string between = {};  // the parts
};

// A list of names in a document: texts, one text that is split, or objects with a field for the
// name.
struct NamesRef {
  ValueRef list;
  std::string split;  // not empty: the list is one text, with this between its names
  std::string name;   // not empty: the entries are objects, and this is the field
  // Not empty: only entries with a number above 0, in the order of these numbers, or with true.
  std::string by;
  std::string type;                       // the field that says of which type a column is
  std::map<std::string, TypeName> types;  // what its words mean; of others the values tell
  bool may_lack = false;                  // no list is an empty one
};

}  // namespace forebay
