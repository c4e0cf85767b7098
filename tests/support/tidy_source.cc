#include "support/tidy_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "support/paths.h"

namespace forebay::test {
namespace {

// Where the literal or comment that starts at `at` ends (one past it); `at` if none starts there.
size_t end_of_blank(std::string_view text, size_t at) {
  const auto to = [&](size_t found, size_t extra) {
    return found == std::string_view::npos ? text.size() : found + extra;
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return to(text.find('\n', at), 0);
  if (rest.starts_with("/*")) return to(text.find("*/", at + 2), 2);
  if (rest.starts_with("R\"")) {
    const size_t open = text.find('(', at);
    if (open == std::string_view::npos) return text.size();
    const std::string close = ")" + std::string(text.substr(at + 2, open - at - 2)) + "\"";
    return to(text.find(close, open), close.size());
  }
  const char quote = text[at];
  const bool digit_separator = quote == '\'' && at > 0 && std::isxdigit(text[at - 1]) != 0;
  if ((quote != '"' && quote != '\'') || digit_separator) return at;
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote || text[i] == '\n') {
      return i + 1;
    }
  }
  return text.size();
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_word(text[word.size()]));
}

// What stands before a '{': a container, whose members are looked at, or a function.
bool opens_container(std::string_view header) {
  for (const std::string_view word : {"namespace", "class", "struct", "union", "enum", "extern"}) {
    if (starts_with_word(header, word)) return true;
  }
  return header.starts_with("template") && header.find('(') == std::string_view::npos;
}

std::string name_before_parenthesis(std::string_view header) {
  size_t end = header.find('(');
  if (end == std::string_view::npos) return {};
  while (end > 0 && header[end - 1] == ' ') --end;
  size_t begin = end;
  while (begin > 0 && (is_word(header[begin - 1]) || header[begin - 1] == ':')) --begin;
  return std::string(header.substr(begin, end - begin));
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

int line_at(std::string_view text, size_t at) {
  return static_cast<int>(std::ranges::count(text.substr(0, at), '\n')) + 1;
}

std::string without_preprocessor(std::string_view code) {
  std::string out(code);
  bool continued = false;
  size_t begin = 0;
  while (begin < out.size()) {
    const size_t end = std::min(out.find('\n', begin), out.size());
    const bool directive =
        continued || trimmed(std::string_view(out).substr(begin, end - begin)).starts_with('#');
    continued = directive && end > begin && out[end - 1] == '\\';
    if (directive)
      std::fill(out.begin() + static_cast<long>(begin), out.begin() + static_cast<long>(end), ' ');
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::vector<SourceFile> project_files() {
  const std::string command =
      "git -C '" + source_dir().string() + "' ls-files -z --cached --others --exclude-standard";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  if (!pipe) throw std::runtime_error("cannot start git");
  std::string names;
  std::array<char, 4096> buffer;
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) {
    names.append(buffer.data(), n);
  }
  std::vector<SourceFile> files;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, '\0');) {
    std::ifstream in(source_dir() / name, std::ios::binary);
    if (!in) continue;  // deleted, not yet committed
    files.push_back({name, std::string(std::istreambuf_iterator<char>(in), {})});
  }
  if (files.empty()) throw std::runtime_error("git names no file: is this a checkout?");
  return files;
}

std::string code_only(std::string_view text) {
  std::string out(text);
  for (size_t at = 0; at < text.size();) {
    const size_t end = end_of_blank(text, at);
    for (size_t i = at; i < end; ++i) {
      if (text[i] != '\n') out[i] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return out;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<FunctionSpan> functions_of(std::string_view raw) {
  const std::string code = without_preprocessor(raw);
  std::vector<FunctionSpan> functions;
  size_t header_begin = 0;
  int depth_in_function = 0;
  for (size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    if (depth_in_function > 0) {
      if (c == '{') ++depth_in_function;
      if (c == '}' && --depth_in_function == 0) {
        functions.back().lines = line_at(code, at) - functions.back().first_line + 1;
        header_begin = at + 1;
      }
      continue;
    }
    if (c == '{') {
      const std::string_view between =
          std::string_view(code).substr(header_begin, at - header_begin);
      const std::string_view header = trimmed(between);
      if (!opens_container(header)) {  // a function or an initializer; the latter has no name
        const size_t start =
            header_begin + std::min(between.find_first_not_of(" \t\n"), between.size());
        functions.push_back({name_before_parenthesis(header), line_at(code, start), 0});
        depth_in_function = 1;
      }
    }
    if (c == ';' || c == '{' || c == '}') header_begin = at + 1;
  }
  std::erase_if(functions, [](const FunctionSpan& each) { return each.name.empty(); });
  return functions;
}

std::map<std::string, Allowance> read_allowances(const SourceFile& file, Findings& findings) {
  std::map<std::string, Allowance> out;
  for (const auto& [key, rest] : read_reasons(file, findings)) {
    std::istringstream words(rest);
    Allowance allowance;
    words >> allowance.number >> std::ws;
    std::getline(words, allowance.reason);
    if (allowance.number <= 0 || allowance.reason.empty()) {
      findings.push_back(fmt::format("{}: {} needs a number and a reason", file.path, key));
    }
    out[key] = allowance;
  }
  return out;
}

std::map<std::string, std::string> read_reasons(const SourceFile& file, Findings& findings) {
  std::map<std::string, std::string> out;
  for (const std::string_view line : lines_of(file.text)) {
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    std::istringstream words{std::string(line)};
    std::string key;
    std::string reason;
    words >> key >> std::ws;
    std::getline(words, reason);
    if (reason.empty()) findings.push_back(fmt::format("{}: {} gives no reason", file.path, key));
    if (!out.emplace(key, reason).second) {
      findings.push_back(fmt::format("{}: {} stands there twice", file.path, key));
    }
  }
  return out;
}

}  // namespace forebay::test
