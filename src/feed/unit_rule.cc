// `unit:` of a description: what commits as one, its order and its time.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/time_text.h"
#include "feed/description_reader.h"
#include "feed/order.h"

namespace forebay {
namespace {

class UnitReader {
 public:
  UnitReader(const YamlValue& unit, OptionBinder& binder, UnitRule& rule)
      : unit_(unit), binder_(binder), rule_(rule) {}

  Status read() {
    RETURN_IF_ERROR(
        unit_.only({"document", "file", "folder", "window", "identity", "order", "name_time",
                    "time", "hidden", "stop", "changed", "gapless", "generation"}));
    RETURN_IF_ERROR(read_kind());
    RETURN_IF_ERROR(read_documents_only());
    RETURN_IF_ERROR(read_order());
    RETURN_IF_ERROR(read_stop());
    RETURN_IF_ERROR(read_gapless());
    RETURN_IF_ERROR(read_generation());
    RETURN_IF_ERROR(read_name_time());
    return read_time();
  }

 private:
  Status read_kind() {
    auto document = unit_.find("document");
    auto file = unit_.find("file");
    auto window = unit_.find("window");
    auto folder = unit_.find("folder");
    if (document.has_value() + file.has_value() + folder.has_value() + window.has_value() != 1) {
      return unit_.wrong("must have exactly one of the keys document, file, folder and window");
    }
    rule_.kind = document || folder ? UnitKind::document : file ? UnitKind::file : UnitKind::window;
    rule_.folder = folder.has_value();
    RETURN_IF_ERROR(read_patterns(document ? *document
                                  : folder ? *folder
                                  : file   ? *file
                                           : *window));
    rule_.skip_hidden = rule_.kind != UnitKind::document;
    if (auto hidden = unit_.find("hidden")) {
      ASSIGN_OR_RETURN(std::string word, hidden->word({"skip", "take"}));
      rule_.skip_hidden = word == "skip";
    }
    return {};
  }

  Status read_patterns(const YamlValue& value) {
    ASSIGN_OR_RETURN(std::vector<BoundText> texts, binder_.texts(value));
    if (texts.empty() && !binder_.only_looking()) {
      return value.wrong("no pattern is given, and the option has no default");
    }
    for (BoundText& text : texts) {
      if (rule_.folder && !text.text.ends_with('/'))
        return text.place.wrong(
            fmt::format("\"{}\" must end in a slash: it is a folder", text.text));
      if (rule_.folder) text.text += fmt::format("{{{}:path}}", kBelowFolder);
      ASSIGN_OR_RETURN(Pattern pattern, read_pattern(text));
      RETURN_IF_ERROR(check_types(pattern, text.place));
      rule_.patterns.push_back(std::move(pattern));
    }
    return {};
  }

  // A capture that means text here and a number there could not be put in one order.
  Status check_types(const Pattern& pattern, const ConfigPlace& place) const {
    for (const std::string& name : pattern.capture_names()) {
      for (const Pattern& other : rule_.patterns) {
        if (!other.capture_type(name) || other.capture_type(name) == pattern.capture_type(name)) {
          continue;
        }
        return place.wrong(
            fmt::format("the capture {{{}}} has another type in \"{}\"", name, other.text()));
      }
    }
    return {};
  }

  bool is_captured(std::string_view name) const {
    if (name == kBelowFolder) return false;
    return is_builtin_capture(name) || std::ranges::any_of(rule_.patterns, [&](const Pattern& p) {
             return p.capture_type(name).has_value();
           });
  }

  std::vector<std::string> all_captures() const {
    std::vector<std::string> names = {"$file", "$folder", "$key", "$stem"};
    for (const Pattern& pattern : rule_.patterns) {
      for (std::string& name : pattern.capture_names()) {
        const bool known = std::ranges::find(names, name) != names.end() || name == kBelowFolder;
        if (!known) names.push_back(std::move(name));
      }
    }
    return names;
  }

