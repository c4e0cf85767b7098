#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "parquet/footer.h"
#include "parquet/pages.h"
#include "support/parquet_bytes.h"

namespace forebay::test {

// One input of the fuzzer: the bytes are a whole file. Whatever they are, the check ends, takes no
// more memory than its limits allow, and blames the file, not the disk.
inline void fuzz_footer(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  file.set({reinterpret_cast<const char*>(data), size});
  const auto footer = read_parquet_footer(file.path(), "fuzz");
  const Status pages = verify_parquet_pages(file.path(), "fuzz");
  if (!footer) {
    const ErrorCode code = footer.error().code;
    CHECK(code == ErrorCode::damaged || code == ErrorCode::refused);
    CHECK(!pages);
  }
}

}  // namespace forebay::test
