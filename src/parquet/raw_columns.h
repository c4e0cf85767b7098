#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>

#include "base/result.h"
#include "parquet/footer.h"

namespace forebay {

// What a reader must not interpret: it would lose digits, or refuse what is no text.
struct RawColumns {
  bool leaves = false;  // every RawLeaf that is one
  std::set<std::string>
      bytes;  // columns of bytes that are read as bytes, whatever they claim to be
  std::set<std::string> texts;  // columns of bytes that are read as text, whatever form they claim

  bool none() const { return !leaves && bytes.empty() && texts.empty(); }
};

// Writes the file once more, its pages as they are, with a footer that does not say what these
// columns mean, so that a reader gives their bytes (twelve of an INT96). The file was verified.
// unavailable: it cannot be read; and the sink's errors.
Status write_raw_columns(const std::string& path, const std::string& object, const RawColumns& raw,
                         const std::function<Status(std::span<const std::byte>)>& sink);

}  // namespace forebay
