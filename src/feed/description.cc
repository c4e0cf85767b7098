// Reads a description from the top; src/feed/description_reader.h lists the parts that are read
// elsewhere.

#include "feed/description.h"

#include <fmt/format.h>

#include <utility>

#include "feed/builtin.h"
#include "feed/content.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

class Reader {
 public:
  Reader(YamlValue top, OptionBinder& binder) : top_(std::move(top)), binder_(binder) {}

  Result<Described> read() {
    RETURN_IF_ERROR(
        top_.only({"about", "unit", "window", "files", "accept", "effect", "decode", "rows", "keep",
                   "columns", "check", "table", "options", "api", "recognise"}));
    ASSIGN_OR_RETURN(YamlValue about, top_.need("about"));
    ASSIGN_OR_RETURN(feed_.about, about.text());
    ASSIGN_OR_RETURN(YamlValue unit, top_.need("unit"));
    RETURN_IF_ERROR(read_unit(unit, binder_, feed_.unit));
    if (documents()) {
      ASSIGN_OR_RETURN(YamlValue files, top_.need("files"));
      RETURN_IF_ERROR(read_files(files));
    } else {
      ASSIGN_OR_RETURN(YamlValue table, top_.need("table"));
      ASSIGN_OR_RETURN(feed_.table, value_ref(table, false));
    }
    if (auto decode = top_.find("decode")) {
      RETURN_IF_ERROR(read_decode(*decode, binder_, feed_.decode));
    }
    if (feed_.windowed()) {
      ASSIGN_OR_RETURN(YamlValue window, top_.need("window"));
      RETURN_IF_ERROR(read_window(window, binder_, feed_.window.emplace()));
    }
    RETURN_IF_ERROR(read_accept());
    RETURN_IF_ERROR(read_rows(top_, binder_, feed_));
    RETURN_IF_ERROR(set_version_of_window());
    ASSIGN_OR_RETURN(YamlValue effect, top_.need("effect"));
    RETURN_IF_ERROR(read_effect(effect));
    RETURN_IF_ERROR(read_policies(top_, binder_, feed_));
    if (feed_.windowed()) RETURN_IF_ERROR(read_retention(top_, binder_, *feed_.window));
    RETURN_IF_ERROR(read_listing(top_, binder_, feed_));
    RETURN_IF_ERROR(read_recognise(top_, recognise_));
    RETURN_IF_ERROR(read_api(top_, feed_));
    RETURN_IF_ERROR(binder_.check_all_known());
    RETURN_IF_ERROR(check_description(top_, binder_, feed_));
    feed_.digest = meaning_digest(feed_);
    return Described{std::move(feed_), binder_.known(), binder_.needed(), std::move(recognise_)};
  }

 private:
  bool documents() const { return feed_.unit.kind == UnitKind::document; }

  // A value by reference: "/a/b" in the document, "name" in the entry of a file, or spelled out as
  // {field: name}, {capture: name}, {option: name}, {text: constant}.
  Result<ValueRef> value_ref(const YamlValue& value, bool has_entry) {
    using From = ValueRef::From;
    if (value.is_text()) {
      ASSIGN_OR_RETURN(std::string text, value.text());
      if (text.starts_with('/') && documents()) return ValueRef{From::document, std::move(text)};
      if (has_entry && !text.starts_with('/')) return ValueRef{From::entry, std::move(text)};
      return value.wrong(
          fmt::format("\"{}\" refers to nothing, allowed: {}", text, forms(has_entry)));
    }
    if (OptionBinder::is_option(value)) {
      ASSIGN_OR_RETURN(BoundText text, binder_.text(value));
      if (!is_table_name(text.text)) return text.place.wrong("is too long, or has a NUL byte");
      return ValueRef{From::constant, std::move(text.text)};
    }
    RETURN_IF_ERROR(value.only({"field", "capture", "option", "text"}));
    if (value.fields().size() != 1) {
      return value.wrong(fmt::format("must have exactly one key, allowed: {}", forms(has_entry)));
    }
    auto [key, named] = value.fields().front();
    ASSIGN_OR_RETURN(std::string text, named.text());
    if (key == "text") return ValueRef{From::constant, std::move(text)};
    if (key == "capture") return ValueRef{From::capture, std::move(text)};
    if (!has_entry) return named.wrong("there are no entries here, allowed: " + forms(false));
    return ValueRef{From::entry, std::move(text)};
  }

  std::string forms(bool has_entry) const {
    std::string text = "{capture: NAME}, {option: NAME}, {text: TEXT}";
    if (documents()) text = "/path/in/the/document, " + text;
    if (has_entry) text = "a field's name, " + text;
    return text;
  }

  // Of two rows of a key the one whose time is later is newer.
  Status set_version_of_window() {
    if (!feed_.windowed() || feed_.rows.key.empty()) return {};
    if (feed_.rows.versioned() || !feed_.rows.tie.empty()) {
      return top_.find("rows")->wrong("version and tie are not for windows: the time decides");
    }
    feed_.rows.version = {{.name = feed_.window->time_column}};
    return {};
  }

