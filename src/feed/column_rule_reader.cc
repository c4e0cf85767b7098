// `columns:` of a description, and of a pipeline.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "feed/description_reader.h"

namespace forebay {
namespace {

constexpr std::array<std::string_view, 6> kKeys = {"type", "rename",   "format",
                                                   "unit", "timezone", "null_values"};

bool is_time(const TypeName& type) {
  return type.word == "DATE" || type.word.starts_with("TIMESTAMP");
}

// What one part needs of the others.
Status check_option(const ColumnOption& option, const ConfigPlace& place) {
  const bool time = option.type && is_time(*option.type);
  const bool clock = option.type && option.type->word == "TIME";
  if (!option.format.empty() && !time && !clock)
    return place.wrong("`format` is of text that is a time",
                       "say its type too: DATE, TIME, TIMESTAMP, TIMESTAMP_NS or TIMESTAMPTZ");
  if (!option.unit.empty() && !time)
    return place.wrong("`unit` is of numbers that are times",
                       "say their type too: DATE, TIMESTAMP, TIMESTAMP_NS or TIMESTAMPTZ");
  if (!option.unit.empty() && !(option.format.empty() && option.timezone.empty()))
    return place.wrong("`unit` counts from 1970 in UTC, beside it is no `format` or `timezone`");
  const bool zoned = option.type && (option.type->word == "TIMESTAMPTZ" ||
                                     (option.type->word == "TIMESTAMP" && option.format.empty()));
  if (!option.timezone.empty() && !zoned)
    return place.wrong(
        "`timezone` is of times that become TIMESTAMPTZ, or of such that become "
        "TIMESTAMP");
  if (option.name.contains('*') && !option.rename.empty())
    return place.wrong("one name cannot be that of all columns that a pattern matches");
  return {};
}

// What is said of one column, however it was written.
Result<ColumnOption> read_option(const std::string& name, const BoundMap& parts,
                                 const ConfigPlace& place) {
  ColumnOption option{.name = name};
  const std::vector<std::string> known(kKeys.begin(), kKeys.end());
  for (const auto& [key, texts] : parts) {
    if (std::ranges::find(known, key) == known.end()) return place.not_allowed(key, known);
    if (key == "null_values") {
      for (const BoundText& text : texts) option.null_values.push_back(text.text);
      continue;
    }
    const BoundText& text = texts.front();
    if (texts.size() > 1) return texts[1].place.wrong(fmt::format("takes one {}, not a list", key));
    if (text.text.empty()) return text.place.wrong("must not be empty");
    if (key == "type") {
      ASSIGN_OR_RETURN(option.type, read_type_name(text));
    } else if (key == "unit") {
      const std::vector<std::string> units = {"s", "ms", "us", "ns"};
      if (std::ranges::find(units, text.text) == units.end())
        return text.place.not_allowed(text.text, units);
      option.unit = text.text;
    } else {
      (key == "rename"   ? option.rename
       : key == "format" ? option.format
                         : option.timezone) = text.text;
    }
  }
  RETURN_IF_ERROR(check_option(option, place));
  return option;
}

std::vector<BoundText> bound(const OptionValue& value, const std::string& key) {
  std::vector<BoundText> texts;
  for (const std::string& text : value.values)
    texts.push_back({text, {.where = value.where, .key = key}});
  return texts;
}

// `columns: {name: TYPE}` is short for `{name: {type: TYPE}}`.
Status add_options_of_pipeline(const OptionValue& columns, ColumnRule& rule) {
  if (columns.fields.empty())
    return ConfigPlace{.where = columns.where, .key = "columns"}.wrong("takes a mapping",
                                                                       "write {column: TYPE}");
  for (const auto& [name, field] : columns.fields) {
    const ConfigPlace place{.where = field.where, .key = "columns." + name};
    BoundMap parts;
    if (!field.is_map) parts.emplace_back("type", bound(field, place.key));
    for (const auto& [key, part] : field.fields) {
      if (part.is_map || part.values.empty())
        return ConfigPlace{.where = part.where, .key = place.key + "." + key}.wrong(
            "takes a value");
      parts.emplace_back(key, bound(part, place.key + "." + key));
    }
    if (!field.is_map && field.values.empty()) return place.wrong("takes a type, or a mapping");
    ASSIGN_OR_RETURN(ColumnOption option, read_option(name, parts, place));
    rule.options.push_back(std::move(option));
  }
  return {};
}

// The same in a description, where it is called `types`.
Status add_options_of_feed(const YamlValue& types, ColumnRule& rule) {
  RETURN_IF_ERROR(types.is_a_map());
  for (const auto& [name, value] : types.fields()) {
    BoundMap parts;
    if (value.is_map()) {
      ASSIGN_OR_RETURN(parts, OptionBinder::map_of(value));
    } else {
      ASSIGN_OR_RETURN(std::string text, value.text());
      parts.emplace_back("type", std::vector{BoundText{std::move(text), value.place()}});
    }
    ASSIGN_OR_RETURN(ColumnOption option, read_option(name, parts, value.place()));
    rule.options.push_back(std::move(option));
  }
  return {};
}

// `rename: {old: new}`, `include_columns` and `exclude_columns` of a pipeline.
Status read_names_of_pipeline(OptionBinder& binder, ColumnRule& rule) {
  ASSIGN_OR_RETURN(const auto renames, binder.common_map("rename"));
  for (const auto& [name, texts] : renames.value_or(BoundMap())) {
    ASSIGN_OR_RETURN(ColumnOption option,
                     read_option(name, {{"rename", texts}}, texts.front().place));
    rule.options.push_back(std::move(option));
  }
  for (const auto& [key, list] :
       {std::pair("include_columns", &rule.only), std::pair("exclude_columns", &rule.excluded)}) {
    ASSIGN_OR_RETURN(const auto names, binder.common_list(key));
    for (const BoundText& name : names.value_or(std::vector<BoundText>()))
      list->push_back(name.text);
  }
  return {};
}

// Whether a pipeline's `columns` may be a list: names for the columns of files that have none.
bool takes_names(const YamlValue& top) {
  const auto decode = top.find("decode");
  const auto columns = decode ? decode->find("columns") : std::nullopt;
  const auto option = columns ? columns->find("option") : std::nullopt;
  return option && option->is_text() && option->text().value_or("") == "columns";
}

Status read_list(const YamlValue& map, std::string_view key, std::vector<std::string>& list) {
  auto value = map.find(key);
  if (!value) return {};
  ASSIGN_OR_RETURN(list, read_distinct(*value));
  return {};
}

}  // namespace

// What a pipeline says of a column goes before what its feed says.
Status read_columns(const YamlValue& top, OptionBinder& binder, ColumnRule& rule) {
  const OptionValue* of_pipeline = binder.raw("columns");
  if (of_pipeline != nullptr && of_pipeline->is_map) {
    RETURN_IF_ERROR(add_options_of_pipeline(*of_pipeline, rule));
  } else if (of_pipeline != nullptr && !takes_names(top)) {
    return ConfigPlace{.where = of_pipeline->where, .key = "columns"}.wrong("must say types",
                                                                            "write {column: TYPE}");
  }
  RETURN_IF_ERROR(read_names_of_pipeline(binder, rule));
  auto given = top.find("columns");
  if (!given) return {};
  ASSIGN_OR_RETURN(const OptionBinder::Choice choice, binder.choose(*given));
  const YamlValue& columns = choice.value;
  RETURN_IF_ERROR(columns.only({"uuid_text", "except", "drop", "types"}));
  if (auto types = columns.find("types")) RETURN_IF_ERROR(add_options_of_feed(*types, rule));
  RETURN_IF_ERROR(read_list(columns, "uuid_text", rule.uuid_text));
  RETURN_IF_ERROR(read_list(columns, "except", rule.except));
  RETURN_IF_ERROR(read_list(columns, "drop", rule.drop));
  if (!rule.except.empty() && rule.uuid_text.empty())
    return columns.wrong("except takes names out of uuid_text, and there is no uuid_text");
  return {};
}

}  // namespace forebay
