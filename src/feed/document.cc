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
using Entry = DocumentValues::Entry;

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
    RETURN_IF_ERROR(read_folder_table(content));
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
                       return values_.version(term);
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
    if (rule.by && !depends_on_entry(*rule.by)) {
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
  Result<std::string> chosen_word(Entry entry, std::string_view where) const {
    const ValueRef& by = *own_->effect.by;
    const std::optional<std::string> word = values_.text(by, entry);
    std::string shown = word ? fmt::format("\"{}\"", *word) : "nothing";
    if (const Json* value = values_.find(by, entry)) shown = json_name(value);
    if (word && own_->effect.choices.contains(*word)) return *word;
    return wrong(ErrorCode::refused, fmt::format("{}{}", where, unknown_choice(by, shown, *own_)),
                 "what this document means is not known; nothing of it was loaded");
  }

  Status read_files(UnitContent& content) const {
    const FilesRule& rule = *feed_.files;
    if (is_folder()) return read_each(content);
    RETURN_IF_ERROR(check_bucket());
    if (rule.members) return read_members(content);
    ASSIGN_OR_RETURN(const Json* list, list_at(json_at(values_.document(), rule.list), rule.list));
    std::set<std::string> keys;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::string where = fmt::format("{}/{}", rule.list, i);
      const Json& entry = (*list)[i];
      if (rule.below.empty()) {
        RETURN_IF_ERROR(read_entry({&entry}, where, content, keys));
        continue;
      }
      if (!entry.is_object()) return no_object(where, entry);
      const auto field = entry.find(rule.below);
      const std::string inner = fmt::format("{}/{}", where, rule.below);
      ASSIGN_OR_RETURN(const Json* files, list_at(field == entry.end() ? nullptr : &*field, inner));
      for (std::size_t k = 0; k < files->size(); ++k)
        RETURN_IF_ERROR(
            read_entry({&(*files)[k], &entry}, fmt::format("{}/{}", inner, k), content, keys));
      if (files->empty()) RETURN_IF_ERROR(check_no_files({nullptr, &entry}, where, content));
    }
    return {};
  }

  // Each member of an object is a list.
  Status read_members(UnitContent& content) const {
    const FilesRule& rule = *feed_.files;
    const bool root = rule.list == "/";
    const Json* lists = root ? &values_.document() : json_at(values_.document(), rule.list);
    if (lists == nullptr || !lists->is_object())
      return damaged(fmt::format("{} must be an object, but is {}", rule.list, json_name(lists)));
    std::vector<std::string> names = rule.named;
    for (const auto& [name, list] : lists->items()) {
      if (rule.named.empty()) names.push_back(name);
    }
    std::set<std::string> keys;
    for (const std::string& name : names) {
      const std::string where = fmt::format("{}/{}", root ? "" : rule.list, name);
      const Json above = {{"name", name}};
      const auto member = lists->find(name);
      Json single = Json::array();  // nothing, or one entry that stands without a list
      const bool missing = member == lists->end() || member->is_null();
      const bool alone = !missing && (member->is_string() || member->is_object());
      if (alone) single.push_back(*member);
      ASSIGN_OR_RETURN(const Json* list, list_at(missing || alone ? &single : &*member, where));
      for (std::size_t i = 0; i < list->size(); ++i)
        RETURN_IF_ERROR(
            read_entry({&(*list)[i], &above}, fmt::format("{}/{}", where, i), content, keys));
      if (list->empty()) RETURN_IF_ERROR(check_no_files({nullptr, &above}, where, content));
    }
    return {};
  }

  // Whoever sees the store lists the files.
  Status read_each(UnitContent& content) const {
    UnitFile each{.table = *content.table, .effect = own_->effect.fixed};
    if (own_->effect.by) each.effect = own_->effect.choices.at(content.kind);
    RETURN_IF_ERROR(values_.read_form(nullptr, each));
    content.each = std::move(each);
    return {};
  }

  // The table of a folder's files stands in no entry.
  Status read_folder_table(UnitContent& content) const {
    if (!is_folder() || content.table) return {};
    content.table = values_.text(feed_.files->table, nullptr);
    if (content.table && is_table_name(*content.table)) return {};
    return wrong(ErrorCode::refused,
                 fmt::format("\"{}\" is no name for a table", content.table.value_or("")));
  }

  bool is_folder() const { return feed_.unit.folder || !feed_.files->folder.empty(); }

  Result<const Json*> list_at(const Json* list, const std::string& where) const {
    if (list == nullptr || !list->is_array())
      return damaged(fmt::format("{} must be an array, but is {}", where, json_name(list)));
    if (list->size() > kMaxDocumentFiles)
      return damaged(
          fmt::format("{} has {} entries, more than {}", where, list->size(), kMaxDocumentFiles));
    return list;
  }

  std::unexpected<Error> no_object(const std::string& where, const Json& entry) const {
    return damaged(fmt::format("{} must be an object, but is {}", where, json_name(&entry)));
  }

  Status read_entry(Entry entry, const std::string& where, UnitContent& content,
                    std::set<std::string>& keys) const {
    const bool is_text = feed_.files->path.name.empty();
    if (!is_text && !entry.own->is_object()) return no_object(where, *entry.own);
    if (is_text && !entry.own->is_string())
      return damaged(fmt::format("{} must be a text, but is {}", where, json_name(entry.own)));
    ASSIGN_OR_RETURN(const bool counts, is_loaded(entry, where));
    if (!counts) return {};
    if (content.files.size() == kMaxDocumentFiles)
      return damaged(fmt::format("it lists more than {} files", kMaxDocumentFiles));
    ASSIGN_OR_RETURN(UnitFile file, read_file(entry, where, content));
    if (!keys.insert(file.key).second)
      return damaged(fmt::format("{} lists the file {} a second time", where, file.key));
    content.files.push_back(std::move(file));
    return {};
  }

  // A table that becomes its files and has none would quietly stay as it is.
  Status check_no_files(Entry entry, const std::string& where, const UnitContent& content) const {
    UnitFile file;
    if (content.table) {
      file.table = *content.table;
    } else if (feed_.files->table.from == ValueRef::From::entry) {
      return {};  // its entries would name the tables: of which it lists nothing is not said
    } else {
      ASSIGN_OR_RETURN(file.table, read_text(feed_.files->table, entry, where));
    }
    RETURN_IF_ERROR(read_effect(entry, where, content, file));
    if (!file.effect.clear_table) return {};
    return wrong(ErrorCode::refused,
                 fmt::format("{}: table {} becomes what its files bring, and none is listed", where,
                             file.table),
                 "nothing of it was loaded; `quarantine drop` passes it");
  }

  // Paths of another bucket than the source's are other files, whatever they are called.
  Status check_bucket() const {
    const auto& rule = feed_.files->bucket;
    if (!rule) return {};
    const std::string text = values_.text(*rule, nullptr).value_or("");
    const std::string bucket = text.substr(text.rfind(':') + 1);
    if (!bucket.empty() && (root_.folder || bucket == root_.bucket)) return {};
    return wrong(ErrorCode::refused,
                 fmt::format("its files are in the bucket \"{}\" ({}), and the source is in \"{}\"",
                             bucket, rule->name, root_.bucket),
                 "check that the pipeline's source is the place that the sender wrote to");
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
  Result<bool> is_loaded(Entry entry, const std::string& where) const {
    if (!feed_.files->status) return true;
    const FileStatusRule& rule = *feed_.files->status;
    const std::optional<std::string> word = values_.text(rule.by, entry);
    const auto listed = [&](const std::vector<std::string>& words) {
      return word && std::ranges::find(words, *word) != words.end();
    };
    if (listed(rule.load)) return true;
    if (listed(rule.retract) || listed(rule.skip)) return false;
    return wrong(ErrorCode::refused,
                 fmt::format("{}: {} is {}, which this feed does not know", where, rule.by.name,
                             json_name(values_.find(rule.by, entry))),
                 "what this document means is not known; nothing of it was loaded");
  }

  Result<UnitFile> read_file(Entry entry, const std::string& where,
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
    ASSIGN_OR_RETURN(file.rows, values_.count(rule.rows, entry, where + ": "));
    ASSIGN_OR_RETURN(file.size, values_.count(rule.size, entry, where + ": "));
    ASSIGN_OR_RETURN(file.hashes, values_.hashes(rule.hashes, entry, where + ": "));
    if (!rule.moved.empty()) file.moved = expand_template(rule.moved, unit_).value_or("");
    RETURN_IF_ERROR(read_effect(entry, where, content, file));
    RETURN_IF_ERROR(values_.read_form(entry, file));
    return file;
  }

  Status read_effect(Entry entry, const std::string& where, const UnitContent& content,
                     UnitFile& file) const {
    const EffectRule& effect = of_table(content, file.table).effect;
    file.effect = effect.fixed;
    if (effect.by && depends_on_entry(*effect.by)) {
      ASSIGN_OR_RETURN(std::string word, chosen_word(entry, where + ": "));
      file.effect = effect.choices.at(word);
    } else if (effect.by) {
      file.effect = effect.choices.at(content.kind);
    }
    return {};
  }

  // Tables may have keys of their own, and those without one append.
  const Feed& of_table(const UnitContent& content, const std::string& table) const {
    return content.table ? *own_ : own_->of(table);
  }

  Result<std::string> read_text(const ValueRef& ref, Entry entry, const std::string& where) const {
    std::optional<std::string> text = values_.text(ref, entry);
    const Json* value = nullptr;
    if (ref.from == ValueRef::From::document || ref.from == ValueRef::From::entry ||
        ref.from == ValueRef::From::above) {
      value = values_.find(ref, entry);
      // A number where a text is expected is no name for anything.
      if (ref.otherwise.empty() && value != nullptr && !value->is_string()) text.reset();
    }
    if (!text || text->empty() || text->contains('\0')) {
      return damaged(fmt::format("{}: {} must be a text that is not empty, but is {}", where,
                                 ref.name, json_name(value)));
    }
    return std::move(*text);
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

  const Feed& feed_;
  const SourceRoot& root_;
  const UnitName& unit_;
  const DocumentValues& values_;
  const Feed* own_ = &feed_;  // what holds for the unit's table
};

// Each line a value; empty lines are none.
Result<Json> read_lines(std::string_view bytes, const std::string& key) {
  Json lines = Json::array();
  std::size_t number = 0;
  while (!bytes.empty()) {
    ++number;
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (lines.size() == kMaxDocumentFiles)
      return fail({.code = ErrorCode::damaged,
                   .operation = "read document",
                   .object = key,
                   .cause = fmt::format("more than {} lines", kMaxDocumentFiles)});
    ASSIGN_OR_RETURN(Json value, read_json(line, fmt::format("{} line {}", key, number)));
    lines.push_back(std::move(value));
  }
  return Json{{"lines", std::move(lines)}};
}

Result<Json> parse_document(const Feed& feed, const UnitName& unit, std::string_view bytes) {
  if (!feed.files->forms.empty()) {
    ASSIGN_OR_RETURN(Json lines, read_line_forms(feed.files->forms, feed.files->pass_others, unit,
                                                 bytes, unit.key));
    return Json{{"lines", std::move(lines)}};
  }
  if (feed.files->lines) return read_lines(bytes, unit.key);
  if (feed.files->folder.empty() && !feed.unit.folder) return read_json(bytes, unit.key);
  // A flag may say something, and mostly says nothing.
  auto flag = read_json(bytes, unit.key);
  return flag && flag->is_object() ? std::move(*flag) : Json::object();
}

}  // namespace

Result<UnitContent> read_document(const Feed& feed, const SourceRoot& root, const UnitName& unit,
                                  std::string_view bytes, const Companions& companions) {
  ASSIGN_OR_RETURN(Json document, parse_document(feed, unit, bytes));
  DocumentValues values(feed, unit, std::move(document), digest_hex(DigestKind::xxh3_64, bytes));
  RETURN_IF_ERROR(values.add_companions(companions));
  auto content = DocumentReader(values, root).read();
  // A folder has no bytes of its own: its version is that of its files.
  if (content && !feed.unit.folder) content->document_version = values.hash();
  return content;
}

}  // namespace forebay
