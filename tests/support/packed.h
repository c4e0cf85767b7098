#pragma once

#include <string>
#include <string_view>

namespace forebay::test {

// Compressed as other programs do it.
std::string gzip(std::string_view bytes);
std::string zstd(std::string_view bytes);

}  // namespace forebay::test
