#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "feed/description.h"
#include "feed/feed.h"
#include "feed/option_binder.h"
#include "feed/yaml_reader.h"

namespace forebay {

// All that a description says: the feed, and what only looking at the description is for.
struct Described {
  Feed feed;
  std::vector<std::string> options;     // that a pipeline may give
  std::vector<std::string> needed;      // that it must give
  std::vector<Pattern> table_patterns;  // of keys that show tables by their capture {table}
};

// Without `options` the description is only looked at: see OptionBinder.
Result<Described> read_description(std::string_view name, std::string_view yaml,
                                   std::string_view origin, const Options* options);

// The parts that are files of their own.

// `unit:` and all below it.
Status read_unit(const YamlValue& unit, OptionBinder& binder, UnitRule& rule);
// A pattern of the language: without a slash it applies to the last segment at any depth; "./" at
// its beginning pins it to the top.
Result<Pattern> read_pattern(const BoundText& text);
// `decode:` and all below it.
Status read_decode(const YamlValue& decode, OptionBinder& binder, DecodeRule& rule);
// `rows:`, `keep:`, `columns:` and `check:`; needs the unit.
Status read_rows(const YamlValue& top, OptionBinder& binder, Feed& feed);
// The options that every feed has, with the description's own defaults (`options:`).
Status read_policies(const YamlValue& top, OptionBinder& binder, Feed& feed);
// Those that say what of a bucket is listed; src/feed/listing_rule.h has what they mean.
Status read_listing(const YamlValue& top, OptionBinder& binder, Feed& feed);
std::vector<std::string> listing_keys(const Feed& feed);
// `api:`.
Status read_api(const YamlValue& top, Feed& feed);
// What no single key can show to be wrong.
Status check_description(const YamlValue& top, const OptionBinder& binder, const Feed& feed);
// Feed::digest.
std::string meaning_digest(const Feed& feed);

}  // namespace forebay
