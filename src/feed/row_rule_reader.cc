// `rows:`, `keep:`, `columns:` and `check:` of a description.

#include <fmt/format.h>

#include <algorithm>

#include "feed/description_reader.h"

namespace forebay {
namespace {

using From = VersionTerm::From;
using As = VersionTerm::As;

class RowsReader {
 public:
  RowsReader(const YamlValue& top, OptionBinder& binder, Feed& feed)
      : top_(top), binder_(binder), feed_(feed) {}

  Status read() {
    if (auto rows = top_.find("rows")) {
      ASSIGN_OR_RETURN(const OptionBinder::Choice choice, binder_.choose(*rows));
      RETURN_IF_ERROR(read_row_rule(choice.value));
    }
    RETURN_IF_ERROR(read_keep());
    RETURN_IF_ERROR(read_columns(top_, binder_, feed_.columns));
    return read_checks();
  }

 private:
  Status read_row_rule(const YamlValue& rows) {
    RETURN_IF_ERROR(rows.only({"key", "version", "tie", "conflict", "delete", "generation"}));
    if (auto key = rows.find("key")) {
      RETURN_IF_ERROR(read_key(*key));
    }
    RETURN_IF_ERROR(read_terms(rows, "version", feed_.rows.version));
    RETURN_IF_ERROR(read_terms(rows, "tie", feed_.rows.tie));
    if (auto conflict = rows.find("conflict")) {
      ASSIGN_OR_RETURN(const std::string word, conflict->word({"newest", "first"}));
      feed_.rows.conflict = word == "first" ? Conflict::first : Conflict::newest;
    }
    if (auto generation = rows.find("generation")) {
      if (feed_.unit.kind == UnitKind::window)
        return generation->wrong("does not belong to windows: retention deletes their rows");
      ASSIGN_OR_RETURN(feed_.rows.generation, generation->text());
    }
    auto deletes = rows.find("delete");
    return deletes ? read_delete(*deletes) : Status();
  }

  // Columns, {tables: {TABLE: columns, "*": columns}}, or a list in a document. A pipeline's option
  // may be such a mapping, too.
  Status read_key(const YamlValue& key) {
    const bool option = OptionBinder::is_option(key);
    if (!option && is_reference(key, binder_)) {
      const bool entries = feed_.files && !feed_.files->list.empty();
      const bool document = feed_.unit.kind == UnitKind::document && !feed_.unit.folder;
      ASSIGN_OR_RETURN(feed_.rows.key_from,
                       read_names(key, binder_, {.document = document, .entry = entries}));
      return {};
    }
    if (auto tables = key.find("tables")) {
      RETURN_IF_ERROR(key.only({"tables"}));
      ASSIGN_OR_RETURN(const BoundMap map, OptionBinder::map_of(*tables));
      return take_key(map);
    }
    if (auto name = key.find("option"); option && name->is_text()) {
      const OptionValue* given = binder_.raw(name->text().value_or(""));
      if (given != nullptr && given->is_map) {
        ASSIGN_OR_RETURN(const auto map, binder_.common_map(name->text().value_or("")));
        return take_key(*map);
      }
    }
    if (key.is_map() && !option) return key.only({"tables", "option", "default", "list"});
    ASSIGN_OR_RETURN(feed_.rows.key, names(key));
    return {};
  }

  Status take_key(const BoundMap& map) {
    constexpr std::string_view kOthers = "*";
    for (const auto& [table, columns] : map) {
      if (table != kOthers) binder_.keyed.push_back(table);
      const bool own = table == binder_.table;
      if (!own && (table != kOthers || !feed_.rows.key.empty())) continue;
      feed_.rows.key.clear();
      for (const BoundText& column : columns) feed_.rows.key.push_back(column.text);
    }
    return {};
  }

  // Names that an option may give.
  Result<std::vector<std::string>> names(const YamlValue& value) {
    ASSIGN_OR_RETURN(std::vector<BoundText> texts, binder_.texts(value));
    std::vector<std::string> list;
    for (BoundText& text : texts) list.push_back(std::move(text.text));
    return list;
  }

