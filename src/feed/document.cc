// From a document's bytes to what its unit says.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/json_reader.h"
#include "base/limits.h"
#include "base/time_text.h"
#include "feed/content.h"
#include "feed/document_path.h"
#include "feed/unit.h"
#include "feed/unit_version.h"

namespace forebay {
namespace {

using Json = nlohmann::json;

// A text, number or boolean as the words of a description are compared with it.
std::optional<std::string> scalar_text(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return value->get<std::string>();
  if (value->is_number_integer() || value->is_boolean()) return value->dump();
  return std::nullopt;
}

class DocumentReader {
 public:
  DocumentReader(const Feed& feed, const SourceRoot& root, const UnitName& unit)
      : feed_(feed), root_(root), unit_(unit) {}

  Result<UnitContent> read(std::string_view bytes) {
    ASSIGN_OR_RETURN(document_, read_json(bytes, unit_.key));
    if (!document_.is_object()) {
      return damaged(fmt::format("must be an object, but is {}", json_name(&document_)));
    }
    // First whether this is a form that we know: what it says means nothing before that.
    for (const AcceptRule& rule : feed_.accept) RETURN_IF_ERROR(accept(rule));
    UnitContent content{.kind = "document"};
    if (feed_.effect.by && feed_.effect.by->from != ValueRef::From::entry) {
      ASSIGN_OR_RETURN(content.kind, chosen_word(nullptr, ""));
    }
    RETURN_IF_ERROR(read_files(content));
    RETURN_IF_ERROR(read_time(content));
    ASSIGN_OR_RETURN(content.version, unit_version(feed_, unit_, [this](const VersionTerm& term) {
                       return read_version(term);
                     }));
    content.digest = content_digest(content);
    return content;
  }

 private:
  std::unexpected<Error> wrong(ErrorCode code, std::string cause, std::string hint = {}) const {
    return fail({.code = code,
                 .operation = "read document",
                 .object = unit_.key,
                 .cause = std::move(cause),
                 .hint = std::move(hint)});
  }
  std::unexpected<Error> damaged(std::string cause) const {
    return wrong(ErrorCode::damaged, std::move(cause));
  }

  Status accept(const AcceptRule& rule) const {
    const Json* value = json_at(document_, rule.path);
    std::optional<std::string> text = scalar_text(value);
    for (const std::string& allowed : rule.values) {
      if (value != nullptr && (allowed == "*" || allowed == text)) return {};
    }
    return wrong(ErrorCode::refused,
                 fmt::format("{} is {}, allowed: {}", rule.path, json_name(value),
                             fmt::join(rule.values, ", ")),
                 "what this document means is not known; nothing of it was loaded");
  }

  const Json* find(const ValueRef& ref, const Json* entry) const {
    bool in_entry = ref.from == ValueRef::From::entry;
    if (in_entry && entry == nullptr) return nullptr;
    // An entry may be plain text: then "" is its path.
    if (in_entry && !ref.name.starts_with('/') && !ref.name.empty()) {
      auto field = entry->find(ref.name);
      return field == entry->end() ? nullptr : &*field;
    }
    return json_at(in_entry ? *entry : document_, ref.name);
  }

  // The word that chooses the effect. Whatever is no known word refuses the unit.
  Result<std::string> chosen_word(const Json* entry, std::string_view where) const {
    const ValueRef& by = *feed_.effect.by;
    std::optional<std::string> word = name_value(by, unit_);
    std::string shown = word ? fmt::format("\"{}\"", *word) : "nothing";
    if (by.from == ValueRef::From::document || by.from == ValueRef::From::entry) {
      const Json* value = find(by, entry);
      word = scalar_text(value);
      shown = json_name(value);
    }
    if (word && feed_.effect.choices.contains(*word)) return *word;
    return wrong(ErrorCode::refused, fmt::format("{}{}", where, unknown_choice(by, shown, feed_)),
                 "what this document means is not known; nothing of it was loaded");
  }

