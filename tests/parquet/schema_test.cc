// Aim: the schema tree must close exactly, and every element must make sense by itself.

#include "parquet/schema.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace forebay {
namespace {

using parquet::ConvertedType;
using parquet::FieldRepetitionType;
using parquet::SchemaElement;
using parquet::Type;

SchemaElement group(const std::string& name, int children,
                    FieldRepetitionType::type repetition = FieldRepetitionType::OPTIONAL) {
  SchemaElement element;
  element.__set_name(name);
  element.__set_num_children(children);
  element.__set_repetition_type(repetition);
  return element;
}

SchemaElement leaf(const std::string& name, Type::type type = Type::INT32,
                   FieldRepetitionType::type repetition = FieldRepetitionType::OPTIONAL) {
  SchemaElement element;
  element.__set_name(name);
  element.__set_type(type);
  element.__set_repetition_type(repetition);
  return element;
}

SchemaElement decimal(int precision, int scale, Type::type type = Type::INT64) {
  SchemaElement element = leaf("d", type);
  element.__set_converted_type(ConvertedType::DECIMAL);
  element.__set_precision(precision);
  element.__set_scale(scale);
  return element;
}

// A value that the enumeration does not have, as a damaged file brings it.
template <class Enum>
Enum foreign(int value) {
  volatile int unknown = value;
  return static_cast<Enum>(unknown);
}

Result<ParquetSchema> build(const std::vector<SchemaElement>& elements) {
  static const std::string object = "key";
  return build_schema(elements, object);
}

void expect_damaged(const std::vector<SchemaElement>& elements, std::string_view cause) {
  const auto schema = build(elements);
  ASSERT_FALSE(schema.has_value()) << "expected: " << cause;
  EXPECT_EQ(schema.error().code, ErrorCode::damaged);
  EXPECT_NE(schema.error().cause.find(cause), std::string::npos) << schema.error().cause;
}

TEST(Schema, KnowsColumnsLeavesAndWhatIsRepeated) {
  const auto schema = build(
      {group("root", 3), leaf("a", Type::DOUBLE, FieldRepetitionType::REQUIRED), group("l", 1),
       group("list", 1, FieldRepetitionType::REPEATED), leaf("element"), leaf("z")});
  ASSERT_TRUE(schema) << describe(schema.error());
  ASSERT_EQ(schema->columns.size(), 3u);
  EXPECT_TRUE(schema->columns[0].required);
  EXPECT_FALSE(schema->columns[1].required);
  EXPECT_EQ(schema->columns[1].type, "group");
  ASSERT_EQ(schema->leaves.size(), 3u);
  EXPECT_FALSE(schema->leaves[0].repeated);
  EXPECT_TRUE(schema->leaves[1].repeated);
  EXPECT_FALSE(schema->leaves[2].repeated);
  EXPECT_EQ(schema->leaves[1].depth, 3u);
}

TEST(Schema, AcceptsAFileWithoutColumns) {
  const auto schema = build({group("root", 0)});
  ASSERT_TRUE(schema) << describe(schema.error());
  EXPECT_TRUE(schema->columns.empty());
}

TEST(Schema, DamagedWhenTheTreeDoesNotClose) {
  expect_damaged({}, "empty");
  expect_damaged({group("root", 1), leaf(std::string("a\0b", 3))}, "NUL byte in its name");
  expect_damaged({group("root", 2), leaf("a")}, "ends before");
  expect_damaged({group("root", 1), leaf("a"), leaf("b")}, "'b' belongs to no group");
  expect_damaged({group("root", 1), group("g", 2), leaf("a")}, "ends before");
  expect_damaged({group("root", 0), leaf("a")}, "belongs to no group");
}

TEST(Schema, DamagedWhenAnElementContradictsItself) {
  expect_damaged({leaf("root")}, "root");
  expect_damaged({group("root", -1)}, "negative");
  expect_damaged({group("root", 1), group("g", -2)}, "neither");
  expect_damaged({group("root", 1), group("g", 0)}, "neither");
  SchemaElement both = leaf("b");
  both.__set_num_children(1);
  expect_damaged({group("root", 1), both, leaf("c")}, "both");
  expect_damaged({group("root", 1), leaf("x", foreign<Type::type>(8))}, "unknown type 8");
  expect_damaged({group("root", 1), leaf("x", foreign<Type::type>(-7))}, "unknown type -7");
  expect_damaged({group("root", 1), leaf("x", Type::FIXED_LEN_BYTE_ARRAY)}, "fixed length");
  expect_damaged({group("root", 1), leaf("x", Type::INT32, foreign<FieldRepetitionType::type>(3))},
                 "repetition");
  SchemaElement silent = leaf("s");
  silent.__isset.repetition_type = false;
  expect_damaged({group("root", 1), silent}, "required");
}

TEST(Schema, DamagedWhenADecimalHasNoDigits) {
  expect_damaged({group("root", 1), decimal(0, 0)}, "decimal");
  expect_damaged({group("root", 1), decimal(-3, 0)}, "decimal");
  expect_damaged({group("root", 1), decimal(5, 6)}, "decimal");
  expect_damaged({group("root", 1), decimal(5, -1)}, "decimal");
  expect_damaged({group("root", 1), decimal(76, 76)}, "room for fewer");
  const auto wide = build({group("root", 1), decimal(76, 76, Type::BYTE_ARRAY)});
  ASSERT_TRUE(wide.has_value());
  EXPECT_EQ(wide->columns[0].decimal_precision, 76);
}

TEST(Schema, NestsAsDeepAsTheLimitAndNotOneDeeper) {
  const auto nested = [](std::uint64_t groups) {
    std::vector<SchemaElement> elements{group("root", 1)};
    for (std::uint64_t i = 0; i < groups; ++i) elements.push_back(group("g", 1));
    elements.push_back(leaf("x"));
    return elements;
  };
  EXPECT_TRUE(build(nested(kMaxParquetSchemaDepth - 1)).has_value());
  expect_damaged(nested(kMaxParquetSchemaDepth), "too deep");
}

TEST(Schema, DoesNotRepeatAnEndlessNameInItsMessage) {
  const auto schema = build({group("root", 0), leaf(std::string(1 << 20, 'n'))});
  EXPECT_LT(schema.error().cause.size(), 300u);
}

TEST(Schema, GivesOneFingerprintWhateverTheRootIsCalled) {
  EXPECT_EQ(
      build({group("schema", 1), leaf("a")})->fingerprint,
      build({group("spark_schema", 1, FieldRepetitionType::REQUIRED), leaf("a")})->fingerprint);
  EXPECT_NE(build({group("schema", 1), leaf("a")})->fingerprint,
            build({group("schema", 1), leaf("a", Type::INT32, FieldRepetitionType::REQUIRED)})
                ->fingerprint);
}

}  // namespace
}  // namespace forebay
