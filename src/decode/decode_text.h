#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/text_profile.h"
#include "feed/decode_rule.h"
#include "feed/row_rule.h"
#include "parquet/text_writer.h"

namespace forebay {

// A column of a file of text: its name there, and which types its values could have.
struct TextColumn {
  std::string name;
  TextProfile profile;
};

struct DecodedText {
  std::uint64_t rows = 0;
  std::vector<TextColumn> columns;
};

struct DecodeRequest {
  const FileForm& form;  // not Parquet
  std::string path;      // of the file to read
  std::uint64_t size = 0;
  const std::string& object;            // for messages
  const ColumnRule* columns = nullptr;  // which texts mean null in one of them
};

// Writes the rows of a file of text into `parquet`, in their order, every column as text under
// text_column_name(). damaged: the file is not what its form says; unavailable, interrupted, and
// the sink's errors. Any thread.
Result<DecodedText> decode_text(const DecodeRequest& request, TextParquetWriter::Sink parquet);

}  // namespace forebay
