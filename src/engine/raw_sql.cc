#include "engine/raw_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/check.h"
#include "engine/collapse_sql.h"
#include "engine/decimal_text.h"
#include "engine/int96.h"
#include "engine/value.h"

namespace forebay::duckdb {
namespace {

// In one column; the leaves are taken in their order.
class RawSql {
 public:
  RawSql(std::span<const RawValue> raw, const std::string& column) : raw_(raw), column_(column) {}

  std::string of(const std::string& value, const ColumnType& type) {
    const std::span<const RawValue> inside = raw_.subspan(next_, leaf_count(type));
    const bool any = std::ranges::any_of(
        inside, [](const RawValue& leaf) { return leaf.kind != RawValue::Kind::none; });
    if (any && !type.children.empty()) return nested(value, type);
    next_ += inside.size();
    return any ? leaf(value, inside.front()) : value;
  }

 private:
  std::string nested(const std::string& value, const ColumnType& type) {
    const std::string each = fmt::format("x{}", depth_++);
    std::string sql;
    if (type.kind == TypeKind::list) {
      sql =
          fmt::format("list_transform({}, lambda {}: {})", value, each, of(each, type.children[0]));
    } else if (type.kind == TypeKind::map) {
      const std::string key = of(each + ".\"key\"", type.children[0]);
      const std::string mapped = of(each + ".\"value\"", type.children[1]);
      sql = fmt::format(
          "map_from_entries(list_transform(map_entries({}), lambda {}: struct_pack(k := {}, v := "
          "{})))",
          value, each, key, mapped);
    } else {
      std::vector<std::string> fields;
      for (std::size_t i = 0; i < type.children.size(); ++i) {
        const std::string& name = type.field_names[i];
        fields.push_back(fmt::format(
            "{} := {}", quote(name),
            of(fmt::format("struct_extract({}, {})", value, literal(name)), type.children[i])));
      }
      sql = fmt::format("struct_pack({})", fmt::join(fields, ", "));
    }
    --depth_;
    return fmt::format("CASE WHEN {} IS NULL THEN NULL ELSE {} END", value, sql);
  }

  std::string leaf(const std::string& value, const RawValue& raw) const {
    if (raw.kind == RawValue::Kind::decimal_text)
      return fmt::format("{}({}, {})", kDecimalFunction, value, raw.scale);
    const bool fine = raw.kind == RawValue::Kind::time_ns;
    const std::string ticks = fmt::format("{}({}, {})", kInt96Function, value, fine ? 1 : 1000);
    const std::string way = depth_ > 0 ? ""
                                       : "; declared as TIMESTAMP_NS under `columns` it keeps "
                                         "nanoseconds";
    const std::string mark =
        literal(fmt::format("an INT96 time {} {} ({}): ", kDriftMark, column_,
                            fine ? "TIMESTAMP_NS" : "TIMESTAMP, which has microseconds" + way));
    return fmt::format(
        "CASE WHEN {0} IS NULL THEN NULL WHEN {1} IS NULL THEN error({2} || "
        "coalesce(make_timestamp_ns({3}({0}, 1))::VARCHAR, hex({0}))) ELSE {4}({1}) END",
        value, ticks, mark, kInt96Function, fine ? "make_timestamp_ns" : "make_timestamp");
  }

  std::span<const RawValue> raw_;
  const std::string& column_;
  std::size_t next_ = 0;
  int depth_ = 0;
};

}  // namespace

std::string raw_value_sql(const std::string& value, const ColumnType& type,
                          const std::vector<RawValue>& raw, const std::string& column) {
  CHECK(raw.size() == leaf_count(type));
  return RawSql(raw, column).of(value, type);
}

}  // namespace forebay::duckdb
