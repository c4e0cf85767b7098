#include "app/interpolation.h"

#include <fmt/format.h>

#include <cctype>

#include "app/config_error.h"
#include "app/file_text.h"

namespace forebay {
namespace {

constexpr std::uint64_t kLargestSecretFile = 64 * 1024;

bool is_name(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) return false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  }
  return true;
}

Result<std::string> from_file(std::string_view path, const ReferenceScope& scope) {
  const std::string full = resolve_path(std::string(path), scope.folder);
  auto text = read_file_text(full, kLargestSecretFile);
  if (!text) {
    return fail(config_error(
        scope.where,
        fmt::format("the file of ${{file:{}}} cannot be read: {}", path, text.error().cause),
        fmt::format("create {}, readable for this user", full)));
  }
  if (text->ends_with('\n')) text->pop_back();
  if (text->ends_with('\r')) text->pop_back();
  return text;
}

// What stands between "${" and "}".
Result<std::string> value_of(std::string_view reference, const ReferenceScope& scope) {
  if (reference.starts_with("file:")) return from_file(reference.substr(5), scope);
  const std::size_t separator = reference.find(":-");
  const std::string name(reference.substr(0, separator));
  if (!is_name(name)) {
    return fail(
        config_error(scope.where, fmt::format("'${{{}}}' is not a reference", reference),
                     "write ${NAME}, ${NAME:-default} or ${file:/path}; $${ is a literal ${"));
  }
  const auto value = scope.environment->get(name);
  if (separator != std::string_view::npos) {
    if (value && !value->empty()) return *value;
    return std::string(reference.substr(separator + 2));
  }
  if (!value) {
    return fail(config_error(scope.where,
                             fmt::format("the environment variable {} is not set", name),
                             fmt::format("set {}, or give a default: ${{{}:-…}}", name, name)));
  }
  return *value;
}

}  // namespace

bool has_reference(std::string_view text) { return text.find("${") != std::string_view::npos; }

Result<std::string> interpolate(std::string_view text, const ReferenceScope& scope) {
  std::string out;
  while (!text.empty()) {
    const std::size_t dollar = text.find('$');
    out += text.substr(0, dollar);
    if (dollar == std::string_view::npos) break;
    text.remove_prefix(dollar);
    if (text.starts_with("$${")) {
      out += "${";
      text.remove_prefix(3);
      continue;
    }
    if (!text.starts_with("${")) {
      out += '$';
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos) {
      return fail(config_error(scope.where, "a reference begins with '${' and does not end",
                               "close it with '}', or write $${ for a literal ${"));
    }
    ASSIGN_OR_RETURN(const std::string value, value_of(text.substr(2, end - 2), scope));
    out += value;
    text.remove_prefix(end + 1);
  }
  return out;
}

namespace {

void hide_values(const OptionValue& raw, const OptionValue& value, Error& error) {
  for (std::size_t i = 0; i < raw.values.size(); ++i) {
    const std::string& secret = value.values[i];
    if (!has_reference(raw.values[i]) || secret.empty()) continue;
    for (std::string* text : {&error.cause, &error.hint}) {
      for (std::size_t at = text->find(secret); at != std::string::npos;
           at = text->find(secret, at)) {
        text->replace(at, secret.size(), raw.values[i]);
        at += raw.values[i].size();
      }
    }
  }
  for (std::size_t i = 0; i < raw.fields.size(); ++i) {
    hide_values(raw.fields[i].second, value.fields[i].second, error);
  }
}

}  // namespace

Error without_values(Error error, const Options& raw, const Options& options) {
  for (const auto& [key, value] : raw) hide_values(value, options.at(key), error);
  return error;
}

}  // namespace forebay
