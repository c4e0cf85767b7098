#include "base/log.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/clock.h"
#include "base/time_text.h"

namespace forebay {
namespace {

struct State {
  std::mutex mutex;
  LogOptions options;
  Screen* screen = nullptr;
  std::shared_ptr<spdlog::logger> logger;
};

State& state() {
  static State instance;
  return instance;
}

std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::error: return "error";
    case LogLevel::warning: return "warning";
    case LogLevel::info: return "info";
    case LogLevel::debug: return "debug";
  }
  std::unreachable();
}

spdlog::logger& logger() {
  auto& instance = state().logger;
  if (!instance) {
    instance = std::make_shared<spdlog::logger>("forebay",
                                                std::make_shared<spdlog::sinks::stderr_sink_st>());
    instance->set_pattern("%v");
    instance->set_level(spdlog::level::trace);
    // The other end of a pipe may be gone; there is nobody left to tell.
    instance->set_error_handler([](const std::string& /*what*/) {});
  }
  return *instance;
}

void write(LogLevel level, std::string_view message, const LogFields& fields) {
  State& s = state();
  const std::scoped_lock lock(s.mutex);
  if (level > s.options.level) return;
  const std::string line = format_log_line(s.options.format, format_rfc3339(system_clock().now()),
                                           level, message, fields);
  if (s.screen != nullptr) s.screen->hide();
  logger().log(spdlog::level::info, line);
  logger().flush();
  if (s.screen != nullptr) s.screen->show();
}

}  // namespace

void configure_log(const LogOptions& options) {
  const std::scoped_lock lock(state().mutex);
  state().options = options;
}

void set_log_screen(Screen* screen) {
  const std::scoped_lock lock(state().mutex);
  state().screen = screen;
}

LogOptions log_options() {
  const std::scoped_lock lock(state().mutex);
  return state().options;
}

void log(LogLevel level, std::string_view message, const LogFields& fields) {
  write(level, message, fields);
}

void log_error(const Error& error, std::string_view pipeline) {
  if (log_options().format == LogFormat::text) {
    write(LogLevel::error,
          pipeline.empty() ? describe(error) : fmt::format("{}: {}", pipeline, describe(error)),
          {});
    return;
  }
  LogFields fields = {{"code", std::string(to_string(error.code))},
                      {"operation", error.operation},
                      {"object", error.object},
                      {"hint", error.hint}};
  if (!pipeline.empty()) fields.emplace(fields.begin(), "pipeline", std::string(pipeline));
  write(LogLevel::error, error.cause, fields);
}

std::string format_log_line(LogFormat format, std::string_view time, LogLevel level,
                            std::string_view message, const LogFields& fields) {
  if (format == LogFormat::text) {
    std::string line = fmt::format("{}: {}", name_of(level), message);
    for (const auto& [name, value] : fields) {
      std::visit([&, &key = name](const auto& v) { line += fmt::format(" {}={}", key, v); }, value);
    }
    return line;
  }
  nlohmann::ordered_json line;
  line["time"] = time;
  line["level"] = name_of(level);
  line["message"] = message;
  for (const auto& [name, value] : fields) {
    std::visit([&, &key = name](const auto& v) { line[key] = v; }, value);
  }
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace forebay
