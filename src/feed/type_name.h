#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forebay {

// A column's type as a person writes it: "BIGINT", "DECIMAL(18,2)". Plain data.
struct TypeName {
  std::string word;     // one of type_words(); of a decimal DECIMAL
  int digits = 0;       // of a decimal: 1 to 38
  int after_point = 0;  // of a decimal: at most as many

  bool operator==(const TypeName&) const = default;
};

// The words that there are, and DECIMAL(digits,digits after the point).
const std::vector<std::string>& type_words();

// In any case, and with the names that other databases use (INT, VARCHAR, BOOL, NUMERIC(9,2), …).
std::optional<TypeName> parse_type_name(std::string_view text);

// As it is written: the way back.
std::string type_text(const TypeName& type);

}  // namespace forebay