  // Where what a unit says of itself can stand.
  ValueScope scope() const {
    return {.document = rule_.kind == UnitKind::document && !rule_.folder};
  }

  // What units that are known by more than their keys have.
  Status read_documents_only() {
    if (auto changed = unit_.find("changed"); changed && !scope().document)
      return changed->wrong("belongs to units that are documents");
    if (auto identity = unit_.find("identity")) {
      if (rule_.kind == UnitKind::window) return identity->wrong("does not belong to windows");
      ASSIGN_OR_RETURN(rule_.run.identity, read_identity(*identity, binder_, scope()));
    }
    if (auto changed = unit_.find("changed")) {
      ASSIGN_OR_RETURN(std::string word, changed->word({"whole", "files"}));
      rule_.grows = word == "files";
      if (rule_.grows && !rule_.run.by_content())
        return changed->wrong("\"files\" needs `identity`, which tells the same unit again");
    }
    return {};
  }

  // feed, table, or the captures that name a scope.
  Status read_stop() {
    auto stop = unit_.find("stop");
    if (!stop) return {};
    if (rule_.order.empty()) return stop->wrong("needs `order`: without one nothing stops");
    ASSIGN_OR_RETURN(const std::vector<std::string> words, stop->texts());
    if (!stop->is_list()) {
      ASSIGN_OR_RETURN(const std::string word, stop->word({"feed", "table"}));
      rule_.stop = word == "table" ? StopScope::table : StopScope::feed;
      return {};
    }
    if (rule_.run.by_content())
      return stop->wrong("takes feed or table: what a document speaks of only it tells");
    for (const std::string& name : words) {
      if (!is_captured(name)) return stop->place().not_allowed(name, all_captures());
      for (const Pattern& pattern : rule_.patterns) {
        if (!is_builtin_capture(name) && !pattern.capture_type(name))
          return stop->wrong(
              fmt::format("the pattern \"{}\" has no capture {{{}}}", pattern.text(), name));
      }
    }
    rule_.stop = StopScope::captures;
    rule_.stop_by = words;
    return {};
  }

  // A capture whose numbers follow each other: `n`, or {of: n, from: 1}.
  Status read_gapless() {
    auto gapless = unit_.find("gapless");
    if (!gapless) return {};
    YamlValue of = *gapless;
    if (gapless->is_map()) {
      RETURN_IF_ERROR(gapless->only({"of", "from"}));
      ASSIGN_OR_RETURN(of, gapless->need("of"));
      if (auto from = gapless->find("from")) {
        ASSIGN_OR_RETURN(const std::string text, from->text());
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
          return from->wrong(fmt::format("\"{}\" must be a whole number, 0 or more", text));
        rule_.gapless_from = number;
      }
    }
    if (rule_.run.by_content())
      return gapless->wrong(
          "is for units that are known by their names, and these have `identity`");
    ASSIGN_OR_RETURN(rule_.gapless, of.text());
    if (!is_captured(rule_.gapless)) return of.place().not_allowed(rule_.gapless, all_captures());
    for (const Pattern& pattern : rule_.patterns) {
      const auto type = pattern.capture_type(rule_.gapless);
      if (type == CaptureType::number) continue;
      return of.wrong(fmt::format("must be captured as a number, {{{}:int}}, by \"{}\"",
                                  rule_.gapless, pattern.text()));
    }
    if (std::ranges::find(rule_.order, rule_.gapless) == rule_.order.end())
      return gapless->wrong(fmt::format("needs `order` with {} in it", rule_.gapless));
    return {};
  }

  // The first part of the order, whose greater values begin tables anew.
  Status read_generation() {
    auto generation = unit_.find("generation");
    if (!generation) return {};
    ASSIGN_OR_RETURN(rule_.generation, generation->text());
    if (!is_captured(rule_.generation))
      return generation->place().not_allowed(rule_.generation, all_captures());
    if (!rule_.run.by_content() && !rule_.order.empty() &&
        rule_.order.front() == rule_.generation && rule_.order.size() > 1)
      return {};
    return generation->wrong("must be the first part of `order`, with another one behind it");
  }

