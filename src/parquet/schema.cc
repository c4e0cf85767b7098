#include "parquet/schema.h"

#include <fmt/core.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/digest.h"
#include "base/limits.h"

namespace forebay {
namespace {

using parquet::ConvertedType;
using parquet::FieldRepetitionType;
using parquet::SchemaElement;
using parquet::Type;

// A group whose children are still to come.
struct OpenGroup {
  std::uint32_t node = 0;
  std::int64_t missing = 0;
  bool repeated = false;
};

std::unexpected<Error> damaged(const std::string& object, std::string cause) {
  return fail({.code = ErrorCode::damaged,
               .operation = "read the Parquet schema",
               .object = object,
               .cause = std::move(cause),
               .hint = "Have the file written again."});
}

// A name as messages show it: a damaged file may claim one of any length.
std::string shown(const std::string& name) { return name.substr(0, 100); }

bool is_leaf(const SchemaElement& element) { return element.__isset.type; }

bool is_repeated(const SchemaElement& element) {
  return element.repetition_type == FieldRepetitionType::REPEATED;
}

bool is_bytes(Type::type type) {
  return type == Type::BYTE_ARRAY || type == Type::FIXED_LEN_BYTE_ARRAY;
}

bool is_decimal(const SchemaElement& element) {
  return (element.__isset.logicalType && element.logicalType.__isset.DECIMAL) ||
         (element.__isset.converted_type && element.converted_type == ConvertedType::DECIMAL);
}

int decimal_precision(const SchemaElement& element) {
  const bool logical = element.__isset.logicalType && element.logicalType.__isset.DECIMAL;
  return logical ? element.logicalType.DECIMAL.precision : element.precision;
}

int decimal_scale(const SchemaElement& element) {
  const bool logical = element.__isset.logicalType && element.logicalType.__isset.DECIMAL;
  return logical ? element.logicalType.DECIMAL.scale : element.scale;
}

const char* physical_name(int type) {
  switch (type) {
    case Type::BOOLEAN: return "BOOLEAN";
    case Type::INT32: return "INT32";
    case Type::INT64: return "INT64";
    case Type::INT96: return "INT96";
    case Type::FLOAT: return "FLOAT";
    case Type::DOUBLE: return "DOUBLE";
    case Type::BYTE_ARRAY: return "BYTE_ARRAY";
    case Type::FIXED_LEN_BYTE_ARRAY: return "FIXED_LEN_BYTE_ARRAY";
    default: return nullptr;
  }
}

const char* logical_name(const SchemaElement& element) {
  if (element.__isset.logicalType) {
    const auto& set = element.logicalType.__isset;
    if (set.STRING) return "STRING";
    if (set.MAP) return "MAP";
    if (set.LIST) return "LIST";
    if (set.ENUM) return "ENUM";
    if (set.DATE) return "DATE";
    if (set.TIME) return "TIME";
    if (set.TIMESTAMP) return "TIMESTAMP";
    if (set.INTEGER) return "INTEGER";
    if (set.UNKNOWN) return "NULL";
    if (set.JSON) return "JSON";
    if (set.BSON) return "BSON";
    if (set.UUID) return "UUID";
    if (set.FLOAT16) return "FLOAT16";
    if (set.VARIANT) return "VARIANT";
    if (set.GEOMETRY) return "GEOMETRY";
    if (set.GEOGRAPHY) return "GEOGRAPHY";
  }
  if (!element.__isset.converted_type) return nullptr;
  const auto name = parquet::_ConvertedType_VALUES_TO_NAMES.find(element.converted_type);
  if (name == parquet::_ConvertedType_VALUES_TO_NAMES.end()) return nullptr;
  return element.converted_type == ConvertedType::UTF8 ? "STRING" : name->second;
}

std::string type_text(const SchemaElement& element) {
  if (!is_leaf(element)) return "group";
  if (is_decimal(element)) {
    return fmt::format("DECIMAL({},{})", decimal_precision(element), decimal_scale(element));
  }
  const char* logical = logical_name(element);
  const char* physical = physical_name(element.type);
  return logical ? fmt::format("{} ({})", physical, logical) : physical;
}

// What is wrong with an element by itself, if anything.
std::optional<std::string> leaf_fault(const SchemaElement& element) {
  if (physical_name(element.type) == nullptr) {
    return fmt::format("has the unknown type {}", static_cast<int>(element.type));
  }
  if (element.num_children > 0) return "has both a type and children";
  if (element.type == Type::FIXED_LEN_BYTE_ARRAY &&
      (!element.__isset.type_length || element.type_length <= 0)) {
    return "is of fixed length but does not say which";
  }
  if (!is_decimal(element)) return std::nullopt;
  const int precision = decimal_precision(element);
  const int scale = decimal_scale(element);
  if (precision < 1 || scale < 0 || scale > precision) {
    return fmt::format("is a decimal of {} digits, {} of them after the point", precision, scale);
  }
  if (precision > kMaxDecimalDigits && !is_bytes(element.type)) {
    return fmt::format("is a decimal of {} digits in a type that has room for fewer", precision);
  }
  return std::nullopt;
}

std::optional<std::string> element_fault(const SchemaElement& element) {
  // No reader's language can say such a name.
  if (element.name.contains('\0')) return "has a NUL byte in its name";
  if (!element.__isset.repetition_type) return "does not say whether it is required";
  if (element.repetition_type < FieldRepetitionType::REQUIRED ||
      element.repetition_type > FieldRepetitionType::REPEATED) {
    return "has an unknown repetition";
  }
  if (is_leaf(element)) return leaf_fault(element);
  if (!element.__isset.num_children || element.num_children <= 0) {
    return "has neither a type nor children";
  }
  return std::nullopt;
}

// Each element written again without what this version of the format does not know, so that equal
// schemas give equal bytes whoever wrote them. The root's name says nothing about the data.
std::string fingerprint(std::span<const SchemaElement> elements) {
  auto buffer = std::make_shared<apache::thrift::transport::TMemoryBuffer>();
  apache::thrift::protocol::TCompactProtocol out(buffer);
  SchemaElement root;
  root.__set_num_children(elements.front().num_children);
  root.write(&out);
  for (const SchemaElement& element : elements.subspan(1)) element.write(&out);
  std::uint8_t* bytes = nullptr;
  std::uint32_t size = 0;
  buffer->getBuffer(&bytes, &size);
  return digest_hex(DigestKind::xxh3_128, {reinterpret_cast<const char*>(bytes), size});
}

class Builder {
 public:
  Builder(std::span<const SchemaElement> elements, const std::string& object)
      : elements_(elements), object_(object) {}

