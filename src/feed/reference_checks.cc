// That what a description refers to is there, and may be referred to from there.

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "feed/content.h"
#include "feed/description_reader.h"
#include "feed/order.h"

namespace forebay {
namespace {

using From = ValueRef::From;
using Keys = std::initializer_list<std::string_view>;

class References {
 public:
  References(const YamlValue& top, const Feed& feed) : top_(top), feed_(feed) {}

  Status check() const {
    if (feed_.table) RETURN_IF_ERROR(check_value(*feed_.table, {"table"}));
    RETURN_IF_ERROR(check_files());
    if (feed_.effect.by) RETURN_IF_ERROR(check_value(*feed_.effect.by, {"effect", "by"}));
    for (const ValueRef& part : feed_.effect.part)
      RETURN_IF_ERROR(check_value(part, {"effect", "part"}));
    RETURN_IF_ERROR(check_terms(feed_.rows.version, "version"));
    RETURN_IF_ERROR(check_terms(feed_.rows.tie, "tie"));
    for (const auto& [key, ref] : feed_.decode_from.words)
      RETURN_IF_ERROR(check_value(ref, {"decode", key}));
    for (const ValueRef& ref : feed_.unit.run.identity)
      RETURN_IF_ERROR(check_value(ref, {"unit", "identity"}));
    for (const OrderPart& part : feed_.unit.run.order)
      RETURN_IF_ERROR(check_value(part.of, {"unit", "order"}));
    if (feed_.status) RETURN_IF_ERROR(check_value(feed_.status->by, {"status", "by"}));
    RETURN_IF_ERROR(check_gates());
    RETURN_IF_ERROR(check_stop());
    RETURN_IF_ERROR(check_key_files());
    return check_object_columns();
  }

 private:
  // A capture that stands for a value must be there, whichever pattern a name has; where others
  // stand in for it, one pattern is enough.
  Status check_value(const ValueRef& ref, Keys keys, bool others = false) const {
    others = others || !ref.otherwise.empty();
    if (ref.from == From::capture) RETURN_IF_ERROR(check_capture(ref.name, keys, others));
    for (const ValueRef& part : ref.parts) RETURN_IF_ERROR(check_value(part, keys, others));
    for (std::size_t i = 0; i < ref.otherwise.size(); ++i) {
      const bool last = i + 1 == ref.otherwise.size();
      RETURN_IF_ERROR(check_value(ref.otherwise[i], keys, !last));
    }
    return {};
  }

  Status check_capture(const std::string& name, Keys keys, bool one_is_enough) const {
    if (is_builtin_capture(name)) return {};
    const Pattern* without = nullptr;
    bool any = false;
    for (const Pattern& pattern : feed_.unit.patterns) {
      const bool has = name != kBelowFolder && pattern.capture_type(name).has_value();
      any = any || has;
      if (!has) without = &pattern;
    }
    if (without == nullptr || (any && one_is_enough)) return {};
    std::vector<std::string> known = without->capture_names();
    std::erase(known, kBelowFolder);
    std::string text = without->text();
    text.resize(std::min(text.find(fmt::format("{{{}:", kBelowFolder)), text.size()));
    const std::string near = nearest(name, known);
    return place_below(top_, keys)
        .wrong(fmt::format("the pattern \"{}\" has no capture {{{}}}", text, name),
               near.empty() ? "" : fmt::format("did you mean {{{}}}?", near));
  }

  Status check_terms(const std::vector<VersionTerm>& terms, std::string_view key) const {
    for (const VersionTerm& term : terms) {
      if (term.from != VersionTerm::From::capture) continue;
      RETURN_IF_ERROR(check_capture(term.name, {"rows", key}, false));
    }
    return {};
  }

