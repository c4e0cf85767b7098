#pragma once

#include <string>
#include <utility>
#include <vector>

namespace forebay {

// Where a value comes from: a path into the unit's document ("/kind", "/a/b"), a field of the entry
// of a file ("rows"), or a capture of the unit's name. `otherwise` are tried in turn where there is
// none, or an empty text; the text found ends before the first of `cut`, and then `replace` is
// done.
struct ValueRef {
  // hash: the xxh3-64 of the document's bytes, which tells its versions apart.
  enum class From { document, entry, capture, constant, hash } from = From::entry;
  std::string name;
  std::vector<ValueRef> otherwise = {};
  std::vector<std::string> cut = {};
  std::vector<std::pair<std::string, std::string>> replace = {};
};

}  // namespace forebay
