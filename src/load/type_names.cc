#include "load/type_names.h"

#include <map>
#include <string>

namespace forebay {

ColumnType column_type(const TypeName& name) {
  static const std::map<std::string, TypeKind> kKinds = {{"BOOLEAN", TypeKind::boolean},
                                                         {"TINYINT", TypeKind::int8},
                                                         {"SMALLINT", TypeKind::int16},
                                                         {"INTEGER", TypeKind::int32},
                                                         {"BIGINT", TypeKind::int64},
                                                         {"HUGEINT", TypeKind::int128},
                                                         {"UBIGINT", TypeKind::uint64},
                                                         {"FLOAT", TypeKind::float32},
                                                         {"DOUBLE", TypeKind::float64},
                                                         {"DECIMAL", TypeKind::decimal},
                                                         {"TEXT", TypeKind::text},
                                                         {"BLOB", TypeKind::blob},
                                                         {"UUID", TypeKind::uuid},
                                                         {"JSON", TypeKind::json},
                                                         {"DATE", TypeKind::date},
                                                         {"TIME", TypeKind::time},
                                                         {"TIMESTAMP", TypeKind::timestamp_us},
                                                         {"TIMESTAMP_NS", TypeKind::timestamp_ns},
                                                         {"TIMESTAMPTZ", TypeKind::timestamp_tz}};
  return {.kind = kKinds.at(name.word), .width = name.digits, .scale = name.after_point};
}

}  // namespace forebay
