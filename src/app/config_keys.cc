#include "app/config_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/config.h"
#include "app/config_error.h"
#include "app/interpolation.h"

namespace forebay {
namespace {

constexpr std::array<std::string_view, 21> kProgramKeys = {
    "source",    "feed",    "target",    "schema",        "memory_limit", "staging", "region",
    "endpoint",  "profile", "anonymous", "concurrency",   "ca_file",      "proxy",   "path_style",
    "retry_for", "headers", "role_arn",  "request_payer", "every",        "account", "prices"};

constexpr std::array<std::string_view, 9> kLaterKeys = {
    "tables",           "table",       "stale_after", "primary_key",    "on_rewrite",
    "on_schema_change", "audit_every", "share",       "quarantine_rows"};

bool contains(std::span<const std::string_view> list, std::string_view key) {
  return std::ranges::find(list, key) != list.end();
}

Result<std::vector<std::string>> keys_of_feed(const RawConfig& config,
                                              const RawPipeline& pipeline) {
  const auto found = pipeline.settings.find("feed");
  if (found == pipeline.settings.end() || found->second.values.size() != 1) {
    return std::vector<std::string>{};
  }
  ASSIGN_OR_RETURN(const FeedText text, find_feed(found->second.values.front(), config.folder,
                                                  at_key(found->second.where, "feed")));
  return feed_options(text.yaml, text.origin);
}

Error unknown_key(const std::string& key, const OptionValue& value,
                  const std::vector<std::string>& of_feed) {
  if (contains(kLaterKeys, key)) {
    return config_error(at_key(value.where, key), "this key is not supported yet by this version",
                        "remove it; nothing else takes its place");
  }
  std::vector<std::string> known(kProgramKeys.begin(), kProgramKeys.end());
  known.insert(known.end(), of_feed.begin(), of_feed.end());
  const std::string near = nearest(key, known);
  std::ranges::sort(known);
  return config_error(at_key(value.where, key), "there is no such key",
                      near.empty() ? fmt::format("known keys: {}", fmt::join(known, ", "))
                                   : fmt::format("did you mean '{}'?", near));
}

}  // namespace

std::span<const std::string_view> program_keys() { return kProgramKeys; }
std::span<const std::string_view> later_keys() { return kLaterKeys; }

Status check_keys(const RawConfig& config, const RawPipeline& pipeline) {
  const auto feed = pipeline.settings.find("feed");
  const bool feed_later = feed != pipeline.settings.end() && !feed->second.values.empty() &&
                          has_reference(feed->second.values.front());
  std::vector<std::string> of_feed;
  if (!feed_later) {
    ASSIGN_OR_RETURN(of_feed, keys_of_feed(config, pipeline));
  }
  const auto known = [&](const std::string& key) {
    return contains(kProgramKeys, key) || std::ranges::find(of_feed, key) != of_feed.end();
  };
  for (const auto& [key, value] : pipeline.settings) {
    if (!known(key) && (!feed_later || contains(kLaterKeys, key))) {
      return fail(unknown_key(key, value, of_feed));
    }
    // Of the feed's keys some take mappings, and its description knows which.
    const bool may_map = key == "headers" || key == "prices" || !contains(kProgramKeys, key);
    if (!value.is_map || may_map) continue;
    return fail(config_error(at_key(value.where, key), "a mapping stands where a value is needed",
                             "write a value, or a list of values"));
  }
  return {};
}

}  // namespace forebay
