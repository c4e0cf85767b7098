#include "app/cli/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>
#include <utility>

#include "app/cli/commands.h"
#include "app/text_table.h"
#include "app/wiring.h"
#include "feed/builtin.h"
#include "feed/description.h"

namespace forebay::cli {
namespace {

constexpr int kPages = 5;

struct InspectOptions {
  std::string source;
  std::vector<std::string> settings;
  std::string feed;  // empty: the one that fits best
};

struct Look {
  std::vector<std::string> keys;  // sorted
  bool all = true;                // whether there are no more
};

Status list_into(ObjectStore& store, const std::string& prefix, int pages,
                 std::set<std::string>& keys, bool& all) {
  ListRequest request{.prefix = prefix};
  for (int page = 0; page < pages; ++page) {
    ASSIGN_OR_RETURN(const ListPage found, store.list(request));
    for (const ObjectInfo& object : found.objects) keys.insert(object.key);
    if (!found.next_token) return {};
    request.page_token = *found.next_token;
  }
  all = false;
  return {};
}

// The beginning of the source, and the places where the feeds that are built in keep their units:
// those may come after a thousand pages of something else.
Result<Look> look_at(ObjectStore& store) {
  std::set<std::string> keys;
  Look look;
  RETURN_IF_ERROR(list_into(store, "", kPages, keys, look.all));
  for (const BuiltinFeed& builtin : builtin_feeds()) {
    if (look.all) break;
    const auto feed = bind_feed(builtin.name, builtin.yaml, builtin.name, {});
    if (!feed) continue;  // one that needs options says little by its names alone
    for (const Pattern& pattern : feed->unit.patterns) {
      if (pattern.literal_prefix().empty()) continue;
      bool ignored = true;
      RETURN_IF_ERROR(list_into(store, pattern.literal_prefix(), 1, keys, ignored));
    }
  }
  look.keys.assign(keys.begin(), keys.end());
  return look;
}

// As a YAML scalar: in quotes unless it is plainly harmless.
std::string scalar(const std::string& text) {
  const bool plain =
      !text.empty() &&
      std::ranges::all_of(text,
                          [](unsigned char c) {
                            return std::isalnum(c) != 0 ||
                                   std::string_view("_./-:").find(static_cast<char>(c)) !=
                                       std::string_view::npos;
                          }) &&
      text.find(": ") == std::string::npos && !text.ends_with(':') &&
      std::isalpha(static_cast<unsigned char>(text.front())) != 0;
  const bool path =
      text.starts_with('/') && text.find_first_of(" #'\"{}[]&*!|>%@`,?") == std::string::npos;
  return plain || path ? text : Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Error nothing_recognised(const std::string& source, const Look& look) {
  const std::string seen = look.keys.empty()
                               ? "there is nothing below it"
                               : fmt::format("{} keys were looked at, such as {}", look.keys.size(),
                                             one_line(look.keys.front(), 120));
  return {ErrorCode::invalid_config, "recognise the feed", source,
          fmt::format("no built-in feed fits: {}", seen),
          "check the prefix (it ends in '/'), or describe the feed in a file of your own: "
          "'forebay feeds show files' is an example"};
}

// Puts the feed that is asked for first.
Status choose(const std::string& feed, const std::string& source, std::vector<Recognised>& found) {
  if (feed.empty()) return {};
  const auto wanted = std::ranges::find(found, feed, &Recognised::feed);
  if (wanted == found.end()) {
    std::vector<std::string> names;
    for (const Recognised& one : found) names.push_back(one.feed);
    return fail({ErrorCode::invalid_config, "recognise the feed", source,
                 fmt::format("nothing in it is of the feed {}", feed),
                 fmt::format("it could be read as {}", fmt::join(names, ", "))});
  }
  std::rotate(found.begin(), wanted, wanted + 1);
  return {};
}

std::string comments(const std::vector<Recognised>& found, const Look& look) {
  const Recognised& best = found.front();
  std::string text =
      fmt::format("# Recognised the feed {}: {}{} units, such as {}\n", best.feed,
                  look.all ? "" : "at least ", best.units, one_line(best.example, 120));
  if (!best.tables.empty()) {
    text += fmt::format("# Tables: {}\n",
                        one_line(fmt::format("{}", fmt::join(best.tables, ", ")), 400));
  }
  for (const std::string& warning : best.warnings) {
    text += fmt::format("# Beware: {}\n", one_line(warning, 400));
  }
  for (std::size_t i = 1; i < found.size(); ++i) {
    text += fmt::format("# It could also be read as {0}: inspect … --feed {0}\n", found[i].feed);
  }
  return text;
}

ExitCode run_inspect(const Session& session, const InspectOptions& options) {
  const auto config = read_source(options.source, options.settings, session.environment);
  if (!config) return session.refuse(config.error());
  const auto store = open_store(*config, session.environment, session.clock);
  if (!store) return session.refuse(store.error());
  const auto look = look_at(**store);
  if (!look) return session.refuse(look.error());
  auto found = recognise(builtin_feeds(), look->keys);
  if (!found) return session.refuse(found.error());
  const std::string source = config->source.display();
  if (found->empty()) return session.refuse(nothing_recognised(source, *look));
  if (const Status chosen = choose(options.feed, source, *found); !chosen)
    return session.refuse(chosen.error());
  const std::string yaml = config_for(found->front(), source, options.settings);
  session.answer(comments(*found, *look) + yaml +
                 "# Save this as forebay.yaml, then: forebay check && forebay load\n");
  Json candidates = Json::array();
  for (const Recognised& one : *found) {
    candidates.push_back({{"feed", one.feed},
                          {"units", one.units},
                          {"example", one.example},
                          {"tables", one.tables},
                          {"needed", one.needed},
                          {"warnings", one.warnings}});
  }
  session.document({{"exit_code", 0},
                    {"source", source},
                    {"feed", found->front().feed},
                    {"tables", found->front().tables},
                    {"keys_seen", look->keys.size()},
                    {"complete", look->all},
                    {"candidates", candidates},
                    {"config", yaml}});
  return ExitCode::done;
}

}  // namespace

std::string name_after(const std::string& source) {
  std::string_view rest(source);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  rest.remove_prefix(rest.find_last_of('/') + 1);
  std::string name;
  for (const char c : rest) {
    name.push_back(std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_');
  }
  const bool usable = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  return usable ? name : "feed_" + name;
}

std::string config_for(const Recognised& found, const std::string& source,
                       const std::vector<std::string>& settings) {
  const std::string name = name_after(source);
  std::string yaml = fmt::format(
      "target: duckdb:warehouse.duckdb\n"
      "pipelines:\n"
      "  {}:\n"
      "    source: {}\n",
      name, scalar(source));
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    yaml +=
        fmt::format("    {}: {}\n", setting.substr(0, equals), scalar(setting.substr(equals + 1)));
  }
  yaml += fmt::format("    feed: {}\n", found.feed);
  for (const std::string& option : found.needed) {
    const auto suggested = found.suggested.find(option);
    yaml += option == "table" ? fmt::format("    table: {}\n", name)
            : suggested != found.suggested.end()
                ? fmt::format("    {}: {}\n", option, scalar(suggested->second))
                : fmt::format("    {}: # must be given\n", option);
  }
  return yaml;
}

void add_inspect(const Command& program) {
  const auto options = std::make_shared<InspectOptions>();
  const Command command =
      program.add("inspect", "Recognise a feed and print a configuration that loads it",
                  "  forebay inspect s3://acme-lake/carwash/ > forebay.yaml\n"
                  "  forebay inspect ./exports/ --json");
  command.word({.names = "SOURCE", .about = "s3://bucket/prefix/, gs://…, az://… or a folder"},
               options->source);
  command.list(
      {"--set", "What the store needs, such as endpoint=http://127.0.0.1:8333", "KEY=VALUE"},
      options->settings);
  command.text({"--feed", "Print a configuration for this feed", "NAME"}, options->feed);
  command.runs([options](const Session& session) { return run_inspect(session, *options); });
}

}  // namespace forebay::cli
