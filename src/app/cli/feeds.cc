#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "app/cli/commands.h"
#include "app/config_error.h"
#include "app/text_table.h"
#include "feed/builtin.h"
#include "feed/description.h"

namespace forebay::cli {
namespace {

// The line of a description that says what it is for.
std::string about(std::string_view yaml) {
  constexpr std::string_view kKey = "about:";
  std::size_t at = yaml.starts_with(kKey) ? 0 : yaml.find("\nabout:");
  if (at == std::string_view::npos) return "";
  at = yaml.find(kKey, at) + kKey.size();
  std::string text(yaml.substr(at, yaml.find('\n', at) - at));
  text.erase(0, text.find_first_not_of(" \"'"));
  while (!text.empty() && (text.back() == '"' || text.back() == '\'' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

ExitCode list_feeds(const Session& session) {
  TextTable table({{"feed"}, {"what it is"}});
  Json feeds = Json::array();
  for (const BuiltinFeed& feed : builtin_feeds()) {
    table.add({std::string(feed.name), about(feed.yaml)});
    feeds.push_back({{"feed", feed.name}, {"about", about(feed.yaml)}});
  }
  session.answer(table.render() + "'forebay feeds show NAME' prints one as YAML.\n");
  session.document({{"exit_code", 0}, {"feeds", feeds}});
  return ExitCode::done;
}

ExitCode show_feed(const Session& session, const std::string& name) {
  const auto text = find_feed(name, ".", "the command line");
  if (!text) return session.refuse(text.error());
  const auto options = feed_options(text->yaml, text->origin);
  if (!options) return session.refuse(options.error());
  session.answer(text->yaml);
  session.answer(fmt::format("\n# Keys that a pipeline may set: {}\n", fmt::join(*options, ", ")));
  session.document({{"exit_code", 0},
                    {"feed", text->name},
                    {"about", about(text->yaml)},
                    {"options", *options},
                    {"yaml", text->yaml}});
  return ExitCode::done;
}

}  // namespace

void add_feeds(const Command& program) {
  const Command command = program.add("feeds", "The feeds that are built in",
                                      "  forebay feeds list\n"
                                      "  forebay feeds show files");
  command.runs(list_feeds);
  command.add("list", "Names and what they are for", "  forebay feeds list").runs(list_feeds);
  const Command show =
      command.add("show", "One description, as YAML", "  forebay feeds show files");
  const auto name = std::make_shared<std::string>();
  show.word({.names = "NAME", .about = "A built-in feed, or the path of a description"}, *name);
  show.runs([name](const Session& session) { return show_feed(session, *name); });
}

}  // namespace forebay::cli
