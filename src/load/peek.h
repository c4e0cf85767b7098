#pragma once

#include "base/result.h"
#include "load/fetch.h"
#include "load/pipeline.h"

namespace forebay {

// A file's footer without its rows, for `plan` and `check`: in a bucket only its two ends are read
// and stand in a sparse file, which is enough for names and types. Never loaded from. Errors as of
// fetch_file(); the checksum stays empty.
Result<StagedFile> peek_file(const Pipeline& pipeline, const UnitFile& file);

}  // namespace forebay
