#include <fmt/format.h>

#include "base/version.h"

int main() {
  fmt::print("forebay {}\n", forebay::version());
  return 0;
}
