#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "feed/description.h"
#include "feed/feed.h"
#include "feed/option_binder.h"
#include "feed/yaml_reader.h"

namespace forebay {

// `recognise:` of a description: what it can tell about a source that nobody has described yet.
// Nothing is ever loaded by it.
struct RecogniseRule {
  std::vector<Pattern> tables;  // of keys that show tables by their capture {table}
  // What a first configuration may say for options that must be given.
  std::map<std::string, std::string> suggest;
  struct Beware {
    std::vector<Pattern> keys;
    std::string text;  // what a source with such keys is, and why that matters
  };
  std::vector<Beware> beware;
};

// All that a description says: the feed, and what only looking at the description is for.
struct Described {
  Feed feed;
  std::vector<std::string> options;  // that a pipeline may give
  std::vector<std::string> needed;   // that it must give
  RecogniseRule recognise;
};

// Without `options` the description is only looked at: see OptionBinder.
Result<Described> read_description(std::string_view name, std::string_view yaml,
                                   std::string_view origin, const Options* options);

// The parts that are files of their own.

// `unit:` and all below it.
Status read_unit(const YamlValue& unit, OptionBinder& binder, UnitRule& rule);
// `window:` of units of that kind.
Status read_window(const YamlValue& window, OptionBinder& binder, WindowRule& rule);
// `retention: {period: 90d}` of such units.
inline constexpr const char* kRetention = "retention";
Status read_retention(const YamlValue& top, OptionBinder& binder, WindowRule& rule);
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
// `recognise:`.
Status read_recognise(const YamlValue& top, RecogniseRule& rule);
// What no single key can show to be wrong.
Status check_description(const YamlValue& top, const OptionBinder& binder, const Feed& feed);
// Feed::digest.
std::string meaning_digest(const Feed& feed);

}  // namespace forebay
