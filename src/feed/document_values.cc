#include "feed/document_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/glob.h"
#include "base/json_reader.h"
#include "base/time_text.h"
#include "feed/content.h"

namespace forebay {
namespace {

using Json = DocumentValues::Json;

bool in_document(const ValueRef& ref) {
  return ref.from == ValueRef::From::document || ref.from == ValueRef::From::entry ||
         ref.from == ValueRef::From::above;
}

// A field by its name, or a path to one; without a name the value itself, which is a text.
const Json* field_of(const Json& value, const std::string& name) {
  if (name.empty() || name.starts_with('/')) return json_at(value, name);
  const auto field = value.find(name);
  return field == value.end() ? nullptr : &*field;
}

std::string without_blanks(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
}

std::vector<std::string> split(const std::string& text, const std::string& between) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(between, from), text.size());
    parts.push_back(without_blanks(text.substr(from, to - from)));
    from = to + between.size();
  }
  return parts;
}

// The place of an entry in the list that `by` makes: nothing where it is not in it.
std::optional<std::uint64_t> rank_of(const Json& item, const std::string& by, std::size_t place) {
  if (by.empty()) return place;
  const Json* value = field_of(item, by);
  if (value == nullptr) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>() ? std::optional(place) : std::nullopt;
  const bool counts = value->is_number_unsigned() && value->get<std::uint64_t>() > 0;
  return counts ? std::optional(value->get<std::uint64_t>()) : std::nullopt;
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

Status DocumentValues::add_companions(const Companions& texts) {
  for (const auto& [name, bytes] : texts) {
    const auto companion =
        std::ranges::find(feed_.companions, name, [](const Companion& c) { return c.name; });
    const std::string key = companion == feed_.companions.end()
                                ? name
                                : expand_template(companion->key, unit_).value_or(name);
    if (companion != feed_.companions.end() && !companion->forms.empty()) {
      ASSIGN_OR_RETURN(Json fields, read_one_line_form(companion->forms, unit_, bytes, key));
      companions_.emplace(name, std::move(fields));
      continue;
    }
    ASSIGN_OR_RETURN(Json json, read_json(bytes, key));
    if (!json.is_object())
      return damaged(fmt::format("{} must be an object, but is {}", key, json_name(&json)));
    companions_.emplace(name, std::move(json));
  }
  return {};
}

const DocumentValues::Json* DocumentValues::at(const std::string& with,
                                               std::string_view path) const {
  if (with.empty()) return json_at(document_, path);
  const auto companion = companions_.find(with);
  return companion == companions_.end() ? nullptr : json_at(companion->second, path);
}

const DocumentValues::Json* DocumentValues::find(const ValueRef& ref, Entry entry) const {
  if (ref.from == ValueRef::From::document) return at(ref.with, ref.name);
  if (ref.from != ValueRef::From::entry && ref.from != ValueRef::From::above) return nullptr;
  const Json* within = ref.from == ValueRef::From::entry ? entry.own : entry.above;
  return within == nullptr ? nullptr : field_of(*within, ref.name);
}

std::optional<std::string> DocumentValues::text(const ValueRef& ref, Entry entry) const {
  std::optional<std::string> found =
      in_document(ref) ? scalar(find(ref, entry)) : name_value(ref, unit_);
  if (ref.from == ValueRef::From::hash) found = hash_;
  if (ref.from == ValueRef::From::join) found = joined(ref, entry);
  for (const ValueRef& other : ref.otherwise) {
    if (found && !found->empty()) break;
    found = text(other, entry);
  }
  if (!found) return found;
  for (const std::string& cut : ref.cut) found->resize(std::min(found->find(cut), found->size()));
  for (const auto& [from, to] : ref.replace) replace_all(*found, from, to);
  return found;
}

std::optional<std::string> DocumentValues::joined(const ValueRef& ref, Entry entry) const {
  std::string all;
  for (const ValueRef& part : ref.parts) {
    const auto found = text(part, entry);
    if (!found || found->empty()) return std::nullopt;
    all += (all.empty() ? "" : ref.between) + *found;
  }
  return all;
}

Result<std::vector<std::string>> DocumentValues::names(const NamesRef& ref, Entry entry) const {
  const Json* list = find(ref.list, entry);
  const bool absent = list == nullptr || list->is_null();
  if (absent && ref.may_lack) return std::vector<std::string>();
  const auto wrong_list = [&](const char* wanted, const Json* value) {
    return damaged(
        fmt::format("{} must be {}, but is {}", ref.list.name, wanted, json_name(value)));
  };
  std::vector<std::pair<std::uint64_t, std::string>> found;
  if (!ref.split.empty()) {
    if (absent || !list->is_string()) return wrong_list("a text with names", list);
    for (std::string& name : split(list->get<std::string>(), ref.split))
      found.emplace_back(0, std::move(name));
  } else if (absent || !list->is_array()) {
    return wrong_list("a list of names", list);
  } else {
    for (const Json& item : *list) {
      if (!ref.name.empty() && !item.is_object()) return wrong_list("a list of objects", list);
      const auto rank = rank_of(item, ref.by, found.size());
      const Json* name = field_of(item, ref.name);
      if (name == nullptr || !name->is_string()) return wrong_list("a list of names", name);
      if (rank) found.emplace_back(*rank, name->get<std::string>());
    }
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::uint64_t, std::string>::first);
  std::vector<std::string> result;
  for (auto& [rank, name] : found) {
    if (name.empty() || name.contains('\0')) return wrong_list("a list of names", list);
    if (std::ranges::find(result, name) != result.end())
      return damaged(fmt::format("{} names {} twice", ref.list.name, name));
    result.push_back(std::move(name));
  }
  return result;
}

std::vector<std::pair<std::string, TypeName>> DocumentValues::types(const NamesRef& ref,
                                                                    Entry entry) const {
  std::vector<std::pair<std::string, TypeName>> result;
  const Json* list = find(ref.list, entry);
  if (ref.type.empty() || list == nullptr || !list->is_array()) return result;
  for (const Json& item : *list) {
    if (!item.is_object()) continue;
    const auto word = scalar(field_of(item, ref.type));
    const auto name = scalar(field_of(item, ref.name));
    if (!word || !name) continue;
    if (const auto type = ref.types.find(*word); type != ref.types.end())
      result.emplace_back(*name, type->second);
  }
  return result;
}

bool DocumentValues::accepts(const AcceptRule& rule) const {
  const Json* value = at(rule.with, rule.path);
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
               fmt::format("{} is {}, allowed: {}", rule.path, json_name(at(rule.with, rule.path)),
                           fmt::join(rule.values, ", ")),
               "what this document means is not known; nothing of it was loaded");
}

