// `api:` of a description: how files are listed and read when the source is an HTTP API.

#include <fmt/format.h>

#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/duration_text.h"
#include "base/json_reader.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

Status read_pointer(const YamlValue& map, std::string_view key, std::string& path) {
  const auto value = map.find(key);
  if (!value) return {};
  ASSIGN_OR_RETURN(path, value->text());
  if (!path.starts_with('/'))
    return value->wrong(
        fmt::format("\"{}\" must be a path in the answer, such as /data/key", path));
  return {};
}

Status need_pointer(const YamlValue& map, std::string_view key, std::string& path) {
  RETURN_IF_ERROR(read_pointer(map, key, path));
  if (!path.empty()) return {};
  return fail(map.need(key).error());
}

// A request's body: JSON with the placeholders that it must have.
Status read_body(const YamlValue& map, std::initializer_list<std::string_view> placeholders,
                 std::string& body) {
  ASSIGN_OR_RETURN(const YamlValue post, map.need("post"));
  ASSIGN_OR_RETURN(body, post.text());
  const auto json = read_json(body, "post");
  if (!json) return post.wrong(fmt::format("must be a JSON text: {}", json.error().cause));
  for (const std::string_view name : placeholders) {
    if (!body.contains(fmt::format("\"{}\"", name)))
      return post.wrong(fmt::format("must have the string \"{}\" where its value goes", name));
  }
  return {};
}

Status read_duration(const YamlValue& map, std::string_view key, Duration& duration) {
  const auto value = map.find(key);
  if (!value) return {};
  ASSIGN_OR_RETURN(const std::string text, value->text());
  const auto parsed = parse_duration(text);
  if (!parsed) return value->wrong(fmt::format("must be {}", kDurationForm));
  duration = *parsed;
  return {};
}

}  // namespace

Status read_api(const YamlValue& top, Feed& feed) {
  const auto api = top.find("api");
  if (!api) return {};
  RETURN_IF_ERROR(api->only({"list", "read", "errors"}));
  ListApi rule;
  ASSIGN_OR_RETURN(const YamlValue list, api->need("list"));
  RETURN_IF_ERROR(list.only({"post", "keys", "key", "next"}));
  RETURN_IF_ERROR(read_body(list, {"{prefix}", "{token}"}, rule.list_body));
  RETURN_IF_ERROR(need_pointer(list, "keys", rule.keys));
  RETURN_IF_ERROR(read_pointer(list, "key", rule.key));
  RETURN_IF_ERROR(need_pointer(list, "next", rule.next));
  ASSIGN_OR_RETURN(const YamlValue read, api->need("read"));
  RETURN_IF_ERROR(read.only({"post", "url", "headers", "expires", "stale_after", "margin"}));
  RETURN_IF_ERROR(read_body(read, {"{key}"}, rule.read_body));
  RETURN_IF_ERROR(need_pointer(read, "url", rule.url));
  RETURN_IF_ERROR(read_pointer(read, "headers", rule.headers));
  RETURN_IF_ERROR(read_pointer(read, "expires", rule.expires));
  RETURN_IF_ERROR(read_duration(read, "stale_after", rule.stale_after));
  RETURN_IF_ERROR(read_duration(read, "margin", rule.margin));
  RETURN_IF_ERROR(read_pointer(*api, "errors", rule.errors));
  feed.api = std::move(rule);
  return {};
}

}  // namespace forebay
