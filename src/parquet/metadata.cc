#include "parquet/metadata.h"

#include <fmt/core.h>
#include <thrift/Thrift.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "parquet/thrift_bytes.h"

namespace forebay {
namespace {

namespace thrift = apache::thrift;
using parquet::Encoding;
using thrift::protocol::TType;
using Protocol = thrift::protocol::TCompactProtocolT<thrift::transport::TMemoryBuffer>;

bool known_encoding(std::int32_t encoding) {
  return encoding == Encoding::PLAIN ||
         (encoding >= Encoding::PLAIN_DICTIONARY && encoding <= Encoding::BYTE_STREAM_SPLIT);
}

class MetadataReader {
 public:
  explicit MetadataReader(const MetadataRequest& request)
      : request_(request),
        buffer_(thrift_buffer(request.footer)),
        in_(buffer_, limit(request.footer), limit(request.footer)) {}

  Result<ParquetMetadata> read() {
    RETURN_IF_ERROR(read_file());
    if (!has_version_) return damaged("the footer has no version");
    if (!has_schema_) return damaged("the footer has no schema");
    if (!claimed_rows_) return damaged("the footer does not say how many rows there are");
    if (!has_row_groups_) return damaged("the footer has no list of row groups");
    if (buffer_->available_read() > 0) {
      return damaged(fmt::format("{} bytes follow the footer", buffer_->available_read()));
    }
    if (*claimed_rows_ < 0) return damaged("the footer claims a negative number of rows");
    if (metadata_.rows != static_cast<std::uint64_t>(*claimed_rows_)) {
      return damaged(fmt::format("the footer claims {} rows, but its row groups have {}",
                                 *claimed_rows_, metadata_.rows));
    }
    return std::move(metadata_);
  }

 private:
  // No text and no container is longer than the footer around it.
  static std::int32_t limit(std::string_view footer) {
    return static_cast<std::int32_t>(footer.size());
  }

  std::unexpected<Error> complain(ErrorCode code, std::string cause, std::string hint) const {
    return fail({.code = code,
                 .operation = "read the Parquet footer",
                 .object = request_.object,
                 .cause = std::move(cause),
                 .hint = std::move(hint)});
  }
  std::unexpected<Error> damaged(std::string cause) const {
    return complain(ErrorCode::damaged, std::move(cause), "Have the file written again.");
  }
  std::unexpected<Error> refused(std::string cause) const {
    return complain(ErrorCode::refused, std::move(cause),
                    "Have the file written in a way that the reader knows.");
  }

  // Calls `on_field` with the id and type of every field of the struct that follows. What it does
  // not take (false) is passed over.
  template <class OnField>
  Status each_field(OnField on_field) {
    std::string name;
    TType type = thrift::protocol::T_STOP;
    std::int16_t id = 0;
    std::uint64_t seen = 0;
    in_.readStructBegin(name);
    for (in_.readFieldBegin(name, type, id); type != thrift::protocol::T_STOP;
         in_.readFieldBegin(name, type, id)) {
      if (id >= 0 && id < 64) {
        const std::uint64_t bit = std::uint64_t{1} << id;
        if (seen & bit) return damaged(fmt::format("field {} is there twice", id));
        seen |= bit;
      }
      ASSIGN_OR_RETURN(const bool taken, on_field(id, type));
      if (!taken) in_.skip(type);
      in_.readFieldEnd();
    }
    in_.readStructEnd();
    return {};
  }

  // Calls `on_element` as often as the list that follows has elements.
  template <class OnElement>
  Status each_element(TType expected, OnElement on_element) {
    TType type = thrift::protocol::T_STOP;
    std::uint32_t size = 0;
    in_.readListBegin(type, size);
    if (size > 0 && type != expected) return damaged("a list has elements of the wrong type");
    for (std::uint32_t i = 0; i < size; ++i) RETURN_IF_ERROR(on_element(i, size));
    in_.readListEnd();
    return {};
  }

