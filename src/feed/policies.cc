// The options that every feed has: how often, how long, and what to do when the unexpected comes.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/duration_text.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

using Setter = std::function<Status(const BoundText&)>;

Setter duration(Duration& field) {
  return [&field](const BoundText& text) -> Status {
    std::optional<Duration> value = parse_duration(text.text);
    if (!value) {
      return text.place.wrong(
          fmt::format("\"{}\" is no duration, allowed: {}", text.text, kDurationForm));
    }
    field = *value;
    return {};
  };
}

template <class Word>
Setter word(Word& field, std::vector<std::pair<std::string, Word>> words) {
  return [&field, words = std::move(words)](const BoundText& text) -> Status {
    ASSIGN_OR_RETURN(field, choose_word(text, words));
    return {};
  };
}

std::map<std::string, Setter> setters(Feed& feed) {
  std::map<std::string, Setter> result;
  result["audit_every"] = duration(feed.audit_every);
  result["max_future"] = duration(feed.max_future);
  result["settle"] = [&feed](const BoundText& text) {
    return duration(feed.settle.emplace())(text);
  };
  result["stale_after"] = [&feed](const BoundText& text) {
    return duration(feed.stale_after.emplace())(text);
  };
  if (feed.unit.run.by_content())
    result["cleanup_source"] = word<bool>(feed.cleans_source, {{"true", true}, {"false", false}});
  result["kept"] = word<bool>(feed.kept, {{"true", true}, {"false", false}});
  result["on_rewrite"] = word<OnRewrite>(feed.on_rewrite, {{"warn", OnRewrite::warn},
                                                           {"replace", OnRewrite::replace},
                                                           {"append", OnRewrite::append},
                                                           {"stop", OnRewrite::stop}});
  result["on_schema_change"] =
      word<OnSchemaChange>(feed.on_schema_change, {{"evolve", OnSchemaChange::evolve},
                                                   {"add", OnSchemaChange::add},
                                                   {"ignore", OnSchemaChange::ignore},
                                                   {"fail", OnSchemaChange::fail},
                                                   {"block", OnSchemaChange::fail},
                                                   {"append_new_columns", OnSchemaChange::add},
                                                   {"sync_all_columns", OnSchemaChange::evolve}});
  result["adopt"] = word<bool>(feed.adopts, {{"true", true}, {"false", false}});
  // A document is one by what it says, whatever files it lists.
  if (feed.unit.kind == UnitKind::file)
    result["dedup"] = word<bool>(feed.dedup_content, {{"name", false}, {"content", true}});
  if (feed.window) {
    WindowRule& window = *feed.window;
    result["overlap"] = duration(window.overlap);
    result["boundary"] = word<bool>(window.inclusive, {{"exclusive", false}, {"inclusive", true}});
    result["late"] = word<bool>(window.load_late, {{"skip", false}, {"load", true}});
    result["null_time"] = word<bool>(window.load_nulls, {{"load", true}, {"skip", false}});
  }
  return result;
}

}  // namespace

Status read_policies(const YamlValue& top, OptionBinder& binder, Feed& feed) {
  std::map<std::string, Setter> policies = setters(feed);
  if (auto defaults = top.find("options")) {
    RETURN_IF_ERROR(defaults->is_a_map());
    std::vector<std::string> allowed;
    for (const auto& [name, set] : policies) allowed.push_back(name);
    std::vector<std::string> elsewhere = listing_keys(feed);
    if (feed.windowed()) elsewhere.emplace_back(kRetention);
    allowed.insert(allowed.end(), elsewhere.begin(), elsewhere.end());
    std::ranges::sort(allowed);
    for (const auto& [name, value] : defaults->fields()) {
      if (std::ranges::find(elsewhere, name) != elsewhere.end()) continue;
      auto policy = policies.find(name);
      if (policy == policies.end()) return defaults->place().not_allowed(name, allowed);
      ASSIGN_OR_RETURN(std::string text, value.text());
      RETURN_IF_ERROR(policy->second({std::move(text), value.place()}));
    }
  }
  for (const auto& [name, set] : policies) {
    ASSIGN_OR_RETURN(std::optional<BoundText> text, binder.common(name));
    if (text) RETURN_IF_ERROR(set(*text));
  }
  return {};
}

}  // namespace forebay
