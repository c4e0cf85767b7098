#include "feed/content.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/digest.h"
#include "base/limits.h"
#include "base/time_text.h"
#include "feed/order.h"

namespace forebay {

std::optional<std::string> name_value(const ValueRef& ref, const UnitName& unit) {
  if (ref.from == ValueRef::From::constant) return ref.name;
  if (ref.from != ValueRef::From::capture) return std::nullopt;
  if (is_builtin_capture(ref.name)) return std::string(builtin_capture(ref.name, unit.key));
  const CaptureValue* value = unit.captures.find(ref.name);
  if (value == nullptr) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  if (const auto* number = std::get_if<std::uint64_t>(value)) return fmt::format("{}", *number);
  return format_rfc3339(std::get<Time>(*value));
}

bool is_table_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxTableNameBytes && !name.contains('\0');
}

std::string unknown_choice(const ValueRef& by, std::string_view value, const Feed& feed) {
  std::vector<std::string_view> allowed;
  for (const auto& [word, effect] : feed.effect.choices) allowed.push_back(word);
  return fmt::format("{} is {}, allowed: {}", by.name, value, fmt::join(allowed, ", "));
}

std::string content_digest(const UnitContent& content) {
  Digest digest(DigestKind::xxh3_64);
  auto add = [&](std::string_view part) {
    digest.update(fmt::format("{}:", part.size()));
    digest.update(part);
  };
  auto add_count = [&](const std::optional<std::uint64_t>& count) {
    add(count ? fmt::format("{}", *count) : "-");
  };
  add(content.kind);
  for (const UnitFile& file : content.files) {
    add(file.table);
    add(file.key);
    add_count(file.rows);
    add_count(file.size);
    add(file.effect.clear_table ? "clear" : "keep");
    add(file.effect.put ? "put" : "append");
  }
  for (const std::string& value : content.version) add(value);
  return digest.hex();
}

}  // namespace forebay
