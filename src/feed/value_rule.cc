// Values by reference, wherever a description may have one.

#include <fmt/format.h>

#include "feed/content.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

std::string forms(ValueScope scope) {
  std::string text = "{capture: NAME}, {option: NAME}, {text: TEXT}, {first: [VALUES]}";
  if (scope.document) text = "/path/in/the/document, " + text;
  if (scope.entry) text = "a field's name, " + text;
  return text;
}

Result<ValueRef> read_text_form(const YamlValue& value, ValueScope scope) {
  using From = ValueRef::From;
  ASSIGN_OR_RETURN(std::string text, value.text());
  if (text.starts_with('/') && scope.document) return ValueRef{From::document, std::move(text)};
  if (scope.entry && !text.starts_with('/')) return ValueRef{From::entry, std::move(text)};
  return value.wrong(fmt::format("\"{}\" refers to nothing, allowed: {}", text, forms(scope)));
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
  ref.otherwise.assign(values.begin() + 1, values.end());
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

}  // namespace

Result<ValueRef> read_value(const YamlValue& value, OptionBinder& binder, ValueScope scope) {
  using From = ValueRef::From;
  if (value.is_text()) return read_text_form(value, scope);
  if (OptionBinder::is_option(value)) {
    ASSIGN_OR_RETURN(BoundText text, binder.text(value));
    if (!is_table_name(text.text)) return text.place.wrong("is too long, or has a NUL byte");
    return ValueRef{From::constant, std::move(text.text)};
  }
  if (value.find("first")) return read_first(value, binder, scope);
  RETURN_IF_ERROR(value.only({"field", "capture", "option", "text", "first", "document"}));
  if (value.fields().size() != 1) {
    return value.wrong(fmt::format("must have exactly one key, allowed: {}", forms(scope)));
  }
  auto [key, named] = value.fields().front();
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
  return ValueRef{From::entry, std::move(text)};
}

}  // namespace forebay
