#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "feed/feed.h"
#include "feed/unit.h"

namespace forebay {

// A document that was read, and the values in it that a feed refers to.
class DocumentValues {
 public:
  using Json = nlohmann::json;

  // `hash`: of the document's bytes.
  DocumentValues(const Feed& feed, const UnitName& unit, Json document, std::string hash)
      : feed_(feed), unit_(unit), document_(std::move(document)), hash_(std::move(hash)) {}

  const Feed& feed() const { return feed_; }
  const UnitName& unit() const { return unit_; }
  const Json& document() const { return document_; }
  const std::string& hash() const { return hash_; }

  // What stands at a reference into the document or the entry; nullptr where nothing does.
  const Json* find(const ValueRef& ref, const Json* entry) const;
  // The text of a value: of its own, else of the first of its alternatives that is there and not
  // empty, cut and replaced. Numbers and booleans as they are written.
  std::optional<std::string> text(const ValueRef& ref, const Json* entry) const;
  // Whether a rule's values accept what stands at its path.
  bool accepts(const AcceptRule& rule) const;
  // refused unless they do.
  Status accept(const AcceptRule& rule) const;

  std::unexpected<Error> wrong(ErrorCode code, std::string cause, std::string hint = {}) const;
  std::unexpected<Error> damaged(std::string cause) const {
    return wrong(ErrorCode::damaged, std::move(cause));
  }

  // A text, number or boolean as the words of a description are compared with it.
  static std::optional<std::string> scalar(const Json* value);

 private:
  const Feed& feed_;
  const UnitName& unit_;
  Json document_;
  std::string hash_;
};

// What a document says of its unit as a whole (feed/run_rule.h): its name and place, its one table
// and part, whether it may be loaded, which gates ask about it. damaged, refused.
Status read_run(const DocumentValues& values, UnitContent& content);
// Which window of a state it is, and where it begins and ends (PieceRule, JoinRule); the kind is
// known. `own` is what holds for its table. damaged: a window that is not told whole.
Status read_windows(const DocumentValues& values, const Feed& own, UnitContent& content);
// That the document agrees with itself. `entries` are those of the files that are loaded.
Status check_run_totals(const DocumentValues& values, const UnitContent& content);

}  // namespace forebay
