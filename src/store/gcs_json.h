#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

// The documents of Google Cloud Storage's JSON API. Pure functions.
namespace forebay::gcs {

// One object as the API describes it.
struct Entry {
  std::string name;  // bytes
  std::uint64_t size = 0;
  std::string generation;  // a decimal number; identifies one content of the name
  Time created{};          // of this generation: a change of metadata alone does not move it
};

struct ListDocument {
  std::vector<Entry> entries;
  std::optional<std::string> next_token;
};

// What of an object is asked for, in listings and alone: the API sends much more otherwise.
inline constexpr std::string_view kListFields =
    "nextPageToken,items(name,size,generation,timeCreated)";
inline constexpr std::string_view kEntryFields = "name,size,generation,timeCreated";

// damaged: no JSON, or an entry that lacks its name, size, generation or time.
Result<ListDocument> parse_list(std::string_view json);
Result<Entry> parse_entry(std::string_view json);

// What an error says: its first reason ("notFound") and its message, or the body as it stands where
// that is no JSON (media requests are answered so).
struct ErrorDocument {
  std::string reason;
  std::string message;
};
ErrorDocument parse_error(std::string_view body);

// "crc32c=jG5Dew==,md5=OTkUNBh4bFJTUe29Mwt3aQ==": the bytes of one fingerprint in hexadecimal;
// nullopt: it is not among them, or is none.
std::optional<std::string> hash_of(std::string_view header, std::string_view name);

}  // namespace forebay::gcs
