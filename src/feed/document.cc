// From a document's bytes to what its unit says.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/digest.h"
#include "base/json_reader.h"
#include "base/limits.h"
#include "base/time_text.h"
#include "feed/content.h"
#include "feed/document_path.h"
#include "feed/document_values.h"
#include "feed/unit.h"
#include "feed/unit_version.h"

namespace forebay {
namespace {

using Json = nlohmann::json;

class DocumentReader {
 public:
  DocumentReader(const DocumentValues& values, const SourceRoot& root)
      : feed_(values.feed()), root_(root), unit_(values.unit()), values_(values) {}

  Result<UnitContent> read() {
    if (!values_.document().is_object()) {
      return damaged(fmt::format("must be an object, but is {}", json_name(&values_.document())));
    }
    // First whether this is a form that we know: what it says means nothing before that.
    for (const AcceptRule& rule : feed_.accept) RETURN_IF_ERROR(values_.accept(rule));
    UnitContent content{.kind = "document"};
    RETURN_IF_ERROR(read_run(values_, content));
    if (content.table) own_ = &feed_.of(*content.table);
    if (content.readiness == UnitContent::Readiness::load) {
      RETURN_IF_ERROR(take_guess(content));
      RETURN_IF_ERROR(read_kind(content));
      RETURN_IF_ERROR(read_files(content));
      RETURN_IF_ERROR(check_run_totals(values_, content));
      leave_out_repeated(content);
    }
    RETURN_IF_ERROR(read_time(content));
    ASSIGN_OR_RETURN(content.version, unit_version(*own_, unit_, [this](const VersionTerm& term) {
                       return read_version(term);
                     }));
    content.digest = content_digest(content);
    return content;
  }

 private:
  std::unexpected<Error> wrong(ErrorCode code, std::string cause, std::string hint = {}) const {
    return values_.wrong(code, std::move(cause), std::move(hint));
  }
  std::unexpected<Error> damaged(std::string cause) const {
    return values_.damaged(std::move(cause));
  }

  // The pipeline left it to the documents what they are: only what is certain is taken.
  Status take_guess(UnitContent& content) {
    const EffectRule& rule = own_->effect;
    if (rule.guesses.empty()) return {};
    const auto guess = std::ranges::find_if(rule.guesses, [&](const EffectRule::Guess& one) {
      return std::ranges::all_of(one.when,
                                 [&](const AcceptRule& needed) { return values_.accepts(needed); });
    });
    if (guess == rule.guesses.end())
      return wrong(ErrorCode::invalid_config,
                   fmt::format("nothing in it tells which `{}` it needs", rule.guessed_option),
                   fmt::format("set `{}`, for all or under tables.{}", rule.guessed_option,
                               content.table.value_or("")));
    content.guess = guess->word;
    own_ = &own_->of("", content.guess);
    return {};
  }

  Status read_kind(UnitContent& content) const {
    const EffectRule& rule = own_->effect;
    if (!rule.word.empty()) content.kind = rule.word;
    if (rule.by && rule.by->from != ValueRef::From::entry) {
      ASSIGN_OR_RETURN(content.kind, chosen_word(nullptr, ""));
    }
    if (const auto accept = rule.accept.find(content.kind); accept != rule.accept.end()) {
      for (const AcceptRule& needed : accept->second) RETURN_IF_ERROR(values_.accept(needed));
    }
    for (const VersionTerm& term : own_->rows.version) {
      const auto column = values_.text({ValueRef::From::document, term.named_by}, nullptr);
      if (!term.named_by.empty() && column && !column->empty())
        content.named_columns[term.named_by] = *column;
    }
    return read_windows(values_, *own_, content);
  }

  // The word that chooses the effect. Whatever is no known word refuses the unit.
  Result<std::string> chosen_word(const Json* entry, std::string_view where) const {
    const ValueRef& by = *own_->effect.by;
    const std::optional<std::string> word = values_.text(by, entry);
    std::string shown = word ? fmt::format("\"{}\"", *word) : "nothing";
    if (by.from == ValueRef::From::document || by.from == ValueRef::From::entry)
      shown = json_name(values_.find(by, entry));
    if (word && own_->effect.choices.contains(*word)) return *word;
    return wrong(ErrorCode::refused, fmt::format("{}{}", where, unknown_choice(by, shown, *own_)),
                 "what this document means is not known; nothing of it was loaded");
  }

  Status read_files(UnitContent& content) const {
    const FilesRule& rule = *feed_.files;
    if (!rule.folder.empty()) return {};  // whoever sees the store lists them
    const Json* list = json_at(values_.document(), rule.list);
    if (list == nullptr || !list->is_array()) {
      return damaged(fmt::format("{} must be an array, but is {}", rule.list, json_name(list)));
    }
    if (list->size() > kMaxDocumentFiles) {
      return damaged(fmt::format("{} has {} entries, more than {}", rule.list, list->size(),
                                 kMaxDocumentFiles));
    }
    std::set<std::string> keys;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::string where = fmt::format("{}/{}", rule.list, i);
      const Json& entry = (*list)[i];
      if (!entry.is_object())
        return damaged(fmt::format("{} must be an object, but is {}", where, json_name(&entry)));
      ASSIGN_OR_RETURN(const bool counts, is_loaded(entry, where));
      if (!counts) continue;
      ASSIGN_OR_RETURN(UnitFile file, read_file(entry, where, content));
      if (!keys.insert(file.key).second) {
        return damaged(
            fmt::format("{}/{} lists the file {} a second time", rule.list, i, file.key));
      }
      content.files.push_back(std::move(file));
    }
    return {};
  }

