#pragma once

#include <string>

#include "base/result.h"
#include "decode/byte_source.h"
#include "decode/row_sink.h"
#include "feed/decode_rule.h"

namespace forebay {

// Reads CSV or TSV as RFC 4180 has it, strictly: rows end with LF or CRLF, the last one may lack
// it; quotes stand around a whole field and are doubled (or escaped) within; delimiters and line
// ends within quotes are text. An empty field, or one of the dialect's texts for null, is null
// unless it is quoted. Every row has exactly the header's fields. damaged, with the line where the
// row begins: too many or too few fields, a quote that stands elsewhere or stays open, a carriage
// return alone, no header line, a row beyond limits.h.
Status read_csv(ByteSource& text, const CsvDialect& dialect, const std::string& object,
                RowSink& rows);

}  // namespace forebay
