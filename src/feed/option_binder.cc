#include "feed/option_binder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace forebay {
namespace {

struct OptionUse {
  std::string name;
  std::optional<YamlValue> fallback;
};

Result<OptionUse> read_use(const YamlValue& value) {
  RETURN_IF_ERROR(value.only({"option", "default"}));
  ASSIGN_OR_RETURN(YamlValue name, value.need("option"));
  OptionUse use{.fallback = value.find("default")};
  ASSIGN_OR_RETURN(use.name, name.text());
  return use;
}

Result<std::vector<BoundText>> written(const YamlValue& value) {
  ASSIGN_OR_RETURN(std::vector<std::string> texts, value.texts());
  ASSIGN_OR_RETURN(std::vector<YamlValue> items, value.items());
  std::vector<BoundText> result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    result.push_back({std::move(texts[i]), items[i].place()});
  }
  return result;
}

// What a pipeline gives, a text or several.
Result<std::vector<BoundText>> read_texts(const OptionValue& value, const std::string& key) {
  ConfigPlace place{.where = value.where, .key = key};
  if (value.is_map) return place.wrong("takes a value, not a mapping");
  if (value.values.empty()) return place.wrong("must not be an empty list");
  std::vector<BoundText> result;
  for (const std::string& text : value.values) {
    if (text.empty()) return place.wrong("must not be empty");
    if (std::ranges::find(result, text, &BoundText::text) != result.end()) {
      return place.wrong(fmt::format("names \"{}\" twice", text));
    }
    result.push_back({text, place});
  }
  return result;
}

}  // namespace

Result<std::optional<std::vector<BoundText>>> OptionBinder::given(const std::string& name,
                                                                  bool list) {
  known_.insert(name);
  std::optional<std::vector<BoundText>> result;
  if (options_ == nullptr) return result;
  auto option = options_->find(name);
  if (option == options_->end()) return result;
  if (option->second.is_list && !list) {
    return ConfigPlace{.where = option->second.where, .key = name}.wrong(
        "takes one value, not a list");
  }
  ASSIGN_OR_RETURN(result, read_texts(option->second, name));
  return result;
}

Result<std::optional<std::vector<BoundText>>> OptionBinder::common_list(const std::string& name) {
  return given(name, true);
}

Result<std::optional<BoundMap>> OptionBinder::common_map(const std::string& name) {
  known_.insert(name);
  std::optional<BoundMap> result;
  if (options_ == nullptr) return result;
  auto option = options_->find(name);
  if (option == options_->end()) return result;
  if (!option->second.is_map || option->second.fields.empty()) {
    return ConfigPlace{.where = option->second.where, .key = name}.wrong("takes a mapping",
                                                                         "write {key: value}");
  }
  result.emplace();
  for (const auto& [key, field] : option->second.fields) {
    ASSIGN_OR_RETURN(std::vector<BoundText> texts,
                     read_texts(field, fmt::format("{}.{}", name, key)));
    result->emplace_back(key, std::move(texts));
  }
  return result;
}

Result<BoundMap> OptionBinder::map_of(const YamlValue& value) {
  RETURN_IF_ERROR(value.is_a_map());
  BoundMap result;
  for (const auto& [key, field] : value.fields()) {
    ASSIGN_OR_RETURN(std::vector<BoundText> texts, written(field));
    result.emplace_back(key, std::move(texts));
  }
  return result;
}

Result<std::vector<BoundText>> OptionBinder::texts(const YamlValue& value) {
  if (!is_option(value)) return written(value);
  ASSIGN_OR_RETURN(OptionUse use, read_use(value));
  ASSIGN_OR_RETURN(auto texts, given(use.name, true));
  if (texts) return std::move(*texts);
  if (use.fallback) return written(*use.fallback);
  return std::vector<BoundText>();
}

Result<BoundText> OptionBinder::text(const YamlValue& value) {
  if (!is_option(value)) {
    ASSIGN_OR_RETURN(std::string text, value.text());
    return BoundText{std::move(text), value.place()};
  }
  ASSIGN_OR_RETURN(OptionUse use, read_use(value));
  ASSIGN_OR_RETURN(auto texts, given(use.name, false));
  if (texts) return std::move(texts->front());
  if (use.fallback) {
    ASSIGN_OR_RETURN(std::string text, use.fallback->text());
    return BoundText{std::move(text), use.fallback->place()};
  }
  needed_.insert(use.name);
  if (only_looking()) return BoundText{use.name, value.place()};
  return ConfigPlace{.where = fmt::format("the options of feed {}", feed_), .key = use.name}.wrong(
      "is missing, this feed needs it",
      fmt::format("say `{0}:` beside `feed:`, or --set {0}=VALUE on the command line", use.name));
}

// What was not chosen may ask for options too.
void OptionBinder::note_options(const YamlValue& value) {
  if (auto option = value.find("option"); option && option->is_text()) {
    if (auto name = option->text()) known_.insert(*name);
  }
  for (const auto& [key, field] : value.fields()) note_options(field);
  if (!value.is_list()) return;
  if (auto items = value.items()) {
    for (const YamlValue& item : *items) note_options(item);
  }
}

Result<OptionBinder::Choice> OptionBinder::choose(const YamlValue& value) {
  Choice choice{.value = value, .word = {}};
  note_options(value);
  while (true) {
    auto by = choice.value.find("by");
    auto when = choice.value.find("when");
    if (!by || !when || !is_option(*by)) return choice;
    RETURN_IF_ERROR(when->is_a_map());
    ASSIGN_OR_RETURN(const BoundText given, text(*by));
    std::vector<std::string> words;
    std::optional<YamlValue> chosen;
    for (auto& [word, below] : when->fields()) {
      words.push_back(word);
      if (word == given.text || (only_looking() && !chosen)) chosen = below;
    }
    if (words.empty()) return when->wrong("must have at least one word");
    if (!chosen) return given.place.not_allowed(given.text, words);
    if (choice.word.empty()) choice.word = given.text;
    choice.value = *chosen;
  }
}

const OptionValue* OptionBinder::raw(const std::string& name) {
  known_.insert(name);
  if (options_ == nullptr) return nullptr;
  const auto option = options_->find(name);
  return option == options_->end() ? nullptr : &option->second;
}

Result<std::optional<BoundText>> OptionBinder::common(const std::string& name) {
  ASSIGN_OR_RETURN(auto texts, given(name, false));
  std::optional<BoundText> text;
  if (texts) text = std::move(texts->front());
  return text;
}

Status OptionBinder::check_all_known() const {
  if (options_ == nullptr) return {};
  for (const auto& [name, value] : *options_) {
    if (known_.contains(name)) continue;
    std::string near = nearest(name, known());
    return ConfigPlace{.where = value.where, .key = name}.wrong(
        fmt::format("is no option of the feed {}, allowed: {}", feed_, fmt::join(known(), ", ")),
        near.empty() ? "" : fmt::format("did you mean {}?", near));
  }
  return {};
}

}  // namespace forebay
