#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "feed/feed.h"
#include "feed/unit.h"

namespace forebay {

// The values of a unit that are part of its rows' version (UnitContent::version). `of_document`
// reads those that stand in its document. refused: a value that is not there, since nothing would
// say which row is newer.
Result<std::vector<std::string>> unit_version(
    const Feed& feed, const UnitName& unit,
    const std::function<Result<CaptureValue>(const VersionTerm&)>& of_document);

}  // namespace forebay
