#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "feed/decode_rule.h"

namespace forebay {

// Bytes that come in portions. One thread.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The next portion, valid until the next call; empty: the end.
  virtual Result<std::string_view> next() = 0;
};

// The bytes of the file at `path`. unavailable: the disk's errors; interrupted: asked to stop.
Result<std::unique_ptr<ByteSource>> open_file_source(const std::string& path,
                                                     const std::string& object);

// What `packed` holds, a file of `size` bytes: every member and frame of it, up to its end.
// damaged: cut short, checksums or lengths that do not agree, anything that is no further member,
// or more bytes than limits.h allows a file of that size.
std::unique_ptr<ByteSource> unpack(std::unique_ptr<ByteSource> packed, Compression compression,
                                   std::uint64_t size, std::string object);

// The text in `bytes`: UTF-8 without NUL bytes, a byte order mark at its beginning left out.
// damaged, with the line, for what is no such text. Portions may end within a character.
std::unique_ptr<ByteSource> check_text(std::unique_ptr<ByteSource> bytes, std::string object);

// damaged: `cause` about `object`.
Error undecodable(const std::string& object, std::string cause, std::string hint = {});

}  // namespace forebay
