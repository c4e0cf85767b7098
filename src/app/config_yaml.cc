#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>

#include "app/config.h"
#include "app/config_error.h"
#include "feed/description.h"
#include "feed/yaml_parse.h"

namespace forebay {
namespace {

constexpr std::size_t kLargestConfig = 1024 * 1024;

// Reads the tree of one file into plain data.
class Reader {
 public:
  Reader(std::string_view origin, RawConfig& config) : origin_(origin), config_(config) {}

  Status read(const YamlNode& root) {
    if (root.kind != YamlNode::Kind::map) {
      return fail(config_error(origin_, "this is not a configuration: no mapping at the top",
                               "it begins with 'pipelines:'"));
    }
    for (const YamlNode::Field& field : root.fields) RETURN_IF_ERROR(read_top(field));
    if (config_.pipelines.empty()) {
      return fail(config_error(origin_, "there are no pipelines",
                               "add 'pipelines:' with a name, a source and a feed"));
    }
    for (RawPipeline& pipeline : config_.pipelines) {
      if (prices_) pipeline.settings.try_emplace("prices", *prices_);
    }
    return {};
  }

  Result<OptionValue> value(const std::string& key, const YamlNode& node,
                            const std::string& place) const {
    OptionValue out{.where = place};
    switch (node.kind) {
      case YamlNode::Kind::text: out.values.push_back(node.text); return out;
      case YamlNode::Kind::nothing:
        return fail(config_error(at_key(place, key), "the value is missing"));
      case YamlNode::Kind::map: return mapping(key, node, place);
      case YamlNode::Kind::list: break;
    }
    out.is_list = true;
    for (const YamlNode& item : node.items) {
      if (item.kind != YamlNode::Kind::text) {
        return fail(config_error(at_key(place, key), "a list holds plain values only"));
      }
      out.values.push_back(item.text);
    }
    return out;
  }

 private:
  std::string place(int line) const { return fmt::format("{}:{}", origin_, line); }

  // `at`: the place of the whole, which on the command line has no lines.
  Result<OptionValue> mapping(const std::string& key, const YamlNode& node,
                              const std::string& at) const {
    OptionValue out{.where = at, .is_map = true};
    for (const YamlNode::Field& field : node.fields) {
      const std::string line = config_.origin.empty() ? at : place(field.line);
      ASSIGN_OR_RETURN(OptionValue given,
                       value(fmt::format("{}.{}", key, field.key), field.value, line));
      out.fields.emplace_back(field.key, std::move(given));
    }
    return out;
  }

  Status read_top(const YamlNode::Field& field) {
    const std::string& key = field.key;
    const YamlNode& node = field.value;
    const std::string where = place(field.line);
    if (key == "pipelines") return read_pipelines(field);
    if (key == "target") {
      if (node.kind == YamlNode::Kind::map) {
        return fail(config_error(at_key(where, key), "a mapping stands where a value is needed",
                                 "write 'target: duckdb:warehouse.duckdb'"));
      }
      ASSIGN_OR_RETURN(config_.target, value(key, node, where));
      return {};
    }
    if (key == "prices") {
      ASSIGN_OR_RETURN(prices_, value(key, node, where));
      return {};
    }
    if (key == "serve") {
      if (node.kind != YamlNode::Kind::map) {
        return fail(config_error(at_key(where, key), "no mapping stands here",
                                 "write 'serve: {listen: \"127.0.0.1:8080\"}'"));
      }
      ASSIGN_OR_RETURN(config_.serve, value(key, node, where));
      return {};
    }
    const std::string near = nearest(key, {"target", "pipelines", "prices", "serve"});
    return fail(config_error(at_key(where, key), "there is no such key at the top",
                             near.empty() ? "known keys: target, pipelines, prices, serve"
                                          : fmt::format("did you mean '{}'?", near)));
  }

  Status read_pipelines(const YamlNode::Field& field) {
    if (field.value.kind != YamlNode::Kind::map) {
      return fail(config_error(at_key(place(field.line), "pipelines"),
                               "pipelines are a mapping from names to settings"));
    }
    for (const YamlNode::Field& one : field.value.fields) RETURN_IF_ERROR(read_one_pipeline(one));
    return {};
  }

  Status read_one_pipeline(const YamlNode::Field& field) {
    RawPipeline pipeline{.name = field.key, .where = place(field.line)};
    if (pipeline.name.empty()) {
      return fail(config_error(pipeline.where, "a pipeline's name is empty"));
    }
    if (field.value.kind != YamlNode::Kind::map) {
      return fail(config_error(pipeline.where,
                               fmt::format("pipeline '{}' has no settings", pipeline.name),
                               "it needs at least 'source:' and 'feed:'"));
    }
    for (const YamlNode::Field& setting : field.value.fields) {
      ASSIGN_OR_RETURN(pipeline.settings[setting.key],
                       value(setting.key, setting.value, place(setting.line)));
    }
    config_.pipelines.push_back(std::move(pipeline));
    return {};
  }

  std::string origin_;
  RawConfig& config_;
  std::optional<OptionValue> prices_;  // of all pipelines that have none of their own
};

}  // namespace

Result<RawConfig> parse_config(std::string_view yaml, std::string_view origin) {
  if (yaml.size() > kLargestConfig) {
    return fail(
        config_error(origin, fmt::format("the file is larger than {} bytes", kLargestConfig)));
  }
  RawConfig config{.origin = std::string(origin)};
  auto root = parse_yaml(yaml, origin, kLargestConfig);
  if (!root) return fail(config_error(root.error().object, root.error().cause, root.error().hint));
  RETURN_IF_ERROR(Reader(origin, config).read(*root));
  for (const RawPipeline& pipeline : config.pipelines) {
    for (const char* needed : {"source", "feed"}) {
      if (pipeline.settings.contains(needed)) continue;
      return fail(config_error(pipeline.where,
                               fmt::format("pipeline '{}' names no {}", pipeline.name, needed)));
    }
  }
  return config;
}

Result<OptionValue> parse_value(std::string_view text, std::string_view where) {
  if (!text.starts_with('[') && !text.starts_with('{')) {
    return OptionValue{.values = {std::string(text)}, .where = std::string(where)};
  }
  const auto node = parse_yaml(text, where);
  if (!node) {
    return fail(config_error(where,
                             fmt::format("this is no list and no mapping: {}", node.error().cause),
                             "write [first, second], or {key: value}"));
  }
  RawConfig unused;
  return Reader(where, unused).value(std::string(text), *node, std::string(where));
}

}  // namespace forebay
