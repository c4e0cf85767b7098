#pragma once

#include <optional>

#include "base/result.h"
#include "load/fetch.h"
#include "load/pipeline.h"

namespace forebay {

// A file's footer without its rows, for `plan` and `check`: in a bucket only its two ends are read
// and stand in a sparse file, which is enough for names and types. Never loaded from. Errors as of
// fetch_file(); the checksum stays empty. Text says its columns only when all of it is read:
// nothing for a file of text that is longer than what is peeked at.
Result<std::optional<StagedFile>> peek_file(const Pipeline& pipeline, const UnitFile& file);

}  // namespace forebay
