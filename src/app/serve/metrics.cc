#include "app/serve/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/version.h"

namespace forebay {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

double seconds(Time time) { return std::chrono::duration<double>(time.time_since_epoch()).count(); }

double number(std::uint64_t count) { return static_cast<double>(count); }

std::optional<double> seconds(const std::optional<Time>& time) {
  if (!time) return std::nullopt;
  return seconds(*time);
}

ClientMetric metric(MetricType type, std::vector<ClientMetric::Label> labels, double value) {
  ClientMetric out;
  out.label = std::move(labels);
  (type == MetricType::Counter ? out.counter.value : out.gauge.value) = value;
  return out;
}

// Collects families; each call describes one name for all pipelines.
class Families {
 public:
  using Value = std::function<std::optional<double>(const PipelineState&)>;

  explicit Families(const ServeState::Snapshot& state) : state_(state) {}

  void counter(const char* name, const char* help, const Value& value) {
    add(MetricType::Counter, name, help, value);
  }
  // A pipeline that has no value is left out.
  void gauge(const char* name, const char* help, const Value& value) {
    add(MetricType::Gauge, name, help, value);
  }

  // One counter with a second label, for each of its values.
  using Part = std::pair<std::string, std::function<double(const PipelineState&)>>;
  void counters(const char* name, const char* help, const char* label,
                const std::vector<Part>& parts) {
    MetricFamily family{name, help, MetricType::Counter, {}};
    for (const PipelineState& pipeline : state_.pipelines) {
      for (const auto& [part, value] : parts) {
        family.metric.push_back(metric(
            MetricType::Counter, {{"pipeline", pipeline.name}, {label, part}}, value(pipeline)));
      }
    }
    families_.push_back(std::move(family));
  }

  void alone(const char* name, const char* help, std::vector<ClientMetric::Label> labels,
             double value) {
    families_.push_back(
        {name, help, MetricType::Gauge, {metric(MetricType::Gauge, std::move(labels), value)}});
  }

  std::string text() const { return prometheus::TextSerializer().Serialize(families_); }

 private:
  void add(MetricType type, const char* name, const char* help, const Value& value) {
    MetricFamily family{name, help, type, {}};
    for (const PipelineState& pipeline : state_.pipelines) {
      if (const auto is = value(pipeline))
        family.metric.push_back(metric(type, {{"pipeline", pipeline.name}}, *is));
    }
    if (!family.metric.empty()) families_.push_back(std::move(family));
  }

  const ServeState::Snapshot& state_;
  std::vector<MetricFamily> families_;
};

void add_work(Families& out) {
  using P = PipelineState;
  out.counter("forebay_units_applied_total", "Units applied",
              [](const P& p) { return number(p.units_applied); });
  out.counter("forebay_units_refused_total", "Units that a cycle put into quarantine",
              [](const P& p) { return number(p.units_quarantined); });
  out.counter("forebay_files_total", "Files of the units applied",
              [](const P& p) { return number(p.files); });
  out.counter("forebay_rows_total", "Rows delivered by the units applied",
              [](const P& p) { return number(p.rows); });
  out.counter("forebay_read_bytes_total", "Bytes of the files that were read",
              [](const P& p) { return number(p.bytes); });
  out.counters("forebay_requests_total", "Requests sent to the store", "kind",
               {{"list", [](const P& p) { return number(p.requests.list); }},
                {"get", [](const P& p) { return number(p.requests.get); }},
                {"head", [](const P& p) { return number(p.requests.head); }},
                {"other", [](const P& p) { return number(p.requests.other); }}});
}

void add_cycles(Families& out) {
  using P = PipelineState;
  std::vector<Families::Part> codes;
  for (int code = 0; code <= std::to_underlying(ExitCode::bug); ++code) {
    codes.emplace_back(std::to_string(code), [code](const P& p) {
      const auto found = p.cycles_by_exit_code.find(code);
      return found == p.cycles_by_exit_code.end() ? 0.0 : number(found->second);
    });
  }
  out.counters("forebay_cycles_total", "Cycles that ended, by the exit code that load would have",
               "exit_code", codes);
  out.counter("forebay_cycle_seconds_total", "Time spent in cycles",
              [](const P& p) { return p.seconds; });
  out.gauge("forebay_last_cycle_seconds", "How long the last cycle took",
            [](const P& p) -> std::optional<double> {
              if (!p.last_report) return std::nullopt;
              return p.last_report->seconds;
            });
  out.gauge("forebay_last_cycle_exit_code", "How the last cycle ended",
            [](const P& p) -> std::optional<double> {
              if (!p.last_report) return std::nullopt;
              return std::to_underlying(p.last_report->exit);
            });
  out.gauge("forebay_last_cycle_timestamp_seconds", "When the last cycle ended",
            [](const P& p) -> std::optional<double> {
              if (p.cycles.empty()) return std::nullopt;
              return seconds(p.cycles.front().ended);
            });
  out.gauge("forebay_last_success_timestamp_seconds", "When a cycle last ended with 0",
            [](const P& p) { return seconds(p.last_success); });
  out.gauge("forebay_next_cycle_timestamp_seconds", "When the next cycle is due",
            [](const P& p) { return seconds(p.next_run); });
}

void add_standing(Families& out, Time now) {
  using P = PipelineState;
  using Value = std::optional<double>;
  out.gauge("forebay_newest_unit_timestamp_seconds", "The time of the newest unit applied",
            [](const P& p) { return p.status ? seconds(p.status->newest_time()) : Value(); });
  out.gauge("forebay_newest_unit_age_seconds", "The age of the newest unit applied",
            [now](const P& p) -> Value {
              const auto age = p.status ? p.status->age(now) : std::nullopt;
              if (!age) return std::nullopt;
              return std::chrono::duration<double>(*age).count();
            });
  out.gauge("forebay_stale", "1: the newest unit is older than stale_after", [now](const P& p) {
    return p.status && p.status->stale_after ? Value(p.status->stale(now) ? 1 : 0) : Value();
  });
  out.gauge("forebay_units_waiting", "Units that wait",
            [](const P& p) { return p.status ? Value(p.status->waiting) : Value(); });
  out.gauge("forebay_units_quarantined", "Units in quarantine", [](const P& p) {
    return p.status ? Value(number(p.status->quarantined.size())) : Value();
  });
  out.gauge("forebay_ready", "1: a cycle of this process was complete",
            [](const P& p) { return Value(p.ready_since ? 1 : 0); });
  out.gauge("forebay_running", "1: a cycle is under way",
            [](const P& p) { return Value(p.running_since ? 1 : 0); });
}

}  // namespace

std::string metrics_text(const ServeState::Snapshot& state, Time now) {
  Families out(state);
  out.alone("forebay_build_info", "The version that runs", {{"version", std::string(version())}},
            1);
  out.alone("forebay_start_timestamp_seconds", "When this process began to serve", {},
            seconds(state.started));
  out.alone("forebay_alive", "0: a cycle hangs", {}, state.alive ? 1 : 0);
  add_standing(out, now);
  add_cycles(out);
  add_work(out);
  return out.text();
}

}  // namespace forebay
