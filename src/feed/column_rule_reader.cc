// `columns:` of a description, and of a pipeline.

#include <utility>

#include "feed/description_reader.h"

namespace forebay {
namespace {

Status add_types(const BoundMap& map, ColumnRule& rule) {
  for (const auto& [name, texts] : map) {
    if (texts.size() > 1) return texts[1].place.wrong("takes one type, not a list");
    ASSIGN_OR_RETURN(TypeName type, read_type_name(texts.front()));
    rule.types.emplace_back(name, std::move(type));
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
    ASSIGN_OR_RETURN(const auto types, binder.common_map("columns"));
    RETURN_IF_ERROR(add_types(*types, rule));
  } else if (of_pipeline != nullptr && !takes_names(top)) {
    return ConfigPlace{.where = of_pipeline->where, .key = "columns"}.wrong("must say types",
                                                                            "write {column: TYPE}");
  }
  auto given = top.find("columns");
  if (!given) return {};
  ASSIGN_OR_RETURN(const OptionBinder::Choice choice, binder.choose(*given));
  const YamlValue& columns = choice.value;
  RETURN_IF_ERROR(columns.only({"uuid_text", "except", "drop", "types"}));
  if (auto types = columns.find("types")) {
    ASSIGN_OR_RETURN(const BoundMap map, OptionBinder::map_of(*types));
    RETURN_IF_ERROR(add_types(map, rule));
  }
  RETURN_IF_ERROR(read_list(columns, "uuid_text", rule.uuid_text));
  RETURN_IF_ERROR(read_list(columns, "except", rule.except));
  RETURN_IF_ERROR(read_list(columns, "drop", rule.drop));
  if (!rule.except.empty() && rule.uuid_text.empty())
    return columns.wrong("except takes names out of uuid_text, and there is no uuid_text");
  return {};
}

}  // namespace forebay
