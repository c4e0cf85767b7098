#pragma once

#include "base/result.h"
#include "load/fetch.h"
#include "load/pipeline.h"

namespace forebay {

// What a staged file is, and how its rows are read from here on: a Parquet file as it lies, after
// its footer and its pages' checksums were verified; text (CSV, JSON) as the Parquet file it was
// turned into, which takes its place. Sets bytes, footer and text. damaged, refused, unavailable,
// interrupted. Any thread.
Status decode(const Pipeline& pipeline, StagedFile& staged);

}  // namespace forebay
