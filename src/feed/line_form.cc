#include "feed/line_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/limits.h"
#include "base/utf8.h"
#include "feed/content.h"
#include "feed/unit.h"

namespace forebay {
namespace {

using Json = nlohmann::json;
using Part = LineForm::Part;

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// The lines that are not blank, without blanks around them.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::unexpected<Error> wrong_form(std::string cause) {
  return fail({.code = ErrorCode::invalid_config, .cause = std::move(cause)});
}

Result<Part> parse_field(std::string_view name, std::set<std::string>& names) {
  if (name == "$file" || name == "$stem" || name == "$key" || name == "$folder")
    return Part{Part::Kind::name, std::string(name)};
  Part part{Part::Kind::field, std::string(name)};
  if (name.ends_with(":int"))
    part = {Part::Kind::number, std::string(name.substr(0, name.size() - 4))};
  if (part.text.empty() || part.text.find_first_of(":/$") != std::string::npos)
    return wrong_form(
        fmt::format("{{{}}} is no field, allowed: {{name}}, {{name:int}}, {{$file}}, "
                    "{{$stem}}, {{$key}}, {{$folder}}",
                    name));
  if (!names.insert(part.text).second)
    return wrong_form(fmt::format("has the field {{{}}} twice", part.text));
  return part;
}

Result<std::vector<Part>> parse_line(std::string_view line, std::set<std::string>& names) {
  std::vector<Part> parts;
  while (!line.empty()) {
    const std::size_t open = std::min(line.find('{'), line.size());
    if (line.substr(0, open).contains('}')) return wrong_form("has a } that closes nothing");
    if (open > 0) parts.push_back({Part::Kind::text, std::string(line.substr(0, open))});
    line.remove_prefix(open);
    if (line.empty()) break;
    const std::size_t close = line.find('}');
    if (close == std::string_view::npos) return wrong_form("has a { that is not closed");
    ASSIGN_OR_RETURN(Part part, parse_field(line.substr(1, close - 1), names));
    const bool touches = !parts.empty() && parts.back().kind != Part::Kind::text;
    if (touches)
      return wrong_form(
          fmt::format("has nothing before {{{}}} that ends the field there", part.text));
    parts.push_back(std::move(part));
    line.remove_prefix(close + 1);
  }
  return parts;
}

// Where `wanted` ends if it stands at `at`; blanks in it are any number of blanks.
std::optional<std::size_t> end_of(std::string_view text, std::size_t at, std::string_view wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == ' ' || wanted[i] == '\t') {
      if (at >= text.size() || kBlanks.find(text[at]) == std::string_view::npos)
        return std::nullopt;
      at = std::min(text.find_first_not_of(kBlanks, at), text.size());
      i = std::min(wanted.find_first_not_of(kBlanks, i), wanted.size()) - 1;
    } else if (at < text.size() && text[at] == wanted[i]) {
      ++at;
    } else {
      return std::nullopt;
    }
  }
  return at;
}

std::size_t begin_of(std::string_view text, std::size_t at, std::string_view wanted) {
  while (at < text.size() && !end_of(text, at, wanted)) ++at;
  return at;
}

bool set_field(const Part& part, std::string_view value, Json& fields) {
  if (value.empty()) return false;
  if (part.kind == Part::Kind::field) {
    fields[part.text] = value;
    return true;
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return false;
  fields[part.text] = number;
  return true;
}

bool has_form(const std::vector<Part>& parts, std::string_view line, const UnitName& unit,
              Json& fields) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    if (part.kind == Part::Kind::text || part.kind == Part::Kind::name) {
      const std::string wanted = part.kind == Part::Kind::text
                                     ? part.text
                                     : expand_template("{" + part.text + "}", unit).value_or("");
      const bool blanks = part.kind == Part::Kind::text;
      const auto end = blanks                                ? end_of(line, at, wanted)
                       : line.substr(at).starts_with(wanted) ? std::optional(at + wanted.size())
                                                             : std::nullopt;
      if (!end) return false;
      at = *end;
      continue;
    }
    const std::size_t end =
        i + 1 == parts.size() ? line.size() : begin_of(line, at + 1, parts[i + 1].text);
    if (end < at || !set_field(part, line.substr(at, end - at), fields)) return false;
    at = end;
  }
  return at == line.size();
}

// The fields of the first form that holds from line `at`, and how many lines it took.
std::optional<std::pair<Json, std::size_t>> first_form(const std::vector<LineForm>& forms,
                                                       const UnitName& unit,
                                                       const std::vector<std::string_view>& lines,
                                                       std::size_t at) {
  for (const LineForm& form : forms) {
    if (form.lines.size() > lines.size() - at) continue;
    Json fields = Json::object();
    bool holds = true;
    for (std::size_t i = 0; holds && i < form.lines.size(); ++i)
      holds = has_form(form.lines[i], lines[at + i], unit, fields);
    if (holds) return std::pair(std::move(fields), form.lines.size());
  }
  return std::nullopt;
}

std::string written(const std::vector<LineForm>& forms) {
  std::vector<std::string> texts;
  for (const LineForm& form : forms) texts.push_back("\"" + form.written + "\"");
  return fmt::format("{}", fmt::join(texts, " or "));
}

}  // namespace

Result<LineForm> parse_line_form(std::string_view text) {
  LineForm form{.written = std::string(text)};
  std::set<std::string> names;
  for (const std::string_view line : lines_of(text)) {
    ASSIGN_OR_RETURN(std::vector<Part> parts, parse_line(line, names));
    form.lines.push_back(std::move(parts));
  }
  if (names.empty()) return wrong_form("has no field, such as {name}");
  return form;
}

Result<Json> read_line_forms(const std::vector<LineForm>& forms, bool pass_others,
                             const UnitName& unit, std::string_view bytes, const std::string& key) {
  const auto damaged = [&](std::string cause) {
    return fail({.code = ErrorCode::damaged,
                 .operation = "read text",
                 .object = key,
                 .cause = std::move(cause)});
  };
  if (!is_utf8(bytes)) return damaged("it is no UTF-8");
  const std::vector<std::string_view> lines = lines_of(bytes);
  Json found = Json::array();
  for (std::size_t at = 0; at < lines.size();) {
    auto place = first_form(forms, unit, lines, at);
    if (!place && !pass_others)
      return damaged(
          fmt::format("the line \"{}\" is not like {}", lines[at].substr(0, 200), written(forms)));
    at += place ? place->second : 1;
    if (!place) continue;
    if (found.size() == kMaxDocumentFiles)
      return damaged(fmt::format("more than {} entries", kMaxDocumentFiles));
    found.push_back(std::move(place->first));
  }
  return found;
}

Result<Json> read_one_line_form(const std::vector<LineForm>& forms, const UnitName& unit,
                                std::string_view bytes, const std::string& key) {
  ASSIGN_OR_RETURN(Json found, read_line_forms(forms, true, unit, bytes, key));
  if (found.size() == 1) return std::move(found[0]);
  return fail({.code = ErrorCode::damaged,
               .operation = "read text",
               .object = key,
               .cause = fmt::format("must have one line like {}, but has {}", written(forms),
                                    found.size())});
}

}  // namespace forebay
