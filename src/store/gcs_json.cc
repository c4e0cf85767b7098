#include "store/gcs_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/encode.h"
#include "base/json_reader.h"
#include "base/time_text.h"

namespace forebay::gcs {
namespace {

using Json = nlohmann::json;

std::unexpected<Error> damaged(std::string cause) {
  return fail({.code = ErrorCode::damaged,
               .operation = "read listing",
               .object = {},
               .cause = std::move(cause),
               .hint = {}});
}

std::string_view text_of(const Json& entry, const char* name) {
  const auto found = entry.find(name);
  if (found == entry.end() || !found->is_string()) return {};
  return found->get_ref<const std::string&>();
}

// The API writes 64-bit numbers as texts.
std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

Result<Entry> read_entry(const Json& json) {
  if (!json.is_object()) return damaged("an object in the listing is none");
  Entry entry{.name = std::string(text_of(json, "name")),
              .generation = std::string(text_of(json, "generation"))};
  if (entry.name.empty()) return damaged("an object in the listing has no name");
  const auto size = number_of(text_of(json, "size"));
  if (!size) return damaged(fmt::format("the size of {} is no number", entry.name));
  entry.size = *size;
  if (!number_of(entry.generation))
    return damaged(fmt::format("the generation of {} is no number", entry.name));
  const auto created = parse_rfc3339(text_of(json, "timeCreated"));
  if (!created) return damaged(fmt::format("the time of {} is none", entry.name));
  entry.created = *created;
  return entry;
}

}  // namespace

Result<ListDocument> parse_list(std::string_view json) {
  ASSIGN_OR_RETURN(const Json document, read_json(json, "the listing"));
  if (!document.is_object()) return damaged("the answer is no listing");
  ListDocument page;
  if (const auto items = document.find("items"); items != document.end()) {
    if (!items->is_array()) return damaged("the listing's items are no list");
    for (const Json& item : *items) {
      ASSIGN_OR_RETURN(page.entries.emplace_back(), read_entry(item));
    }
  }
  if (const auto next = document.find("nextPageToken"); next != document.end()) {
    if (!next->is_string()) return damaged("the next page's token is no text");
    // An empty one is how some servers say that there is none.
    if (!next->get_ref<const std::string&>().empty()) page.next_token = next->get<std::string>();
  }
  return page;
}

Result<Entry> parse_entry(std::string_view json) {
  ASSIGN_OR_RETURN(const Json document, read_json(json, "the object's description"));
  return read_entry(document);
}

ErrorDocument parse_error(std::string_view body) {
  const auto document = read_json(body, "the answer");
  if (!document || !document->is_object())
    return {.reason = {}, .message = std::string(body.substr(0, body.find('\n')))};
  ErrorDocument error;
  if (const Json* reason = json_at(*document, "/error/errors/0/reason");
      reason && reason->is_string())
    error.reason = reason->get<std::string>();
  if (const Json* message = json_at(*document, "/error/message"); message && message->is_string())
    error.message = message->get<std::string>();
  return error;
}

std::optional<std::string> hash_of(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(','), header.size());
    std::string_view part = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || part.substr(0, equals) != name) continue;
    const auto bytes = base64_decode(part.substr(equals + 1));
    if (!bytes) return std::nullopt;
    return hex_encode(*bytes);
  }
  return std::nullopt;
}

}  // namespace forebay::gcs
