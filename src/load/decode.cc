#include "load/decode.h"

#include <utility>

#include "base/digest.h"
#include "base/fault.h"
#include "load/staging.h"
#include "parquet/pages.h"
#include "parquet/raw_columns.h"

namespace forebay {
namespace {

// The rows of a file, read from the Parquet that was made of it. What the ledger says of the file,
// and whether it changed, is about the file itself, which stays open where it was read in place.
class DecodedFile final : public OpenFile {
 public:
  DecodedFile(std::unique_ptr<OpenFile> file, std::unique_ptr<OpenFile> rows)
      : file_(std::move(file)), rows_(std::move(rows)) {}
  std::string path() const override { return rows_->path(); }
  const ObjectInfo& info() const override { return rows_->info(); }
  Status unchanged() const override { return file_ == nullptr ? Status() : file_->unchanged(); }

 private:
  std::unique_ptr<OpenFile> file_;
  std::unique_ptr<OpenFile> rows_;
};

// Files of the same column names, and types where documents tell them, can be read together. Never
// that of a Parquet file.
std::string fingerprint(const std::vector<TextColumn>& columns, const DecodeRule& rule) {
  constexpr std::string_view kEnd("\0", 1);  // no name has one
  Digest digest(DigestKind::xxh3_128);
  const auto add = [&](std::string_view text) {
    digest.update(text);
    digest.update(kEnd);
  };
  for (const TextColumn& column : columns) add(column.name);
  for (const auto& [name, type] : rule.types) {
    add(name);
    add(type_text(type));
  }
  return "text " + digest.hex();
}

// Keeps the file itself, where it is read in place, beside the rows that were made of it.
void replace_rows(const Pipeline& pipeline, std::unique_ptr<StagingFile> rows, StagedFile& staged) {
  auto readable = rows->finish(staged.bytes->info());
  const bool in_place = pipeline.store->promises().in_place;
  staged.bytes = std::make_unique<DecodedFile>(in_place ? std::move(staged.bytes) : nullptr,
                                               std::move(readable));
}

// What a reader would round or refuse, and what a person says is something else than the file does.
RawColumns raw_columns(const Pipeline& pipeline, const StagedFile& staged) {
  RawColumns raw{.leaves = staged.footer.has_raw()};
  const ColumnRule& rule = pipeline.feed.of(staged.file.table).columns;
  for (const ParquetColumn& column : staged.footer.columns) {
    const bool claims = column.type.starts_with("BYTE_ARRAY (");
    if (!claims || !column.plain_bytes) continue;
    const auto type = rule.of(column.name).type;
    const bool bson = column.type.contains("BSON");
    if (bson || (type && type->word == "BLOB")) raw.bytes.insert(column.name);
    if (type && type->word == "TEXT" && !column.type.contains("STRING"))
      raw.texts.insert(column.name);
  }
  return raw;
}

Status stage_raw_columns(const Pipeline& pipeline, StagedFile& staged) {
  const RawColumns raw = raw_columns(pipeline, staged);
  if (raw.none()) return {};
  ASSIGN_OR_RETURN(auto rows, create_staging_file(pipeline.staging_folder));
  RETURN_IF_ERROR(
      write_raw_columns(staged.bytes->path(), staged.object, raw,
                        [&](std::span<const std::byte> bytes) { return rows->write(bytes); }));
  replace_rows(pipeline, std::move(rows), staged);
  return fault_point("fetch.decoded");
}

Status decode_staged_text(const Pipeline& pipeline, const FileForm& form, const DecodeRule& rule,
                          StagedFile& staged) {
  const ColumnRule& columns = pipeline.feed.of(staged.file.table).columns;
  ASSIGN_OR_RETURN(auto rows, create_staging_file(pipeline.staging_folder));
  ASSIGN_OR_RETURN(DecodedText decoded, decode_text({.form = form,
                                                     .path = staged.bytes->path(),
                                                     .size = staged.bytes->info().size,
                                                     .object = staged.object,
                                                     .columns = &columns},
                                                    [&](std::span<const std::byte> bytes) {
                                                      return rows->write(bytes);
                                                    }));
  replace_rows(pipeline, std::move(rows), staged);
  staged.footer = {.rows = decoded.rows, .schema_fingerprint = fingerprint(decoded.columns, rule)};
  staged.text = std::move(decoded.columns);
  return fault_point("fetch.decoded");
}

}  // namespace

Status decode(const Pipeline& pipeline, StagedFile& staged) {
  const DecodeRule& rule = staged.file.decode ? *staged.file.decode : pipeline.feed.decode;
  const FileForm form = form_of(rule, staged.file.key);
  if (form.format != FileFormat::parquet) return decode_staged_text(pipeline, form, rule, staged);
  ASSIGN_OR_RETURN(staged.footer, read_parquet_footer(staged.bytes->path(), staged.object));
  RETURN_IF_ERROR(verify_parquet_pages(staged.bytes->path(), staged.object));
  return stage_raw_columns(pipeline, staged);
}

}  // namespace forebay
