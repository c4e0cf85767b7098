#include "feed/type_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace forebay {
namespace {

constexpr int kMaxDecimalDigits = 38;

const std::map<std::string, std::string>& other_names() {
  static const std::map<std::string, std::string> kNames = {
      {"BOOL", "BOOLEAN"},
      {"INT2", "SMALLINT"},
      {"INT", "INTEGER"},
      {"INT4", "INTEGER"},
      {"INT8", "BIGINT"},
      {"LONG", "BIGINT"},
      {"REAL", "FLOAT"},
      {"FLOAT4", "FLOAT"},
      {"FLOAT8", "DOUBLE"},
      {"VARCHAR", "TEXT"},
      {"STRING", "TEXT"},
      {"DATETIME", "TIMESTAMP"},
      {"BYTEA", "BLOB"},
      {"NUMERIC", "DECIMAL"},
      {"TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"},
      {"JSONB", "JSON"},
      {"TIMESTAMP WITHOUT TIME ZONE", "TIMESTAMP"}};
  return kNames;
}

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<int> whole(std::string_view text) {
  text = trim(text);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

const std::vector<std::string>& type_words() {
  static const std::vector<std::string> kWords = {
      "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER",   "BIGINT",       "HUGEINT",
      "UBIGINT", "FLOAT",   "DOUBLE",   "TEXT",      "BLOB",         "UUID",
      "JSON",    "DATE",    "TIME",     "TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMPTZ"};
  return kWords;
}

std::optional<TypeName> parse_type_name(std::string_view text) {
  text = trim(text);
  const std::size_t open = text.find('(');
  TypeName type;
  for (const char c : trim(text.substr(0, open)))
    type.word += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  if (const auto other = other_names().find(type.word); other != other_names().end())
    type.word = other->second;
  if (open == std::string_view::npos) {
    const bool known = std::ranges::find(type_words(), type.word) != type_words().end();
    return known ? std::optional(type) : std::nullopt;
  }
  if (type.word != "DECIMAL" || !text.ends_with(')')) return std::nullopt;
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  const std::size_t comma = inside.find(',');
  const auto digits = whole(inside.substr(0, comma));
  const auto after_point =
      comma == std::string_view::npos ? std::optional(0) : whole(inside.substr(comma + 1));
  if (!digits || !after_point || *digits < 1 || *digits > kMaxDecimalDigits || *after_point < 0 ||
      *after_point > *digits)
    return std::nullopt;
  type.digits = *digits;
  type.after_point = *after_point;
  return type;
}

std::string type_text(const TypeName& type) {
  if (type.digits == 0) return type.word;
  return fmt::format("{}({},{})", type.word, type.digits, type.after_point);
}

}  // namespace forebay
