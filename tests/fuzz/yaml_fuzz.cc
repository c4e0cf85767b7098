// YAML of descriptions: wrong with a line, or a tree that reads the same once it is written again.
#include "feed/yaml_parse.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "fuzz/fuzz.h"

namespace forebay::test {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

std::string written(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::nothing: return "~";
    case YamlNode::Kind::text: return in_quotes(node.text);
    case YamlNode::Kind::list: {
      std::string out = "[";
      for (const YamlNode& item : node.items) out += written(item) + ",";
      return out + "]";
    }
    case YamlNode::Kind::map: {
      std::string out = "{";
      for (const auto& field : node.fields)
        out += in_quotes(field.key) + ": " + written(field.value) + ",";
      return out + "}";
    }
  }
  std::unreachable();
}

}  // namespace

FOREBAY_FUZZ(yaml) {
  const auto tree = parse_yaml(input, "it");
  if (!tree) {
    must(tree.error().code == ErrorCode::invalid_config, "YAML is right or wrong");
    return;
  }
  const std::string text = written(*tree);
  // Escapes make a text longer than it was; keys beyond a thousand bytes are no keys in a flow map.
  if (text.size() > 1000) return;
  const auto again = parse_yaml(text, "it");
  must(again.has_value(), "what was read can be written");
  must(written(*again) == text, "and means the same");
}

}  // namespace forebay::test
