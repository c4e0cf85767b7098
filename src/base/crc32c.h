#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace forebay {

// CRC-32 with Castagnoli's polynomial (RFC 3720, appendix B.4), taken while bytes stream by: the
// checksum that Google Cloud Storage keeps of each object. Not thread-safe; one object a stream.
class Crc32c {
 public:
  void update(std::span<const std::byte> bytes);
  void update(std::string_view text);

  std::uint32_t value() const { return ~state_; }
  std::string hex() const;  // eight digits, small letters, the highest byte first

 private:
  std::uint32_t state_ = 0xffffffff;
};

}  // namespace forebay
