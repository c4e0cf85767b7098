// The parts of a description for units that are known by what their documents say.

#include "feed/run_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "feed/description_reader.h"

namespace forebay {
namespace {

constexpr ValueScope kDocument{.document = true};
constexpr ValueScope kEntry{.document = true, .entry = true};

Result<std::string> read_path(const YamlValue& value) {
  ASSIGN_OR_RETURN(std::string path, value.text());
  if (path.starts_with('/')) return path;
  return value.wrong(fmt::format("\"{}\" must be a path in the document, such as /count", path));
}

using WordList = std::pair<std::string_view, std::vector<std::string>*>;

// What words mean, `load` among it; a word that means two things means nothing.
Status read_words(const YamlValue& rule, std::initializer_list<WordList> lists) {
  RETURN_IF_ERROR(rule.need("load"));
  std::vector<std::string> all;
  for (const auto& [key, words] : lists) {
    auto value = rule.find(key);
    if (!value) continue;
    ASSIGN_OR_RETURN(*words, value->texts());
    for (const std::string& word : *words) {
      if (std::ranges::find(all, word) != all.end()) {
        return value->wrong(fmt::format("names \"{}\" a second time", word));
      }
      all.push_back(word);
    }
  }
  return {};
}

}  // namespace

namespace {

Status read_accepts_of(const YamlValue& accept, const std::string& with,
                       std::vector<AcceptRule>& rules) {
  RETURN_IF_ERROR(accept.is_a_map());
  for (const auto& [path, values] : accept.fields()) {
    if (!path.starts_with('/')) {
      return values.wrong("must be a path in the document, such as /format_version");
    }
    AcceptRule rule{.path = path, .values = {}, .with = with};
    ASSIGN_OR_RETURN(rule.values, values.texts());
    rules.push_back(std::move(rule));
  }
  return {};
}

}  // namespace

Status read_accepts(const YamlValue& accept, const OptionBinder& binder, bool document,
                    std::vector<AcceptRule>& rules) {
  RETURN_IF_ERROR(accept.is_a_map());
  for (const auto& [key, values] : accept.fields()) {
    const bool companion = std::ranges::find(binder.companions, key) != binder.companions.end();
    if (companion) {
      RETURN_IF_ERROR(read_accepts_of(values, key, rules));
      continue;
    }
    if (!document)
      return values.wrong("must be the name of a companion: the unit has no document of its own");
    if (!key.starts_with('/'))
      return values.wrong("must be a path in the document, such as /format_version");
    AcceptRule rule{.path = key, .values = {}};
    ASSIGN_OR_RETURN(rule.values, values.texts());
    rules.push_back(std::move(rule));
  }
  return {};
}

Result<std::vector<ValueRef>> read_identity(const YamlValue& identity, OptionBinder& binder,
                                            ValueScope scope) {
  ASSIGN_OR_RETURN(std::vector<YamlValue> items, identity.items());
  std::vector<ValueRef> parts;
  for (const YamlValue& item : items) {
    ASSIGN_OR_RETURN(ValueRef part, read_value(item, binder, scope));
    parts.push_back(std::move(part));
  }
  if (parts.empty()) return identity.wrong("must name at least one value");
  return parts;
}

Result<OrderPart> read_order_part(const YamlValue& value, OptionBinder& binder, ValueScope scope) {
  OrderPart part;
  if (!value.is_map() || (!value.find("of") && !value.find("as"))) {
    ASSIGN_OR_RETURN(part.of, read_value(value, binder, scope));
    return part;
  }
  RETURN_IF_ERROR(value.only({"of", "as"}));
  ASSIGN_OR_RETURN(YamlValue of, value.need("of"));
  ASSIGN_OR_RETURN(part.of, read_value(of, binder, scope));
  if (auto as = value.find("as")) {
    ASSIGN_OR_RETURN(std::string word, as->word({"text", "number", "time"}));
    part.as = word == "number" ? OrderPart::As::number
              : word == "time" ? OrderPart::As::time
                               : OrderPart::As::text;
  }
  return part;
}

Result<StatusRule> read_status(const YamlValue& value, OptionBinder& binder) {
  RETURN_IF_ERROR(value.only({"by", "load", "wait", "skip"}));
  StatusRule rule;
  ASSIGN_OR_RETURN(YamlValue by, value.need("by"));
  ASSIGN_OR_RETURN(rule.by, read_value(by, binder, kDocument));
  RETURN_IF_ERROR(
      read_words(value, {{"load", &rule.load}, {"wait", &rule.wait}, {"skip", &rule.skip}}));
  return rule;
}

Result<FileStatusRule> read_file_status(const YamlValue& value, OptionBinder& binder) {
  RETURN_IF_ERROR(value.only({"field", "load", "retract", "skip"}));
  FileStatusRule rule;
  ASSIGN_OR_RETURN(YamlValue by, value.need("field"));
  ASSIGN_OR_RETURN(rule.by, read_value(by, binder, kEntry));
  RETURN_IF_ERROR(
      read_words(value, {{"load", &rule.load}, {"retract", &rule.retract}, {"skip", &rule.skip}}));
  return rule;
}

Result<DigestKind> read_digest_kind(const YamlValue& place, const std::string& word) {
  if (word == "xxh3") return DigestKind::xxh3_64;
  if (word == "md5") return DigestKind::md5;
  if (word == "sha256") return DigestKind::sha256;
  return place.place().not_allowed(word, {"md5", "sha256", "xxh3"});
}

Result<std::string> read_form(const YamlValue& form) {
  ASSIGN_OR_RETURN(std::string text, form.text());
  const bool hex = text.find("{hex}") != std::string::npos;
  const bool base64 = text.find("{base64}") != std::string::npos;
  if (hex != base64 && std::ranges::count(text, '{') == 1) return text;
  return form.wrong(fmt::format("\"{}\" must have {{hex}} or {{base64}} once", text));
}

Result<std::vector<HashRule>> read_hashes(const YamlValue& hashes, OptionBinder& binder,
                                          ValueScope scope) {
  RETURN_IF_ERROR(hashes.is_a_map());
  std::vector<HashRule> rules;
  for (const auto& [word, value] : hashes.fields()) {
    HashRule rule;
    ASSIGN_OR_RETURN(rule.kind, read_digest_kind(hashes, word));
    RETURN_IF_ERROR(value.only({"field", "form"}));
    ASSIGN_OR_RETURN(YamlValue field, value.need("field"));
    ASSIGN_OR_RETURN(rule.of, read_value(field, binder, scope));
    rule.form = "{hex}";
    if (auto form = value.find("form")) {
      ASSIGN_OR_RETURN(rule.form, read_form(*form));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

Result<PieceRule> read_pieces(const YamlValue& value) {
  RETURN_IF_ERROR(value.only({"in", "by", "above", "to"}));
  PieceRule rule;
  ASSIGN_OR_RETURN(const YamlValue in, value.need("in"));
  ASSIGN_OR_RETURN(rule.in, read_path(in));
  for (const auto& [key, field] :
       {std::pair{"by", &rule.by}, std::pair{"above", &rule.above}, std::pair{"to", &rule.to}}) {
    ASSIGN_OR_RETURN(const YamlValue name, value.need(key));
    ASSIGN_OR_RETURN(*field, name.text());
  }
  return rule;
}

Result<JoinRule> read_joins(const YamlValue& value) {
  RETURN_IF_ERROR(value.only({"from", "to"}));
  JoinRule rule;
  ASSIGN_OR_RETURN(const YamlValue from, value.need("from"));
  ASSIGN_OR_RETURN(rule.from, read_path(from));
  ASSIGN_OR_RETURN(const YamlValue to, value.need("to"));
  ASSIGN_OR_RETURN(rule.to, read_path(to));
  return rule;
}

Result<AgreementRule> read_agreement(const YamlValue& check, OptionBinder& binder,
                                     const UnitRule& unit) {
  AgreementRule rule;
  const UnitKind kind = unit.kind;
  const bool document = kind == UnitKind::document;
  for (const char* part : {"files", "unique", "same"}) {
    auto value = check.find(part);
    if (value && !document) return value->wrong("belongs to feeds whose units are documents");
  }
  for (const char* part : {"rows", "size", "hash"}) {
    auto value = check.find(part);
    if (value && kind == UnitKind::window) return value->wrong("does not belong to windows");
    if (value && document && part != std::string_view("rows"))
      return value->wrong(
          fmt::format("belongs to units that are files; others have files.{}", part));
  }
  const ValueScope scope{.document = document && !unit.folder};
  if (auto files = check.find("files")) {
    ASSIGN_OR_RETURN(rule.files, read_path(*files));
  }
  const std::pair<const char*, std::optional<ValueRef>*> counts[] = {{"rows", &rule.rows},
                                                                     {"size", &rule.size}};
  for (const auto& [key, count] : counts) {
    auto value = check.find(key);
    if (!value) continue;
    ASSIGN_OR_RETURN(*count, read_value(*value, binder, scope));
    if ((*count)->from != ValueRef::From::document)
      return value->wrong("must be a path in a document: /count, or {COMPANION: /count}");
  }
  if (auto hash = check.find("hash")) {
    ASSIGN_OR_RETURN(rule.hashes, read_hashes(*hash, binder, scope));
  }
  if (auto unique = check.find("unique")) {
    ASSIGN_OR_RETURN(rule.unique, unique->texts());
  }
  auto same = check.find("same");
  if (!same) return rule;
  RETURN_IF_ERROR(same->is_a_map());
  for (const auto& [left, right] : same->fields()) {
    if (!left.starts_with('/')) return right.wrong("must stand under a path in the document");
    ASSIGN_OR_RETURN(std::string path, read_path(right));
    rule.same.emplace_back(left, std::move(path));
  }
  return rule;
}

}  // namespace forebay
