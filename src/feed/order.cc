#include "feed/order.h"

#include <bit>
#include <type_traits>

#include "base/check.h"

namespace forebay {
namespace {

constexpr char kAbsent = '\x00';
constexpr char kPresent = '\x01';

void add_text(std::string& place, std::string_view text) {
  place += kPresent;
  for (char c : text) {
    place += c;
    if (c == '\0') place += '\xff';
  }
  place.append(2, '\0');
}

void add_number(std::string& place, std::uint64_t number) {
  place += kPresent;
  for (int shift = 56; shift >= 0; shift -= 8) place += static_cast<char>(number >> shift & 0xff);
}

void add_value(std::string& place, const CaptureValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return add_text(place, *text);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return add_number(place, *number);
  auto micros = std::get<Time>(value).time_since_epoch().count();
  add_number(place, std::bit_cast<std::uint64_t>(std::int64_t{micros}) ^ (1ull << 63));
}

}  // namespace

bool is_builtin_capture(std::string_view name) {
  return name == "$file" || name == "$key" || name == "$folder" || name == "$stem";
}

std::string_view builtin_capture(std::string_view name, std::string_view key) {
  CHECK(is_builtin_capture(name));
  const std::size_t slash = key.rfind('/');
  if (name == "$folder") return slash == std::string_view::npos ? "" : key.substr(0, slash);
  // npos + 1 is 0.
  std::string_view file = key.substr(slash + 1);
  if (name == "$key") return key;
  if (name == "$file") return file;
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (file.ends_with(packed)) file.remove_suffix(packed.size());
  }
  const std::size_t dot = file.rfind('.');
  return dot == 0 ? file : file.substr(0, dot);
}

std::string encode_value(const CaptureValue& value) {
  std::string bytes;
  add_value(bytes, value);
  return bytes;
}

std::string encode_place(const std::vector<std::string>& order, const Captures& captures,
                         std::string_view key, std::string_view name) {
  if (order.empty()) return {};
  std::string place;
  bool by_name = false;
  for (const std::string& part : order) {
    if (is_builtin_capture(part)) {
      std::string_view text = builtin_capture(part, key);
      add_text(place, text);
      by_name = by_name || text == name;
    } else if (const CaptureValue* value = captures.find(part)) {
      add_value(place, *value);
    } else {
      place += kAbsent;
    }
  }
  if (!by_name) add_text(place, name);
  return place;
}

std::string encode_place(const std::vector<std::optional<CaptureValue>>& values,
                         std::string_view name) {
  std::string place;
  for (const auto& value : values) {
    if (value) {
      add_value(place, *value);
    } else {
      place += kAbsent;
    }
  }
  add_text(place, name);
  return place;
}

}  // namespace forebay
