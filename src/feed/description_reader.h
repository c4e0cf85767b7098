#pragma once

#include <initializer_list>
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
  std::vector<std::string> keyed;    // tables with keys of their own
  RecogniseRule recognise;
};

// Without `options` the description is only looked at: see OptionBinder. With `table`: as it holds
// for that one of the tables with keys of their own.
Result<Described> read_description(std::string_view name, std::string_view yaml,
                                   std::string_view origin, const Options* options,
                                   const std::string& table = {});

// The parts that are files of their own.

// Which forms a value may have: whether there is a document, and the entry of a file in it.
struct ValueScope {
  bool document = false;
  bool entry = false;
};
// A value by reference: "/a/b" in the document, "name" in the entry of a file, or spelled out as
// {field: name}, {capture: name}, {option: name}, {text: constant}, {first: [these]},
// {join: [these]}, "{capture}_{capture}", and {companion: /path} for those that `with:` names.
Result<ValueRef> read_value(const YamlValue& value, OptionBinder& binder, ValueScope scope);
// A list of names that stands in a document or an entry.
Result<NamesRef> read_names(const YamlValue& value, OptionBinder& binder, ValueScope scope);
// Whether a value refers to a document or a companion, where a word could stand as well.
bool is_reference(const YamlValue& value, const OptionBinder& binder);
// Forms of lines of text, such as "{md5} {name}" (feed/line_form.h).
Result<std::vector<LineForm>> read_line_forms(const YamlValue& lines);
// `with:`, whose names the binder knows already, and whether the captures of a template such as
// "{$folder}/_SUCCESS" are there.
Status read_companions(const YamlValue& top, Feed& feed);
Status check_template(const YamlValue& place, std::string_view text, const UnitRule& unit);
// `files:` of units that are documents.
Status read_files(const YamlValue& files, OptionBinder& binder, Feed& feed);
// A map of paths in the document to the words that are accepted there; below the name of a
// companion, of paths in that. `document`: the unit has one of its own.
Status read_accepts(const YamlValue& accept, const OptionBinder& binder, bool document,
                    std::vector<AcceptRule>& rules);
// `identity:` and the parts of `order:` that units with an identity have.
Result<std::vector<ValueRef>> read_identity(const YamlValue& identity, OptionBinder& binder,
                                            ValueScope scope);
Result<OrderPart> read_order_part(const YamlValue& part, OptionBinder& binder, ValueScope scope);
Result<StatusRule> read_status(const YamlValue& status, OptionBinder& binder);
Result<FileStatusRule> read_file_status(const YamlValue& status, OptionBinder& binder);
Result<std::vector<HashRule>> read_hashes(const YamlValue& hashes, OptionBinder& binder,
                                          ValueScope scope);
// `pieces:` and `joins:` of an effect.
Result<PieceRule> read_pieces(const YamlValue& value);
Result<JoinRule> read_joins(const YamlValue& value);
// The parts of `check:` that are about the unit as its documents tell it.
Result<AgreementRule> read_agreement(const YamlValue& check, OptionBinder& binder,
                                     const UnitRule& unit);
// `document`: units are known by what their documents say.
Result<std::vector<GateRule>> read_gates(const YamlValue& gates, OptionBinder& binder,
                                         bool document);
// A form must have exactly one of {hex} and {base64}.
Result<std::string> read_form(const YamlValue& form);
Result<DigestKind> read_digest_kind(const YamlValue& place, const std::string& word);

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
// The type of a column as a person writes it.
Result<TypeName> read_type_name(const BoundText& text);
// `metadata:` and `partition_columns:`, of the description or of the pipeline.
Status read_object_columns(const YamlValue& top, OptionBinder& binder, Feed& feed);
// `select:`, and what the pipeline's options of these names and `tables` say.
Status read_select(const YamlValue& top, OptionBinder& binder, bool by_content, SelectRule& rule);
// The options that hold for one of the tables.
Options options_of_table(const Options& options, const SelectRule& rule, const std::string& table);
// `decode:` and all below it.
Status read_decode(const YamlValue& decode, OptionBinder& binder, ValueScope scope, Feed& feed);
// A list of words that are different, at least one.
Result<std::vector<std::string>> read_distinct(const YamlValue& value);
// `columns:`, also of the pipeline.
Status read_columns(const YamlValue& top, OptionBinder& binder, ColumnRule& rule);
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
// Of what values refer to: that it is there, whichever pattern a name has.
Status check_references(const YamlValue& top, const Feed& feed);
// The place of a key, or of what is nearest above it.
ConfigPlace place_below(const YamlValue& top, std::initializer_list<std::string_view> keys);
// Feed::digest.
std::string meaning_digest(const Feed& feed);

}  // namespace forebay
