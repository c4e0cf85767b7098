#include "feed/content.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "base/encode.h"
#include "base/limits.h"
#include "base/time_text.h"
#include "feed/order.h"

namespace forebay {

std::optional<std::string> name_value(const ValueRef& ref, const UnitName& unit) {
  if (ref.from == ValueRef::From::constant) return ref.name;
  if (ref.from == ValueRef::From::join) {
    std::string all;
    for (const ValueRef& part : ref.parts) {
      const auto value = name_value(part, unit);
      if (!value || value->empty()) return std::nullopt;
      all += (all.empty() ? "" : ref.between) + *value;
    }
    return all;
  }
  if (ref.from != ValueRef::From::capture) return std::nullopt;
  if (is_builtin_capture(ref.name)) return std::string(builtin_capture(ref.name, unit.key));
  const CaptureValue* value = unit.captures.find(ref.name);
  if (value == nullptr) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  if (const auto* number = std::get_if<std::uint64_t>(value)) return fmt::format("{}", *number);
  return format_rfc3339(std::get<Time>(*value));
}

bool depends_on_entry(const ValueRef& ref) {
  return ref.from == ValueRef::From::entry || ref.from == ValueRef::From::above ||
         std::ranges::any_of(ref.parts, depends_on_entry) ||
         std::ranges::any_of(ref.otherwise, depends_on_entry);
}

std::optional<std::string> expand_template(std::string_view text, const UnitName& unit) {
  std::string key;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    key += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string name(text.substr(open + 1, close - open - 1));
    const auto value = name_value({.from = ValueRef::From::capture, .name = name}, unit);
    if (!value) return std::nullopt;
    key += *value;
    text.remove_prefix(close + 1);
  }
  if (key.starts_with('/')) key.erase(0, 1);
  return key;
}

namespace {

std::size_t digest_size(DigestKind kind) {
  switch (kind) {
    case DigestKind::md5: return 16;
    case DigestKind::sha256: return 32;
    case DigestKind::xxh3_64: return 8;
    case DigestKind::xxh3_128: return 16;
  }
  std::unreachable();
}

}  // namespace

std::optional<std::string> digest_in(std::string_view text, std::string_view form,
                                     DigestKind kind) {
  const std::size_t open = form.find('{');
  const std::size_t close = form.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  const std::string_view before = form.substr(0, open);
  const std::string_view after = form.substr(close + 1);
  if (text.size() < before.size() + after.size() || !text.starts_with(before) ||
      !text.ends_with(after)) {
    return std::nullopt;
  }
  const std::string_view digits =
      text.substr(before.size(), text.size() - before.size() - after.size());
  const bool hex = form.substr(open, close - open + 1) == "{hex}";
  // One spelling only: small letters, as everybody writes them who promises a text form.
  if (hex && std::ranges::any_of(digits, [](char c) { return c >= 'A' && c <= 'F'; }))
    return std::nullopt;
  std::optional<std::string> bytes = hex ? hex_decode(digits) : base64_decode(digits);
  if (bytes && bytes->size() != digest_size(kind)) return std::nullopt;
  return bytes;
}

std::string UnitFile::fingerprint() const {
  std::string text;
  for (const FileHash& hash : hashes) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", to_string(hash.kind),
                        hex_encode(hash.bytes));
  }
  return text;
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
    if (!file.hashes.empty()) add(file.fingerprint());
    if (file.effect.clear_part) add("part");
    add(file.effect.clear_table ? "clear" : "keep");
    add(file.effect.put ? "put" : "append");
    if (file.effect.remove) add("remove");
    if (file.decode != nullptr) {
      for (const std::string& column : file.decode->dialect.columns) add(column);
    }
    for (const std::string& column : file.key_columns) add(column);
  }
  for (const std::string& value : content.version) add(value);
  return digest.hex();
}

}  // namespace forebay
