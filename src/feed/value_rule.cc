// Values by reference, wherever a description may have one.

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "feed/content.h"
#include "feed/description_reader.h"
#include "feed/order.h"

namespace forebay {
namespace {

using From = ValueRef::From;

std::string forms(ValueScope scope) {
  std::string text =
      "\"{capture}\", {capture: NAME}, {option: NAME}, {text: TEXT}, {first: [VALUES]}, {join: "
      "[VALUES]}, {COMPANION: /path}";
  if (scope.document) text = "/path/in/the/document, " + text;
  if (scope.entry) text = "a field's name, {above: NAME}, " + text;
  return text;
}

// "{schema}_{table}": captures, and text between them.
Result<ValueRef> read_template(const YamlValue& value, std::string_view text) {
  ValueRef all{.from = From::join};
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    if (open > 0) all.parts.push_back({From::constant, std::string(text.substr(0, open))});
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find('}');
    if (close == std::string_view::npos || close == 1)
      return value.wrong("has a { without the name of a capture and a }");
    std::string name(text.substr(1, close - 1));
    all.name += (all.name.empty() ? "" : ", ") + name;
    all.parts.push_back({From::capture, std::move(name)});
    text.remove_prefix(close + 1);
  }
  if (all.parts.size() == 1) return std::move(all.parts.front());
  return all;
}

Result<ValueRef> read_text_form(const YamlValue& value, ValueScope scope) {
  ASSIGN_OR_RETURN(std::string text, value.text());
  if (text.contains('{')) return read_template(value, text);
  if (text.starts_with('/') && scope.document) return ValueRef{From::document, std::move(text)};
  if (scope.entry && !text.starts_with('/')) return ValueRef{From::entry, std::move(text)};
  const std::string hint =
      text.starts_with('/')
          ? ""
          : fmt::format("did you mean {{capture: {0}}}, or {{text: {0}}}, the same for all?", text);
  return value.wrong(fmt::format("\"{}\" refers to nothing, allowed: {}", text, forms(scope)),
                     hint);
}

// {first: [values], cut: [texts], replace: {text: text}}
Result<ValueRef> read_first(const YamlValue& value, OptionBinder& binder, ValueScope scope) {
  RETURN_IF_ERROR(value.only({"first", "cut", "replace"}));
  ASSIGN_OR_RETURN(YamlValue first, value.need("first"));
  ASSIGN_OR_RETURN(std::vector<YamlValue> items, first.items());
  if (items.empty()) return first.wrong("must name at least one value");
  std::vector<ValueRef> values;
  for (const YamlValue& item : items) {
    // An option that the pipeline does not give has no say.
    if (OptionBinder::is_option(item)) {
      ASSIGN_OR_RETURN(const auto given, binder.texts(item));
      if (given.empty()) continue;
    }
    ASSIGN_OR_RETURN(ValueRef other, read_value(item, binder, scope));
    values.push_back(std::move(other));
  }
  if (values.empty()) return first.wrong("needs a value that is always there");
  ValueRef ref = std::move(values.front());
  ref.otherwise.insert(ref.otherwise.end(), values.begin() + 1, values.end());
  if (auto cut = value.find("cut")) {
    ASSIGN_OR_RETURN(ref.cut, cut->texts());
  }
  if (auto replace = value.find("replace")) {
    RETURN_IF_ERROR(replace->is_a_map());
    for (const auto& [from, to] : replace->fields()) {
      ASSIGN_OR_RETURN(std::string text, to.text());
      ref.replace.emplace_back(from, std::move(text));
    }
  }
  return ref;
}

// {join: [values], with: "_"}
Result<ValueRef> read_join(const YamlValue& value, OptionBinder& binder, ValueScope scope) {
  RETURN_IF_ERROR(value.only({"join", "with"}));
  ASSIGN_OR_RETURN(const YamlValue join, value.need("join"));
  ASSIGN_OR_RETURN(const std::vector<YamlValue> items, join.items());
  ValueRef all{.from = From::join};
  for (const YamlValue& item : items) {
    ASSIGN_OR_RETURN(ValueRef part, read_value(item, binder, scope));
    all.name += (all.name.empty() ? "" : ", ") + part.name;
    all.parts.push_back(std::move(part));
  }
  if (auto with = value.find("with")) {
    ASSIGN_OR_RETURN(all.between, with->text());
  }
  return all;
}

bool in_document(const ValueRef& ref) {
  return ref.from == From::document || ref.from == From::entry || ref.from == From::above;
}

bool is_companion(const OptionBinder& binder, const std::string& key) {
  return std::ranges::find(binder.companions, key) != binder.companions.end();
}

Result<ValueRef> read_field(const std::string& key, const YamlValue& named, ValueScope scope) {
  ASSIGN_OR_RETURN(std::string text, named.text());
  if (key == "text") return ValueRef{From::constant, std::move(text)};
  if (key == "capture") return ValueRef{From::capture, std::move(text)};
  if (key == "document") {
    if (!scope.document || text != "hash") return named.wrong("allowed: hash, of a document");
    return ValueRef{From::hash, "the document's hash"};
  }
  if (!scope.entry) {
    return named.wrong("there are no entries here, allowed: " +
                       forms({.document = scope.document}));
  }
  return ValueRef{key == "above" ? From::above : From::entry, std::move(text)};
}

}  // namespace

