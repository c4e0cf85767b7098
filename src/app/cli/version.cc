#include "base/version.h"

#include <fmt/format.h>

#include <string>

#include "app/cli/commands.h"
#include "base/fault.h"
#include "engine/database.h"

namespace forebay::cli {
namespace {

std::string build() {
  const char* faults = has_fault_points() ? ", with fault points (for tests)" : "";
#ifdef __clang__
  return fmt::format("clang {}.{}{}", __clang_major__, __clang_minor__, faults);
#else
  return fmt::format("gcc {}.{}{}", __GNUC__, __GNUC_MINOR__, faults);
#endif
}

}  // namespace

void add_version(const Command& program) {
  program.add("version", "Version, engine version and build", "  forebay version --json")
      .runs([](const Session& session) {
        const std::string engine = fmt::format("DuckDB {}", duckdb::library_version());
        session.answer(
            fmt::format("forebay {}\nengine  {}\nbuild   {}\n", version(), engine, build()));
        session.document({{"version", version()}, {"engine", engine}, {"build", build()}});
        return ExitCode::done;
      });
}

}  // namespace forebay::cli
