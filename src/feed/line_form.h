#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace forebay {

struct UnitName;

// How a text that is no JSON says something: "{sha256} {name}" is a line with two fields, and a
// form with line ends is as many lines that follow each other. A field takes at least one
// character, up to where the text behind it comes first; `{size:int}` takes digits and is a number.
// A blank is any number of blanks and tabs. `{$file}` and its like stand for what the unit is
// called.
struct LineForm {
  struct Part {
    enum class Kind { text, field, number, name } kind = Kind::text;
    std::string text;  // literal, or the name

    bool operator==(const Part&) const = default;
  };
  std::string written;
  std::vector<std::vector<Part>> lines;

  bool operator==(const LineForm&) const = default;
};

// invalid_config: the cause says what is wrong with the form, and nothing else.
Result<LineForm> parse_line_form(std::string_view written);

// An array with an object for each place where a form holds, of several the first that does. Blank
// lines and blanks around lines are nothing. damaged: a line that has none of these forms, unless
// others are passed over; bytes that are no UTF-8. `key` is the text's, for errors.
Result<nlohmann::json> read_line_forms(const std::vector<LineForm>& forms, bool pass_others,
                                       const UnitName& unit, std::string_view bytes,
                                       const std::string& key);

// The object of the only place where a form holds; what else the text says is passed over.
// damaged: no such place, or several.
Result<nlohmann::json> read_one_line_form(const std::vector<LineForm>& forms, const UnitName& unit,
                                          std::string_view bytes, const std::string& key);

}  // namespace forebay
