// What no single key of a description can show to be wrong, and the fingerprint of what it means.

#include <fmt/format.h>

#include <algorithm>

#include "base/digest.h"
#include "feed/description_reader.h"
#include "feed/order.h"

namespace forebay {
namespace {

// The place of a key, or of what is nearest above it.
ConfigPlace place_of(const YamlValue& top, std::initializer_list<std::string_view> keys) {
  YamlValue at = top;
  for (std::string_view key : keys) {
    auto below = at.find(key);
    if (!below) break;
    at = *below;
  }
  return at.place();
}

bool any_effect(const EffectRule& rule, bool Effect::* what) {
  if (!rule.by) return rule.fixed.*what;
  return std::ranges::any_of(rule.choices, [&](const auto& choice) { return choice.second.*what; });
}

Status check_keys(const YamlValue& top, const Feed& feed) {
  const RowRule& rows = feed.rows;
  if (rows.key.empty()) {
    if (!rows.version.empty()) {
      return place_of(top, {"rows", "version"})
          .wrong("a version decides between rows of one key, and there is no key",
                 "give the key's columns (option primary_key)");
    }
    if (!rows.deletes.flag.empty()) {
      return place_of(top, {"rows", "delete"}).wrong("rows without a key cannot be deleted");
    }
    return {};
  }
  // Rows of one key without an order would be right or wrong by the accident of their arrival.
  if (!rows.version.empty()) {
    return place_of(top, {"rows", "version"})
        .wrong(
            "versions are not compared yet: only the order of units decides between rows of a key",
            "leave the key out, and rows are appended; or give the units an order");
  }
  if (!feed.ordered() && rows.version.empty()) {
    return place_of(top, {"rows", "key"})
        .wrong(
            "the feed has neither an order nor a version, so nothing says which row of a key is "
            "newer",
            "give version columns (option version), or an order to the units");
  }
  if (feed.on_rewrite == OnRewrite::append) {
    return place_of(top, {"rows", "key"})
        .wrong(
            "on_rewrite: append is for tables without a key, allowed with one: warn, replace, "
            "stop");
  }
  return {};
}

// A capture that stands for a value must be there, whichever pattern a name has.
Status check_capture(const YamlValue& top, const Feed& feed, const ValueRef& ref,
                     std::initializer_list<std::string_view> keys) {
  if (ref.from != ValueRef::From::capture || is_builtin_capture(ref.name)) return {};
  for (const Pattern& pattern : feed.unit.patterns) {
    if (pattern.capture_type(ref.name)) continue;
    return place_of(top, keys).wrong(
        fmt::format("the pattern \"{}\" has no capture {{{}}}", pattern.text(), ref.name));
  }
  return {};
}

Status check_place_of_parts(const YamlValue& top, const Feed& feed) {
  bool documents = feed.unit.kind == UnitKind::document;
  if (auto table = top.find("table"); table && documents) {
    return table->wrong("belongs to units that are files; a document's files have files.table");
  }
  if (auto files = top.find("files"); files && !documents) {
    return files->wrong("belongs to units that are documents");
  }
  return {};
}

}  // namespace

Status check_description(const YamlValue& top, const OptionBinder& binder, const Feed& feed) {
  RETURN_IF_ERROR(check_place_of_parts(top, feed));
  if (feed.table) RETURN_IF_ERROR(check_capture(top, feed, *feed.table, {"table"}));
  if (feed.files) RETURN_IF_ERROR(check_capture(top, feed, feed.files->table, {"files", "table"}));
  if (feed.effect.by) RETURN_IF_ERROR(check_capture(top, feed, *feed.effect.by, {"effect", "by"}));
  if (!binder.only_looking()) RETURN_IF_ERROR(check_keys(top, feed));
  if (any_effect(feed.effect, &Effect::clear_table) && !feed.ordered()) {
    return place_of(top, {"effect"})
        .wrong("clears a table, and without an order nothing says what came before",
               "give unit.order");
  }
  return {};
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
  void add(const std::optional<ValueRef>& ref) {
    add(ref ? fmt::format("{}", std::to_underlying(ref->from)) : "-");
    if (ref) add(ref->name);
  }
  void add(const Effect& effect) {
    add(effect.clear_table ? "clear" : "keep").add(effect.put ? "put" : "append");
  }
  std::string hex() const { return digest_.hex(); }

 private:
  Digest digest_{DigestKind::xxh3_64};
};

}  // namespace

std::string meaning_digest(const Feed& feed) {
  MeaningDigest digest;
  digest.add(feed.unit.kind == UnitKind::document ? "document" : "file");
  digest.add(feed.unit.skip_hidden ? "skip" : "take");
  for (const Pattern& pattern : feed.unit.patterns) digest.add(pattern.text());
  digest.add("order");
  digest.add(feed.unit.order);
  if (feed.files) {
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
  digest.add("effect");
  digest.add(feed.effect.by);
  digest.add(feed.effect.fixed);
  for (const auto& [word, effect] : feed.effect.choices) {
    digest.add(word);
    digest.add(effect);
  }
  digest.add("rows");
  digest.add(feed.rows.key);
  digest.add(feed.rows.version);
  digest.add(feed.rows.deletes.flag);
  digest.add(feed.table);
  return digest.hex();
}

}  // namespace forebay
