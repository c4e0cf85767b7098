// What no single key of a description can show to be wrong, and the fingerprint of what it means.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "feed/description_reader.h"
#include "feed/order.h"

namespace forebay {
namespace {

bool any_effect(const EffectRule& rule, bool Effect::* what) {
  if (!rule.by) return rule.fixed.*what;
  return std::ranges::any_of(rule.choices, [&](const auto& choice) { return choice.second.*what; });
}

bool any_clear(const Feed& feed) {
  return any_effect(feed.effect, &Effect::clear_table) ||
         any_effect(feed.effect, &Effect::clear_part);
}

// What has a meaning only where rows have a key.
Status check_no_key(const YamlValue& top, const Feed& feed) {
  const RowRule& rows = feed.rows;
  // Then its rows are refused, with the columns that it could have named.
  if (any_effect(feed.effect, &Effect::put)) return {};
  if (rows.versioned() || !rows.tie.empty()) {
    return place_below(top, {"rows", "version"})
        .wrong("a version decides between rows of one key, and there is no key",
               "give the key's columns (option primary_key)");
  }
  // Then those that `insert` names append, and all others are refused.
  if (!rows.deletes.none() && rows.deletes.insert.empty()) {
    return place_below(top, {"rows", "delete"}).wrong("rows without a key cannot be deleted");
  }
  if (feed.keeps_history()) {
    return place_below(top, {"keep"})
        .wrong("both keeps what happened to each key, and there is no key",
               "give the key's columns (option primary_key), or keep: current");
  }
  if (rows.conflict == Conflict::first) {
    return place_below(top, {"rows", "conflict"}).wrong("rows without a key have no conflicts");
  }
  return {};
}

// The first row of a key stays, so nothing can replace or delete it.
Status check_first(const YamlValue& top, const Feed& feed) {
  if (feed.rows.conflict != Conflict::first) return {};
  const ConfigPlace place = place_below(top, {"rows", "conflict"});
  if (feed.rows.versioned() || !feed.rows.tie.empty())
    return place.wrong("first means the order of units or of arrival, so a version has no say");
  if (!feed.rows.deletes.none() || any_clear(feed))
    return place.wrong("first keeps a key's first row, so nothing may delete or clear rows");
  return {};
}

Status check_history(const YamlValue& top, const Feed& feed) {
  if (!feed.keeps_history()) return {};
  if (feed.rows.versioned() && any_clear(feed))
    return place_below(top, {"keep"})
        .wrong("a history of versions cannot tell what a cleared table lost, allowed: current");
  if (feed.rows.conflict == Conflict::first)
    return place_below(top, {"keep"}).wrong("conflict: first keeps no history, allowed: current");
  if (any_effect(feed.effect, &Effect::clear_generation))
    return place_below(top, {"keep"})
        .wrong("a history cannot tell what a new generation removed, allowed: current");
  if (feed.on_rewrite == OnRewrite::replace)
    return place_below(top, {"keep"})
        .wrong(
            "what stands in a history is not taken back, allowed with on_rewrite: replace: "
            "current",
            "set on_rewrite to warn or stop");
  return {};
}

// Rows that replace their former selves are decided anew without the documents they came with.
Status check_replace(const YamlValue& top, const Feed& feed) {
  if (feed.on_rewrite != OnRewrite::replace) return {};
  const auto of_unit = [](const VersionTerm& term) {
    return term.from != VersionTerm::From::column;
  };
  const RowRule& rows = feed.rows;
  if (std::ranges::any_of(rows.version, of_unit) || std::ranges::any_of(rows.tie, of_unit))
    return place_below(top, {"rows", "version"})
        .wrong("on_rewrite: replace cannot compare values of units, allowed: warn, stop");
  if (rows.key_from)
    return place_below(top, {"rows", "key"})
        .wrong("on_rewrite: replace cannot ask documents again for a key, allowed: warn, stop");
  if (!feed.decode_from.none())
    return place_below(top, {"decode"})
        .wrong("on_rewrite: replace cannot ask documents again for a form, allowed: warn, stop");
  if (any_effect(feed.effect, &Effect::clear_generation))
    return place_below(top, {"effect"})
        .wrong("a generation takes nothing back, allowed with it: on_rewrite: warn, stop");
  if (rows.conflict == Conflict::first)
    return place_below(top, {"rows", "conflict"})
        .wrong("first keeps what came first, allowed for on_rewrite: warn, stop");
  return {};
}

// Rows of an earlier generation are deleted, whatever brought them.
Status check_generation(const YamlValue& top, const Feed& feed) {
  const std::string& generation = feed.rows.generation;
  if (generation.empty()) return {};
  const ConfigPlace place = place_below(top, {"rows", "generation"});
  if (feed.keeps_history())
    return place.wrong("a history cannot tell what a new generation removed: keep: current");
  if (feed.on_rewrite == OnRewrite::replace)
    return place.wrong("takes nothing back, allowed with it: on_rewrite: warn, append, stop");
  if (feed.columns.is_dropped(generation))
    return place.wrong(fmt::format("\"{}\" is dropped by columns.drop, and is needed", generation));
  return {};
}

Status check_keys(const YamlValue& top, const Feed& feed, bool other_keys) {
  RETURN_IF_ERROR(check_generation(top, feed));
  const RowRule& rows = feed.rows;
  if (!rows.may_have_key() && other_keys) return {};  // of some tables
  if (!rows.may_have_key()) return check_no_key(top, feed);
  if (!rows.tie.empty() && !rows.versioned()) {
    return place_below(top, {"rows", "tie"})
        .wrong("a tie-break needs a version whose ties it breaks");
  }
  if (!feed.ordered() && !rows.versioned() && rows.conflict != Conflict::first) {
    return place_below(top, {"rows", "key"})
        .wrong(
            "the feed has neither an order nor a version, so nothing says which row of a key is "
            "newer",
            "give version columns (option version), or an order to the units");
  }
  if (feed.on_rewrite == OnRewrite::append && !feed.windowed()) {
    return place_below(top, {"rows", "key"})
        .wrong(
            "on_rewrite: append is for tables without a key, allowed with one: warn, replace, "
            "stop");
  }
  if (feed.check.consecutive.size() > 1)
    return place_below(top, {"check", "consecutive"}).wrong("must be one column");
  for (const std::string& column : feed.check.consecutive) {
    const auto is_it = [&](const VersionTerm& term) {
      return term.name == column && term.order.empty() && term.named_by.empty() &&
             term.from == VersionTerm::From::column;
    };
    if (std::ranges::none_of(rows.version, is_it))
      return place_below(top, {"check", "consecutive"})
          .wrong(fmt::format("\"{}\" is no column of rows.version", column));
  }
  for (const std::string& column : rows.key) {
    if (feed.columns.is_dropped(column))
      return place_below(top, {"columns", "drop"})
          .wrong(fmt::format("\"{}\" is a key column", column));
  }
  RETURN_IF_ERROR(check_first(top, feed));
  RETURN_IF_ERROR(check_history(top, feed));
  return check_replace(top, feed);
}

Status check_place_of_parts(const YamlValue& top, const Feed& feed) {
  bool documents = feed.unit.kind == UnitKind::document;
  if (auto table = top.find("table"); table && documents) {
    return table->wrong("belongs to units that are files; a document's files have files.table");
  }
  if (auto window = top.find("window"); window && !feed.windowed()) {
    return window->wrong("belongs to units that are windows");
  }
  if (feed.windowed() && feed.table->from != ValueRef::From::constant) {
    return place_below(top, {"table"})
        .wrong("a window is of one table, so its name cannot come from a file's key",
               "give {option: table} or {text: NAME}");
  }
  if (feed.windowed() && any_effect(feed.effect, &Effect::clear_table)) {
    return place_below(top, {"effect"}).wrong("a window clears no table, allowed: append, put");
  }
  if (feed.windowed() && (!feed.rows.deletes.none() || feed.rows.conflict == Conflict::first)) {
    return place_below(top, {"rows"})
        .wrong("the rows of a window are only added, or replaced by key");
  }
  if (auto gate = top.find("gate"); gate && feed.windowed())
    return gate->wrong("does not belong to windows: their rows are read as they come");
  if (feed.windowed() && feed.keeps_history()) {
    return place_below(top, {"keep"}).wrong("a window keeps no history, allowed: current");
  }
  if (auto files = top.find("files"); files && !documents) {
    return files->wrong("belongs to units that are documents");
  }
  // Of equal rows nobody could tell which number is whose.
  const auto numbers = [](const ObjectColumn& column) {
    return column.from == ObjectColumn::From::row_number;
  };
  if (feed.windowed() && feed.rows.key.empty() &&
      std::ranges::any_of(feed.object_columns, numbers)) {
    return place_below(top, {"metadata"})
        .wrong("rows of a window without a key have no number of their own",
               "give the rows a key (option primary_key), or leave source_row_number out");
  }
  return {};
}

// Units that are known by their documents, and what needs such units.
Status check_run(const YamlValue& top, const Feed& feed) {
  const bool by_content = feed.unit.run.by_content();
  if (by_content && !feed.ordered()) {
    return place_below(top, {"unit", "identity"})
        .wrong("needs `order`, which says what of two units is newer");
  }
  const std::pair<bool, const char*> parts[] = {{feed.status.has_value(), "status"},
                                                {!feed.effect.part.empty(), "effect"}};
  for (const auto& [used, key] : parts) {
    if (used && !by_content) {
      return place_below(top, {key})
          .wrong("needs unit.identity: units that are known by what they say");
    }
  }
  return {};
}

}  // namespace

Status check_description(const YamlValue& top, const OptionBinder& binder, const Feed& feed) {
  RETURN_IF_ERROR(check_place_of_parts(top, feed));
  RETURN_IF_ERROR(check_references(top, feed));
  if (!binder.only_looking()) RETURN_IF_ERROR(check_keys(top, feed, !binder.keyed.empty()));
  if (any_clear(feed) && !feed.ordered()) {
    return place_below(top, {"effect"})
        .wrong("clears a table, and without an order nothing says what came before",
               "give unit.order");
  }
  return check_run(top, feed);
}

namespace {

// Every part is preceded by its length, so that no two feeds look alike.
class MeaningDigest {
 public:
  MeaningDigest& add(std::string_view part) {
    digest_.update(fmt::format("{}:", part.size()));
    digest_.update(part);
    return *this;
  }
  void add(const std::vector<std::string>& parts) {
    add(fmt::format("{}", parts.size()));
    for (const std::string& part : parts) add(part);
  }
  void add(const ValueRef& ref) {
    add(fmt::format("{}", std::to_underlying(ref.from))).add(ref.name);
    if (!ref.with.empty()) add(ref.with);
    for (const ValueRef& part : ref.parts) add(part);
    for (const ValueRef& other : ref.otherwise) add(other);
    for (const std::string& cut : ref.cut) add(cut);
    for (const auto& [from, to] : ref.replace) add(from).add(to);
  }
  void add(const std::optional<ValueRef>& ref) {
    if (!ref) {
      add("-");
      return;
    }
    add(*ref);
  }
  void add(const NamesRef& names) {
    add(names.list);
    add(names.name).add(names.by).add(names.split);
  }
  void add(const Effect& effect) {
    if (effect.remove) add("remove");
    if (effect.clear_generation) add("generation");
    if (effect.begins) add("begins");
    for (const std::string& column : effect.once) add("once").add(column);
    add(effect.clear_table  ? "clear"
        : effect.clear_part ? "clear part"
                            : "keep")
        .add(effect.put ? "put" : "append");
  }
  std::string hex() const { return digest_.hex(); }

