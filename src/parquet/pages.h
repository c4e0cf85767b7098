#pragma once

#include <string>

#include "base/result.h"

namespace forebay {

// Verifies the checksums of all pages of the Parquet file at `path`, if its writer gave it any: the
// engine does not look at them. Then the pages must also fill their column chunks exactly and hold
// as many values as the footer says. Files whose first page has no checksum cost two small reads.
// damaged: a checksum, a size or a count is wrong. Other errors as read_parquet_footer has them.
// Reads through a window of a few megabytes; a single page is never held whole.
Status verify_parquet_pages(const std::string& path, const std::string& object);

}  // namespace forebay