Result<ValueRef> read_value(const YamlValue& value, OptionBinder& binder, ValueScope scope) {
  if (value.is_text()) return read_text_form(value, scope);
  if (OptionBinder::is_option(value)) {
    ASSIGN_OR_RETURN(BoundText text, binder.text(value));
    if (!is_table_name(text.text)) return text.place.wrong("is too long, or has a NUL byte");
    return ValueRef{From::constant, std::move(text.text)};
  }
  if (value.find("first")) return read_first(value, binder, scope);
  if (value.find("join")) return read_join(value, binder, scope);
  if (value.find("column"))
    return value.wrong("a column tells nothing before its file is read",
                       "take a capture, or a field of a document; of JSON with records of several "
                       "tables a pipeline takes those of one (`decode.only`)");
  std::vector<std::string> known = {"field", "above", "capture", "option",
                                    "text",  "first", "join",    "document"};
  known.insert(known.end(), binder.companions.begin(), binder.companions.end());
  if (!value.is_map() || value.fields().size() != 1)
    return value.wrong(fmt::format("must have exactly one key, allowed: {}", forms(scope)));
  auto [key, named] = value.fields().front();
  if (is_companion(binder, key)) {
    ASSIGN_OR_RETURN(std::string path, named.text());
    if (!path.starts_with('/'))
      return named.wrong(fmt::format("\"{}\" must be a path in {}, such as /count", path, key));
    return ValueRef{.from = From::document, .name = std::move(path), .with = key};
  }
  if (std::ranges::find(known, key) == known.end()) {
    std::string near = nearest(key, known);
    return named.wrong(
        fmt::format("is no known key and no companion of `with`, allowed: {}", forms(scope)),
        near.empty() ? "" : fmt::format("did you mean {}?", near));
  }
  return read_field(key, named, scope);
}

bool is_reference(const YamlValue& value, const OptionBinder& binder) {
  if (value.is_text()) {
    const auto text = value.text();
    return text && text->starts_with('/') && text->size() > 1;
  }
  if (!value.is_map() || OptionBinder::is_option(value)) return false;
  if (value.find("first") || value.find("join") || value.find("list")) return true;
  if (value.find("field") || value.find("above") || value.find("capture")) return true;
  // Also what names no companion: the error is about that.
  return std::ranges::any_of(value.fields(), [&](const auto& field) {
    const auto path = field.second.text();
    return is_companion(binder, field.first) || (path && path->starts_with('/'));
  });
}