  Status check_files() const {
    if (!feed_.files) return {};
    const FilesRule& rule = *feed_.files;
    RETURN_IF_ERROR(check_value(rule.table, {"files", "table"}));
    const bool folder = rule.list.empty();
    const bool plain = !folder && !rule.has_above() && !rule.path.name.empty();
    if (folder && !feed_.agrees.files.empty())
      return place_below(top_, {"check", "files"})
          .wrong("a folder has the files that lie there, and no list");
    if (!plain && !feed_.agrees.unique.empty())
      return place_below(top_, {"check", "unique"})
          .wrong("is of the entries of one list, and they must be objects");
    if (rule.table.from == From::entry && rule.path.name.empty() && !folder)
      return place_below(top_, {"files", "table"})
          .wrong(
              "the entries are texts and have no fields, allowed: {above: NAME}, a capture, a "
              "path in the document");
    return {};
  }

  // What gates name must be there in every unit's name.
  Status check_gates() const {
    const auto gates = top_.find("gate");
    for (const GateRule& gate : feed_.gates) {
      RETURN_IF_ERROR(check_value(gate.value, {"gate"}));
      if (!gate.capture.empty()) RETURN_IF_ERROR(check_capture(gate.capture, {"gate"}, false));
      RETURN_IF_ERROR(check_template(*gates, gate.object, feed_.unit));
      RETURN_IF_ERROR(check_template(*gates, gate.of, feed_.unit));
    }
    return {};
  }

  bool in_name(const ValueRef& ref) const {
    if (ref.from == From::join)
      return std::ranges::all_of(ref.parts, [this](const ValueRef& part) { return in_name(part); });
    return ref.otherwise.empty() && (ref.from == From::capture || ref.from == From::constant);
  }

  // A stop at a table needs units of one table, which is known before anything is read.
  Status check_stop() const {
    if (feed_.unit.stop != StopScope::table) return {};
    const ValueRef& table = feed_.table ? *feed_.table : feed_.files->table;
    const ConfigPlace place = place_below(top_, {"unit", "stop"});
    if (depends_on_entry(table))
      return place.wrong("needs units of one table, and files.table names one for each file");
    if (!feed_.unit.run.by_content() && !in_name(table))
      return place.wrong("needs units whose table stands in their names, or `identity`");
    return {};
  }

  // A file of keys has nothing that could say how new they are.
  Status check_key_files() const {
    const auto& choices = feed_.effect.choices;
    const bool removes =
        feed_.effect.fixed.remove ||
        std::ranges::any_of(choices, [](const auto& choice) { return choice.second.remove; });
    if (!removes) return {};
    const bool columns = std::ranges::any_of(feed_.rows.version, [](const VersionTerm& term) {
      return term.from == VersionTerm::From::column && !term.may_lack;
    });
    if (columns)
      return place_below(top_, {"rows", "version"})
          .wrong(
              "a file of keys to delete has no such column, allowed: captures, paths in the "
              "document, {column: NAME, absent: lowest}");
    if (!feed_.rows.deletes.none())
      return place_below(top_, {"rows", "delete"})
          .wrong("files of keys to delete have neither flags nor operations");
    return {};
  }

  Status check_object_columns() const {
    if (feed_.on_rewrite != OnRewrite::replace || feed_.unit.kind != UnitKind::document) return {};
    const bool captures = std::ranges::any_of(feed_.object_columns, [](const ObjectColumn& column) {
      return column.from == ObjectColumn::From::capture;
    });
    if (!captures || feed_.rows.key.empty()) return {};
    return place_below(top_, {"capture_columns"})
        .wrong("on_rewrite: replace cannot tell them again, allowed: warn, stop");
  }

  const YamlValue& top_;
  const Feed& feed_;
};

}  // namespace

ConfigPlace place_below(const YamlValue& top, std::initializer_list<std::string_view> keys) {
  YamlValue at = top;
  for (std::string_view key : keys) {
    auto below = at.find(key);
    if (!below) break;
    at = *below;
  }
  return at.place();
}

Status check_references(const YamlValue& top, const Feed& feed) {
  return References(top, feed).check();
}

}  // namespace forebay
