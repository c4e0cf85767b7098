// The only file that knows the YAML library; its exceptions end here.

#include "feed/yaml_parse.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/limits.h"

namespace forebay {
namespace {

// The library's parser can be stopped by an exception alone.
struct Stop {
  int line;
  std::string cause;
  std::string hint;
};

int line_of(const YAML::Mark& mark) { return mark.line + 1; }

// Builds the tree from the parser's events, which show what its own tree hides: lines, keys given
// twice, anchors.
class Builder : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) {
      throw Stop{line_of(mark), "a second document begins here", "one file holds one document"};
    }
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    throw Stop{line_of(mark), fmt::format("the anchor &{} is not allowed", name),
               "write the value out; a text that begins with & must stand in quotes"};
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    throw Stop{line_of(mark), "an alias is not allowed", kStarHint};
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    add({.kind = YamlNode::Kind::nothing, .line = line_of(mark)});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    check_tag(mark, tag);
    add({.kind = YamlNode::Kind::text, .line = line_of(mark), .text = value});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, YamlNode::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, YamlNode::Kind::map);
  }
  void OnMapEnd() override { close(); }

  YamlNode take() { return std::move(result_); }

  static constexpr const char* kStarHint =
      "a text that begins with * or & must stand in quotes: \"*.parquet\"";

 private:
  struct Open {
    YamlNode node;
    bool key_is_next = true;
    std::string key;
    int key_line = 0;
  };

  static void check_tag(const YAML::Mark& mark, const std::string& tag) {
    // "?" and "!" are what the library calls plain and quoted texts without a tag.
    if (tag.empty() || tag == "?" || tag == "!") return;
    throw Stop{line_of(mark), fmt::format("the tag {} is not allowed", tag), ""};
  }

  void open(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind) {
    check_tag(mark, tag);
    if (open_.size() >= kMaxDescriptionDepth) {
      throw Stop{line_of(mark), fmt::format("nested deeper than {} levels", kMaxDescriptionDepth),
                 ""};
    }
    open_.push_back({.node = {.kind = kind, .line = line_of(mark)}});
  }

  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      result_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::list) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.key_is_next) {
      add_key(parent, node);
    } else {
      parent.node.fields.push_back({parent.key, parent.key_line, std::move(node)});
      parent.key_is_next = true;
    }
  }

  static void add_key(Open& parent, const YamlNode& node) {
    if (node.kind != YamlNode::Kind::text) {
      throw Stop{node.line, "a key must be a text",
                 "a text that begins with { or [ must stand in quotes: \"{table}\""};
    }
    for (const YamlNode::Field& field : parent.node.fields) {
      if (field.key != node.text) continue;
      throw Stop{node.line,
                 fmt::format("{}: is given twice, first in line {}", node.text, field.line), ""};
    }
    parent.key = node.text;
    parent.key_line = node.line;
    parent.key_is_next = false;
  }

  int documents_ = 0;
  std::vector<Open> open_;
  YamlNode result_;
};

}  // namespace

Result<YamlNode> parse_yaml(std::string_view yaml, std::string_view origin,
                            std::size_t most_bytes) {
  auto wrong = [&](int line, std::string cause, std::string hint = {}) {
    return fail({.code = ErrorCode::invalid_config,
                 .operation = "read",
                 .object = line > 0 ? fmt::format("{}:{}", origin, line) : std::string(origin),
                 .cause = std::move(cause),
                 .hint = std::move(hint)});
  };
  if (yaml.size() > most_bytes) {
    return wrong(0, fmt::format("has {} bytes, at most {} are allowed", yaml.size(), most_bytes));
  }
  auto control = std::ranges::find_if(yaml, [](char c) {
    return (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
  });
  if (control != yaml.end()) {
    // The library takes some of these for the end of the text, and the rest would go unread.
    auto line = std::count(yaml.begin(), control, '\n') + 1;
    return wrong(static_cast<int>(line), "has a control character");
  }
  try {
    std::istringstream stream{std::string(yaml)};
    YAML::Parser parser(stream);
    Builder builder;
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.take();
  } catch (const Stop& stop) {
    return wrong(stop.line, stop.cause, stop.hint);
  } catch (const YAML::Exception& error) {
    bool alias = error.msg.contains("alias") || error.msg.contains("anchor");
    return wrong(error.mark.is_null() ? 0 : line_of(error.mark),
                 fmt::format("no YAML: {}", error.msg), alias ? Builder::kStarHint : "");
  }
}

}  // namespace forebay
