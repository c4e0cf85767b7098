#include "support/parquet_bytes.h"

#include <fmt/core.h>
#include <sys/mman.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "base/check.h"
#include "parquet/crc32.h"
#include "support/paths.h"

namespace forebay::test {
namespace {

using apache::thrift::protocol::TCompactProtocol;
using apache::thrift::transport::TMemoryBuffer;

constexpr std::uint64_t kTail = 8;

std::string little_endian_32(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  CHECK(in.is_open());
  std::string bytes(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  CHECK(out.good());
}

MemoryFile::MemoryFile()
    : descriptor_(::memfd_create("parquet", MFD_CLOEXEC)),
      path_(fmt::format("/proc/self/fd/{}", descriptor_)) {
  CHECK(descriptor_ >= 0);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

void MemoryFile::set(std::string_view bytes) {
  cut(0);
  const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), 0);
  CHECK(written == static_cast<ssize_t>(bytes.size()));
}

void MemoryFile::cut(std::uint64_t size) {
  CHECK(::ftruncate(descriptor_, static_cast<off_t>(size)) == 0);
}

std::uint64_t footer_offset(std::string_view file) {
  CHECK(file.size() >= 4 + kTail && file.ends_with("PAR1"));
  std::uint32_t length = 0;
  for (int i = 3; i >= 0; --i) {
    length = length << 8 | static_cast<unsigned char>(file[file.size() - kTail + i]);
  }
  CHECK(length + kTail + 4 <= file.size());
  return file.size() - kTail - length;
}

std::string_view footer_of(std::string_view file) {
  const std::uint64_t offset = footer_offset(file);
  return file.substr(offset, file.size() - kTail - offset);
}

parquet::FileMetaData decode_footer(std::string_view footer) {
  auto* bytes = reinterpret_cast<std::uint8_t*>(const_cast<char*>(footer.data()));
  TCompactProtocol in(
      std::make_shared<TMemoryBuffer>(bytes, static_cast<std::uint32_t>(footer.size())));
  parquet::FileMetaData metadata;
  metadata.read(&in);
  return metadata;
}

std::string encode(const apache::thrift::TBase& structure) {
  auto buffer = std::make_shared<TMemoryBuffer>();
  TCompactProtocol out(buffer);
  structure.write(&out);
  return buffer->getBufferAsString();
}

std::string join(std::string_view data, std::string_view footer,
                 std::optional<std::uint32_t> length) {
  std::string file(data);
  file += footer;
  file += little_endian_32(length.value_or(static_cast<std::uint32_t>(footer.size())));
  return file + "PAR1";
}

std::string with_footer(std::string_view file,
                        const std::function<void(parquet::FileMetaData&)>& change) {
  parquet::FileMetaData metadata = decode_footer(footer_of(file));
  change(metadata);
  return join(file.substr(0, footer_offset(file)), encode(metadata));
}

std::string page(const PageSpec& spec, std::size_t statistics) {
  parquet::PageHeader header;
  header.type = parquet::PageType::DATA_PAGE;
  header.compressed_page_size = header.uncompressed_page_size =
      static_cast<std::int32_t>(spec.body.size());
  if (spec.checksum) header.__set_crc(static_cast<std::int32_t>(crc32(spec.body)));
  parquet::DataPageHeader data;
  data.num_values = spec.values;
  if (statistics > 0) {
    parquet::Statistics range;
    range.__set_max_value(std::string(statistics, 'm'));
    data.__set_statistics(range);
  }
  header.__set_data_page_header(data);
  return encode(header) + spec.body;
}

std::string file_of(const std::string& pages, std::int64_t values) {
  parquet::FileMetaData metadata;
  metadata.version = 1;
  metadata.num_rows = values;
  parquet::SchemaElement root;
  root.name = "schema";
  root.__set_num_children(1);
  parquet::SchemaElement column;
  column.name = "c";
  column.__set_type(parquet::Type::INT32);
  column.__set_repetition_type(parquet::FieldRepetitionType::REQUIRED);
  metadata.schema = {root, column};
  parquet::ColumnMetaData chunk;
  chunk.type = parquet::Type::INT32;
  chunk.path_in_schema = {"c"};
  chunk.num_values = values;
  chunk.total_compressed_size = static_cast<std::int64_t>(pages.size());
  chunk.data_page_offset = 4;
  parquet::RowGroup group;
  group.num_rows = values;
  group.columns.resize(1);
  group.columns[0].__set_meta_data(chunk);
  metadata.row_groups = {group};
  return join("PAR1" + pages, encode(metadata));
}

std::optional<std::string> samples_dir() {
  const char* named = std::getenv("FOREBAY_SAMPLES");
  const std::filesystem::path folder =
      named ? std::filesystem::path(named) : source_dir() / ".." / "shared" / "samples";
  if (!std::filesystem::is_directory(folder / "parquet-testing")) return std::nullopt;
  return folder.string();
}

}  // namespace forebay::test
