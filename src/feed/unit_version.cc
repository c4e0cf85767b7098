#include "feed/unit_version.h"

#include <fmt/format.h>

#include "base/check.h"
#include "feed/order.h"

namespace forebay {
namespace {

Result<CaptureValue> of_name(const VersionTerm& term, const UnitName& unit) {
  if (is_builtin_capture(term.name))
    return CaptureValue(std::string(builtin_capture(term.name, unit.key)));
  const CaptureValue* value = unit.captures.find(term.name);
  if (value != nullptr) return *value;
  return fail({.code = ErrorCode::refused,
               .operation = "read version",
               .object = unit.key,
               .cause = fmt::format("its name has no {{{}}}, which is part of the version of its "
                                    "rows",
                                    term.name)});
}

}  // namespace

Result<std::vector<std::string>> unit_version(
    const Feed& feed, const UnitName& unit,
    const std::function<Result<CaptureValue>(const VersionTerm&)>& of_document) {
  std::vector<std::string> values;
  for (const auto* terms : {&feed.rows.version, &feed.rows.tie}) {
    for (const VersionTerm& term : *terms) {
      if (term.from == VersionTerm::From::column) continue;
      const bool named = term.from == VersionTerm::From::capture;
      CHECK(named || of_document);
      ASSIGN_OR_RETURN(const CaptureValue value, named ? of_name(term, unit) : of_document(term));
      values.push_back(encode_value(value));
    }
  }
  return values;
}

}  // namespace forebay
