#include "support/packed.h"

#include <zlib.h>
#include <zstd.h>

#include "base/check.h"

namespace forebay::test {

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  CHECK(::deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(::deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  CHECK(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return packed;
}

std::string zstd(std::string_view bytes) {
  // With a checksum, as the program zstd writes it.
  ZSTD_CCtx* context = ::ZSTD_createCCtx();
  ::ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string packed(::ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ::ZSTD_compress2(context, packed.data(), packed.size(), bytes.data(), bytes.size());
  CHECK(::ZSTD_isError(size) == 0);
  ::ZSTD_freeCCtx(context);
  packed.resize(size);
  return packed;
}

}  // namespace forebay::test
