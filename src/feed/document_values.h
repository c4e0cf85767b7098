#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "feed/feed.h"
#include "feed/unit.h"

namespace forebay {

// The documents of a unit that were read, its own and its companions, and the values in them that a
// feed refers to. A unit that is a file has no document of its own.
class DocumentValues {
 public:
  using Json = nlohmann::json;
  // Where fields of an entry are looked for: in the entry of a file, and in that of the list in
  // which its list stands.
  struct Entry {
    const Json* own = nullptr;
    const Json* above = nullptr;

    Entry() = default;
    Entry(std::nullptr_t) {}
    Entry(const Json* entry, const Json* outer = nullptr) : own(entry), above(outer) {}
  };

  // `hash`: of the document's bytes.
  DocumentValues(const Feed& feed, const UnitName& unit, Json document, std::string hash)
      : feed_(feed), unit_(unit), document_(std::move(document)), hash_(std::move(hash)) {}

  // damaged: no JSON object.
  Status add_companions(const Companions& texts);

  const Feed& feed() const { return feed_; }
  const UnitName& unit() const { return unit_; }
  const Json& document() const { return document_; }
  const std::string& hash() const { return hash_; }

  // What stands at a reference into a document or the entry; nullptr where nothing does.
  const Json* find(const ValueRef& ref, Entry entry) const;
  // At a path in the unit's own document, or in the companion `with`.
  const Json* at(const std::string& with, std::string_view path) const;
  // The text of a value: of its own, else of the first of its alternatives that is there and not
  // empty, cut and replaced. Numbers and booleans as they are written.
  std::optional<std::string> text(const ValueRef& ref, Entry entry) const;
  // A list of names. damaged: there is none such.
  Result<std::vector<std::string>> names(const NamesRef& ref, Entry entry) const;
  // Of objects in such a list: the names whose type means something to the description.
  std::vector<std::pair<std::string, TypeName>> types(const NamesRef& ref, Entry entry) const;
  // Whether a rule's values accept what stands at its path.
  bool accepts(const AcceptRule& rule) const;
  // refused unless they do.
  Status accept(const AcceptRule& rule) const;
  // A field that says how new the rows are. refused: it says no such thing.
  Result<CaptureValue> version(const VersionTerm& term) const;
  // A count, where the feed says what counts.
  Result<std::optional<std::uint64_t>> count(const std::optional<ValueRef>& ref, Entry entry,
                                             const std::string& where) const;
  Result<std::vector<FileHash>> hashes(const std::vector<HashRule>& rules, Entry entry,
                                       const std::string& where) const;
  // What the feed leaves to documents, of one file: how it is read, and what its rows are known by.
  Status read_form(Entry entry, UnitFile& file) const;

  std::unexpected<Error> wrong(ErrorCode code, std::string cause, std::string hint = {}) const;
  std::unexpected<Error> damaged(std::string cause) const {
    return wrong(ErrorCode::damaged, std::move(cause));
  }

  // A text, number or boolean as the words of a description are compared with it.
  static std::optional<std::string> scalar(const Json* value);

 private:
  Status read_decode(Entry entry, UnitFile& file) const;
  std::optional<std::string> joined(const ValueRef& ref, Entry entry) const;

  const Feed& feed_;
  const UnitName& unit_;
  Json document_;
  std::string hash_;
  std::map<std::string, Json> companions_;
};

// What a document says of its unit as a whole (feed/run_rule.h): its name and place, its one table
// and part, whether it may be loaded, which gates ask about it. damaged, refused.
Status read_run(const DocumentValues& values, UnitContent& content);
// Which window of a state it is, and where it begins and ends (PieceRule, JoinRule); the kind is
// known. `own` is what holds for its table. damaged: a window that is not told whole.
Status read_windows(const DocumentValues& values, const Feed& own, UnitContent& content);
// That the document agrees with itself, and what only the files can show (UnitContent::rows).
// `entries` are those of the files that are loaded.
Status check_run_totals(const DocumentValues& values, UnitContent& content);

}  // namespace forebay
