#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace forebay {

// One value of a YAML text, with the line it stands on. Texts are as written: what 1.0 or yes means
// is for the reader of the key to say.
struct YamlNode {
  enum class Kind { nothing, text, list, map };
  struct Field;

  Kind kind = Kind::nothing;
  int line = 0;
  std::string text;
  std::vector<YamlNode> items;
  std::vector<Field> fields;
};

struct YamlNode::Field {
  std::string key;
  int line = 0;
  YamlNode value;
};

// Where a value of a configuration stands, to blame it: "feeds/x.yaml:3" and "effect.by".
struct ConfigPlace {
  std::string where;
  std::string key;

  // invalid_config: "feeds/x.yaml:3: effect.by: <cause>".
  std::unexpected<Error> wrong(std::string_view cause, std::string hint = {}) const;
  // The same for a value that is none of those allowed, with the nearest of them.
  std::unexpected<Error> not_allowed(std::string_view value,
                                     const std::vector<std::string>& allowed) const;
};

// A value with the place it came from: every error it makes is invalid_config and says file, line,
// key, what is wrong and what is allowed. Cheap to copy; keeps the whole text's tree alive.
class YamlValue {
 public:
  // Reads one document. invalid_config for what is no YAML, and for what a page that people read
  // has no need of: keys given twice, anchors and aliases, tags, a second document, control
  // characters, more bytes or levels than limits.h allows. `origin` names the text in messages.
  static Result<YamlValue> parse(std::string_view yaml, std::string_view origin);

  bool is_text() const { return node_->kind == YamlNode::Kind::text; }
  bool is_list() const { return node_->kind == YamlNode::Kind::list; }
  bool is_map() const { return node_->kind == YamlNode::Kind::map; }

  // A text that is not empty.
  Result<std::string> text() const;
  // A list, or one value that stands for a list of one.
  Result<std::vector<YamlValue>> items() const;
  Result<std::vector<std::string>> texts() const;
  // One of the given words.
  Result<std::string> word(const std::vector<std::string>& allowed) const;
  // That this is a map with no other keys than these; an unknown one comes with the nearest.
  Status only(std::initializer_list<std::string_view> allowed) const;
  Status is_a_map() const;
  // The value of a key; nothing when it is absent or this is no map.
  std::optional<YamlValue> find(std::string_view key) const;
  Result<YamlValue> need(std::string_view key) const;
  std::vector<std::pair<std::string, YamlValue>> fields() const;

  ConfigPlace place() const;
  std::unexpected<Error> wrong(std::string_view cause, std::string hint = {}) const {
    return place().wrong(cause, std::move(hint));
  }

 private:
  YamlValue(std::shared_ptr<const YamlNode> root, const YamlNode* node, int line,
            std::shared_ptr<const std::string> origin, std::string path)
      : root_(std::move(root)),
        node_(node),
        line_(line),
        origin_(std::move(origin)),
        path_(std::move(path)) {}
  YamlValue below(const YamlNode& node, int line, std::string_view key) const;

  std::shared_ptr<const YamlNode> root_;
  const YamlNode* node_;
  int line_;
  std::shared_ptr<const std::string> origin_;
  std::string path_;
};

}  // namespace forebay
