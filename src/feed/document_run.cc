// What a document says of its unit as a whole.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json_reader.h"
#include "base/time_text.h"
#include "feed/content.h"
#include "feed/document_values.h"
#include "feed/order.h"

namespace forebay {
namespace {

using Json = DocumentValues::Json;

Result<std::string> needed_text(const DocumentValues& values, const ValueRef& ref) {
  std::optional<std::string> text = values.text(ref, nullptr);
  // The top folder has no name.
  const bool may_be_empty = ref.from == ValueRef::From::capture && ref.name == "$folder";
  if (text && (may_be_empty || !text->empty()) && !text->contains('\0')) return std::move(*text);
  return values.damaged(fmt::format("{} must be a text that is not empty, but is {}", ref.name,
                                    json_name(values.find(ref, nullptr))));
}

// The parts joined by slashes; an empty folder leaves none.
Status read_name(const DocumentValues& values, UnitContent& content) {
  for (const ValueRef& ref : values.feed().unit.run.identity) {
    ASSIGN_OR_RETURN(const std::string part, needed_text(values, ref));
    if (!content.name.empty() && !part.empty()) content.name += '/';
    content.name += part;
  }
  return {};
}

// A capture is compared as what it is.
Result<CaptureValue> order_value(const DocumentValues& values, const OrderPart& part) {
  if (part.of.from == ValueRef::From::capture && part.as == OrderPart::As::text) {
    if (const CaptureValue* value = values.unit().captures.find(part.of.name)) return *value;
  }
  ASSIGN_OR_RETURN(std::string text, needed_text(values, part.of));
  switch (part.as) {
    case OrderPart::As::text: return CaptureValue(std::move(text));
    case OrderPart::As::time:
      if (const auto time = parse_rfc3339(text)) return CaptureValue(*time);
      return values.damaged(fmt::format(
          "{} must be a time such as 2026-10-20T14:15:02Z, but is \"{}\"", part.of.name, text));
    case OrderPart::As::number: {
      std::uint64_t number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error == std::errc() && end == text.data() + text.size()) return CaptureValue(number);
      return values.damaged(
          fmt::format("{} must be a whole number, 0 or more, but is \"{}\"", part.of.name, text));
    }
  }
  std::unreachable();
}

Status read_place(const DocumentValues& values, UnitContent& content) {
  std::vector<std::optional<CaptureValue>> parts;
  for (const OrderPart& part : values.feed().unit.run.order) {
    ASSIGN_OR_RETURN(CaptureValue value, order_value(values, part));
    parts.emplace_back(std::move(value));
  }
  content.place = encode_place(parts, content.name);
  return {};
}

bool says(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

Status read_readiness(const DocumentValues& values, UnitContent& content) {
  if (!values.feed().status) return {};
  const StatusRule& rule = *values.feed().status;
  const std::string word = values.text(rule.by, nullptr).value_or("");
  if (says(rule.load, word)) return {};
  content.readiness =
      says(rule.wait, word) ? UnitContent::Readiness::wait : UnitContent::Readiness::skip;
  content.why = fmt::format("{} is {}", rule.by.name, json_name(values.find(rule.by, nullptr)));
  if (content.readiness == UnitContent::Readiness::wait || says(rule.skip, word)) return {};
  return values.wrong(ErrorCode::refused, content.why + ", which this feed does not know",
                      "what this document means is not known; nothing of it was loaded");
}

std::string selected_value(const DocumentValues& values, const std::string& name) {
  const auto& known = values.feed().select.values;
  const auto found = std::ranges::find(known, name, &std::pair<std::string, ValueRef>::first);
  return found == known.end() ? "" : values.text(found->second, nullptr).value_or("");
}

const ValueRef& table_of(const Feed& feed) { return feed.table ? *feed.table : feed.files->table; }

// The one table of all its files, as the document or the pipeline names it.
Status read_table(const DocumentValues& values, UnitContent& content) {
  const Feed& feed = values.feed();
  ASSIGN_OR_RETURN(content.table, needed_text(values, table_of(feed)));
  for (const SelectRule::Table& table : feed.select.tables) {
    const bool made_of_it = std::ranges::all_of(table.match, [&](const auto& match) {
      return selected_value(values, match.first) == match.second;
    });
    if (!table.match.empty() && made_of_it) content.table = table.name;
  }
  if (!is_table_name(*content.table)) return values.damaged("the table's name is too long");
  return {};
}

}  // namespace

Status read_run(const DocumentValues& values, UnitContent& content) {
  const Feed& feed = values.feed();
  if (!feed.unit.run.by_content()) return {};
  RETURN_IF_ERROR(read_name(values, content));
  RETURN_IF_ERROR(read_place(values, content));
  for (const auto& [name, wanted] : feed.select.wanted) {
    if (selected_value(values, name) == wanted) continue;
    content.readiness = UnitContent::Readiness::elsewhere;
    content.why = fmt::format("it is of another {} than {}", name, wanted);
    return {};
  }
  if (!depends_on_entry(table_of(feed))) RETURN_IF_ERROR(read_table(values, content));
  if (!feed.effect.part.empty()) {
    content.part = content.table.value_or("");
    for (const ValueRef& ref : feed.effect.part) {
      ASSIGN_OR_RETURN(const std::string part, needed_text(values, ref));
      content.part += '\n' + part;
    }
  }
  for (std::size_t i = 0; i < feed.gates.size(); ++i) {
    const bool asks = std::ranges::all_of(
        feed.gates[i].when, [&](const AcceptRule& rule) { return values.accepts(rule); });
    if (!asks) continue;
    content.gates.push_back(i);
    if (const auto value = values.text(feed.gates[i].value, nullptr))
      content.gate_values[i] = *value;
  }
  return read_readiness(values, content);
}

Status read_windows(const DocumentValues& values, const Feed& own, UnitContent& content) {
  const auto text = [&](const std::string& path) {
    return values.text({ValueRef::From::document, path}, nullptr);
  };
  if (const auto joins = own.effect.joins.find(content.kind); joins != own.effect.joins.end()) {
    content.joins_from = text(joins->second.from);
    content.joins_to = text(joins->second.to);
  }
  const auto pieces = own.effect.pieces.find(content.kind);
  if (pieces == own.effect.pieces.end()) return {};
  const PieceRule& rule = pieces->second;
  const Json* window = json_at(values.document(), rule.in);
  if (window == nullptr || window->is_null()) return {};
  const auto by = text(fmt::format("{}/{}", rule.in, rule.by));
  if (!by || by->empty())
    return values.damaged(
        fmt::format("{} has no {}: what it is a window of is not known", rule.in, rule.by));
  content.piece = {.by = *by,
                   .above = text(fmt::format("{}/{}", rule.in, rule.above)),
                   .to = text(fmt::format("{}/{}", rule.in, rule.to))};
  return {};
}

namespace {

Status check_count(const DocumentValues& values, const std::string& path, const Json* claimed,
                   std::uint64_t count, std::string_view what) {
  if (claimed != nullptr && claimed->is_number_unsigned() &&
      claimed->get<std::uint64_t>() == count) {
    return {};
  }
  return values.damaged(fmt::format("{} is {}, but the {} that it lists are {}", path,
                                    json_name(claimed), what, count));
}

Status check_unique(const DocumentValues& values, const std::string& field) {
  const Json* list = json_at(values.document(), values.feed().files->list);
  std::vector<std::string> seen;
  for (const Json& entry : *list) {
    const auto text = values.text({.from = ValueRef::From::entry, .name = field}, &entry);
    if (!text) return values.damaged(fmt::format("an entry has no {}", field));
    seen.push_back(*text);
  }
  std::ranges::sort(seen);
  const auto twice = std::ranges::adjacent_find(seen);
  if (twice == seen.end()) return {};
  return values.damaged(fmt::format("two entries have the {} {}", field, *twice));
}

}  // namespace

Status check_run_totals(const DocumentValues& values, UnitContent& content) {
  const AgreementRule& rule = values.feed().agrees;
  const FilesRule& files = *values.feed().files;
  if (!rule.files.empty())
    RETURN_IF_ERROR(check_count(values, rule.files, json_at(values.document(), rule.files),
                                content.files.size(), "files"));
  if (rule.rows && files.rows) {
    std::uint64_t rows = 0;
    for (const UnitFile& file : content.files) rows += file.rows.value_or(0);
    RETURN_IF_ERROR(check_count(values, rule.rows->name, values.find(*rule.rows, nullptr), rows,
                                "rows of the files"));
  } else {
    ASSIGN_OR_RETURN(content.rows, values.count(rule.rows, nullptr, ""));
  }
  for (const std::string& field : rule.unique) RETURN_IF_ERROR(check_unique(values, field));
  for (const auto& [left, right] : rule.same) {
    const Json* a = json_at(values.document(), left);
    const Json* b = json_at(values.document(), right);
    if (a == nullptr || b == nullptr || a->is_null() || b->is_null() || *a == *b) continue;
    return values.damaged(
        fmt::format("{} is {}, but {} is {}", left, json_name(a), right, json_name(b)));
  }
  return {};
}

}  // namespace forebay
