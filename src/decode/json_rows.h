#pragma once

#include <string>

#include "base/result.h"
#include "decode/byte_source.h"
#include "decode/row_sink.h"
#include "feed/decode_rule.h"

namespace forebay {

// Reads JSON rows: one object a line (blank lines are nothing), or one array of objects, which is
// told by its first character. A key is a column; a key that is missing, or null, is null. Numbers
// keep the digits they are written with. Objects and lists become JSON text without needless
// spaces. damaged, with the line: what is no JSON, a row that is no object, a key given twice at
// any level, a NUL character, more levels, bytes or keys than limits.h allows. A shape says where
// in each object its row stands; damaged then too: an object without a row.
Status read_json_rows(ByteSource& text, const JsonShape& shape, const std::string& object,
                      RowSink& rows);

}  // namespace forebay