  Status read_terms(const YamlValue& rows, std::string_view key, std::vector<VersionTerm>& terms) {
    auto value = rows.find(key);
    if (!value) return {};
    if (OptionBinder::is_option(*value)) {
      ASSIGN_OR_RETURN(std::vector<std::string> columns, names(*value));
      for (std::string& column : columns) terms.push_back({.name = std::move(column)});
      return {};
    }
    ASSIGN_OR_RETURN(const std::vector<YamlValue> items, value->items());
    for (const YamlValue& item : items) {
      ASSIGN_OR_RETURN(VersionTerm term, read_term(item));
      if (std::ranges::find(terms, term.name, &VersionTerm::name) != terms.end())
        return item.wrong(fmt::format("\"{}\" stands here twice", term.name));
      terms.push_back(std::move(term));
    }
    return {};
  }

  // A column, /path/in/the/document, {capture: NAME}, {value: /path, as: time},
  // {rank: COLUMN, order: [lowest, …, highest]}, or {column: NAME, as: …, json: …, absent: lowest}.
  Result<VersionTerm> read_term(const YamlValue& item) {
    VersionTerm term;
    if (item.is_text()) {
      ASSIGN_OR_RETURN(term.name, item.text());
      if (term.name.starts_with('/')) return from_document(item, std::move(term));
      return term;
    }
    if (is_companion_path(item)) return from_document(item, std::move(term));
    RETURN_IF_ERROR(
        item.only({"rank", "order", "capture", "value", "as", "column", "json", "absent"}));
    if (auto column = item.find("column")) return read_column_term(item, *column);
    if (auto rank = item.find("rank")) {
      RETURN_IF_ERROR(item.only({"rank", "order"}));
      ASSIGN_OR_RETURN(term.name, rank->text());
      ASSIGN_OR_RETURN(const YamlValue order, item.need("order"));
      ASSIGN_OR_RETURN(term.order, read_distinct(order));
      return term;
    }
    if (auto capture = item.find("capture")) {
      RETURN_IF_ERROR(item.only({"capture"}));
      term.from = From::capture;
      ASSIGN_OR_RETURN(term.name, capture->text());
      return term;
    }
    RETURN_IF_ERROR(item.only({"value", "as"}));
    ASSIGN_OR_RETURN(const YamlValue path, item.need("value"));
    if (path.is_text()) {
      ASSIGN_OR_RETURN(term.name, path.text());
    }
    if (auto as = item.find("as")) {
      ASSIGN_OR_RETURN(const std::string word, as->word({"text", "number", "time"}));
      term.as = word == "number" ? As::number : word == "time" ? As::time : As::text;
    }
    return from_document(path, std::move(term));
  }

  // {column: {value: /path}, absent: lowest}: the document says which column it is, or none.
  Result<VersionTerm> read_named_column(const YamlValue& item, const YamlValue& column) const {
    RETURN_IF_ERROR(item.only({"column", "absent"}));
    RETURN_IF_ERROR(column.only({"value"}));
    ASSIGN_OR_RETURN(const YamlValue path, column.need("value"));
    VersionTerm term;
    ASSIGN_OR_RETURN(term.name, path.text());
    ASSIGN_OR_RETURN(term, from_document(path, std::move(term)));
    ASSIGN_OR_RETURN(const YamlValue absent, item.need("absent"));
    RETURN_IF_ERROR(absent.word({"lowest"}));
    term.from = From::column;
    term.named_by = term.name;
    term.may_lack = true;
    return term;
  }

