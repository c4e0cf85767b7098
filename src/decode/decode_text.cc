#include "decode/decode_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "decode/byte_source.h"
#include "decode/csv.h"
#include "decode/json_rows.h"

namespace forebay {
namespace {

// Rows go to the writer, and what their values could be is noted on the way.
class ProfilingSink final : public RowSink {
 public:
  ProfilingSink(TextParquetWriter& writer, const DecodeRequest& request)
      : writer_(writer), object_(request.object), rule_(request.columns) {}

  Result<std::size_t> add_column(std::string_view name) override {
    if (columns_.size() == kMaxTextColumns)
      return fail(undecodable(object_, fmt::format("more than {} columns", kMaxTextColumns)));
    columns_.push_back({.name = std::string(name), .profile = {}});
    nulls_.push_back(rule_ == nullptr ? std::vector<std::string>()
                                      : rule_->of(columns_.back().name).null_values);
    return writer_.add_column();
  }
  void set(std::size_t column, std::string_view value, TextOrigin origin) override {
    if (std::ranges::find(nulls_[column], value) != nulls_[column].end()) return;
    columns_[column].profile.add(value, origin);
    writer_.set(column, value);
  }
  Status end_row() override { return writer_.end_row(); }

  std::vector<TextColumn> take_columns() { return std::move(columns_); }

 private:
  TextParquetWriter& writer_;
  const std::string& object_;
  const ColumnRule* rule_;
  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> nulls_;  // of each column, what means null
};

}  // namespace

Result<DecodedText> decode_text(const DecodeRequest& request, TextParquetWriter::Sink parquet) {
  CHECK(request.form.format != FileFormat::parquet);
  ASSIGN_OR_RETURN(auto file, open_file_source(request.path, request.object));
  const auto text =
      check_text(unpack(std::move(file), request.form.compression, request.size, request.object),
                 request.object);
  TextParquetWriter writer(std::move(parquet));
  ProfilingSink rows(writer, request);
  if (request.form.format == FileFormat::json) {
    RETURN_IF_ERROR(read_json_rows(*text, request.form.shape, request.object, rows));
  } else {
    RETURN_IF_ERROR(read_csv(*text, request.form.dialect, request.object, rows));
  }
  RETURN_IF_ERROR(writer.finish());
  return DecodedText{.rows = writer.rows(), .columns = rows.take_columns()};
}

}  // namespace forebay