  Status read_files(const YamlValue& files) {
    RETURN_IF_ERROR(files.only({"list", "path", "table", "rows", "size"}));
    FilesRule rule;
    ASSIGN_OR_RETURN(YamlValue list, files.need("list"));
    ASSIGN_OR_RETURN(rule.list, list.text());
    if (!rule.list.starts_with('/')) {
      return list.wrong(
          fmt::format("\"{}\" must be a path in the document, such as /files", rule.list));
    }
    ASSIGN_OR_RETURN(YamlValue path, files.need("path"));
    RETURN_IF_ERROR(path.only({"field", "from"}));
    ASSIGN_OR_RETURN(YamlValue field, path.need("field"));
    rule.path.from = ValueRef::From::entry;
    ASSIGN_OR_RETURN(rule.path.name, field.text());
    ASSIGN_OR_RETURN(YamlValue from, path.need("from"));
    ASSIGN_OR_RETURN(std::string base, from.word({"bucket", "document", "source"}));
    rule.base = base == "bucket"     ? PathBase::bucket
                : base == "document" ? PathBase::document
                                     : PathBase::source;
    ASSIGN_OR_RETURN(YamlValue table, files.need("table"));
    ASSIGN_OR_RETURN(rule.table, value_ref(table, true));
    RETURN_IF_ERROR(read_count(files, "rows", rule.rows));
    RETURN_IF_ERROR(read_count(files, "size", rule.size));
    feed_.files = std::move(rule);
    return {};
  }

  Status read_count(const YamlValue& files, std::string_view key, std::optional<ValueRef>& count) {
    auto value = files.find(key);
    if (!value) return {};
    ASSIGN_OR_RETURN(count, value_ref(*value, true));
    bool counts = count->from == ValueRef::From::entry || count->from == ValueRef::From::document;
    if (!counts) return value->wrong("must be a field or a path in the document");
    return {};
  }

  Status read_accept() {
    auto accept = top_.find("accept");
    if (!accept) return {};
    if (!documents()) return accept->wrong("belongs to feeds whose units are documents");
    RETURN_IF_ERROR(accept->is_a_map());
    for (const auto& [path, values] : accept->fields()) {
      if (!path.starts_with('/')) {
        return values.wrong("must be a path in the document, such as /format_version");
      }
      AcceptRule rule{.path = path};
      ASSIGN_OR_RETURN(rule.values, values.texts());
      feed_.accept.push_back(std::move(rule));
    }
    return {};
  }

  // `put`, `append`, {clear: table, then: append}, or {by: /kind, when: {word: one of these}}.
  Status read_effect(const YamlValue& effect) {
    if (!effect.find("by")) {
      if (effect.is_map()) RETURN_IF_ERROR(effect.only({"by", "when", "clear", "then"}));
      ASSIGN_OR_RETURN(feed_.effect.fixed, read_action(effect));
      return {};
    }
    RETURN_IF_ERROR(effect.only({"by", "when"}));
    ASSIGN_OR_RETURN(YamlValue by, effect.need("by"));
    ASSIGN_OR_RETURN(feed_.effect.by, value_ref(by, documents()));
    if (feed_.effect.by->from == ValueRef::From::constant) {
      return by.wrong("a constant chooses nothing; write the effect alone");
    }
    ASSIGN_OR_RETURN(YamlValue when, effect.need("when"));
    RETURN_IF_ERROR(when.is_a_map());
    for (const auto& [word, action] : when.fields()) {
      ASSIGN_OR_RETURN(feed_.effect.choices[word], read_action(action));
    }
    if (feed_.effect.choices.empty()) return when.wrong("must have at least one word");
    return {};
  }

  Result<Effect> read_action(const YamlValue& value) {
    Effect effect;
    YamlValue rows = value;
    if (value.is_map()) {
      RETURN_IF_ERROR(value.only({"clear", "then"}));
      ASSIGN_OR_RETURN(YamlValue clear, value.need("clear"));
      ASSIGN_OR_RETURN(std::string what, clear.word({"table"}));
      effect.clear_table = true;
      ASSIGN_OR_RETURN(rows, value.need("then"));
    }
    ASSIGN_OR_RETURN(std::string action, rows.word({"append", "put"}));
    if (action == "append") return effect;
    auto row_rule = top_.find("rows");
    if (!row_rule || !row_rule->find("key")) {
      return rows.wrong("\"put\" replaces rows by their key, so rows.key must say what it is");
    }
    // A key that the pipeline may give and does not: the tables have none, and only append.
    effect.put = !feed_.rows.key.empty() || binder_.only_looking();
    return effect;
  }

  YamlValue top_;
  OptionBinder& binder_;
  Feed feed_;
  RecogniseRule recognise_;
};

}  // namespace

Result<Described> read_description(std::string_view name, std::string_view yaml,
                                   std::string_view origin, const Options* options) {
  ASSIGN_OR_RETURN(YamlValue top, YamlValue::parse(yaml, origin));
  OptionBinder binder(name, options);
  ASSIGN_OR_RETURN(Described described, Reader(std::move(top), binder).read());
  described.feed.name = name;
  return described;
}

Result<Feed> bind_feed(std::string_view name, std::string_view yaml, std::string_view origin,
                       const Options& options) {
  ASSIGN_OR_RETURN(Described described, read_description(name, yaml, origin, &options));
  return std::move(described.feed);
}

Result<std::vector<std::string>> feed_options(std::string_view yaml, std::string_view origin) {
  ASSIGN_OR_RETURN(Described described, read_description(origin, yaml, origin, nullptr));
  return std::move(described.options);
}

std::optional<std::string_view> find_builtin_feed(std::string_view name) {
  for (const BuiltinFeed& feed : builtin_feeds()) {
    if (feed.name == name) return feed.yaml;
  }
  return std::nullopt;
}

}  // namespace forebay