  // A column that says more than its name: it may be missing, or be JSON.
  Result<VersionTerm> read_column_term(const YamlValue& item, const YamlValue& column) const {
    if (column.is_map()) return read_named_column(item, column);
    RETURN_IF_ERROR(item.only({"column", "as", "json", "absent"}));
    VersionTerm term;
    ASSIGN_OR_RETURN(term.name, column.text());
    if (auto as = item.find("as")) {
      RETURN_IF_ERROR(as->word({"text", "number"}));
      ASSIGN_OR_RETURN(const std::string word, as->text());
      term.as = word == "number" ? As::number : As::text;
    }
    if (auto absent = item.find("absent")) {
      RETURN_IF_ERROR(absent->word({"lowest"}));
      term.may_lack = true;
    }
    auto json = item.find("json");
    if (!json) return term;
    if (item.find("as")) return json->wrong("JSON says by itself what its fields are: no `as`");
    ASSIGN_OR_RETURN(const std::vector<YamlValue> forms, json->items());
    for (const YamlValue& form : forms) {
      ASSIGN_OR_RETURN(JsonForm parts, read_form(form));
      term.json.push_back(std::move(parts));
    }
    if (term.json.empty()) return json->wrong("must have at least one form");
    return term;
  }

  // {/file: ending, /pos: number}
  static Result<JsonForm> read_form(const YamlValue& value) {
    RETURN_IF_ERROR(value.is_a_map());
    JsonForm form;
    for (const auto& [path, as] : value.fields()) {
      ASSIGN_OR_RETURN(const std::string word, as.word({"number", "ending", "hex", "text"}));
      if (!path.starts_with('/')) return as.wrong("must stand under a path such as /pos");
      if (!form.empty() && form.back().as == JsonPart::As::text)
        return as.wrong("nothing comes after a text, which has no fixed length");
      form.push_back({.as = word == "number"   ? JsonPart::As::number
                            : word == "ending" ? JsonPart::As::ending
                            : word == "hex"    ? JsonPart::As::hex
                                               : JsonPart::As::text,
                      .path = path});
    }
    if (form.empty()) return value.wrong("must have at least one field");
    return form;
  }

  bool is_companion_path(const YamlValue& value) const {
    return value.is_map() && value.fields().size() == 1 &&
           std::ranges::find(binder_.companions, value.fields().front().first) !=
               binder_.companions.end();
  }

  Result<VersionTerm> from_document(const YamlValue& place, VersionTerm term) const {
    term.from = From::document;
    if (is_companion_path(place)) {
      ASSIGN_OR_RETURN(const ValueRef ref, read_value(place, binder_, {}));
      term.name = ref.name;
      term.with = ref.with;
      return term;
    }
    if (feed_.unit.kind != UnitKind::document || feed_.unit.folder)
      return place.wrong("there is no document here, allowed: a column, {capture: NAME}");
    if (!term.name.starts_with('/'))
      return place.wrong(
          fmt::format("\"{}\" must be a path in the document, such as /started_at", term.name));
    return term;
  }

  Status read_delete(const YamlValue& deletes) {
    RETURN_IF_ERROR(
        deletes.only({"flag", "operation", "is", "others", "skip", "insert", "absent"}));
    DeleteRule& rule = feed_.rows.deletes;
    auto flag = deletes.find("flag");
    if (flag) {
      RETURN_IF_ERROR(deletes.only({"flag"}));
      ASSIGN_OR_RETURN(rule.flag, flag->text());
      return {};
    }
    auto operation = deletes.find("operation");
    if (!operation) return deletes.wrong("must have one of the keys flag and operation");
    ASSIGN_OR_RETURN(rule.operation, operation->text());
    ASSIGN_OR_RETURN(const YamlValue is, deletes.need("is"));
    ASSIGN_OR_RETURN(rule.is, read_distinct(is));
    ASSIGN_OR_RETURN(const YamlValue others, deletes.need("others"));
    ASSIGN_OR_RETURN(rule.others, read_distinct(others));
    if (auto skip = deletes.find("skip")) {
      ASSIGN_OR_RETURN(rule.skip, read_distinct(*skip));
    }
    if (auto absent = deletes.find("absent")) {
      RETURN_IF_ERROR(absent->word({"put"}));
      rule.absent_puts = true;
    }
    if (auto insert = deletes.find("insert")) {
      ASSIGN_OR_RETURN(rule.insert, read_distinct(*insert));
      for (const std::string& word : rule.insert) {
        if (std::ranges::find(rule.others, word) == rule.others.end())
          return insert->place().not_allowed(word, rule.others);
      }
    }
    std::vector<std::string> all = rule.is;
    all.insert(all.end(), rule.others.begin(), rule.others.end());
    all.insert(all.end(), rule.skip.begin(), rule.skip.end());
    std::ranges::sort(all);
    if (auto twice = std::ranges::adjacent_find(all); twice != all.end())
      return deletes.wrong(fmt::format("the operation \"{}\" stands in two lists", *twice));
    return {};
  }

