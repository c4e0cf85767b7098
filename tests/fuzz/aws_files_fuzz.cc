// The AWS tools' shared files, and the commands that stand in them.
#include <fmt/format.h>

#include "fuzz/fuzz.h"
#include "net/credentials/aws_endpoint.h"
#include "net/credentials/ini.h"
#include "net/credentials/program.h"

namespace forebay::test {
namespace {

std::string printed(const IniSections& sections) {
  std::string text;
  for (const auto& [name, values] : sections) {
    text += fmt::format("[{}]\n", name);
    for (const auto& [key, value] : values) text += fmt::format("{}={}\n", key, value);
  }
  return text;
}

std::string as_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) {
    command += '\'';
    for (const char c : word) c == '\'' ? command += "'\\''" : command += c;
    command += "' ";
  }
  return command;
}

}  // namespace

FOREBAY_FUZZ(aws_files) {
  const IniSections sections = parse_ini(input);
  const IniSections again = parse_ini(printed(sections));
  for (const auto& [name, values] : sections) {
    must(again.contains(name), "a section leads back");
    // A name that begins like a heading or a comment is none in a file.
    for (const auto& [key, value] : values) {
      if (!key.empty())
        must(again.at(name).contains(key) && again.at(name).at(key) == value, "a value leads back");
    }
  }
  if (const auto words = split_command(input)) {
    must(!words->empty() && !words->front().empty(), "a command names a program");
    const auto same = split_command(as_command(*words));
    must(same && *same == *words, "quoted words lead back");
  } else {
    must(words.error().code == ErrorCode::invalid_config, "a command is right or wrong");
  }
  if (is_aws_region(input))
    must(input.find_first_of("/.@:?# ") == std::string_view::npos, "a region is one label");
}

}  // namespace forebay::test
