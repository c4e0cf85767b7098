#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/environment.h"
#include "app/prices.h"
#include "app/source_url.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"
#include "feed/description.h"

namespace forebay {

// The configuration as it was written: shape and keys are checked, references are not replaced yet.
// What needs the environment or other files is checked per pipeline, by read_pipeline(): a secret
// that is missing for one pipeline does not keep the others from running.
struct RawPipeline {
  std::string name;
  std::string where;  // "forebay.yaml:3"
  Options settings;   // everything below the pipeline's name, still with references
};

struct RawConfig {
  std::string origin;  // as messages name it; empty: the command line
  std::string folder;  // relative paths start here
  std::optional<OptionValue> target;
  std::optional<OptionValue> serve;    // a mapping
  std::vector<RawPipeline> pipelines;  // in the order of the file
};

// Reads YAML. invalid_config with file, line and key: no YAML, a wrong shape, an unknown or doubled
// key (with the nearest known one), a key that this version does not carry yet.
Result<RawConfig> parse_config(std::string_view yaml, std::string_view origin);

// What `--set KEY=VALUE` gives: a value, or a list when it is written as one ("[a, b]").
Result<OptionValue> parse_value(std::string_view text, std::string_view where);

// A pipeline given on the command line, called `default`.
struct CommandLinePipeline {
  std::string source;
  std::string feed;
  std::string target;
  std::vector<std::string> settings;  // KEY=VALUE
};
Result<RawConfig> config_of(const CommandLinePipeline& given);

// Keys of one pipeline against those that the program and its feed know.
Status check_keys(const RawConfig& config, const RawPipeline& pipeline);

struct StoreSettings {
  std::string region;
  std::optional<std::string> endpoint;
  std::optional<bool> path_style;
  std::optional<std::string> profile;
  std::optional<std::string> role_arn;
  std::string account;  // of Azure; empty: the source or the environment names it
  bool anonymous = false;
  bool request_payer = false;
  std::optional<std::string> ca_file;
  std::optional<std::string> proxy;
  std::map<std::string, Secret> headers;  // of an API
  int concurrency = 8;
  Duration retry_for = std::chrono::minutes(5);
};

// Often enough for deliveries that come every quarter of an hour, and 288 listings a day.
inline constexpr Duration kDefaultEvery = std::chrono::minutes(5);

// One pipeline, complete: references replaced, values read, the feed bound.
struct PipelineConfig {
  std::string name;
  std::string where;
  SourceUrl source;
  StoreSettings store;
  Feed feed;
  TargetUrl target;
  std::string schema;  // empty: the target's default
  std::optional<std::uint64_t> memory_limit;
  std::string staging;             // a folder
  Duration every = kDefaultEvery;  // between the beginnings of two cycles, for `serve`
  std::optional<Prices> prices;    // what the store charges
};
Result<PipelineConfig> read_pipeline(const RawConfig& config, const RawPipeline& pipeline,
                                     const Environment& environment);

// What `serve:` says, as it stands there.
struct ServeSettings {
  std::optional<std::string> listen;
  std::string listen_where;  // of `listen`, for messages
  Secret token;              // empty: none is asked for
};
Result<ServeSettings> read_serve(const RawConfig& config, const Environment& environment);

// Only where files are and how to get at them, without feed and target: `settings` as KEY=VALUE.
Result<PipelineConfig> read_source(const std::string& source,
                                   const std::vector<std::string>& settings,
                                   const Environment& environment);

// The description that a pipeline's `feed` names, and how messages call it.
struct FeedText {
  std::string name;
  std::string origin;
  std::string yaml;
};
Result<FeedText> find_feed(const std::string& name, const std::string& folder,
                           std::string_view where);

// Finds and reads the configuration: `given` (-c), ./forebay.yaml, $FOREBAY_CONFIG.
Result<RawConfig> load_config(const std::optional<std::string>& given,
                              const Environment& environment);

}  // namespace forebay
