#include "feed/document_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/glob.h"
#include "base/json_reader.h"
#include "feed/content.h"

namespace forebay {
namespace {

bool in_document(const ValueRef& ref) {
  return ref.from == ValueRef::From::document || ref.from == ValueRef::From::entry;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty()) return;
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::optional<std::string> DocumentValues::scalar(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return value->get<std::string>();
  if (value->is_number_integer() || value->is_boolean()) return value->dump();
  return std::nullopt;
}

const DocumentValues::Json* DocumentValues::find(const ValueRef& ref, const Json* entry) const {
  const bool in_entry = ref.from == ValueRef::From::entry;
  if (in_entry && entry == nullptr) return nullptr;
  // An entry may be plain text: then "" is its path.
  if (in_entry && !ref.name.starts_with('/') && !ref.name.empty()) {
    auto field = entry->find(ref.name);
    return field == entry->end() ? nullptr : &*field;
  }
  return json_at(in_entry ? *entry : document_, ref.name);
}

std::optional<std::string> DocumentValues::text(const ValueRef& ref, const Json* entry) const {
  std::optional<std::string> found =
      in_document(ref) ? scalar(find(ref, entry)) : name_value(ref, unit_);
  if (ref.from == ValueRef::From::hash) found = hash_;
  for (const ValueRef& other : ref.otherwise) {
    if (found && !found->empty()) break;
    found = text(other, entry);
  }
  if (!found) return found;
  for (const std::string& cut : ref.cut) found->resize(std::min(found->find(cut), found->size()));
  for (const auto& [from, to] : ref.replace) replace_all(*found, from, to);
  return found;
}

bool DocumentValues::accepts(const AcceptRule& rule) const {
  const Json* value = json_at(document_, rule.path);
  const bool there = value != nullptr && !value->is_null();
  const std::optional<std::string> text = scalar(value);
  return std::ranges::any_of(rule.values, [&](const std::string& allowed) {
    if (allowed == "absent" && !there) return true;
    return value != nullptr && (allowed == "*" || (text && matches_glob(allowed, *text)));
  });
}

Status DocumentValues::accept(const AcceptRule& rule) const {
  if (accepts(rule)) return {};
  return wrong(ErrorCode::refused,
               fmt::format("{} is {}, allowed: {}", rule.path,
                           json_name(json_at(document_, rule.path)), fmt::join(rule.values, ", ")),
               "what this document means is not known; nothing of it was loaded");
}

std::unexpected<Error> DocumentValues::wrong(ErrorCode code, std::string cause,
                                             std::string hint) const {
  return fail({.code = code,
               .operation = "read document",
               .object = unit_.key,
               .cause = std::move(cause),
               .hint = std::move(hint)});
}

}  // namespace forebay
