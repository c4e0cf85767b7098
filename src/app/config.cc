#include "app/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "app/config_error.h"
#include "app/config_keys.h"
#include "app/file_text.h"
#include "app/interpolation.h"
#include "base/ascii.h"
#include "base/duration_text.h"
#include "base/quantity.h"
#include "feed/builtin.h"

namespace forebay {
namespace {

constexpr std::uint64_t kLargestText = 1024 * 1024;
constexpr int kMostConcurrency = 64;

bool names_a_file(std::string_view feed) {
  return feed.find('/') != std::string_view::npos || feed.ends_with(".yaml") ||
         feed.ends_with(".yml");
}

// Reads typed values out of one pipeline's settings; the first mistake ends it.
class Settings {
 public:
  explicit Settings(const Options& options) : options_(options) {}

  Result<std::optional<std::string>> text(const std::string& key) const {
    const auto found = options_.find(key);
    if (found == options_.end()) return std::optional<std::string>();
    const OptionValue& value = found->second;
    if (value.is_list || value.values.size() != 1) {
      return fail(config_error(at_key(value.where, key), "one value is needed, not a list"));
    }
    if (value.values.front().empty()) {
      return fail(config_error(at_key(value.where, key), "the value is empty"));
    }
    return std::optional(value.values.front());
  }

  Result<std::optional<bool>> truth(const std::string& key) const {
    ASSIGN_OR_RETURN(const auto given, text(key));
    if (!given) return std::optional<bool>();
    if (*given != "true" && *given != "false") {
      return fail(config_error(place(key), "the value is neither true nor false"));
    }
    return std::optional(*given == "true");
  }

  Result<std::optional<int>> count(const std::string& key, int least, int most) const {
    ASSIGN_OR_RETURN(const auto given, text(key));
    if (!given) return std::optional<int>();
    int number = 0;
    const auto [end, error] = std::from_chars(given->data(), given->data() + given->size(), number);
    if (error != std::errc() || end != given->data() + given->size() || number < least ||
        number > most) {
      return fail(config_error(place(key),
                               fmt::format("the value is no number from {} to {}", least, most)));
    }
    return std::optional(number);
  }

  Result<std::optional<Duration>> duration(const std::string& key) const {
    ASSIGN_OR_RETURN(const auto given, text(key));
    if (!given) return std::optional<Duration>();
    const auto parsed = parse_duration(*given);
    if (!parsed) {
      return fail(config_error(place(key), "the value is no duration",
                               "write a number and a unit: 90s, 15m, 6h, 2d, 1w"));
    }
    return parsed;
  }

  Result<std::optional<std::uint64_t>> size(const std::string& key) const {
    ASSIGN_OR_RETURN(const auto given, text(key));
    if (!given) return std::optional<std::uint64_t>();
    const auto parsed = parse_size(*given);
    if (!parsed || *parsed == 0) {
      return fail(config_error(place(key), "the value is no size",
                               "write a number and a unit: 512MB, 2GiB"));
    }
    return parsed;
  }

  std::string place(const std::string& key) const {
    const auto found = options_.find(key);
    return at_key(found == options_.end() ? "" : found->second.where, key);
  }