  Status set_keep(const std::string& word) {
    feed_.rows.keep = word == "both" ? Keep::both : Keep::current;
    return {};
  }

  Status read_keep() {
    if (auto keep = top_.find("keep")) {
      ASSIGN_OR_RETURN(const std::string word, keep->word({"current", "both"}));
      RETURN_IF_ERROR(set_keep(word));
    }
    ASSIGN_OR_RETURN(const auto given, binder_.common("keep"));
    if (!given) return {};
    if (given->text != "current" && given->text != "both")
      return given->place.not_allowed(given->text, {"current", "both"});
    return set_keep(given->text);
  }

  Status read_list(const YamlValue& map, std::string_view key, std::vector<std::string>& list) {
    auto value = map.find(key);
    if (!value) return {};
    ASSIGN_OR_RETURN(list, read_distinct(*value));
    return {};
  }

  // Columns, or {column: NAME, path: /field, per: table}.
  Status read_one_values(const YamlValue& value) {
    ASSIGN_OR_RETURN(const std::vector<YamlValue> items, value.items());
    for (const YamlValue& item : items) {
      OneValueRule rule;
      if (item.is_text()) {
        ASSIGN_OR_RETURN(rule.column, item.text());
      } else {
        RETURN_IF_ERROR(item.only({"column", "path", "per"}));
        ASSIGN_OR_RETURN(const YamlValue column, item.need("column"));
        ASSIGN_OR_RETURN(rule.column, column.text());
        if (auto path = item.find("path")) {
          ASSIGN_OR_RETURN(rule.path, path->text());
          if (!rule.path.starts_with('/')) return path->wrong("must be a path such as /server");
        }
        if (auto per = item.find("per")) {
          ASSIGN_OR_RETURN(const std::string word, per->word({"feed", "table"}));
          rule.per_table = word == "table";
        }
      }
      const auto same = [&](const OneValueRule& other) {
        return other.column == rule.column && other.path == rule.path;
      };
      if (std::ranges::any_of(feed_.check.one_value, same))
        return item.wrong(fmt::format("\"{}\" stands here twice", rule.column));
      feed_.check.one_value.push_back(std::move(rule));
    }
    if (feed_.check.one_value.empty()) return value.wrong("must have at least one value");
    return {};
  }

  Status read_checks() {
    auto check = top_.find("check");
    if (!check) return {};
    RETURN_IF_ERROR(check->only(
        {"files", "rows", "size", "hash", "unique", "same", "one_value", "consecutive"}));
    if (auto one_value = check->find("one_value")) RETURN_IF_ERROR(read_one_values(*one_value));
    return read_list(*check, "consecutive", feed_.check.consecutive);
  }

  const YamlValue& top_;
  OptionBinder& binder_;
  Feed& feed_;
};

}  // namespace

Result<std::vector<std::string>> read_distinct(const YamlValue& value) {
  ASSIGN_OR_RETURN(std::vector<std::string> words, value.texts());
  std::vector<std::string> sorted = words;
  std::ranges::sort(sorted);
  if (words.empty()) return value.wrong("must have at least one value");
  if (auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    return value.wrong(fmt::format("\"{}\" stands here twice", *twice));
  return words;
}

Status read_rows(const YamlValue& top, OptionBinder& binder, Feed& feed) {
  return RowsReader(top, binder, feed).read();
}

}  // namespace forebay