  Result<ParquetSchema> build() {
    if (elements_.empty()) return damaged(object_, "the schema is empty");
    const SchemaElement& root = elements_.front();
    if (root.__isset.type) return damaged(object_, "the root of the schema is a value");
    if (root.num_children < 0) return damaged(object_, "the root has a negative number of columns");
    schema_.nodes.reserve(elements_.size());
    schema_.nodes.push_back({.name = "", .parent = 0});
    if (root.num_children > 0) open_.push_back({.node = 0, .missing = root.num_children});
    for (const SchemaElement& element : elements_.subspan(1)) RETURN_IF_ERROR(add(element));
    if (!open_.empty()) return damaged(object_, "the schema ends before its tree is complete");
    schema_.fingerprint = fingerprint(elements_);
    return std::move(schema_);
  }

 private:
  Status add(const SchemaElement& element) {
    if (open_.empty()) {
      return damaged(object_,
                     fmt::format("schema element '{}' belongs to no group", shown(element.name)));
    }
    if (const auto fault = element_fault(element)) {
      return damaged(object_, fmt::format("schema element '{}' {}", shown(element.name), *fault));
    }
    OpenGroup& around = open_.back();
    const bool repeated = around.repeated || is_repeated(element);
    const auto depth = static_cast<std::uint32_t>(open_.size());
    const auto node = static_cast<std::uint32_t>(schema_.nodes.size());
    schema_.nodes.push_back({.name = element.name, .parent = around.node});
    --around.missing;
    if (depth == 1) add_column(element);
    if (is_leaf(element)) {
      schema_.leaves.push_back({node, element.type, repeated, depth});
      note_leaf(element);
    } else {
      if (depth >= kMaxParquetSchemaDepth) return damaged(object_, "the schema is too deep");
      open_.push_back({.node = node, .missing = element.num_children, .repeated = repeated});
    }
    while (!open_.empty() && open_.back().missing == 0) open_.pop_back();
    return {};
  }

  void add_column(const SchemaElement& element) {
    schema_.columns.push_back(
        {.name = element.name,
         .type = type_text(element),
         .required = element.repetition_type == FieldRepetitionType::REQUIRED,
         .plain_bytes = is_leaf(element) && !is_repeated(element) && is_bytes(element.type)});
  }

  void note_leaf(const SchemaElement& element) {
    ParquetColumn& column = schema_.columns.back();
    RawLeaf leaf;
    if (element.type == Type::INT96) leaf.form = RawLeaf::Form::time;
    if (is_decimal(element)) {
      const int precision = decimal_precision(element);
      column.decimal_precision = std::max(column.decimal_precision, precision);
      if (precision > kMaxDecimalDigits && is_bytes(element.type))
        leaf = {.form = RawLeaf::Form::decimal, .scale = decimal_scale(element)};
    }
    column.leaves.push_back(leaf);
  }

  std::span<const SchemaElement> elements_;
  const std::string& object_;
  ParquetSchema schema_;
  std::vector<OpenGroup> open_;
};

}  // namespace

Result<ParquetSchema> build_schema(std::span<const SchemaElement> elements,
                                   const std::string& object) {
  return Builder(elements, object).build();
}

}  // namespace forebay
