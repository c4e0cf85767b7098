#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "decode/json_row_builder.h"
#include "decode/row_sink.h"
#include "feed/decode_rule.h"

namespace forebay {

// Takes records and gives rows: what stands at the shape's root, and what the shape takes from the
// record beside it. What lies deeper in a record came as JSON text, and is read as a record again.
class JsonEnvelope final : public RowSink {
 public:
  JsonEnvelope(const JsonShape& shape, const std::string& object, RowSink& rows);

  Result<std::size_t> add_column(std::string_view name) override;
  void set(std::size_t column, std::string_view value, TextOrigin origin) override;
  // damaged: none of the roots is an object.
  Status end_row() override;

 private:
  struct Field {
    std::string text;
    TextOrigin origin = TextOrigin::nested;

    bool is_object() const { return origin == TextOrigin::nested && text.starts_with('{'); }
  };
  // What stands in one object; nulls are left out.
  using Fields = std::map<std::string, Field, std::less<>>;
  class FieldSink;
  // The row's values go on as they are; its end is the record's.
  class RootSink;

  static std::optional<Field> item(const std::string& list, const std::string& number);
  std::optional<Field> at(const std::vector<std::string>& path) const;
  // Whether the record is one of those that are rows.
  bool is_wanted() const;
  Status read_root();
  Status set_record();
  Result<std::size_t> column_of(const std::string& name);

  const JsonShape& shape_;
  const std::string& object_;
  RowSink& rows_;
  std::vector<std::string> names_;  // of the record's fields
  Fields record_;
  std::map<std::string, std::size_t, std::less<>> columns_;  // of the rows
  std::set<std::size_t> set_in_row_;                         // columns, by the row itself
  std::uint64_t row_ = 0;
};

}  // namespace forebay
