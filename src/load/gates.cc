#include "load/gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "base/encode.h"
#include "base/json_reader.h"
#include "base/limits.h"
#include "feed/content.h"
#include "load/companions.h"
#include "load/list_pages.h"
#include "load/small_object.h"

namespace forebay {
namespace {

std::string_view without_line_end(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  return text;
}

bool speaks_of(const PlannedUnit& unit, const std::string& key) {
  return key == unit.object.key ||
         std::ranges::any_of(unit.documents,
                             [&](const DocumentEntry& document) { return document.key == key; });
}

Error unclear(const Pipeline& pipeline, const PlannedUnit& unit, std::string cause) {
  return {.code = ErrorCode::refused,
          .operation = "ask whether it may be read:",
          .object = pipeline.store->display(unit.object.key),
          .cause = std::move(cause),
          .hint = "a gate that cannot be evaluated keeps the unit shut"};
}

}  // namespace

// Both objects are read now, whatever was read before: the unit may just be ending.
Result<std::string> GateKeeper::ask_hash(const PlannedUnit& unit, const GateRule& gate,
                                         const std::string& key) const {
  const auto of = expand_template(gate.of, unit.name);
  if (!of || !speaks_of(unit, *of)) return std::string();
  ASSIGN_OR_RETURN(const auto document, read_small_object(pipeline_, *of, kMaxDocumentBytes));
  ASSIGN_OR_RETURN(const auto flag, read_small_object(pipeline_, key, kMaxFlagBytes));
  if (!flag) return fmt::format("{} is not there yet", key);
  const auto digest = digest_in(without_line_end(*flag), gate.form, gate.digest);
  if (!digest) return fmt::format("{} is not like {}", key, gate.form);
  if (!document || digest_hex(gate.digest, *document) != hex_encode(*digest))
    return fmt::format("{} does not agree with {}", key, *of);
  if (!unit.version.empty() && digest_hex(DigestKind::xxh3_64, *document) != unit.version)
    return fmt::format("{} was replaced a moment ago", *of);
  return std::string();
}

// The other object names what is still open.
Result<std::string> GateKeeper::ask_unlike(const PlannedUnit& unit, std::size_t number,
                                           const std::string& key) const {
  const GateRule& gate = pipeline_.feed.gates[number];
  ASSIGN_OR_RETURN(const auto text, read_small_object(pipeline_, key, kMaxDocumentBytes));
  if (!text) return fmt::format("{} is not there yet", key);
  ASSIGN_OR_RETURN(const auto json, read_json(*text, key));
  std::optional<std::string> own = name_value(gate.value, unit.name);
  if (!own && unit.content != nullptr) {
    const auto found = unit.content->gate_values.find(number);
    if (found != unit.content->gate_values.end()) own = found->second;
  }
  if (!own) return fail(unclear(pipeline_, unit, fmt::format("it has no {}", gate.value.name)));
  const nlohmann::json* open = json_at(json, gate.path);
  if (open == nullptr || !(open->is_string() || open->is_number_integer() || open->is_null()))
    return fail(
        unclear(pipeline_, unit, fmt::format("{} of {} is {}", gate.path, key, json_name(open))));
  if (open->is_null()) return std::string();
  const std::string named = open->is_string() ? open->get<std::string>() : open->dump();
  return named == *own ? fmt::format("{} still names it", key) : std::string();
}

Result<std::optional<CaptureValue>> GateKeeper::newest_checkpoint(std::size_t number) {
  if (const auto known = checkpoints_.find(number); known != checkpoints_.end())
    return known->second;
  const GateRule& gate = pipeline_.feed.gates[number];
  std::optional<CaptureValue> newest;
  const auto take_newest = [&](ListPage& page) -> Status {
    for (const ObjectInfo& object : page.objects) {
      const auto captures = gate.checkpoint->match(object.key);
      if (!captures) continue;
      const CaptureValue& value = *captures->find(gate.capture);
      if (!newest || *newest < value) newest = value;
    }
    return {};
  };
  RETURN_IF_ERROR(
      list_pages(pipeline_, {.prefix = gate.checkpoint->literal_prefix()}, take_newest));
  checkpoints_[number] = newest;
  return newest;
}

Result<std::string> GateKeeper::ask_below(const PlannedUnit& unit, std::size_t number) {
  const GateRule& gate = pipeline_.feed.gates[number];
  ASSIGN_OR_RETURN(const auto checkpoint, newest_checkpoint(number));
  const CaptureValue* own = unit.name.captures.find(gate.capture);
  if (own == nullptr || (checkpoint && checkpoint->index() != own->index()))
    return fail(unclear(pipeline_, unit,
                        fmt::format("its {} cannot be compared with that of {}", gate.capture,
                                    gate.checkpoint->text())));
  if (checkpoint && *own < *checkpoint) return std::string();
  return fmt::format("no checkpoint {} is above it yet", gate.checkpoint->text());
}

Result<bool> GateKeeper::is_there(const std::string& key) {
  if (const auto known = there_.find(key); known != there_.end()) return known->second;
  const auto info = pipeline_.store->stat(key);
  if (!info && info.error().code != ErrorCode::not_found) return fail(info.error());
  there_[key] = info.has_value();
  return info.has_value();
}

Result<std::string> GateKeeper::ask_gate(const PlannedUnit& unit, std::size_t number) {
  const GateRule& gate = pipeline_.feed.gates[number];
  if (gate.kind == GateRule::Kind::still) {
    if (unit.object.last_modified + gate.still <= now_) return std::string();
    return std::string("it was written a moment ago and may still change");
  }
  if (gate.kind == GateRule::Kind::below) return ask_below(unit, number);
  const auto key = expand_template(gate.object, unit.name);
  if (!key)
    return fail(
        unclear(pipeline_, unit, fmt::format("the gate \"{}\" names nothing here", gate.object)));
  if (gate.kind == GateRule::Kind::hash) return ask_hash(unit, gate, *key);
  if (gate.kind == GateRule::Kind::unlike) return ask_unlike(unit, number, *key);
  ASSIGN_OR_RETURN(const bool there, is_there(*key));
  const bool wants_it = gate.kind == GateRule::Kind::exists;
  if (there == wants_it) return std::string();
  return fmt::format("{} is {}", *key, wants_it ? "not there yet" : "still there");
}

Result<GateAnswer> GateKeeper::ask(const PlannedUnit& unit) {
  if (!pipeline_.feed.unit.run.by_content()) {  // else it was read, and they with it
    for (const Companion& companion : pipeline_.feed.companions) {
      ASSIGN_OR_RETURN(const std::string key, companion_key(companion, unit.name));
      ASSIGN_OR_RETURN(const bool there, is_there(key));
      if (!there) return GateAnswer{.why = fmt::format("{} is not there yet", key)};
    }
  }
  std::vector<std::size_t> numbers;
  if (pipeline_.feed.unit.run.by_content()) {
    numbers = unit.content->gates;
  } else {
    for (std::size_t i = 0; i < pipeline_.feed.gates.size(); ++i) numbers.push_back(i);
  }
  for (const std::size_t i : numbers) {
    const GateRule& gate = pipeline_.feed.gates[i];
    ASSIGN_OR_RETURN(std::string why, ask_gate(unit, i));
    if (why.empty()) continue;
    const bool overdue = gate.grace && unit.object.last_modified + *gate.grace <= now_;
    return GateAnswer{.why = std::move(why), .overdue = overdue};
  }
  return GateAnswer{};
}

Status GateKeeper::hold(PlannedUnit& unit) {
  auto answer = ask(unit);
  if (!answer) {
    if (answer.error().code != ErrorCode::refused) return fail(std::move(answer).error());
    unit.error = std::move(answer).error();
    return {};
  }
  if (answer->why.empty()) return {};
  unit.why = answer->why;
  if (answer->overdue) {
    unit.error = Error{.code = ErrorCode::damaged,
                       .operation = "verify",
                       .object = pipeline_.store->display(unit.object.key),
                       .cause = std::move(answer->why),
                       .hint = "nothing of it is loaded until that is put right"};
  } else {
    unit.standing = Standing::waiting;
  }
  return {};
}

}  // namespace forebay
