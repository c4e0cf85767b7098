// `window:` of a description: which time decides what is new.

#include <fmt/format.h>

#include <utility>

#include "base/duration_text.h"
#include "base/time_text.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

class WindowReader {
 public:
  WindowReader(const YamlValue& window, OptionBinder& binder, WindowRule& rule)
      : window_(window), binder_(binder), rule_(rule) {}

  Status read() {
    RETURN_IF_ERROR(
        window_.only({"time", "format", "partition", "partition_format", "partition_grain"}));
    ASSIGN_OR_RETURN(YamlValue time, window_.need("time"));
    ASSIGN_OR_RETURN(BoundText column, binder_.text(time));
    rule_.time_column = std::move(column.text);
    ASSIGN_OR_RETURN(auto format, part("format"));
    if (format) {
      ASSIGN_OR_RETURN(rule_.format, choose_word(*format, kFormats));
    }
    return read_partition();
  }

 private:
  // A key that may be absent, or an option that may be left out.
  Result<std::optional<BoundText>> part(std::string_view key) {
    std::optional<BoundText> text;
    auto value = window_.find(key);
    if (!value) return text;
    ASSIGN_OR_RETURN(std::vector<BoundText> texts, binder_.texts(*value));
    if (texts.empty()) return text;
    if (texts.size() > 1) return texts[1].place.wrong("takes one value, not a list");
    text = std::move(texts.front());
    return text;
  }

  Status read_partition() {
    ASSIGN_OR_RETURN(auto column, part("partition"));
    ASSIGN_OR_RETURN(auto format, part("partition_format"));
    ASSIGN_OR_RETURN(auto grain, part("partition_grain"));
    if (!column) return {};
    TimePartition partition{.column = std::move(column->text), .format = "date"};
    if (format && format->text != "date") {
      if (!valid_time_format(format->text)) {
        return format->place.wrong(
            fmt::format("\"{}\" is no format of a time in a key, allowed: date, or one with %Y %m "
                        "%d %H %M %S %j %s",
                        format->text));
      }
      partition.format = std::move(format->text);
    }
    if (grain) {
      ASSIGN_OR_RETURN(partition.grain, choose_word(*grain, kGrains));
    }
    rule_.partition = std::move(partition);
    return {};
  }

  static inline const std::vector<std::pair<std::string, TimeGrain>> kGrains = {
      {"day", TimeGrain::day}, {"month", TimeGrain::month}, {"year", TimeGrain::year}};
  static inline const std::vector<std::pair<std::string, TimeFormat>> kFormats = {
      {"own", TimeFormat::own},
      {"timestamp", TimeFormat::timestamp},
      {"timestamptz", TimeFormat::timestamptz},
      {"unix_seconds", TimeFormat::unix_seconds},
      {"unix_millis", TimeFormat::unix_millis},
      {"unix_nanos", TimeFormat::unix_nanos},
      {"iso8601", TimeFormat::iso8601},
      {"date", TimeFormat::date}};

  const YamlValue& window_;
  OptionBinder& binder_;
  WindowRule& rule_;
};

}  // namespace

Status read_retention(const YamlValue& top, OptionBinder& binder, WindowRule& rule) {
  ASSIGN_OR_RETURN(auto parts, binder.common_map(kRetention));
  const auto defaults = top.find("options");
  const auto written = defaults ? defaults->find(kRetention) : std::nullopt;
  if (written && !parts) {
    ASSIGN_OR_RETURN(parts, OptionBinder::map_of(*written));
  }
  for (const auto& [name, texts] : parts.value_or(BoundMap())) {
    const BoundText& text = texts.front();
    if (name != "period") return text.place.not_allowed(name, {"period"});
    const std::optional<Duration> period = parse_duration(text.text);
    if (!period) {
      return text.place.wrong(
          fmt::format("\"{}\" is no duration, allowed: {}", text.text, kDurationForm));
    }
    rule.retention = *period;
  }
  return {};
}

Status read_window(const YamlValue& window, OptionBinder& binder, WindowRule& rule) {
  return WindowReader(window, binder, rule).read();
}

}  // namespace forebay
