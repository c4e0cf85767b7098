// Reads a description from the top; src/feed/description_reader.h lists the parts that are read
// elsewhere.

#include "feed/description.h"

#include <fmt/format.h>

#include <utility>

#include "feed/builtin.h"
#include "feed/content.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

class Reader {
 public:
  Reader(YamlValue top, OptionBinder& binder) : top_(std::move(top)), binder_(binder) {}

  Result<Described> read() {
    RETURN_IF_ERROR(top_.only(
        {"about", "unit",      "window",  "files",          "accept",   "status",
         "gate",  "select",    "effect",  "decode",         "metadata", "partition_columns",
         "rows",  "keep",      "columns", "check",          "table",    "options",
         "api",   "recognise", "with",    "capture_columns"}));
    ASSIGN_OR_RETURN(YamlValue about, top_.need("about"));
    ASSIGN_OR_RETURN(feed_.about, about.text());
    if (auto with = top_.find("with")) {
      for (const auto& [name, key] : with->fields()) binder_.companions.push_back(name);
    }
    ASSIGN_OR_RETURN(YamlValue unit, top_.need("unit"));
    RETURN_IF_ERROR(read_unit(unit, binder_, feed_.unit));
    RETURN_IF_ERROR(read_companions(top_, feed_));
    if (documents()) {
      ASSIGN_OR_RETURN(YamlValue files, top_.need("files"));
      RETURN_IF_ERROR(read_files(files, binder_, feed_));
    } else {
      ASSIGN_OR_RETURN(YamlValue table, top_.need("table"));
      ASSIGN_OR_RETURN(feed_.table, value_ref(table, false));
    }
    if (auto decode = top_.find("decode")) {
      RETURN_IF_ERROR(read_decode(*decode, binder_,
                                  {.document = has_document(), .entry = has_entries()}, feed_));
    }
    RETURN_IF_ERROR(read_object_columns(top_, binder_, feed_));
    if (feed_.windowed()) {
      ASSIGN_OR_RETURN(YamlValue window, top_.need("window"));
      RETURN_IF_ERROR(read_window(window, binder_, feed_.window.emplace()));
    }
    RETURN_IF_ERROR(read_document_parts());
    RETURN_IF_ERROR(read_rows(top_, binder_, feed_));
    RETURN_IF_ERROR(set_version_of_window());
    RETURN_IF_ERROR(find_key());
    RETURN_IF_ERROR(read_select(top_, binder_, feed_.unit.run.by_content(), feed_.select));
    ASSIGN_OR_RETURN(YamlValue effect, top_.need("effect"));
    RETURN_IF_ERROR(read_effect(effect));
    RETURN_IF_ERROR(read_policies(top_, binder_, feed_));
    if (feed_.windowed()) RETURN_IF_ERROR(read_retention(top_, binder_, *feed_.window));
    RETURN_IF_ERROR(read_listing(top_, binder_, feed_));
    RETURN_IF_ERROR(read_recognise(top_, recognise_));
    RETURN_IF_ERROR(read_api(top_, feed_));
    RETURN_IF_ERROR(binder_.check_all_known());
    RETURN_IF_ERROR(check_description(top_, binder_, feed_));
    feed_.digest = meaning_digest(feed_);
    return Described{std::move(feed_), binder_.known(), binder_.needed(), binder_.keyed,
                     std::move(recognise_)};
  }

 private:
  bool documents() const { return feed_.unit.kind == UnitKind::document; }
  bool has_document() const { return documents() && !feed_.unit.folder; }
  bool has_entries() const { return feed_.files && !feed_.files->list.empty(); }

  // See read_value(); entries exist only below files.
  Result<ValueRef> value_ref(const YamlValue& value, bool has_entry) {
    return read_value(value, binder_, {.document = has_document(), .entry = has_entry});
  }

  // Whether the rows have a key, or may have one that the pipeline gives.
  Status find_key() {
    auto rows = top_.find("rows");
    if (!rows) return {};
    ASSIGN_OR_RETURN(const OptionBinder::Choice choice, binder_.choose(*rows));
    has_key_ = choice.value.find("key").has_value() || binder_.only_looking();
    return {};
  }

  // Of two rows of a key the one whose time is later is newer.
  Status set_version_of_window() {
    if (!feed_.windowed() || feed_.rows.key.empty()) return {};
    if (feed_.rows.versioned() || !feed_.rows.tie.empty()) {
      return top_.find("rows")->wrong("version and tie are not for windows: the time decides");
    }
    feed_.rows.version = {{.name = feed_.window->time_column}};
    return {};
  }

  Status read_accept() {
    auto accept = top_.find("accept");
    if (!accept) return {};
    return read_accepts(*accept, binder_, has_document(), feed_.accept);
  }

