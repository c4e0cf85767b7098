#include "feed/yaml_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.h"
#include "feed/yaml_parse.h"

namespace forebay {

Result<YamlValue> YamlValue::parse(std::string_view yaml, std::string_view origin) {
  ASSIGN_OR_RETURN(YamlNode node, parse_yaml(yaml, origin));
  auto root = std::make_shared<const YamlNode>(std::move(node));
  const YamlNode* top = root.get();
  return YamlValue(std::move(root), top, top->line, std::make_shared<std::string>(origin), "");
}

YamlValue YamlValue::below(const YamlNode& node, int line, std::string_view key) const {
  return {root_, &node, line, origin_,
          path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
}

ConfigPlace YamlValue::place() const {
  return {.where = line_ > 0 ? fmt::format("{}:{}", *origin_, line_) : *origin_, .key = path_};
}

std::unexpected<Error> ConfigPlace::wrong(std::string_view cause, std::string hint) const {
  return fail({.code = ErrorCode::invalid_config,
               .operation = "read",
               .object = where,
               .cause = key.empty() ? std::string(cause) : fmt::format("{}: {}", key, cause),
               .hint = std::move(hint)});
}

std::unexpected<Error> ConfigPlace::not_allowed(std::string_view value,
                                                const std::vector<std::string>& allowed) const {
  std::string near = nearest(value, allowed);
  return wrong(fmt::format("\"{}\" is not known, allowed: {}", value, fmt::join(allowed, ", ")),
               near.empty() ? "" : fmt::format("did you mean {}?", near));
}

Result<std::string> YamlValue::text() const {
  switch (node_->kind) {
    case YamlNode::Kind::text:
      if (node_->text.empty()) return wrong("must not be empty");
      return node_->text;
    case YamlNode::Kind::nothing: return wrong("has no value");
    case YamlNode::Kind::list: return wrong("must be one value, not a list");
    case YamlNode::Kind::map:
      // `table: {name}` is YAML for a map with a key and no value: a likely slip.
      return wrong("must be a text, not a map",
                   "a text that begins with { must stand in quotes: \"{table}\"");
  }
  std::unreachable();
}

Result<std::vector<YamlValue>> YamlValue::items() const {
  if (!is_list()) return std::vector{*this};
  std::vector<YamlValue> values;
  for (const YamlNode& item : node_->items) {
    values.push_back(YamlValue(root_, &item, item.line, origin_, path_));
  }
  if (values.empty()) return wrong("must not be an empty list");
  return values;
}

Result<std::vector<std::string>> YamlValue::texts() const {
  ASSIGN_OR_RETURN(std::vector<YamlValue> values, items());
  std::vector<std::string> result;
  for (const YamlValue& value : values) {
    ASSIGN_OR_RETURN(std::string text, value.text());
    if (std::ranges::find(result, text) != result.end()) {
      return value.wrong(fmt::format("names \"{}\" twice", text));
    }
    result.push_back(std::move(text));
  }
  return result;
}

Result<std::string> YamlValue::word(const std::vector<std::string>& allowed) const {
  ASSIGN_OR_RETURN(std::string value, text());
  if (std::ranges::find(allowed, value) == allowed.end()) {
    return place().not_allowed(value, allowed);
  }
  return value;
}

Status YamlValue::is_a_map() const {
  if (!is_map()) return wrong("must be a map, keys with values");
  return {};
}

Status YamlValue::only(std::initializer_list<std::string_view> allowed) const {
  std::vector<std::string> known(allowed.begin(), allowed.end());
  if (!is_map()) {
    return wrong(fmt::format("must be a map with keys from: {}", fmt::join(known, ", ")));
  }
  for (const auto& [key, value] : fields()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    std::string near = nearest(key, known);
    return value.wrong(fmt::format("is no known key, allowed: {}", fmt::join(known, ", ")),
                       near.empty() ? "" : fmt::format("did you mean {}?", near));
  }
  return {};
}

std::optional<YamlValue> YamlValue::find(std::string_view key) const {
  for (const YamlNode::Field& field : node_->fields) {
    if (field.key == key) return below(field.value, field.line, key);
  }
  return std::nullopt;
}

Result<YamlValue> YamlValue::need(std::string_view key) const {
  if (auto value = find(key)) return *value;
  return wrong(fmt::format("lacks the key {}", key));
}

std::vector<std::pair<std::string, YamlValue>> YamlValue::fields() const {
  std::vector<std::pair<std::string, YamlValue>> result;
  for (const YamlNode::Field& field : node_->fields) {
    result.emplace_back(field.key, below(field.value, field.line, field.key));
  }
  return result;
}

}  // namespace forebay