  // An attempt that was repeated may leave its first result beside the second.
  void leave_out_repeated(UnitContent& content) const {
    if (!feed_.files->once) return;
    std::set<std::pair<std::string, std::uint64_t>> seen;
    content.repeated = std::erase_if(content.files, [&](const UnitFile& file) {
      const std::string fingerprint = file.fingerprint();
      return !fingerprint.empty() && !seen.emplace(fingerprint, file.size.value_or(0)).second;
    });
  }

  // Whether an entry's file belongs to the unit. A word that is not known refuses it.
  Result<bool> is_loaded(const Json& entry, const std::string& where) const {
    if (!feed_.files->status) return true;
    const FileStatusRule& rule = *feed_.files->status;
    const std::optional<std::string> word = values_.text(rule.by, &entry);
    const auto listed = [&](const std::vector<std::string>& words) {
      return word && std::ranges::find(words, *word) != words.end();
    };
    if (listed(rule.load)) return true;
    if (listed(rule.retract) || listed(rule.skip)) return false;
    return wrong(ErrorCode::refused,
                 fmt::format("{}: {} is {}, which this feed does not know", where, rule.by.name,
                             json_name(values_.find(rule.by, &entry))),
                 "what this document means is not known; nothing of it was loaded");
  }

  Result<UnitFile> read_file(const Json& entry, const std::string& where,
                             const UnitContent& content) const {
    const FilesRule& rule = *feed_.files;
    UnitFile file;
    if (content.table) {
      file.table = *content.table;
    } else {
      ASSIGN_OR_RETURN(file.table, read_text(rule.table, entry, where));
    }
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
    ASSIGN_OR_RETURN(file.hashes, read_hashes(entry, where));
    const EffectRule& effect = own_->effect;
    if (!rule.moved.empty()) file.moved = expand_template(rule.moved, unit_).value_or("");
    file.effect = effect.fixed;
    if (effect.by && effect.by->from == ValueRef::From::entry) {
      ASSIGN_OR_RETURN(std::string word, chosen_word(&entry, where + ": "));
      file.effect = effect.choices.at(word);
    } else if (effect.by) {
      file.effect = effect.choices.at(content.kind);
    }
    return file;
  }

  Result<std::string> read_text(const ValueRef& ref, const Json& entry,
                                const std::string& where) const {
    std::optional<std::string> text = values_.text(ref, &entry);
    const Json* value = nullptr;
    if (ref.from == ValueRef::From::document || ref.from == ValueRef::From::entry) {
      value = values_.find(ref, &entry);
      // A number where a text is expected is no name for anything.
      if (ref.otherwise.empty() && value != nullptr && !value->is_string()) text.reset();
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
    const Json* value = values_.find(*ref, &entry);
    if (value == nullptr || !value->is_number_unsigned()) {
      return damaged(fmt::format("{}: {} must be a whole number, 0 or more, but is {}", where,
                                 ref->name, json_name(value)));
    }
    return std::optional(value->get<std::uint64_t>());
  }

  Result<std::vector<FileHash>> read_hashes(const Json& entry, const std::string& where) const {
    std::vector<FileHash> hashes;
    for (const HashRule& rule : feed_.files->hashes) {
      const std::string text = values_.text(rule.of, &entry).value_or("");
      if (text.empty()) continue;
      std::optional<std::string> bytes = digest_in(text, rule.form, rule.kind);
      if (!bytes) {
        return damaged(fmt::format("{}: {} must be like {}, but is {}", where, rule.of.name,
                                   rule.form, json_name(values_.find(rule.of, &entry))));
      }
      hashes.push_back({.kind = rule.kind, .bytes = std::move(*bytes)});
    }
    return hashes;
  }

  // A document without its time is still good: its name may tell. One that is no time is damage.
  Status read_time(UnitContent& content) const {
    if (!feed_.unit.time) return {};
    const Json* value = values_.find(*feed_.unit.time, nullptr);
    if (value == nullptr || value->is_null()) return {};
    if (value->is_string())
      content.time = parse_rfc3339(value->get<std::string>(), Zone::utc_when_absent);
    if (content.time) return {};
    return damaged(fmt::format("{} must be a time such as 2026-10-20T14:15:02Z, but is {}",
                               feed_.unit.time->name, json_name(value)));
  }

  // A field that says how new the rows are.
  Result<CaptureValue> read_version(const VersionTerm& term) const {
    const Json* value = json_at(values_.document(), term.name);
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
  const DocumentValues& values_;
  const Feed* own_ = &feed_;  // what holds for the unit's table
};

}  // namespace

Result<UnitContent> read_document(const Feed& feed, const SourceRoot& root, const UnitName& unit,
                                  std::string_view bytes) {
  Json document = Json::object();  // a flag says nothing
  if (feed.files->folder.empty()) {
    ASSIGN_OR_RETURN(document, read_json(bytes, unit.key));
  }
  const DocumentValues values(feed, unit, std::move(document),
                              digest_hex(DigestKind::xxh3_64, bytes));
  auto content = DocumentReader(values, root).read();
  if (content) content->document_version = values.hash();
  return content;
}

}  // namespace forebay