  Status read_files(UnitContent& content) const {
    const FilesRule& rule = *feed_.files;
    const Json* list = json_at(document_, rule.list);
    if (list == nullptr || !list->is_array()) {
      return damaged(fmt::format("{} must be an array, but is {}", rule.list, json_name(list)));
    }
    if (list->size() > kMaxDocumentFiles) {
      return damaged(fmt::format("{} has {} entries, more than {}", rule.list, list->size(),
                                 kMaxDocumentFiles));
    }
    std::set<std::string> keys;
    for (std::size_t i = 0; i < list->size(); ++i) {
      ASSIGN_OR_RETURN(UnitFile file,
                       read_file((*list)[i], fmt::format("{}/{}", rule.list, i), content.kind));
      if (!keys.insert(file.key).second) {
        return damaged(
            fmt::format("{}/{} lists the file {} a second time", rule.list, i, file.key));
      }
      content.files.push_back(std::move(file));
    }
    return {};
  }

  Result<UnitFile> read_file(const Json& entry, const std::string& where,
                             const std::string& kind) const {
    const FilesRule& rule = *feed_.files;
    if (!entry.is_object()) {
      return damaged(fmt::format("{} must be an object, but is {}", where, json_name(&entry)));
    }
    UnitFile file;
    ASSIGN_OR_RETURN(file.table, read_text(rule.table, entry, where));
    if (!is_table_name(file.table)) {
      return damaged(
          fmt::format("{}: the table's name is longer than {} bytes", where, kMaxTableNameBytes));
    }
    ASSIGN_OR_RETURN(std::string path, read_text(rule.path, entry, where));
    Result<std::string> key = resolve_path(rule.base, root_, unit_.key, path);
    if (!key) {
      return wrong(key.error().code, fmt::format("{}: {}", where, key.error().cause),
                   key.error().hint);
    }
    file.key = std::move(*key);
    ASSIGN_OR_RETURN(file.rows, read_count(rule.rows, entry, where));
    ASSIGN_OR_RETURN(file.size, read_count(rule.size, entry, where));
    file.effect = feed_.effect.fixed;
    if (feed_.effect.by && feed_.effect.by->from == ValueRef::From::entry) {
      ASSIGN_OR_RETURN(std::string word, chosen_word(&entry, where + ": "));
      file.effect = feed_.effect.choices.at(word);
    } else if (feed_.effect.by) {
      file.effect = feed_.effect.choices.at(kind);
    }
    return file;
  }

  Result<std::string> read_text(const ValueRef& ref, const Json& entry,
                                const std::string& where) const {
    std::optional<std::string> text = name_value(ref, unit_);
    const Json* value = nullptr;
    if (ref.from == ValueRef::From::document || ref.from == ValueRef::From::entry) {
      value = find(ref, &entry);
      if (value != nullptr && value->is_string()) text = value->get<std::string>();
    }
    if (!text || text->empty() || text->contains('\0')) {
      return damaged(fmt::format("{}: {} must be a text that is not empty, but is {}", where,
                                 ref.name, json_name(value)));
    }
    return std::move(*text);
  }

  Result<std::optional<std::uint64_t>> read_count(const std::optional<ValueRef>& ref,
                                                  const Json& entry,
                                                  const std::string& where) const {
    if (!ref) return std::optional<std::uint64_t>();
    const Json* value = find(*ref, &entry);
    if (value == nullptr || !value->is_number_unsigned()) {
      return damaged(fmt::format("{}: {} must be a whole number, 0 or more, but is {}", where,
                                 ref->name, json_name(value)));
    }
    return std::optional(value->get<std::uint64_t>());
  }

  // A document without its time is still good: its name may tell. One that is no time is damage.
  Status read_time(UnitContent& content) const {
    if (!feed_.unit.time) return {};
    const Json* value = find(*feed_.unit.time, nullptr);
    if (value == nullptr || value->is_null()) return {};
    if (value->is_string())
      content.time = parse_rfc3339(value->get<std::string>(), Zone::utc_when_absent);
    if (content.time) return {};
    return damaged(fmt::format("{} must be a time such as 2026-10-20T14:15:02Z, but is {}",
                               feed_.unit.time->name, json_name(value)));
  }

  // A field that says how new the rows are.
  Result<CaptureValue> read_version(const VersionTerm& term) const {
    const Json* value = json_at(document_, term.name);
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

  const Feed& feed_;
  const SourceRoot& root_;
  const UnitName& unit_;
  Json document_;
};

}  // namespace

Result<UnitContent> read_document(const Feed& feed, const SourceRoot& root, const UnitName& unit,
                                  std::string_view bytes) {
  return DocumentReader(feed, root, unit).read(bytes);
}

}  // namespace forebay
