// `metadata:` and `partition_columns:`: columns that come from the object and not from its bytes.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

using From = ObjectColumn::From;

const std::vector<std::pair<std::string, From>> kMetadata = {
    {"source_file_name", From::file_name},
    {"source_file_timestamp", From::file_timestamp},
    {"source_file_size", From::file_size},
    {"source_file_etag", From::file_etag},
    {"source_row_number", From::row_number}};

// The mapping as the description has it, or else as the pipeline gives it.
Result<std::optional<BoundMap>> mapping(const YamlValue& top, OptionBinder& binder,
                                        const std::string& key) {
  ASSIGN_OR_RETURN(std::optional<BoundMap> map, binder.common_map(key));
  const auto written = top.find(key);
  if (map || !written) return map;
  ASSIGN_OR_RETURN(map, OptionBinder::map_of(*written));
  return map;
}

Status add(std::vector<ObjectColumn>& columns, ObjectColumn column, const ConfigPlace& place) {
  for (const ObjectColumn& other : columns) {
    if (equal_ignoring_case(other.name, column.name)) {
      return place.wrong(fmt::format("\"{}\" is the name of two columns", column.name));
    }
  }
  constexpr std::string_view kOurs = "_forebay_";
  if (column.name.empty() || equal_ignoring_case(column.name.substr(0, kOurs.size()), kOurs))
    return place.wrong(fmt::format("\"{}\" cannot be the name of such a column", column.name));
  columns.push_back(std::move(column));
  return {};
}

Result<BoundText> one(const std::vector<BoundText>& texts) {
  if (texts.size() != 1) return texts.front().place.wrong("takes one value");
  return texts.front();
}

// Captures of the unit's name as columns of these names.
Status read_capture_columns(const YamlValue& list, Feed& feed) {
  if (feed.windowed()) return list.wrong("does not belong to windows");
  ASSIGN_OR_RETURN(const std::vector<std::string> names, list.texts());
  for (const std::string& name : names) {
    std::optional<CaptureType> type;
    for (const Pattern& pattern : feed.unit.patterns) {
      if (!type && name != kBelowFolder) type = pattern.capture_type(name);
    }
    if (!type) {
      std::vector<std::string> known;
      for (const Pattern& pattern : feed.unit.patterns)
        std::ranges::copy(pattern.capture_names(), std::back_inserter(known));
      std::erase(known, kBelowFolder);
      return list.place().not_allowed(name, known);
    }
    const char* word = *type == CaptureType::text   ? "TEXT"
                       : *type == CaptureType::time ? "TIMESTAMP"
                                                    : "BIGINT";
    RETURN_IF_ERROR(add(feed.object_columns,
                        {.from = From::capture, .name = name, .type = {.word = word}},
                        list.place()));
  }
  return {};
}

}  // namespace

Result<TypeName> read_type_name(const BoundText& text) {
  if (const auto type = parse_type_name(text.text)) return *type;
  std::vector<std::string> allowed = type_words();
  allowed.emplace_back("DECIMAL(digits,digits after the point)");
  return text.place.not_allowed(text.text, allowed);
}

Status read_object_columns(const YamlValue& top, OptionBinder& binder, Feed& feed) {
  std::vector<ObjectColumn>& columns = feed.object_columns;
  if (auto captures = top.find("capture_columns"))
    RETURN_IF_ERROR(read_capture_columns(*captures, feed));
  ASSIGN_OR_RETURN(const auto metadata, mapping(top, binder, "metadata"));
  for (const auto& [key, texts] : metadata.value_or(BoundMap())) {
    ASSIGN_OR_RETURN(BoundText name, one(texts));
    const auto known = std::ranges::find(kMetadata, key, &std::pair<std::string, From>::first);
    if (known == kMetadata.end()) {
      std::vector<std::string> allowed;
      for (const auto& [word, from] : kMetadata) allowed.push_back(word);
      return name.place.not_allowed(key, allowed);
    }
    RETURN_IF_ERROR(
        add(columns, {.from = known->second, .name = std::move(name.text)}, name.place));
  }
  ASSIGN_OR_RETURN(const auto parts, mapping(top, binder, "partition_columns"));
  for (const auto& [key, texts] : parts.value_or(BoundMap())) {
    ASSIGN_OR_RETURN(BoundText type, one(texts));
    ASSIGN_OR_RETURN(TypeName name, read_type_name(type));
    RETURN_IF_ERROR(add(columns, {.name = key, .type = std::move(name)}, type.place));
  }
  return {};
}

}  // namespace forebay
