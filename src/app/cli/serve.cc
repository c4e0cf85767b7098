#include <fmt/format.h>

#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/served_pipelines.h"
#include "app/reload_signal.h"
#include "app/serve/pages.h"
#include "app/serve/status_page.h"
#include "app/serve/web.h"
#include "base/log.h"

namespace forebay::cli {
namespace {

constexpr const char* kDefaultListen = "127.0.0.1:8080";

struct ServeOptions {
  std::optional<std::string> listen;
};

Result<ListenAddress> listen_address(const ServeOptions& options, const ServeSettings& settings) {
  const bool from_line = options.listen.has_value();
  const std::string text = options.listen.value_or(settings.listen.value_or(kDefaultListen));
  ASSIGN_OR_RETURN(ListenAddress address,
                   parse_listen(text, from_line ? "--listen" : settings.listen_where));
  if (address.loopback || !settings.token.empty()) return address;
  return fail({ErrorCode::invalid_config, "listen", text,
               "others reach this address, and there is no token",
               "set 'serve: {token: \"${FOREBAY_TOKEN}\"}', or listen on 127.0.0.1"});
}

std::string url_of(const ListenAddress& address, std::uint16_t port) {
  return address.host.contains(':') ? fmt::format("http://[{}]:{}/", address.host, port)
                                    : fmt::format("http://{}:{}/", address.host, port);
}

void announce(const Session& session, const std::string& url, std::size_t pipelines) {
  session.note(
      fmt::format("serving {}, {} pipeline{}\n", url, pipelines, pipelines == 1 ? "" : "s"));
  log(LogLevel::info, "serving", {{"url", url}, {"pipelines", std::uint64_t{pipelines}}});
}

ExitCode run_serve(const Session& session, const ServeOptions& options) {
  auto config = load_config(session.globals.config, session.environment);
  if (!config) return session.refuse(config.error());
  const auto settings = read_serve(*config, session.environment);
  if (!settings) return session.refuse(settings.error());
  const auto address = listen_address(options, *settings);
  if (!address) return session.refuse(address.error());

  handle_reload_signal();
  ServeState state(session.clock.now());
  ServedPipelines pipelines(session, std::move(*config), state);
  if (const Status ready = pipelines.prepare(); !ready) return session.refuse(ready.error());
  const Pages pages(state, settings->token, session.clock);
  const auto server = start_web_server(
      *address, [&pages](const WebRequest& request) { return pages.answer(request); });
  if (!server) return session.refuse(server.error());
  announce(session, url_of(*address, (*server)->port()), pipelines.entries().size());

  Schedule schedule(pipelines.entries(), session.clock.now());
  const ExitCode code = run_daemon(pipelines, std::move(schedule), state, session.clock);
  const Time now = session.clock.now();
  Json document = status_document(state.snapshot(now), now);
  document["exit_code"] = std::to_underlying(code);
  session.document(document);
  session.note("stopped\n");
  log(LogLevel::info, "stopped", {{"exit_code", std::int64_t{std::to_underlying(code)}}});
  return code;
}

}  // namespace

void add_serve(const Command& program) {
  const auto options = std::make_shared<ServeOptions>();
  const Command command =
      program.add("serve", "Run all pipelines on their schedules, with dashboard and metrics",
                  "  forebay serve\n"
                  "  forebay serve -c /etc/forebay/forebay.yaml --listen 127.0.0.1:9100");
  command.text({.names = "--listen",
                .about = "Where pages are served (default 127.0.0.1:8080; port 0: any)",
                .value = "HOST:PORT"},
               options->listen);
  command.runs([options](const Session& session) { return run_serve(session, *options); });
}

}  // namespace forebay::cli
