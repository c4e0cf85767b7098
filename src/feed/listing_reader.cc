// The keys that say what of a bucket is listed: `include`, `exclude` and `lookback`, and for feeds
// without order `partition` with what belongs to it.

#include <fmt/format.h>

#include <algorithm>

#include "base/duration_text.h"
#include "base/time_text.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

class ListingReader {
 public:
  ListingReader(const YamlValue& top, OptionBinder& binder, Feed& feed)
      : defaults_(top.find("options")), binder_(binder), feed_(feed) {}

  Status read() {
    RETURN_IF_ERROR(read_patterns("include", feed_.listing.include));
    RETURN_IF_ERROR(read_patterns("exclude", feed_.listing.exclude));
    if (!feed_.ordered()) RETURN_IF_ERROR(read_partition());
    return read_lookback();
  }

 private:
  std::optional<YamlValue> fallback(std::string_view name) const {
    return defaults_ ? defaults_->find(name) : std::nullopt;
  }

  // What the pipeline gives, else what the description has, else nothing.
  Result<std::optional<BoundText>> one(const std::string& name) {
    ASSIGN_OR_RETURN(std::optional<BoundText> given, binder_.common(name));
    const auto written = fallback(name);
    if (given || !written) return given;
    ASSIGN_OR_RETURN(std::string text, written->text());
    return std::optional(BoundText{std::move(text), written->place()});
  }

  Status read_patterns(const std::string& name, std::vector<Pattern>& patterns) {
    ASSIGN_OR_RETURN(auto texts, binder_.common_list(name));
    if (const auto written = fallback(name); written && !texts) {
      ASSIGN_OR_RETURN(texts, binder_.texts(*written));
    }
    for (const BoundText& text : texts.value_or(std::vector<BoundText>())) {
      ASSIGN_OR_RETURN(Pattern pattern, read_pattern(text));
      patterns.push_back(std::move(pattern));
    }
    return {};
  }

  Status read_duration(const BoundText& text, Duration& duration) const {
    const std::optional<Duration> value = parse_duration(text.text);
    if (!value) {
      return text.place.wrong(
          fmt::format("\"{}\" is no duration, allowed: {}", text.text, kDurationForm));
    }
    duration = *value;
    return {};
  }

  Result<Enumerated> read_values(std::optional<ConfigPlace>& place) {
    ASSIGN_OR_RETURN(auto map, binder_.common_map("values"));
    if (const auto written = fallback("values"); written && !map) {
      ASSIGN_OR_RETURN(map, OptionBinder::map_of(*written));
    }
    Enumerated values;
    for (const auto& [name, texts] : map.value_or(BoundMap())) {
      auto& list = values.emplace_back(name, std::vector<std::string>()).second;
      for (const BoundText& text : texts) {
        place = text.place;
        if (text.text.contains('/')) return text.place.wrong("a value may not contain a slash");
        list.push_back(text.text);
      }
    }
    return values;
  }

  Status read_partition() {
    ASSIGN_OR_RETURN(const auto text, one("partition"));
    std::optional<ConfigPlace> values_place;
    ASSIGN_OR_RETURN(const Enumerated values, read_values(values_place));
    ASSIGN_OR_RETURN(const auto window, one("window"));
    ASSIGN_OR_RETURN(const auto margin, one("margin"));
    ASSIGN_OR_RETURN(const auto start, one("start"));
    if (!text) {
      for (const auto& given : {window, margin, start}) {
        if (given) return given->place.wrong(std::string(kAlone));
      }
      if (values_place) return values_place->wrong(std::string(kAlone));
      return {};
    }
    Result<Pattern> pattern = Pattern::parse(text->text + "**");
    if (!pattern) return unfit(*text, pattern.error());
    Result<DatedKeys> keys = dated_keys(*pattern, values);
    if (!keys) return unfit(*text, keys.error());
    std::string capture = time_captures(*pattern).front();
    PartitionRule rule{
        .pattern = std::move(*pattern), .capture = std::move(capture), .keys = std::move(*keys)};
    if (window) RETURN_IF_ERROR(read_duration(*window, rule.window));
    if (margin) RETURN_IF_ERROR(read_duration(*margin, rule.margin));
    if (start) RETURN_IF_ERROR(read_start(*start, rule));
    feed_.listing.partition = std::move(rule);
    return {};
  }

  static std::unexpected<Error> unfit(const BoundText& text, const Error& error) {
    return text.place.wrong(fmt::format("\"{}\": {}", text.text, error.cause), error.hint);
  }

  static Status read_start(const BoundText& start, PartitionRule& rule) {
    if (start.text == "all") return {};
    if (start.text == "window") {
      rule.start = PartitionRule::Start::window;
      return {};
    }
    const std::optional<Time> date = parse_time(start.text, "%Y-%m-%d");
    if (!date) {
      return start.place.wrong(
          fmt::format("\"{}\" is no beginning, allowed: all, window, or a date such as 2026-10-20",
                      start.text));
    }
    rule.start = PartitionRule::Start::date;
    rule.date = *date;
    return {};
  }

  static std::vector<std::string> time_captures(const Pattern& pattern) {
    std::vector<std::string> names = pattern.capture_names();
    std::erase_if(names, [&](const std::string& name) { return !pattern.time_format(name); });
    return names;
  }

  // Where names tell their time, a cycle lists from the mark minus this.
  Status read_lookback() {
    ASSIGN_OR_RETURN(const auto from_pipeline, binder_.common("lookback"));
    ASSIGN_OR_RETURN(const auto text, one("lookback"));
    if (!text) return {};
    if (feed_.listing.partition) {
      if (!from_pipeline) return {};
      return text->place.wrong(
          "with a partition, margin says how far below the mark a cycle lists");
    }
    if (!feed_.unit.name_time && !binder_.only_looking()) {
      const std::optional<std::string> capture = common_time();
      if (!capture) {
        return text->place.wrong("means nothing here: the names of the units tell no time",
                                 "give the pattern a time, such as {day:%Y-%m-%d}");
      }
      feed_.unit.name_time = NameTime{.capture = *capture};
    }
    return read_duration(*text, feed_.unit.lookback.emplace());
  }

  // The one time that the names of all units have.
  std::optional<std::string> common_time() const {
    std::optional<std::string> common;
    for (const Pattern& pattern : feed_.unit.patterns) {
      const std::vector<std::string> times = time_captures(pattern);
      if (times.size() != 1 || (common && *common != times.front())) return std::nullopt;
      common = times.front();
    }
    return common;
  }

  static constexpr std::string_view kAlone = "means nothing without partition";

  std::optional<YamlValue> defaults_;
  OptionBinder& binder_;
  Feed& feed_;
};

}  // namespace

Status read_listing(const YamlValue& top, OptionBinder& binder, Feed& feed) {
  return ListingReader(top, binder, feed).read();
}

std::vector<std::string> listing_keys(const Feed& feed) {
  std::vector<std::string> keys = {"exclude", "include", "lookback"};
  if (!feed.ordered()) {
    for (const char* key : {"margin", "partition", "start", "values", "window"}) {
      keys.emplace_back(key);
    }
  }
  return keys;
}

}  // namespace forebay
