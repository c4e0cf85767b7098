// Whole Parquet files. Whatever the bytes are, the checks end, take no more memory than their
// limits allow, and blame the file, not the disk; what they let through can be written once more.
#include "parquet/footer.h"

#include <span>

#include "fuzz/fuzz.h"
#include "parquet/pages.h"
#include "parquet/raw_columns.h"
#include "parquet/splice.h"
#include "support/parquet_bytes.h"

namespace forebay::test {
namespace {

class Written {
 public:
  ParquetSplicer::Sink sink() {
    return [this](std::span<const std::byte> more) -> Status {
      bytes_.append(reinterpret_cast<const char*>(more.data()), more.size());
      return {};
    };
  }
  Result<ParquetFooter> footer() {
    file_.set(bytes_);
    return read_parquet_footer(file_.path(), "written");
  }

 private:
  std::string bytes_;
  MemoryFile file_;
};

void check_rewritten(const std::string& path, const ParquetFooter& footer) {
  Written raw;
  const Status wrote = write_raw_columns(path, "it", {.leaves = true}, raw.sink());
  // Here the whole footer is read, and not what matters alone.
  if (!wrote) {
    must(wrote.error().code == ErrorCode::damaged, "the file is to blame");
    return;
  }
  const auto raw_footer = raw.footer();
  must(raw_footer && raw_footer->rows == footer.rows &&
           raw_footer->columns.size() == footer.columns.size(),
       "with the rows and columns that it had");
  Written spliced;
  ParquetSplicer splicer(spliced.sink(), 1 << 20);
  const auto added = splicer.add(path, "it", 7);
  must(added.has_value(), "a sound file can be put to others, or is left alone");
  if (!*added) return;
  must(splicer.finish().has_value(), "and they are finished");
  const auto together = spliced.footer();
  must(together && together->rows == footer.rows &&
           together->columns.size() == footer.columns.size() + 1,
       "with a column more");
}

}  // namespace

FOREBAY_FUZZ(footer) {
  static MemoryFile file;
  file.set(input);
  const auto footer = read_parquet_footer(file.path(), "it");
  const Status pages = verify_parquet_pages(file.path(), "it");
  if (!footer) {
    const ErrorCode code = footer.error().code;
    must(code == ErrorCode::damaged || code == ErrorCode::refused, "the file is to blame");
    must(!pages, "no page of a file without a footer is sound");
    return;
  }
  if (!pages) {
    const ErrorCode code = pages.error().code;
    must(code == ErrorCode::damaged || code == ErrorCode::refused, "the file is to blame");
    return;
  }
  check_rewritten(file.path(), *footer);
}

}  // namespace forebay::test