 private:
  Digest digest_{DigestKind::xxh3_64};
};

// Nothing for feeds that have none of it.
void add_told(MeaningDigest& digest, const Feed& feed) {
  for (const Companion& companion : feed.companions) {
    digest.add(companion.name).add(companion.key);
    for (const LineForm& form : companion.forms) digest.add(form.written);
  }
  if (feed.files) {
    for (const LineForm& form : feed.files->forms) digest.add(form.written);
  }
  for (const auto& [key, ref] : feed.decode_from.words) digest.add(key).add(ref.name);
  if (feed.decode_from.columns) digest.add(*feed.decode_from.columns);
  if (feed.rows.key_from) digest.add(*feed.rows.key_from);
  if (!feed.rows.generation.empty()) digest.add("generation").add(feed.rows.generation);
  if (!feed.rows.deletes.insert.empty()) digest.add(feed.rows.deletes.insert);
  if (!feed.unit.generation.empty()) digest.add("generation").add(feed.unit.generation);
  if (feed.files && !feed.files->below.empty()) digest.add("below").add(feed.files->below);
  if (feed.files && feed.files->members) digest.add("members").add(feed.files->named);
}

void add_run(MeaningDigest& digest, const Feed& feed) {
  for (const ValueRef& part : feed.unit.run.identity) digest.add(part);
  for (const ValueRef& part : feed.effect.part) digest.add(part);
  if (!feed.effect.word.empty()) digest.add(feed.effect.word);
  for (const auto& [kind, pieces] : feed.effect.pieces) digest.add(kind).add(pieces.in);
  for (const EffectRule::Guess& guess : feed.effect.guesses) {
    digest.add(guess.word);
    for (const AcceptRule& rule : guess.when) {
      digest.add(rule.path);
      digest.add(rule.values);
    }
  }
  if (!feed.select.wanted.empty()) digest.add(select_text(feed.select.wanted));
  for (const SelectRule::Table& table : feed.select.tables) {
    digest.add(table.name).add(select_text(table.match));
    if (table.feed != nullptr) digest.add(table.feed->digest);
  }
  if (feed.status) {
    digest.add(feed.status->by);
    digest.add(feed.status->load);
  }
  if (feed.files && feed.files->status) {
    digest.add(feed.files->status->by);
    digest.add(feed.files->status->load);
  }
}

}  // namespace

std::string meaning_digest(const Feed& feed) {
  MeaningDigest digest;
  digest.add(feed.unit.kind == UnitKind::document ? "document"
             : feed.windowed()                    ? "window"
                                                  : "file");
  if (feed.window) {
    digest.add(feed.window->time_column);
    digest.add(fmt::format("{}", std::to_underlying(feed.window->format)));
  }
  digest.add(feed.unit.skip_hidden ? "skip" : "take");
  for (const Pattern& pattern : feed.unit.patterns) digest.add(pattern.text());
  digest.add("order");
  digest.add(feed.unit.order);
  if (feed.files) {
    if (!feed.files->folder.empty()) {
      digest.add(feed.files->folder);
      digest.add(feed.files->match ? feed.files->match->text() : "*");
    }
    digest.add(feed.files->list).add(fmt::format("{}", std::to_underlying(feed.files->base)));
    for (const auto& ref : {std::optional(feed.files->path), std::optional(feed.files->table),
                            feed.files->rows, feed.files->size}) {
      digest.add(ref);
    }
  }
  for (const AcceptRule& rule : feed.accept) {
    digest.add(rule.path);
    digest.add(rule.values);
  }
  add_run(digest, feed);
  add_told(digest, feed);
  digest.add("effect");
  digest.add(feed.effect.by);
  digest.add(feed.effect.fixed);
  for (const auto& [word, effect] : feed.effect.choices) {
    digest.add(word);
    digest.add(effect);
  }
  digest.add("rows");
  digest.add(feed.rows.key);
  digest.add(version_text(feed.rows)).add(delete_text(feed.rows.deletes));
  digest.add(feed.rows.conflict == Conflict::first ? "first" : "newest");
  digest.add(feed.keeps_history() ? "both" : "current");
  digest.add(feed.columns.uuid_text);
  digest.add(feed.columns.except);
  digest.add(feed.columns.drop);
  digest.add(feed.table);
  return digest.hex();
}

}  // namespace forebay
