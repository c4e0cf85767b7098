// `decode:` of a description: the format of its files, where names do not tell, and the dialect.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "base/limits.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

const std::map<std::string, FileFormat> kFormatWords = {{"parquet", FileFormat::parquet},
                                                        {"csv", FileFormat::csv},
                                                        {"tsv", FileFormat::tsv},
                                                        {"json", FileFormat::json}};
const std::map<std::string, Compression> kCompressionWords = {
    {"none", Compression::none}, {"gzip", Compression::gzip}, {"zstd", Compression::zstd}};
const std::map<std::string, bool> kTruthWords = {{"true", true}, {"false", false}};
const std::map<std::string, bool> kEncodingWords = {{"utf-8", true}};
const std::map<std::string, bool> kTypesWords = {{"found", false}, {"text", true}};

// A character that may part fields: one byte, no line end, no letter or digit.
Result<char> read_character(BoundText text) {
  if (text.text == "tab" || text.text == "\\t") text.text = "\t";
  const char c = text.text.front();
  const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                            (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  if (text.text.size() == 1 && !alphanumeric && c != '\n' && c != '\r' && c != '\0') return c;
  return text.place.wrong(fmt::format(
      "\"{}\" must be one ASCII character that is no letter, digit or line end", text.text));
}

Status check_characters(const DecodeRule& rule, const ConfigPlace& place) {
  const auto& quote = rule.dialect.quote;
  const bool clash = rule.delimiter &&
                     (rule.delimiter == quote || (quote && rule.delimiter == rule.dialect.escape));
  if (clash) return place.wrong("delimiter, quote and escape must differ");
  return {};
}

class DecodeReader {
 public:
  DecodeReader(const YamlValue& decode, OptionBinder& binder, ValueScope scope, Feed& feed)
      : decode_(decode),
        binder_(binder),
        scope_(scope),
        feed_(feed),
        rule_(feed.decode),
        source_(feed.decode_from) {}

  Status read() {
    RETURN_IF_ERROR(decode_.only({"format", "compression", "encoding", "delimiter", "quote",
                                  "escape", "header", "columns", "only_in", "null_text", "root",
                                  "record", "types", "list", "only"}));
    RETURN_IF_ERROR(read_word("format", kFormatWords, rule_.format));
    RETURN_IF_ERROR(read_word("compression", kCompressionWords, rule_.compression));
    std::optional<bool> utf8;
    RETURN_IF_ERROR(read_word("encoding", kEncodingWords, utf8));
    std::optional<bool> texts;
    RETURN_IF_ERROR(read_word("types", kTypesWords, texts));
    rule_.texts = texts.value_or(false);
    RETURN_IF_ERROR(read_characters());
    RETURN_IF_ERROR(read_columns());
    return read_shape();
  }

 private:
  // Whether a document tells it, file by file.
  bool refers(const YamlValue& value) const {
    return is_reference(value, binder_) && (scope_.document || !value.is_text());
  }

  Status no_window(const YamlValue& value) const {
    if (!feed_.windowed()) return {};
    return value.wrong("must be spelled out: windows have no documents");
  }

  // One value, or nothing where an option is not given or a document tells it.
  Result<std::optional<BoundText>> one(std::string_view key) {
    std::optional<BoundText> text;
    const auto value = decode_.find(key);
    if (!value) return text;
    if (key != "encoding" && refers(*value)) {
      RETURN_IF_ERROR(no_window(*value));
      ASSIGN_OR_RETURN(ValueRef ref, read_value(*value, binder_, scope_));
      source_.words.emplace_back(key, std::move(ref));
      return text;
    }
    ASSIGN_OR_RETURN(std::vector<BoundText> texts, binder_.texts(*value));
    if (texts.size() > 1) return texts[1].place.wrong("takes one value, not a list");
    if (!texts.empty()) text = std::move(texts.front());
    return text;
  }

  template <class Value>
  Status read_word(std::string_view key, const std::map<std::string, Value>& words,
                   std::optional<Value>& field) {
    ASSIGN_OR_RETURN(const auto text, one(key));
    if (!text) return {};
    ASSIGN_OR_RETURN(field, choose_word(*text, words));
    return {};
  }

  Result<std::optional<char>> character(std::string_view key) {
    std::optional<char> result;
    ASSIGN_OR_RETURN(auto text, one(key));
    if (!text) return result;
    ASSIGN_OR_RETURN(result, read_character(*text));
    return result;
  }

  Status read_characters() {
    CsvDialect& dialect = rule_.dialect;
    ASSIGN_OR_RETURN(rule_.delimiter, character("delimiter"));
    ASSIGN_OR_RETURN(const auto quote, one("quote"));
    if (quote && quote->text == "none") {
      dialect.quote.reset();
    } else if (quote) {
      ASSIGN_OR_RETURN(dialect.quote, character("quote"));
    }
    dialect.escape = dialect.quote.value_or('"');
    ASSIGN_OR_RETURN(const auto escape, character("escape"));
    if (escape) {
      dialect.escape = *escape;
      if (!dialect.quote) return decode_.wrong("an escape needs quotes, and quote says none");
    }
    return check_characters(rule_, decode_.place());
  }

  // Names, or as an option names with their types; to files with a header those are types alone.
  Result<std::vector<std::string>> names_of_columns(const YamlValue& columns) {
    std::vector<std::string> names;
    const auto option = columns.find("option");
    if (option && option->is_text()) {
      const OptionValue* given = binder_.raw(option->text().value_or(""));
      if (given != nullptr && given->is_map) {
        for (const auto& [name, type] : given->fields) {
          if (!rule_.dialect.header) names.push_back(name);
        }
        return names;
      }
    }
    ASSIGN_OR_RETURN(std::vector<BoundText> texts, binder_.texts(columns));
    for (BoundText& text : texts) names.push_back(std::move(text.text));
    return names;
  }

  Status read_columns() {
    CsvDialect& dialect = rule_.dialect;
    std::optional<bool> header;
    RETURN_IF_ERROR(read_word("header", kTruthWords, header));
    dialect.header = header.value_or(true);
    const auto columns = decode_.find("columns");
    const bool told = columns && refers(*columns);
    if (told) {
      RETURN_IF_ERROR(no_window(*columns));
      ASSIGN_OR_RETURN(source_.columns, read_names(*columns, binder_, scope_));
    } else if (columns) {
      ASSIGN_OR_RETURN(dialect.columns, names_of_columns(*columns));
      if (dialect.columns.size() > kMaxTextColumns)
        return columns->wrong(fmt::format("has more than {} names", kMaxTextColumns));
    }
    const bool header_told =
        std::ranges::any_of(source_.words, [](const auto& word) { return word.first == "header"; });
    if (dialect.header && !header_told && (told || !dialect.columns.empty())) {
      return decode_.wrong("columns gives names to files without a header: say header: false too");
    }
    const bool needed =
        !dialect.header && !told && dialect.columns.empty() && !binder_.only_looking();
    if (needed) return decode_.wrong("header: false needs columns, the names in their order");
    RETURN_IF_ERROR(read_only_in());
    const auto nulls = decode_.find("null_text");
    if (nulls && refers(*nulls)) {
      RETURN_IF_ERROR(no_window(*nulls));
      ASSIGN_OR_RETURN(source_.null_text, read_value(*nulls, binder_, scope_));
    } else if (nulls) {
      ASSIGN_OR_RETURN(std::vector<BoundText> texts, binder_.texts(*nulls));
      for (BoundText& text : texts) dialect.nulls.push_back(std::move(text.text));
    }
    return {};
  }

  Status read_only_in() {
    const auto only_in = decode_.find("only_in");
    if (!only_in) return {};
    const std::vector<std::string>& columns = rule_.dialect.columns;
    ASSIGN_OR_RETURN(const BoundMap map, OptionBinder::map_of(*only_in));
    for (const auto& [column, texts] : map) {
      const BoundText& text = texts.front();
      if (texts.size() > 1) return texts[1].place.wrong("takes one pattern, not a list");
      const bool named = std::ranges::find(columns, column) != columns.end();
      const bool known = named || rule_.dialect.header || source_.columns || binder_.only_looking();
      if (!known) {
        return text.place.wrong(fmt::format("\"{}\" is none of the names in `columns`", column));
      }
      ASSIGN_OR_RETURN(Pattern pattern, read_pattern(text));
      rule_.only_in.emplace_back(column, std::move(pattern));
    }
    return {};
  }

  static Result<std::vector<std::string>> read_path(const BoundText& text) {
    std::vector<std::string> path;
    for (const auto segment : std::views::split(text.text, '/'))
      path.emplace_back(segment.begin(), segment.end());
    const bool begins = path.size() > 1 && path.front().empty();
    path.erase(path.begin());
    if (begins && std::ranges::none_of(path, &std::string::empty)) return path;
    return text.place.wrong(
        fmt::format("\"{}\" must be a path in the record, such as /after", text.text));
  }

  // Where the records are, and which of them are rows.
  Status read_records() {
    JsonShape& shape = rule_.shape;
    if (const auto list = decode_.find("list")) {
      ASSIGN_OR_RETURN(const std::vector<BoundText> texts, binder_.texts(*list));
      if (texts.size() > 1) return texts[1].place.wrong("takes one path, not a list");
      if (!texts.empty()) {
        ASSIGN_OR_RETURN(shape.list, read_path(texts.front()));
      }
    }
    const auto only = decode_.find("only");
    if (!only) return {};
    RETURN_IF_ERROR(only->is_a_map());
    for (const auto& [path, allowed] : only->fields()) {
      RecordFilter filter;
      ASSIGN_OR_RETURN(filter.path, read_path({path, allowed.place()}));
      ASSIGN_OR_RETURN(const std::vector<BoundText> texts, binder_.texts(allowed));
      for (const BoundText& text : texts) filter.values.push_back(text.text);
      if (filter.values.empty() && !binder_.only_looking())
        return allowed.wrong("must name at least one value");
      shape.only.push_back(std::move(filter));
    }
    return {};
  }

  Status read_shape() {
    JsonShape& shape = rule_.shape;
    if (const auto roots = decode_.find("root")) {
      ASSIGN_OR_RETURN(std::vector<BoundText> texts, binder_.texts(*roots));
      for (const BoundText& text : texts) {
        if (shape.may_lack_root) return text.place.wrong("none comes last");
        shape.may_lack_root = text.text == "none";
        if (shape.may_lack_root && shape.roots.empty())
          return text.place.wrong("none needs a path before it, such as [/after, none]");
        if (shape.may_lack_root) continue;
        ASSIGN_OR_RETURN(auto path, read_path(text));
        shape.roots.push_back(std::move(path));
      }
    }
    RETURN_IF_ERROR(read_records());
    const auto record = decode_.find("record");
    if (!record) return {};
    RETURN_IF_ERROR(record->is_a_map());
    for (const auto& [name, value] : record->fields()) {
      const auto is_null = value.find("is_null");
      const auto absent = value.find("absent");
      if (value.is_map()) RETURN_IF_ERROR(value.only({"is_null", "absent"}));
      if (is_null && absent) return value.wrong("must have one of the keys is_null and absent");
      const YamlValue& of = is_null ? *is_null : absent ? *absent : value;
      ASSIGN_OR_RETURN(std::string text, of.text());
      ASSIGN_OR_RETURN(auto path, read_path({std::move(text), of.place()}));
      shape.record.push_back({name, std::move(path), is_null.has_value(), absent.has_value()});
    }
    return {};
  }

  const YamlValue& decode_;
  OptionBinder& binder_;
  ValueScope scope_;
  Feed& feed_;
  DecodeRule& rule_;
  DecodeSource& source_;
};

}  // namespace

Status read_decode(const YamlValue& decode, OptionBinder& binder, ValueScope scope, Feed& feed) {
  return DecodeReader(decode, binder, scope, feed).read();
}

Status set_decode_word(std::string_view key, const std::string& text, DecodeRule& rule) {
  const BoundText word{text, {}};
  if (key == "format") {
    ASSIGN_OR_RETURN(rule.format, choose_word(word, kFormatWords));
  } else if (key == "compression") {
    ASSIGN_OR_RETURN(rule.compression, choose_word(word, kCompressionWords));
  } else if (key == "header") {
    ASSIGN_OR_RETURN(rule.dialect.header, choose_word(word, kTruthWords));
  } else if (key == "delimiter") {
    ASSIGN_OR_RETURN(rule.delimiter, read_character(word));
  } else if (key == "quote" && text == "none") {
    rule.dialect.quote.reset();
  } else if (key == "quote") {
    ASSIGN_OR_RETURN(rule.dialect.quote, read_character(word));
    rule.dialect.escape = *rule.dialect.quote;
  } else {
    ASSIGN_OR_RETURN(rule.dialect.escape, read_character(word));
  }
  return check_characters(rule, {});
}

}  // namespace forebay