  // What a document says about itself: its state, when it may be read, that it adds up.
  Status read_document_parts() {
    if (auto status = top_.find("status"); status && !documents())
      return status->wrong("belongs to feeds whose units are documents");
    auto accept = top_.find("accept");
    if (accept && !has_document() && feed_.companions.empty())
      return accept->wrong("belongs to feeds whose units are documents, or have companions");
    RETURN_IF_ERROR(read_accept());
    if (auto status = top_.find("status")) {
      ASSIGN_OR_RETURN(feed_.status, read_status(*status, binder_));
    }
    if (auto gate = top_.find("gate")) {
      ASSIGN_OR_RETURN(feed_.gates, read_gates(*gate, binder_, feed_.unit.run.by_content()));
    }
    if (auto check = top_.find("check")) {
      ASSIGN_OR_RETURN(feed_.agrees, read_agreement(*check, binder_, feed_.unit));
    }
    return {};
  }

  // `put`, `append`, {clear: table, then: append}, or {by: /kind, when: {word: one of these}}; an
  // option may choose between all of these.
  Status read_effect(const YamlValue& effect) {
    if (auto part = effect.find("part")) {
      ASSIGN_OR_RETURN(feed_.effect.part,
                       read_identity(*part, binder_, {.document = has_document()}));
    }
    if (effect.is_map())
      RETURN_IF_ERROR(effect.only({"by", "when", "part", "clear", "then", "key", "accept", "begins",
                                   "once", "pieces", "joins"}));
    if (effect.find("by")) RETURN_IF_ERROR(effect.only({"by", "when", "part"}));
    ASSIGN_OR_RETURN(const OptionBinder::Choice choice, binder_.choose(effect));
    feed_.effect.word = choice.word;
    if (auto guess = choice.value.find("guess")) return read_guesses(effect, *guess);
    auto by = choice.value.find("by");
    if (!by) {
      ASSIGN_OR_RETURN(feed_.effect.fixed, read_action(choice.value));
      return read_rules_of(choice.value, choice.word.empty() ? "document" : choice.word);
    }
    RETURN_IF_ERROR(choice.value.only({"by", "when", "part"}));
    ASSIGN_OR_RETURN(feed_.effect.by, value_ref(*by, has_entries()));
    if (feed_.effect.by->from == ValueRef::From::constant && feed_.effect.by->otherwise.empty())
      return by->wrong("a constant chooses nothing; write the effect alone");
    ASSIGN_OR_RETURN(YamlValue when, choice.value.need("when"));
    RETURN_IF_ERROR(when.is_a_map());
    for (const auto& [word, action] : when.fields()) {
      ASSIGN_OR_RETURN(feed_.effect.choices[word], read_action(action));
      RETURN_IF_ERROR(read_rules_of(action, word));
    }
    if (feed_.effect.choices.empty()) return when.wrong("must have at least one word");
    return {};
  }

  // [{take: WORD, when: {/path: [words]}}, …]: words of the option that chose this.
  Status read_guesses(const YamlValue& effect, const YamlValue& guess) {
    if (!feed_.unit.run.by_content())
      return guess.wrong("needs unit.identity: units that are known by what they say");
    ASSIGN_OR_RETURN(const YamlValue by, effect.need("by"));
    ASSIGN_OR_RETURN(const YamlValue option, by.need("option"));
    ASSIGN_OR_RETURN(feed_.effect.guessed_option, option.text());
    ASSIGN_OR_RETURN(const std::vector<YamlValue> items, guess.items());
    for (const YamlValue& item : items) {
      RETURN_IF_ERROR(item.only({"take", "when"}));
      EffectRule::Guess one;
      ASSIGN_OR_RETURN(const YamlValue take, item.need("take"));
      ASSIGN_OR_RETURN(one.word, take.text());
      ASSIGN_OR_RETURN(const YamlValue when, item.need("when"));
      RETURN_IF_ERROR(read_accepts(when, binder_, true, one.when));
      feed_.effect.guesses.push_back(std::move(one));
    }
    return {};
  }

  // What holds for units of one kind only.
  Status read_rules_of(const YamlValue& action, const std::string& kind) {
    if (auto accept = action.find("accept"))
      RETURN_IF_ERROR(read_accepts(*accept, binder_, has_document(), feed_.effect.accept[kind]));
    const auto pieces = action.find("pieces");
    const auto joins = action.find("joins");
    for (const auto* part : {&pieces, &joins}) {
      if (*part && !feed_.unit.run.by_content())
        return (*part)->wrong("needs unit.identity: units that are known by what they say");
    }
    if (pieces) {
      const auto clear = action.find("clear");
      if (!clear || clear->text() != "part")
        return pieces->wrong("needs `clear: part`: together they replace what stood");
      ASSIGN_OR_RETURN(feed_.effect.pieces[kind], read_pieces(*pieces));
    }
    if (joins) {
      ASSIGN_OR_RETURN(feed_.effect.joins[kind], read_joins(*joins));
    }
    return {};
  }