  // Units that are known by what they say are ordered by it, too.
  Status read_document_order(const YamlValue& order) {
    ASSIGN_OR_RETURN(std::vector<YamlValue> items, order.items());
    for (const YamlValue& item : items) {
      ASSIGN_OR_RETURN(OrderPart part, read_order_part(item, binder_, scope()));
      rule_.order.push_back(fmt::format("{} {}", part.of.name, std::to_underlying(part.as)));
      rule_.run.order.push_back(std::move(part));
    }
    return {};
  }

  Status read_order() {
    auto order = unit_.find("order");
    if (!order) return {};
    if (rule_.run.by_content()) return read_document_order(*order);
    ASSIGN_OR_RETURN(std::vector<std::string> names, order->texts());
    if (names == std::vector<std::string>{"none"} && !order->is_list()) return {};
    if (rule_.kind == UnitKind::window) {
      return order->wrong("a window has no order of files: the rows' time decides");
    }
    for (const std::string& name : names) {
      if (!is_captured(name)) return order->place().not_allowed(name, all_captures());
    }
    rule_.order = std::move(names);
    return {};
  }

  Status read_name_time() {
    auto value = unit_.find("name_time");
    if (!value) return {};
    RETURN_IF_ERROR(value->only({"of", "format"}));
    ASSIGN_OR_RETURN(YamlValue of, value->need("of"));
    NameTime rule;
    ASSIGN_OR_RETURN(rule.capture, of.text());
    if (!is_captured(rule.capture)) return of.place().not_allowed(rule.capture, all_captures());
    bool is_time = std::ranges::any_of(rule_.patterns, [&](const Pattern& pattern) {
      return pattern.capture_type(rule.capture) == CaptureType::time;
    });
    auto format = value->find("format");
    if (is_time && format) {
      return format->wrong(
          fmt::format("{{{}}} is a time already, its format stands in the pattern", rule.capture));
    }
    if (!is_time) {
      ASSIGN_OR_RETURN(YamlValue needed, value->need("format"));
      ASSIGN_OR_RETURN(rule.format, needed.text());
      if (!valid_time_format(rule.format)) {
        return needed.wrong(
            fmt::format("\"{}\" is no format of a whole date, allowed: %Y %m %d %H "
                        "%M %S %j %f %s %-m %-d %-H %-M %-S %%",
                        rule.format));
      }
    }
    rule_.name_time = std::move(rule);
    return {};
  }

  Status read_time() {
    auto time = unit_.find("time");
    if (!time) return {};
    ASSIGN_OR_RETURN(std::string path, time->text());
    if (rule_.kind != UnitKind::document || rule_.folder) {
      return time->wrong("belongs to units that are documents; files have name_time");
    }
    if (!path.starts_with('/')) {
      return time->wrong(
          fmt::format("\"{}\" must be a path in the document, such as /created_at", path));
    }
    rule_.time = ValueRef{ValueRef::From::document, std::move(path)};
    return {};
  }

  const YamlValue& unit_;
  OptionBinder& binder_;
  UnitRule& rule_;
};

}  // namespace

Status read_unit(const YamlValue& unit, OptionBinder& binder, UnitRule& rule) {
  return UnitReader(unit, binder, rule).read();
}

Result<Pattern> read_pattern(const BoundText& text) {
  std::string full = text.text;
  if (full.starts_with("./")) {
    full.erase(0, 2);
  } else if (!full.contains('/')) {
    full.insert(0, "**/");
  }
  Result<Pattern> pattern = Pattern::parse(full);
  if (pattern) return pattern;
  return text.place.wrong(fmt::format("the pattern \"{}\" {}", text.text, pattern.error().cause),
                          pattern.error().hint);
}

}  // namespace forebay
