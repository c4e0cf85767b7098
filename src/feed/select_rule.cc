// `select:` of a description, and what a pipeline says of its tables.

#include "feed/select_rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "feed/content.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

constexpr const char* kTables = "tables";

bool selects(const SelectRule& rule, const std::string& name) {
  return std::ranges::find(rule.values, name, &std::pair<std::string, ValueRef>::first) !=
         rule.values.end();
}

Status read_table(const std::string& name, const OptionValue& value, SelectRule& rule) {
  const ConfigPlace place{.where = value.where, .key = fmt::format("{}.{}", kTables, name)};
  if (!is_table_name(name)) return place.wrong("is no name for a table");
  if (!value.is_map) return place.wrong("takes a mapping", "write {key: value}");
  SelectRule::Table table{.name = name, .match = {}, .feed = nullptr};
  for (const auto& [key, field] : value.fields) {
    if (key == kTables) return place.wrong("has no tables below it");
    if (!selects(rule, key)) continue;
    if (field.values.size() != 1 || field.is_list) {
      return ConfigPlace{.where = field.where, .key = fmt::format("{}.{}", place.key, key)}.wrong(
          "takes one value");
    }
    table.match[key] = field.values.front();
  }
  rule.tables.push_back(std::move(table));
  return {};
}

}  // namespace

Status read_select(const YamlValue& top, OptionBinder& binder, bool by_content, SelectRule& rule) {
  auto select = top.find("select");
  if (!select) return {};
  RETURN_IF_ERROR(select->is_a_map());
  if (!by_content)
    return select->wrong("needs unit.identity: units that are known by what they say");
  for (const auto& [name, value] : select->fields()) {
    if (name == kTables) return value.wrong("is an option already, for what holds for one table");
    ASSIGN_OR_RETURN(ValueRef of, read_value(value, binder, {.document = true}));
    rule.values.emplace_back(name, std::move(of));
    ASSIGN_OR_RETURN(const auto wanted, binder.common(name));
    if (wanted) rule.wanted[name] = wanted->text;
  }
  const OptionValue* tables = binder.raw(kTables);
  if (tables == nullptr) return {};
  if (!tables->is_map || tables->fields.empty()) {
    return ConfigPlace{.where = tables->where, .key = kTables}.wrong("takes a mapping",
                                                                     "write {TABLE: {key: value}}");
  }
  for (const auto& [name, value] : tables->fields) RETURN_IF_ERROR(read_table(name, value, rule));
  return {};
}

Options options_of_table(const Options& options, const SelectRule& rule, const std::string& table) {
  Options own = options;
  own.erase(kTables);
  for (const auto& [name, value] : options.at(kTables).fields) {
    if (name != table) continue;
    for (const auto& [key, field] : value.fields) {
      if (!selects(rule, key)) own[key] = field;
    }
  }
  return own;
}

std::string select_text(const std::map<std::string, std::string>& wanted) {
  std::string text;
  for (const auto& [name, value] : wanted)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  return text;
}

const Feed& Feed::of(const std::string& asked, const std::string& guess) const {
  const auto found = std::ranges::find(select.tables, asked, &SelectRule::Table::name);
  const Feed& own = found == select.tables.end() || found->feed == nullptr ? *this : *found->feed;
  const auto taken = own.guessed.find(guess);
  if (taken != own.guessed.end()) return *taken->second;
  const auto with_key = own.keyed.find(asked);
  return with_key == own.keyed.end() ? own : *with_key->second;
}

}  // namespace forebay