 private:
  const Options& options_;
};

Status replace_in(OptionValue& value, const std::string& key, const RawConfig& config,
                  const Environment& environment) {
  const ReferenceScope scope{&environment, config.folder, at_key(value.where, key)};
  for (std::string& text : value.values) {
    ASSIGN_OR_RETURN(text, interpolate(text, scope));
  }
  for (auto& [name, field] : value.fields) {
    RETURN_IF_ERROR(replace_in(field, fmt::format("{}.{}", key, name), config, environment));
  }
  return {};
}

Result<Options> replace_references(const Options& raw, const RawConfig& config,
                                   const Environment& environment) {
  Options out = raw;
  for (auto& [key, value] : out) RETURN_IF_ERROR(replace_in(value, key, config, environment));
  return out;
}

// Names and values go into a request as they stand.
Status read_headers(const Options& options, std::map<std::string, Secret>& headers) {
  const auto given = options.find("headers");
  if (given == options.end()) return {};
  const std::string place = at_key(given->second.where, "headers");
  if (!given->second.is_map)
    return fail(config_error(place, "headers are a mapping", "write {Authorization: \"…\"}"));
  const auto clean = [](std::string_view text) {
    return std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  };
  for (const auto& [name, value] : given->second.fields) {
    const bool named =
        !name.empty() && clean(name) && name.find_first_of(" :") == std::string::npos;
    if (!named || value.values.size() != 1 || value.is_list || !clean(value.values.front()))
      return fail(config_error(place, fmt::format("'{}' is no header with one value", name),
                               "write NAME: VALUE, without line breaks"));
    headers.emplace(name, Secret(value.values.front()));
  }
  return {};
}

Result<StoreSettings> read_store(const Settings& settings, const std::string& folder) {
  StoreSettings store;
  ASSIGN_OR_RETURN(const auto region, settings.text("region"));
  store.region = region.value_or("");
  ASSIGN_OR_RETURN(store.endpoint, settings.text("endpoint"));
  ASSIGN_OR_RETURN(store.path_style, settings.truth("path_style"));
  ASSIGN_OR_RETURN(store.profile, settings.text("profile"));
  ASSIGN_OR_RETURN(const auto account, settings.text("account"));
  store.account = account.value_or("");
  ASSIGN_OR_RETURN(const auto anonymous, settings.truth("anonymous"));
  store.anonymous = anonymous.value_or(false);
  ASSIGN_OR_RETURN(store.role_arn, settings.text("role_arn"));
  if (store.role_arn && !store.role_arn->starts_with("arn:"))
    return fail(config_error(settings.place("role_arn"), "the value is no role's ARN",
                             "write arn:aws:iam::ACCOUNT:role/NAME"));
  ASSIGN_OR_RETURN(const auto request_payer, settings.truth("request_payer"));
  store.request_payer = request_payer.value_or(false);
  if (store.anonymous && (store.profile || store.role_arn || store.request_payer))
    return fail(config_error(settings.place("anonymous"),
                             "profile, role_arn and request_payer need credentials",
                             "remove them, or anonymous"));
  ASSIGN_OR_RETURN(store.ca_file, settings.text("ca_file"));
  if (store.ca_file) store.ca_file = resolve_path(*store.ca_file, folder);
  ASSIGN_OR_RETURN(store.proxy, settings.text("proxy"));
  if (store.proxy && !is_proxy(*store.proxy))
    return fail(
        config_error(settings.place("proxy"), "the value is no proxy's address",
                     "write http://host:port, https://, socks4://, socks5:// or socks5h://"));
  ASSIGN_OR_RETURN(const auto concurrency, settings.count("concurrency", 1, kMostConcurrency));
  store.concurrency = concurrency.value_or(store.concurrency);
  ASSIGN_OR_RETURN(const auto retry_for, settings.duration("retry_for"));
  store.retry_for = retry_for.value_or(store.retry_for);
  return store;
}

// Keys that mean nothing for this kind of source would be believed to work.
Status refuse_store_options(const SourceUrl& source, const Options& options) {
  using Keys = std::vector<std::string_view>;
  const Keys of_amazon = {"region", "path_style", "profile", "role_arn", "request_payer"};
  const Keys of_buckets = {"region",   "endpoint",  "path_style",    "profile",
                           "role_arn", "anonymous", "request_payer", "account"};
  const Keys of_network = {"ca_file", "proxy"};
  const auto refuse = [&](const Keys& keys, std::string_view kind) -> Status {
    for (const std::string_view key : keys) {
      const auto found = options.find(std::string(key));
      if (found == options.end()) continue;
      return fail(config_error(at_key(found->second.where, key),
                               fmt::format("this key means nothing for {}", kind), "remove it"));
    }
    return {};
  };
  switch (source.kind) {
    case SourceUrl::Kind::s3: return refuse({"headers", "account"}, "a bucket of S3");
    case SourceUrl::Kind::gcs:
      RETURN_IF_ERROR(refuse(of_amazon, "a bucket of Google Cloud Storage"));
      return refuse({"headers", "account"}, "a bucket of Google Cloud Storage");
    case SourceUrl::Kind::azure:
      RETURN_IF_ERROR(refuse(of_amazon, "a container of Azure"));
      return refuse({"headers"}, "a container of Azure");
    case SourceUrl::Kind::api: return refuse(of_buckets, "an API");
    case SourceUrl::Kind::folder:
      RETURN_IF_ERROR(refuse(of_buckets, "a folder"));
      RETURN_IF_ERROR(refuse(of_network, "a folder"));
      return refuse({"headers"}, "a folder");
  }
  std::unreachable();
}

// Adds what --set gave, KEY=VALUE each.
Status add_settings(const std::vector<std::string>& given, Options& settings) {
  for (const std::string& setting : given) {
    const std::size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    if (equals == std::string::npos || key.empty()) {
      return fail(config_error("--set", "a setting is KEY=VALUE", "write --set schema=raw"));
    }
    if (settings.contains(key)) {
      return fail(
          config_error(at_key("--set", key), "this key is given twice", "keep one of them"));
    }
    ASSIGN_OR_RETURN(settings[key],
                     parse_value(std::string_view(setting).substr(equals + 1), "--set"));
  }
  return {};
}

Result<Feed> read_feed(const RawConfig& config, const Options& raw, const Options& options) {
  const OptionValue& named = options.at("feed");
  ASSIGN_OR_RETURN(const FeedText text,
                   find_feed(named.values.front(), config.folder, at_key(named.where, "feed")));
  Options of_feed;
  for (const auto& [key, value] : options) {
    if (std::ranges::find(program_keys(), key) != program_keys().end()) continue;
    of_feed[key] = value;
  }
  auto feed = bind_feed(text.name, text.yaml, text.origin, of_feed);
  if (feed) return feed;
  return fail(without_values(std::move(feed).error(), raw, options));
}

}  // namespace

Result<FeedText> find_feed(const std::string& name, const std::string& folder,
                           std::string_view where) {
  if (names_a_file(name)) {
    auto text = read_file_text(resolve_path(name, folder), kLargestText);
    if (text) return FeedText{name, name, std::move(*text)};
    return fail(config_error(
        where, fmt::format("the feed description {} cannot be read: {}", name, text.error().cause),
        "the path is relative to the configuration file"));
  }
  if (const auto text = find_builtin_feed(name)) {
    return FeedText{name, fmt::format("feeds/{}.yaml", name), std::string(*text)};
  }
  std::vector<std::string> known;
  for (const BuiltinFeed& feed : builtin_feeds()) known.emplace_back(feed.name);
  const std::string near = nearest(name, known);
  return fail(config_error(where, fmt::format("there is no feed '{}'", name),
                           near.empty()
                               ? fmt::format("built in: {}; or name a file of your own: ./{}.yaml",
                                             fmt::join(known, ", "), name)
                               : fmt::format("did you mean '{}'?", near)));
}

namespace {

// Beside the database file; for a database elsewhere, beside the configuration.
std::string default_staging(const PipelineConfig& config) {
  return (config.target.address.empty() ? config.target.database : config.name) + ".staging";
}

}  // namespace

Result<PipelineConfig> read_pipeline(const RawConfig& config, const RawPipeline& pipeline,
                                     const Environment& environment) {
  Options raw = pipeline.settings;
  if (!raw.contains("target")) {
    if (!config.target) {
      return fail(config_error(pipeline.where,
                               fmt::format("pipeline '{}' has no target", pipeline.name),
                               "add 'target: duckdb:warehouse.duckdb' at the top of the file"));
    }
    raw["target"] = *config.target;
  }
  RETURN_IF_ERROR(check_keys(config, pipeline));
  ASSIGN_OR_RETURN(const Options options, replace_references(raw, config, environment));
  const Settings settings(options);

  PipelineConfig out{.name = pipeline.name, .where = pipeline.where};
  for (const char* needed : {"source", "feed", "target"}) {
    ASSIGN_OR_RETURN(const auto given, settings.text(needed));
    if (!given) return fail(config_error(pipeline.where, fmt::format("no {} is given", needed)));
  }
  ASSIGN_OR_RETURN(const auto source, settings.text("source"));
  ASSIGN_OR_RETURN(out.source, parse_source(*source, config.folder, settings.place("source")));
  ASSIGN_OR_RETURN(const auto target, settings.text("target"));
  ASSIGN_OR_RETURN(out.target, parse_target(*target, config.folder, settings.place("target")));
  RETURN_IF_ERROR(refuse_store_options(out.source, options));
  ASSIGN_OR_RETURN(out.store, read_store(settings, config.folder));
  RETURN_IF_ERROR(read_headers(options, out.store.headers));
  ASSIGN_OR_RETURN(const auto schema, settings.text("schema"));
  out.schema = schema.value_or("");
  for (const char* taken : {"_forebay", "temp", "system", "information_schema", "pg_catalog"}) {
    if (!equal_ignoring_case(out.schema, taken)) continue;
    return fail(config_error(settings.place("schema"),
                             fmt::format("the schema {} is not for tables", taken),
                             "choose another name"));
  }
  if (out.target.address.empty() &&
      equal_ignoring_case(std::filesystem::path(out.target.database).stem().string(), "_forebay"))
    return fail(config_error(settings.place("target"), "a database cannot be called _forebay",
                             "choose another name for the file"));
  ASSIGN_OR_RETURN(out.memory_limit, settings.size("memory_limit"));
  ASSIGN_OR_RETURN(const auto every, settings.duration("every"));
  out.every = every.value_or(out.every);
  if (out.every < std::chrono::seconds(1))
    return fail(config_error(settings.place("every"), "cycles begin at least a second apart",
                             "write 30s or 5m, say"));
  ASSIGN_OR_RETURN(const auto staging, settings.text("staging"));
  out.staging = resolve_path(staging.value_or(default_staging(out)), config.folder);
  if (const auto prices = options.find("prices"); prices != options.end()) {
    ASSIGN_OR_RETURN(out.prices, read_prices(prices->second));
  }
  ASSIGN_OR_RETURN(out.feed, read_feed(config, raw, options));
  // A feed that asks an API asks it at any address.
  if (out.feed.api && out.source.kind == SourceUrl::Kind::azure && source->starts_with("https:"))
    out.source = {.kind = SourceUrl::Kind::api, .endpoint = *source};
  if (out.source.kind == SourceUrl::Kind::api && !out.feed.api)
    return fail(
        config_error(settings.place("source"),
                     fmt::format("the feed {} does not say how to ask an API", out.feed.name),
                     "name a bucket or a folder, or add `api:` to the description"));
  return out;
}

Result<RawConfig> config_of(const CommandLinePipeline& given) {
  RawConfig config{.origin = "", .folder = "."};
  RawPipeline pipeline{.name = "default", .where = "the command line"};
  pipeline.settings["source"] = {.values = {given.source}, .where = "--source"};
  pipeline.settings["feed"] = {.values = {given.feed}, .where = "--feed"};
  pipeline.settings["target"] = {.values = {given.target}, .where = "--target"};
  RETURN_IF_ERROR(add_settings(given.settings, pipeline.settings));
  RETURN_IF_ERROR(check_keys(config, pipeline));
  config.pipelines.push_back(std::move(pipeline));
  return config;
}

Result<PipelineConfig> read_source(const std::string& source,
                                   const std::vector<std::string>& settings,
                                   const Environment& environment) {
  const RawConfig config{.origin = "", .folder = "."};
  RawPipeline pipeline{.name = "inspect", .where = "the command line"};
  pipeline.settings["source"] = {.values = {source}, .where = "SOURCE"};
  RETURN_IF_ERROR(add_settings(settings, pipeline.settings));
  RETURN_IF_ERROR(check_keys(config, pipeline));
  ASSIGN_OR_RETURN(const Options options,
                   replace_references(pipeline.settings, config, environment));
  PipelineConfig out{.name = pipeline.name, .where = pipeline.where};
  ASSIGN_OR_RETURN(out.source, parse_source(options.at("source").values.front(), ".", "SOURCE"));
  RETURN_IF_ERROR(refuse_store_options(out.source, options));
  ASSIGN_OR_RETURN(out.store, read_store(Settings(options), "."));
  return out;
}

Result<RawConfig> load_config(const std::optional<std::string>& given,
                              const Environment& environment) {
  constexpr const char* kDefault = "forebay.yaml";
  std::string path = given.value_or(kDefault);
  std::error_code ignored;
  if (!given && !std::filesystem::exists(path, ignored)) {
    const auto named = environment.get("FOREBAY_CONFIG");
    if (!named || named->empty()) {
      return fail(config_error("", "there is no forebay.yaml here and FOREBAY_CONFIG is not set",
                               "name one with -c FILE, or give --source, --feed and --target; "
                               "'forebay inspect SOURCE' writes one for you"));
    }
    path = *named;
  }
  auto text = read_file_text(path, kLargestText);
  if (!text) {
    return fail(config_error(path, fmt::format("the file cannot be read: {}", text.error().cause),
                             "name the configuration with -c FILE"));
  }
  ASSIGN_OR_RETURN(RawConfig config, parse_config(*text, path));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  config.folder = folder.empty() ? "." : folder;
  for (const RawPipeline& pipeline : config.pipelines) {
    RETURN_IF_ERROR(check_keys(config, pipeline));
  }
  return config;
}

}  // namespace forebay
