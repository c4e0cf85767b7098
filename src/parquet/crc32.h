#pragma once

#include <cstdint>
#include <string_view>

namespace forebay {

// The checksum that Parquet pages carry (CRC-32 as in gzip), of all bytes so far and these.
std::uint32_t crc32(std::string_view bytes, std::uint32_t so_far = 0);

}  // namespace forebay
