#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <optional>
#include <set>
#include <string>

#include "app/config.h"
#include "app/config_error.h"
#include "feed/description.h"

namespace forebay {
namespace {

constexpr std::size_t kLargestConfig = 1024 * 1024;

// Reads the tree of one file into plain data; the only place that knows the YAML library, whose
// exceptions end in parse_config() and parse_value().
class Reader {
 public:
  Reader(std::string_view origin, RawConfig& config) : origin_(origin), config_(config) {}

  Status read(const YAML::Node& root) {
    if (!root.IsMap()) {
      return fail(config_error(origin_, "this is not a configuration: no mapping at the top",
                               "it begins with 'pipelines:'"));
    }
    RETURN_IF_ERROR(refuse_doubles(root));
    for (const auto& entry : root) {
      RETURN_IF_ERROR(read_top(entry.first.Scalar(), entry.first, entry.second));
    }
    if (config_.pipelines.empty()) {
      return fail(config_error(origin_, "there are no pipelines",
                               "add 'pipelines:' with a name, a source and a feed"));
    }
    for (RawPipeline& pipeline : config_.pipelines) {
      if (prices_) pipeline.settings.try_emplace("prices", *prices_);
    }
    return {};
  }

  Result<OptionValue> value(const std::string& key, const YAML::Node& node,
                            const std::string& place) const {
    OptionValue out{.where = place};
    if (node.IsScalar()) {
      out.values.push_back(node.Scalar());
      return out;
    }
    if (node.IsNull()) return fail(config_error(at_key(place, key), "the value is missing"));
    if (node.IsMap()) return mapping(key, node, place);
    out.is_list = true;
    for (const auto& item : node) {
      if (!item.IsScalar()) {
        return fail(config_error(at_key(place, key), "a list holds plain values only"));
      }
      out.values.push_back(item.Scalar());
    }
    return out;
  }

 private:
  std::string place(const YAML::Node& node) const {
    return fmt::format("{}:{}", origin_, node.Mark().line + 1);
  }

  // `at`: the place of the whole, which on the command line has no lines.
  Result<OptionValue> mapping(const std::string& key, const YAML::Node& node,
                              const std::string& at) const {
    OptionValue out{.where = at, .is_map = true};
    RETURN_IF_ERROR(refuse_doubles(node));
    for (const auto& entry : node) {
      const std::string& name = entry.first.Scalar();
      const std::string line = config_.origin.empty() ? at : place(entry.first);
      ASSIGN_OR_RETURN(OptionValue field,
                       value(fmt::format("{}.{}", key, name), entry.second, line));
      out.fields.emplace_back(name, std::move(field));
    }
    return out;
  }

  Status refuse_doubles(const YAML::Node& map) const {
    std::set<std::string> seen;
    for (const auto& entry : map) {
      if (!entry.first.IsScalar()) {
        return fail(config_error(place(entry.first), "a key is a plain word"));
      }
      if (!seen.insert(entry.first.Scalar()).second) {
        return fail(config_error(at_key(place(entry.first), entry.first.Scalar()),
                                 "this key stands here twice", "keep one of them"));
      }
    }
    return {};
  }

  Status read_top(const std::string& key, const YAML::Node& at, const YAML::Node& node) {
    if (key == "pipelines") return read_pipelines(at, node);
    if (key == "target") {
      if (node.IsMap()) {
        return fail(config_error(at_key(place(at), key), "a mapping stands where a value is needed",
                                 "write 'target: duckdb:warehouse.duckdb'"));
      }
      ASSIGN_OR_RETURN(config_.target, value(key, node, place(at)));
      return {};
    }
    if (key == "prices") {
      ASSIGN_OR_RETURN(prices_, value(key, node, place(at)));
      return {};
    }
    if (key == "serve") {
      if (!node.IsMap()) {
        return fail(config_error(at_key(place(at), key), "no mapping stands here",
                                 "write 'serve: {listen: \"127.0.0.1:8080\"}'"));
      }
      ASSIGN_OR_RETURN(config_.serve, value(key, node, place(at)));
      return {};
    }
    const std::string near = nearest(key, {"target", "pipelines", "prices", "serve"});
    return fail(config_error(at_key(place(at), key), "there is no such key at the top",
                             near.empty() ? "known keys: target, pipelines, prices, serve"
                                          : fmt::format("did you mean '{}'?", near)));
  }

  Status read_pipelines(const YAML::Node& at, const YAML::Node& node) {
    if (!node.IsMap()) {
      return fail(config_error(at_key(place(at), "pipelines"),
                               "pipelines are a mapping from names to settings"));
    }
    RETURN_IF_ERROR(refuse_doubles(node));
    for (const auto& entry : node) {
      RETURN_IF_ERROR(read_pipeline_node(entry.first, entry.second));
    }
    return {};
  }

  Status read_pipeline_node(const YAML::Node& at, const YAML::Node& node) {
    RawPipeline pipeline{.name = at.Scalar(), .where = place(at)};
    if (pipeline.name.empty()) {
      return fail(config_error(pipeline.where, "a pipeline's name is empty"));
    }
    if (!node.IsMap()) {
      return fail(config_error(pipeline.where,
                               fmt::format("pipeline '{}' has no settings", pipeline.name),
                               "it needs at least 'source:' and 'feed:'"));
    }
    RETURN_IF_ERROR(refuse_doubles(node));
    for (const auto& entry : node) {
      const std::string& key = entry.first.Scalar();
      ASSIGN_OR_RETURN(pipeline.settings[key], value(key, entry.second, place(entry.first)));
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
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(yaml));
    if (documents.size() != 1) {
      return fail(config_error(
          origin, documents.empty() ? "the file is empty" : "the file holds several documents"));
    }
    RETURN_IF_ERROR(Reader(origin, config).read(documents.front()));
  } catch (const YAML::Exception& error) {
    return fail(config_error(fmt::format("{}:{}", origin, error.mark.line + 1),
                             fmt::format("this is not YAML: {}", error.msg)));
  }
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
  try {
    RawConfig unused;
    return Reader(where, unused)
        .value(std::string(text), YAML::Load(std::string(text)), std::string(where));
  } catch (const YAML::Exception& error) {
    return fail(config_error(where, fmt::format("this is no list and no mapping: {}", error.msg),
                             "write [first, second], or {key: value}"));
  }
}

}  // namespace forebay