// A reference to a list of texts, or {list: REFERENCE, name: FIELD, by: FIELD, split: TEXT,
// type: FIELD, text: [WORDS], types: {WORD: TYPE}, absent: none}.
Result<NamesRef> read_names(const YamlValue& value, OptionBinder& binder, ValueScope scope) {
  NamesRef ref;
  const auto list = value.find("list");
  if (!list) {
    ASSIGN_OR_RETURN(ref.list, read_value(value, binder, scope));
    if (!in_document(ref.list)) return value.wrong("must be a list in a document");
    return ref;
  }
  RETURN_IF_ERROR(value.only({"list", "name", "by", "split", "type", "text", "types", "absent"}));
  ASSIGN_OR_RETURN(ref.list, read_value(*list, binder, scope));
  if (!in_document(ref.list)) return list->wrong("must be a list in a document");
  const std::pair<const char*, std::string*> texts[] = {
      {"name", &ref.name}, {"by", &ref.by}, {"split", &ref.split}, {"type", &ref.type}};
  for (const auto& [key, text] : texts) {
    auto field = value.find(key);
    if (!field) continue;
    ASSIGN_OR_RETURN(*text, field->text());
    if (key != std::string_view("name") && key != std::string_view("split") && !value.find("name"))
      return field->wrong("is of objects, whose `name` must be said");
  }
  if (!ref.split.empty() && !ref.name.empty())
    return value.find("split")->wrong("is of one text, and `name` is of objects");
  if (auto words = value.find("text")) {
    ASSIGN_OR_RETURN(const std::vector<std::string> of_text, words->texts());
    if (ref.type.empty()) return words->wrong("are words of the field `type`");
    for (const std::string& word : of_text) ref.types[word] = {.word = "TEXT"};
  }
  if (auto types = value.find("types")) {
    if (ref.type.empty()) return types->wrong("has words of the field `type`");
    ASSIGN_OR_RETURN(const BoundMap map, OptionBinder::map_of(*types));
    for (const auto& [word, names] : map) {
      if (names.size() > 1) return names[1].place.wrong("takes one type, not a list");
      ASSIGN_OR_RETURN(TypeName type, read_type_name(names.front()));
      if (!ref.types.emplace(word, std::move(type)).second)
        return names.front().place.wrong("is a word of `text` too");
    }
  }
  if (auto absent = value.find("absent")) {
    RETURN_IF_ERROR(absent->word({"none"}));
    ref.may_lack = true;
  }
  return ref;
}

namespace {

// As it was written: of a folder without what stands below it.
std::string pattern_text(const Pattern& pattern) {
  std::string text = pattern.text();
  const std::size_t below = text.find(fmt::format("{{{}:", kBelowFolder));
  return text.substr(0, below);
}

bool has_capture(const Pattern& pattern, const std::string& name) {
  return is_builtin_capture(name) || (pattern.capture_type(name) && name != kBelowFolder);
}

}  // namespace

Status check_template(const YamlValue& place, std::string_view text, const UnitRule& unit) {
  while (true) {
    const std::size_t open = text.find('{');
    if (text.substr(0, open).contains('}')) return place.wrong("has a } that closes nothing");
    if (open == std::string_view::npos) return {};
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return place.wrong("has a { that is not closed");
    const std::string name(text.substr(open + 1, close - open - 1));
    for (const Pattern& pattern : unit.patterns) {
      if (has_capture(pattern, name)) continue;
      std::vector<std::string> known = pattern.capture_names();
      std::erase(known, kBelowFolder);
      known.insert(known.end(), {"$file", "$folder", "$key", "$stem"});
      const std::string near = nearest(name, known);
      return place.wrong(
          fmt::format("the pattern \"{}\" has no capture {{{}}}", pattern_text(pattern), name),
          near.empty() ? "" : fmt::format("did you mean {{{}}}?", near));
    }
    text.remove_prefix(close + 1);
  }
}

Result<std::vector<LineForm>> read_line_forms(const YamlValue& lines) {
  ASSIGN_OR_RETURN(const std::vector<std::string> texts, lines.texts());
  std::vector<LineForm> forms;
  for (const std::string& text : texts) {
    auto form = parse_line_form(text);
    if (!form) return lines.wrong(fmt::format("\"{}\" {}", text, form.error().cause));
    forms.push_back(std::move(*form));
  }
  if (forms.empty()) return lines.wrong("must have a form, such as \"{sha256} {name}\"");
  return forms;
}

Status read_companions(const YamlValue& top, Feed& feed) {
  const auto with = top.find("with");
  if (!with) return {};
  if (feed.unit.kind == UnitKind::window)
    return with->wrong("belongs to units that are documents, folders or files");
  RETURN_IF_ERROR(with->is_a_map());
  for (const auto& [name, key] : with->fields()) {
    for (const char* taken : {"field", "above", "capture", "option", "text", "first", "join",
                              "document", "list", "column", "with"}) {
      if (name == taken) return key.wrong("is a word of the language, and cannot name a companion");
    }
    Companion companion{.name = name};
    std::optional<YamlValue> named = key;
    if (key.is_map()) {
      RETURN_IF_ERROR(key.only({"key", "lines"}));
      ASSIGN_OR_RETURN(named, key.need("key"));
      ASSIGN_OR_RETURN(const YamlValue lines, key.need("lines"));
      ASSIGN_OR_RETURN(companion.forms, read_line_forms(lines));
    }
    ASSIGN_OR_RETURN(companion.key, named->text());
    RETURN_IF_ERROR(check_template(*named, companion.key, feed.unit));
    feed.companions.push_back(std::move(companion));
  }
  if (feed.companions.empty()) return with->wrong("must name at least one companion");
  return {};
}

}  // namespace forebay