  Result<Effect> read_action(const YamlValue& value) {
    Effect effect;
    YamlValue rows = value;
    if (value.is_map()) {
      RETURN_IF_ERROR(value.only(
          {"part", "clear", "then", "key", "accept", "begins", "once", "pieces", "joins"}));
      if (auto clear = value.find("clear")) RETURN_IF_ERROR(read_clear(*clear, effect));
      RETURN_IF_ERROR(read_begins(value, effect));
      ASSIGN_OR_RETURN(rows, value.need("then"));
    }
    ASSIGN_OR_RETURN(std::string action, rows.word({"append", "put", "delete"}));
    effect.remove = action == "delete";
    if (auto once = value.find("once")) {
      if (action != "append")
        return once->wrong("is for rows that append: a key tells others apart");
      ASSIGN_OR_RETURN(effect.once, once->texts());
    }
    if (action == "append") return effect;
    if (!has_key_) {
      return rows.wrong(
          fmt::format("\"{}\" is of rows with a key, so rows.key must say what it is", action));
    }
    // A key that the pipeline may give and does not: the tables have none, and only append; unless
    // `key: needed` says that they must not, and then the rows are refused.
    bool needed = false;
    if (auto key = value.find("key")) {
      ASSIGN_OR_RETURN(std::string word, key->word({"needed", "optional"}));
      needed = word == "needed";
    }
    needed = needed || effect.remove;
    effect.put = needed || feed_.rows.may_have_key() || binder_.only_looking();
    return effect;
  }

  // Whether a unit of this kind is the beginning of its table.
  Status read_begins(const YamlValue& value, Effect& effect) {
    auto begins = value.find("begins");
    if (!begins) return {};
    if (feed_.effect.part.empty())
      return begins->wrong("needs `effect.part`, which says whose table");
    ASSIGN_OR_RETURN(const std::string word, begins->word({"table"}));
    effect.begins = word == "table";
    return {};
  }

  // `table`; `part`: what earlier units of the same part of the table brought; or `generation`.
  Status read_clear(const YamlValue& clear, Effect& effect) {
    ASSIGN_OR_RETURN(std::string what, clear.word({"table", "part", "generation"}));
    effect.clear_generation = what == "generation";
    effect.clear_table = what == "table" || effect.clear_generation;
    if (effect.clear_generation && feed_.unit.generation.empty())
      return clear.wrong("needs `unit.generation`, the capture that counts them");
    effect.clear_part = what == "part";
    if (effect.clear_part && feed_.effect.part.empty())
      return clear.wrong("needs `effect.part`, the values that name a part of a table");
    return {};
  }

  YamlValue top_;
  OptionBinder& binder_;
  Feed feed_;
  RecogniseRule recognise_;
  bool has_key_ = false;
};

}  // namespace

Result<Described> read_description(std::string_view name, std::string_view yaml,
                                   std::string_view origin, const Options* options,
                                   const std::string& table) {
  ASSIGN_OR_RETURN(YamlValue top, YamlValue::parse(yaml, origin));
  OptionBinder binder(name, options);
  binder.table = table;
  ASSIGN_OR_RETURN(Described described, Reader(std::move(top), binder).read());
  described.feed.name = name;
  return described;
}

// A feed with rules of their own for some tables, or for what a document decides, is the
// description bound once more for each of them.
Result<Feed> bind_feed(std::string_view name, std::string_view yaml, std::string_view origin,
                       const Options& options) {
  ASSIGN_OR_RETURN(Described described, read_description(name, yaml, origin, &options));
  Feed& feed = described.feed;
  for (SelectRule::Table& table : feed.select.tables) {
    ASSIGN_OR_RETURN(Feed own, bind_feed(name, yaml, origin,
                                         options_of_table(options, feed.select, table.name)));
    table.feed = std::make_shared<const Feed>(std::move(own));
  }
  for (const EffectRule::Guess& guess : feed.effect.guesses) {
    if (feed.guessed.contains(guess.word)) continue;
    Options own = options;
    own.erase("tables");
    own[feed.effect.guessed_option] = {.values = {guess.word}, .where = std::string(origin)};
    ASSIGN_OR_RETURN(Feed guessed, bind_feed(name, yaml, origin, own));
    feed.guessed[guess.word] = std::make_shared<const Feed>(std::move(guessed));
  }
  for (const std::string& table : described.keyed) {
    ASSIGN_OR_RETURN(Described own, read_description(name, yaml, origin, &options, table));
    feed.keyed[table] = std::make_shared<const Feed>(std::move(own.feed));
  }
  return std::move(feed);
}

Result<std::vector<std::string>> feed_options(std::string_view yaml, std::string_view origin) {
  ASSIGN_OR_RETURN(Described described, read_description(origin, yaml, origin, nullptr));
  return std::move(described.options);
}

std::optional<std::string_view> find_builtin_feed(std::string_view name) {
  for (const BuiltinFeed& feed : builtin_feeds()) {
    if (feed.name == name) return feed.yaml;
  }
  return std::nullopt;
}

}  // namespace forebay
