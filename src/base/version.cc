#include "base/version.h"

namespace forebay {

std::string_view version() { return FOREBAY_VERSION; }

}  // namespace forebay
