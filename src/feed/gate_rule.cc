// `gate:` of a description: when a unit may be read.

#include "feed/gate_rule.h"

#include <fmt/format.h>

#include "base/duration_text.h"
#include "feed/description_reader.h"

namespace forebay {
namespace {

Result<Duration> read_duration(const YamlValue& value, OptionBinder& binder) {
  ASSIGN_OR_RETURN(BoundText text, binder.text(value));
  if (auto duration = parse_duration(text.text)) return *duration;
  if (binder.only_looking()) return Duration{};
  return text.place.wrong(
      fmt::format("\"{}\" is no duration, allowed: {}", text.text, kDurationForm));
}

Status read_hash(const YamlValue& hash, GateRule& gate) {
  RETURN_IF_ERROR(hash.only({"of", "in", "kind", "form"}));
  gate.kind = GateRule::Kind::hash;
  ASSIGN_OR_RETURN(YamlValue of, hash.need("of"));
  ASSIGN_OR_RETURN(gate.of, of.text());
  ASSIGN_OR_RETURN(YamlValue in, hash.need("in"));
  ASSIGN_OR_RETURN(gate.object, in.text());
  if (auto kind = hash.find("kind")) {
    ASSIGN_OR_RETURN(std::string word, kind->text());
    ASSIGN_OR_RETURN(gate.digest, read_digest_kind(*kind, word));
  }
  gate.form = "{hex}";
  if (auto form = hash.find("form")) {
    ASSIGN_OR_RETURN(gate.form, read_form(*form));
  }
  return {};
}

Status read_unlike(const YamlValue& unlike, OptionBinder& binder, bool document, GateRule& gate) {
  RETURN_IF_ERROR(unlike.only({"of", "path", "value"}));
  gate.kind = GateRule::Kind::unlike;
  ASSIGN_OR_RETURN(const YamlValue of, unlike.need("of"));
  ASSIGN_OR_RETURN(gate.object, of.text());
  ASSIGN_OR_RETURN(const YamlValue path, unlike.need("path"));
  ASSIGN_OR_RETURN(gate.path, path.text());
  if (!gate.path.starts_with('/')) return path.wrong("must be a path such as /open/name");
  ASSIGN_OR_RETURN(const YamlValue value, unlike.need("value"));
  ASSIGN_OR_RETURN(gate.value, read_value(value, binder, {.document = document}));
  return {};
}

// A pattern with one capture, which the names of units have, too.
Status read_below(const YamlValue& below, OptionBinder& binder, GateRule& gate) {
  gate.kind = GateRule::Kind::below;
  ASSIGN_OR_RETURN(const BoundText text, binder.text(below));
  ASSIGN_OR_RETURN(gate.checkpoint, read_pattern(text));
  const std::vector<std::string> captures = gate.checkpoint->capture_names();
  if (captures.size() != 1) return below.wrong("must have one capture, which units have, too");
  gate.capture = captures.front();
  return {};
}

Result<GateRule> read_gate(const YamlValue& value, OptionBinder& binder, bool document) {
  RETURN_IF_ERROR(
      value.only({"exists", "absent", "hash", "still", "unlike", "below", "grace", "when"}));
  GateRule gate;
  int kinds = 0;
  if (auto exists = value.find("exists")) {
    ++kinds;
    ASSIGN_OR_RETURN(gate.object, exists->text());
  }
  if (auto absent = value.find("absent")) {
    ++kinds;
    gate.kind = GateRule::Kind::absent;
    ASSIGN_OR_RETURN(gate.object, absent->text());
  }
  if (auto hash = value.find("hash")) {
    ++kinds;
    RETURN_IF_ERROR(read_hash(*hash, gate));
  }
  if (auto still = value.find("still")) {
    ++kinds;
    gate.kind = GateRule::Kind::still;
    ASSIGN_OR_RETURN(gate.still, read_duration(*still, binder));
  }
  if (auto unlike = value.find("unlike")) {
    ++kinds;
    RETURN_IF_ERROR(read_unlike(*unlike, binder, document, gate));
  }
  if (auto below = value.find("below")) {
    ++kinds;
    RETURN_IF_ERROR(read_below(*below, binder, gate));
  }
  if (kinds != 1) {
    return value.wrong(
        "must have exactly one of the keys exists, absent, hash, still, unlike, below");
  }
  if (auto grace = value.find("grace")) {
    ASSIGN_OR_RETURN(gate.grace, read_duration(*grace, binder));
  }
  if (auto when = value.find("when")) {
    if (!document) return when->wrong("needs unit.identity: units that are known by what they say");
    RETURN_IF_ERROR(read_accepts(*when, binder, true, gate.when));
  }
  return gate;
}

}  // namespace

Result<std::vector<GateRule>> read_gates(const YamlValue& gates, OptionBinder& binder,
                                         bool document) {
  ASSIGN_OR_RETURN(std::vector<YamlValue> items, gates.items());
  std::vector<GateRule> rules;
  for (const YamlValue& item : items) {
    ASSIGN_OR_RETURN(GateRule gate, read_gate(item, binder, document));
    rules.push_back(std::move(gate));
  }
  return rules;
}

}  // namespace forebay
