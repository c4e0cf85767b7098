#pragma once

#include "app/error_text.h"
#include "load/report.h"

namespace forebay {

// One pipeline's part of the document that `load --json` prints. The keys are public.
Json report_json(const CycleReport& report);

}  // namespace forebay
