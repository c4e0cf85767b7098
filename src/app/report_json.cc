#include "app/report_json.h"

namespace forebay {

Json requests_json(const RequestCounts& requests) {
  return {{"list", requests.list},
          {"get", requests.get},
          {"head", requests.head},
          {"other", requests.other}};
}

Json cost_json(const std::optional<Prices>& prices, const RequestCounts& requests,
               std::uint64_t bytes) {
  if (!prices) return nullptr;
  const Cost cost = cost_of(*prices, requests, bytes);
  return {{"currency", prices->currency},
          {"requests", cost.requests},
          {"egress", cost.egress},
          {"total", cost.total()}};
}

Json report_json(const CycleReport& report, const std::optional<Prices>& prices) {
  Json tables = Json::object();
  for (const auto& [name, counts] : report.tables) {
    tables[name] = {
        {"inserted", counts.inserted}, {"updated", counts.updated}, {"deleted", counts.deleted}};
    if (counts.gaps) tables[name]["gaps"] = *counts.gaps;
  }
  Json waiting = Json::array();
  for (const WaitingUnit& unit : report.waiting)
    waiting.push_back({{"unit", unit.unit}, {"reason", unit.reason}});
  Json document = {{"pipeline", report.pipeline},
                   {"feed", report.feed},
                   {"outcome", to_string(report.outcome)},
                   {"units",
                    {{"applied", report.units.applied},
                     {"already_applied", report.units.already_applied},
                     {"waiting", report.units.waiting},
                     {"quarantined", report.units.quarantined}}},
                   {"waiting", waiting},
                   {"changed_since_applied", report.changed_since_applied},
                   {"files", report.files},
                   {"rows", report.rows},
                   {"bytes", report.bytes},
                   {"tables", tables},
                   {"requests", requests_json(report.requests)},
                   {"seconds", report.seconds},
                   {"warnings", report.warnings},
                   {"error", report.error ? error_json(*report.error) : Json(nullptr)}};
  if (prices) document["cost"] = cost_json(prices, report.requests, report.bytes);
  return document;
}

}  // namespace forebay
