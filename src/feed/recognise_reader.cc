// `recognise:` of a description: a help for `inspect`.

#include <utility>

#include "feed/description_reader.h"

namespace forebay {
namespace {

Result<std::vector<Pattern>> read_patterns(const YamlValue& value) {
  ASSIGN_OR_RETURN(std::vector<std::string> texts, value.texts());
  std::vector<Pattern> patterns;
  for (std::string& text : texts) {
    ASSIGN_OR_RETURN(Pattern pattern, read_pattern({std::move(text), value.place()}));
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

Status read_tables(const YamlValue& tables, RecogniseRule& rule) {
  ASSIGN_OR_RETURN(rule.tables, read_patterns(tables));
  for (const Pattern& pattern : rule.tables) {
    if (pattern.capture_type("table") != CaptureType::text)
      return tables.wrong("the pattern must capture {table}, as text");
  }
  return {};
}

Status read_beware(const YamlValue& list, RecogniseRule& rule) {
  ASSIGN_OR_RETURN(const std::vector<YamlValue> items, list.items());
  for (const YamlValue& item : items) {
    RETURN_IF_ERROR(item.only({"keys", "text"}));
    ASSIGN_OR_RETURN(const YamlValue keys, item.need("keys"));
    ASSIGN_OR_RETURN(const YamlValue text, item.need("text"));
    RecogniseRule::Beware beware;
    ASSIGN_OR_RETURN(beware.keys, read_patterns(keys));
    ASSIGN_OR_RETURN(beware.text, text.text());
    rule.beware.push_back(std::move(beware));
  }
  return {};
}

}  // namespace

Status read_recognise(const YamlValue& top, RecogniseRule& rule) {
  const auto recognise = top.find("recognise");
  if (!recognise) return {};
  RETURN_IF_ERROR(recognise->only({"tables", "suggest", "beware"}));
  if (const auto tables = recognise->find("tables")) RETURN_IF_ERROR(read_tables(*tables, rule));
  if (const auto suggest = recognise->find("suggest")) {
    RETURN_IF_ERROR(suggest->is_a_map());
    for (const auto& [option, value] : suggest->fields()) {
      ASSIGN_OR_RETURN(rule.suggest[option], value.text());
    }
  }
  if (const auto beware = recognise->find("beware")) RETURN_IF_ERROR(read_beware(*beware, rule));
  return {};
}

}  // namespace forebay