  Result<bool> take(TType type, std::optional<std::int64_t>& value) {
    if (type != thrift::protocol::T_I64) return damaged("a number has the wrong type");
    in_.readI64(value.emplace());
    return true;
  }
  Result<bool> take(TType type, std::optional<std::int32_t>& value) {
    if (type != thrift::protocol::T_I32) return damaged("a number has the wrong type");
    in_.readI32(value.emplace());
    return true;
  }
  Result<bool> taken(Status status) {
    RETURN_IF_ERROR(std::move(status));
    return true;
  }

  Status read_file() {
    return each_field([&](std::int16_t id, TType type) -> Result<bool> {
      switch (id) {
        case 1: {
          std::optional<std::int32_t> version;
          has_version_ = true;
          return take(type, version);
        }
        case 2: return is_list(type) ? taken(read_schema()) : wrong_type();
        case 3: return take(type, claimed_rows_);
        case 4: return is_list(type) ? taken(read_row_groups()) : wrong_type();
        case 8: return refused("the file is encrypted");
        default: return false;
      }
    });
  }

  static bool is_list(TType type) { return type == thrift::protocol::T_LIST; }
  Result<bool> wrong_type() const { return damaged("a field has the wrong type"); }

  Status read_schema() {
    std::vector<parquet::SchemaElement> elements;
    RETURN_IF_ERROR(each_element(
        thrift::protocol::T_STRUCT, [&](std::uint32_t i, std::uint32_t size) -> Status {
          if (i == 0 && size > kMaxParquetSchemaElements) {
            return damaged(fmt::format("the schema has {} elements; at most {} are read", size,
                                       kMaxParquetSchemaElements));
          }
          elements.emplace_back().read(&in_);
          return {};
        }));
    ASSIGN_OR_RETURN(metadata_.schema, build_schema(elements, request_.object));
    has_schema_ = true;
    return {};
  }

  Status read_row_groups() {
    if (!has_schema_) return damaged("the row groups come before the schema");
    has_row_groups_ = true;
    return each_element(thrift::protocol::T_STRUCT,
                        [&](std::uint32_t, std::uint32_t) { return read_row_group(); });
  }

  Status read_row_group() {
    std::optional<std::int64_t> rows;
    std::optional<std::int64_t> bytes;
    chunks_.clear();
    bool has_columns = false;
    RETURN_IF_ERROR(each_field([&](std::int16_t id, TType type) -> Result<bool> {
      switch (id) {
        case 1: has_columns = true; return is_list(type) ? taken(read_chunks()) : wrong_type();
        case 2: return take(type, bytes);
        case 3: return take(type, rows);
        default: return false;
      }
    }));
    if (!has_columns || !bytes || !rows) return damaged("a row group lacks a required field");
    if (*rows < 0 || *bytes < 0) return damaged("a row group has a negative number");
    if (chunks_.size() != metadata_.schema.leaves.size()) {
      return damaged(fmt::format("a row group has {} column chunks for {} columns", chunks_.size(),
                                 metadata_.schema.leaves.size()));
    }
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (static_cast<std::uint64_t>(*rows) > kMost - metadata_.rows) {
      return damaged("the row groups claim more rows than can be counted");
    }
    metadata_.rows += static_cast<std::uint64_t>(*rows);
    for (std::size_t leaf = 0; leaf < chunks_.size(); ++leaf) {
      RETURN_IF_ERROR(keep(chunks_[leaf], metadata_.schema.leaves[leaf], *rows));
    }
    return {};
  }

  Status keep(const ChunkDescription& chunk, const ParquetSchema::Leaf& leaf, std::int64_t rows) {
    ASSIGN_OR_RETURN(const ChunkPlace place, check_chunk(chunk, {.leaf = leaf,
                                                                 .rows = rows,
                                                                 .data_end = request_.data_end,
                                                                 .object = request_.object}));
    if (request_.want_chunks && place.bytes > 0) metadata_.chunks.push_back(place);
    return {};
  }