Result<CaptureValue> DocumentValues::version(const VersionTerm& term) const {
  const Json* value = at(term.with, term.name);
  const char* wanted = "a text that is not empty";
  if (term.as == VersionTerm::As::number) {
    wanted = "a whole number from 0 to 18446744073709551615";
    if (value != nullptr && value->is_number_unsigned())
      return CaptureValue(value->get<std::uint64_t>());
  } else if (value != nullptr && value->is_string()) {
    std::string text = value->get<std::string>();
    if (term.as == VersionTerm::As::text && !text.empty()) return CaptureValue(std::move(text));
    if (const auto time = parse_rfc3339(text); time && term.as == VersionTerm::As::time)
      return CaptureValue(*time);
  }
  if (term.as == VersionTerm::As::time) wanted = "a time such as 2026-10-20T14:15:02Z";
  return wrong(ErrorCode::refused,
               fmt::format("{} must be {}, but is {}", term.name, wanted, json_name(value)),
               "it is part of the version of this unit's rows: without it none is newer");
}

Result<std::optional<std::uint64_t>> DocumentValues::count(const std::optional<ValueRef>& ref,
                                                           Entry entry,
                                                           const std::string& where) const {
  if (!ref) return std::optional<std::uint64_t>();
  const Json* value = find(*ref, entry);
  if (value != nullptr && value->is_number_unsigned())
    return std::optional(value->get<std::uint64_t>());
  return damaged(fmt::format("{}{} must be a whole number, 0 or more, but is {}", where, ref->name,
                             json_name(value)));
}

Result<std::vector<FileHash>> DocumentValues::hashes(const std::vector<HashRule>& rules,
                                                     Entry entry, const std::string& where) const {
  std::vector<FileHash> hashes;
  for (const HashRule& rule : rules) {
    const std::string text = this->text(rule.of, entry).value_or("");
    if (text.empty()) continue;
    std::optional<std::string> bytes = digest_in(text, rule.form, rule.kind);
    if (!bytes) {
      return damaged(fmt::format("{}{} must be like {}, but is {}", where, rule.of.name, rule.form,
                                 json_name(find(rule.of, entry))));
    }
    hashes.push_back({.kind = rule.kind, .bytes = std::move(*bytes)});
  }
  return hashes;
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
