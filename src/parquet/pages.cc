#include "parquet/pages.h"

#include <fmt/core.h>
#include <thrift/Thrift.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "parquet/crc32.h"
#include "parquet/file.h"
#include "parquet/metadata.h"

namespace forebay {
namespace {

namespace thrift = apache::thrift;
using parquet::PageType;

constexpr std::uint64_t kWindow = 1 << 20;
// Headers have some 30 bytes, unless they carry statistics of long texts.
constexpr std::uint64_t kUsualHeader = 4 << 10;

struct Page {
  parquet::PageHeader header;
  std::uint64_t header_bytes = 0;
};

class PageWalk {
 public:
  PageWalk(const ParquetFile& file, std::uint64_t window) : file_(file), window_bytes_(window) {}

  // Whether the page at the start of `chunk` has a checksum.
  Result<bool> has_checksum(const ChunkPlace& chunk) {
    ASSIGN_OR_RETURN(const Page page, read_header(chunk.offset, chunk.offset + chunk.bytes));
    return page.header.__isset.crc;
  }

  Status verify(const ChunkPlace& chunk) {
    const std::uint64_t end = chunk.offset + chunk.bytes;
    std::uint64_t values = 0;
    for (std::uint64_t at = chunk.offset; at < end;) {
      ASSIGN_OR_RETURN(const Page page, read_header(at, end));
      const std::int32_t size = page.header.compressed_page_size;
      at += page.header_bytes;
      if (size < 0 || static_cast<std::uint64_t>(size) > end - at) {
        return damaged(at, fmt::format("a page of {} bytes leaves its column chunk", size));
      }
      if (page.header.__isset.crc) RETURN_IF_ERROR(check_sum(page, at, end));
      ASSIGN_OR_RETURN(const std::uint64_t more, values_of(page, at));
      values += more;
      at += static_cast<std::uint64_t>(size);
    }
    if (values == chunk.values) return {};
    return damaged(end, fmt::format("the pages of a column chunk have {} values instead of {}",
                                    values, chunk.values));
  }

 private:
  std::unexpected<Error> damaged(std::uint64_t at, std::string cause) const {
    return fail({.code = ErrorCode::damaged,
                 .operation = "verify Parquet pages",
                 .object = file_.object(),
                 .cause = fmt::format("at byte {}: {}", at, cause),
                 .hint = "Have the file written or sent again."});
  }

  // The next `want` bytes, or fewer at the end of the chunk.
  Result<std::string_view> view(std::uint64_t at, std::uint64_t want, std::uint64_t chunk_end) {
    want = std::min(want, chunk_end - at);
    if (at < window_start_ || at + want > window_start_ + window_.size()) {
      const std::uint64_t size = std::min(std::max(want, window_bytes_), chunk_end - at);
      RETURN_IF_ERROR(file_.read(at, size, window_));
      window_start_ = at;
    }
    return std::string_view(window_).substr(at - window_start_, want);
  }

  // Whatever part of the bytes up to `end` is at hand, at least one, so that none is read twice.
  Result<std::string_view> some(std::uint64_t at, std::uint64_t end, std::uint64_t chunk_end) {
    const std::uint64_t window_end = window_start_ + window_.size();
    const bool at_hand = at >= window_start_ && at < window_end;
    return view(at, std::min(end, at_hand ? window_end : at + window_bytes_) - at, chunk_end);
  }

  Result<Page> read_header(std::uint64_t at, std::uint64_t end) {
    for (std::uint64_t most = kUsualHeader;; most *= 16) {
      ASSIGN_OR_RETURN(const std::string_view bytes, view(at, most, end));
      try {
        return decode(bytes);
      } catch (const thrift::TException& exception) {
        // Perhaps a header that is longer than it should be: again with more bytes.
        if (bytes.size() == end - at || most >= kMaxParquetPageHeaderBytes) {
          return damaged(at, fmt::format("no page header: {}", exception.what()));
        }
      }
    }
  }

  static Page decode(std::string_view bytes) {
    using Buffer = thrift::transport::TMemoryBuffer;
    // OBSERVE never writes; the transport's interface just lacks the const.
    auto* data = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
    const auto size = static_cast<std::int32_t>(bytes.size());
    auto buffer = std::make_shared<Buffer>(data, static_cast<std::uint32_t>(size), Buffer::OBSERVE);
    thrift::protocol::TCompactProtocolT<Buffer> in(buffer, size, size);
    Page page;
    page.header.read(&in);
    page.header_bytes = bytes.size() - buffer->available_read();
    return page;
  }

  Status check_sum(const Page& page, std::uint64_t at, std::uint64_t chunk_end) {
    const std::uint64_t end = at + static_cast<std::uint64_t>(page.header.compressed_page_size);
    std::uint32_t sum = 0;
    for (std::uint64_t done = at; done < end;) {
      ASSIGN_OR_RETURN(const std::string_view bytes, some(done, end, chunk_end));
      sum = crc32(bytes, sum);
      done += bytes.size();
    }
    if (sum == static_cast<std::uint32_t>(page.header.crc)) return {};
    return damaged(at, "a page does not have the checksum that its writer gave it");
  }

  Result<std::uint64_t> values_of(const Page& page, std::uint64_t at) {
    std::int32_t values = 0;
    if (page.header.type == PageType::DATA_PAGE) values = page.header.data_page_header.num_values;
    if (page.header.type == PageType::DATA_PAGE_V2) {
      values = page.header.data_page_header_v2.num_values;
    }
    if (values < 0) return damaged(at, "a page has a negative number of values");
    return static_cast<std::uint64_t>(values);
  }

  const ParquetFile& file_;
  std::uint64_t window_bytes_;
  std::string window_;
  std::uint64_t window_start_ = 0;
};

}  // namespace

Status verify_parquet_pages(const std::string& path, const std::string& object) {
  ASSIGN_OR_RETURN(const ParquetFile file, ParquetFile::open(path, object));
  ASSIGN_OR_RETURN(const std::string footer, read_footer_bytes(file));
  ASSIGN_OR_RETURN(const ParquetMetadata metadata,
                   parse_metadata({.footer = footer,
                                   .data_end = data_end(file, footer.size()),
                                   .want_chunks = true,
                                   .object = object}));
  if (metadata.chunks.empty()) return {};
  // The first look must stay cheap: most files carry no checksums, and that is all it finds.
  ASSIGN_OR_RETURN(const bool checksums,
                   PageWalk(file, kUsualHeader).has_checksum(metadata.chunks.front()));
  if (!checksums) return {};
  PageWalk walk(file, kWindow);
  for (const ChunkPlace& chunk : metadata.chunks) RETURN_IF_ERROR(walk.verify(chunk));
  return {};
}

}  // namespace forebay
