#pragma once

#include <cstdint>
#include <optional>

#include "app/error_text.h"
#include "app/prices.h"
#include "load/report.h"

namespace forebay {

// One pipeline's part of the document that `load --json` prints. The keys are public.
Json report_json(const CycleReport& report, const std::optional<Prices>& prices = {});

// Requests by kind, and what they and the bytes cost; null where no prices are known.
Json requests_json(const RequestCounts& requests);
Json cost_json(const std::optional<Prices>& prices, const RequestCounts& requests,
               std::uint64_t bytes);

}  // namespace forebay
