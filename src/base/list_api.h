#pragma once

#include <string>

#include "base/clock.h"

namespace forebay {

// How files are listed and read through an HTTP API: said by a feed's description, spoken by a
// store. Bodies are JSON texts in which a string that is exactly "{prefix}", "{token}" or "{key}"
// stands for that value; "{token}" is null on the first page. Paths are JSON pointers.
struct ListApi {
  std::string list_body;
  std::string keys;  // to the array of entries in an answer
  std::string key;   // within an entry; empty: the entry is the key
  std::string next;  // to the next page's token; null or absent there: this was the last page

  std::string read_body;  // asks for a link to the bytes of "{key}"
  std::string url;
  std::string headers;  // to an object; sent to the link and nowhere else. Empty: none
  std::string expires;  // RFC 3339. Empty: the link does not say
  Duration stale_after = std::chrono::minutes(4);  // a link is used no longer than this
  Duration margin = std::chrono::seconds(15);      // nor so shortly before it expires
  std::string errors;  // to an array that is absent, null or empty when all is well. Empty: none

  bool operator==(const ListApi&) const = default;
};

}  // namespace forebay