  Status read_chunks() {
    return each_element(
        thrift::protocol::T_STRUCT, [&](std::uint32_t i, std::uint32_t size) -> Status {
          if (size > metadata_.schema.leaves.size()) {
            return damaged(fmt::format("a row group has {} column chunks for {} columns", size,
                                       metadata_.schema.leaves.size()));
          }
          if (++chunk_count_ > request_.max_chunks) {
            return damaged(
                fmt::format("there are more than {} column chunks", request_.max_chunks));
          }
          return read_chunk(chunks_.emplace_back(), metadata_.schema.leaves[i]);
        });
  }

  Status read_chunk(ChunkDescription& chunk, const ParquetSchema::Leaf& leaf) {
    return each_field([&](std::int16_t id, TType type) -> Result<bool> {
      switch (id) {
        case 1: {
          if (type != thrift::protocol::T_STRING) return wrong_type();
          in_.readString(text_);
          if (!text_.empty()) return refused("a column of the file lies in another file");
          return true;
        }
        case 3:
          if (type != thrift::protocol::T_STRUCT) return wrong_type();
          chunk.has_metadata = true;
          return taken(read_chunk_metadata(chunk, leaf));
        case 8:
        case 9: return refused("a column of the file is encrypted");
        default: return false;
      }
    });
  }

  Status read_chunk_metadata(ChunkDescription& chunk, const ParquetSchema::Leaf& leaf) {
    return each_field([&](std::int16_t id, TType type) -> Result<bool> {
      switch (id) {
        case 1: return take(type, chunk.type);
        case 2:
          chunk.has_encodings = true;
          return is_list(type) ? taken(read_encodings()) : wrong_type();
        case 3: chunk.has_path = true; return is_list(type) ? taken(read_path(leaf)) : wrong_type();
        case 4: return take(type, chunk.codec);
        case 5: return take(type, chunk.values);
        case 6: return take(type, chunk.uncompressed_bytes);
        case 7: return take(type, chunk.bytes);
        case 9: return take(type, chunk.data_page);
        case 11: return take(type, chunk.dictionary_page);
        default: return false;
      }
    });
  }

  Status read_encodings() {
    return each_element(thrift::protocol::T_I32, [&](std::uint32_t, std::uint32_t) -> Status {
      std::int32_t encoding = 0;
      in_.readI32(encoding);
      if (known_encoding(encoding)) return {};
      return refused(fmt::format("a column has the unknown encoding {}", encoding));
    });
  }

  // The chunk must be the leaf's: a reader that goes by position would mix up columns silently.
  Status read_path(const ParquetSchema::Leaf& leaf) {
    const auto& nodes = metadata_.schema.nodes;
    path_.clear();
    for (std::uint32_t node = leaf.node; node != 0; node = nodes[node].parent)
      path_.push_back(node);
    std::uint32_t parts = 0;
    RETURN_IF_ERROR(each_element(
        thrift::protocol::T_STRING, [&](std::uint32_t i, std::uint32_t size) -> Status {
          parts = size;
          in_.readString(text_);
          if (size == path_.size() && text_ == nodes[path_[size - 1 - i]].name) return {};
          return damaged("a column chunk is not where the schema has its column");
        }));
    if (parts == path_.size()) return {};
    return damaged("a column chunk is not where the schema has its column");
  }

  const MetadataRequest& request_;
  std::shared_ptr<thrift::transport::TMemoryBuffer> buffer_;
  Protocol in_;
  ParquetMetadata metadata_;
  bool has_version_ = false;
  bool has_schema_ = false;
  bool has_row_groups_ = false;
  std::optional<std::int64_t> claimed_rows_;
  std::uint64_t chunk_count_ = 0;
  // Kept between calls for their memory.
  std::vector<ChunkDescription> chunks_;
  std::vector<std::uint32_t> path_;
  std::string text_;
};

}  // namespace

Result<ParquetMetadata> parse_metadata(const MetadataRequest& request) {
  try {
    return MetadataReader(request).read();
  } catch (const thrift::TException& exception) {
    return fail({.code = ErrorCode::damaged,
                 .operation = "read the Parquet footer",
                 .object = request.object,
                 .cause = fmt::format("the footer cannot be decoded: {}", exception.what()),
                 .hint = "Have the file written again."});
  }
}

}  // namespace forebay
