#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "base/result.h"
#include "parquet/footer.h"

namespace forebay {

// Whether a file has decimals that can only be read as the bytes they are.
bool has_plain_decimals(const ParquetFooter& footer);

// Writes the file once more, its pages as they are, with a footer that does not say which columns
// of bytes are wide decimals, so that a reader gives their bytes. The file was verified.
// unavailable: it cannot be read; and the sink's errors.
Status write_plain_decimals(const std::string& path, const std::string& object,
                            const std::function<Status(std::span<const std::byte>)>& sink);

}  // namespace forebay
