#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "parquet_types.h"

namespace forebay::test {

// Takes Parquet files apart and puts them together again, damaged as a test wants them.

std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view bytes);

// A file without a name that lives in memory; many small ones cost microseconds.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // A path that opens it, while this object lives.
  const std::string& path() const { return path_; }
  void set(std::string_view bytes);
  // Cuts it off behind its first `size` bytes.
  void cut(std::uint64_t size);

 private:
  int descriptor_;
  std::string path_;
};

// The offset of the footer in a whole file.
std::uint64_t footer_offset(std::string_view file);
std::string_view footer_of(std::string_view file);

parquet::FileMetaData decode_footer(std::string_view footer);
// Any of the format's structures as a file holds it.
std::string encode(const apache::thrift::TBase& structure);

// A file of that data (which starts with PAR1) and footer; `length` overrides the true one.
std::string join(std::string_view data, std::string_view footer,
                 std::optional<std::uint32_t> length = {});

// The file with its footer changed by `change`, its data as it was.
std::string with_footer(std::string_view file,
                        const std::function<void(parquet::FileMetaData&)>& change);

// A data page, and a file of one INT32 column "c" in one row group whose chunk is `pages`.
struct PageSpec {
  std::string body;
  std::int32_t values = 0;
  bool checksum = true;
};
std::string page(const PageSpec& spec, std::size_t statistics = 0);
std::string file_of(const std::string& pages, std::int64_t values);

// The folder of sample files of other writers, from FOREBAY_SAMPLES or beside the project; nothing
// when it is not there.
std::optional<std::string> samples_dir();

}  // namespace forebay::test
