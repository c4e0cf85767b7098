#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/load_report.h"
#include "app/demo_feed.h"
#include "app/file_text.h"
#include "app/text_table.h"
#include "base/check.h"
#include "base/log.h"
#include "engine/database.h"
#include "feed/builtin.h"
#include "feed/recognise.h"

namespace forebay::cli {
namespace {

constexpr const char* kSchema = "carwash";
constexpr int kRowsShown = 8;

struct DemoOptions {
  std::string folder;     // where everything goes; empty: a new folder for temporary files
  std::string feed_only;  // only the feed and its truth, one folder a delivery
  std::size_t visits = 12;
  std::string compare;  // a truth to compare --database with
  std::string database;
};

Time first_delivery(Clock& clock) {
  return std::chrono::floor<std::chrono::seconds>(clock.now()) - std::chrono::hours(1);
}

Result<std::string> demo_folder(const Session& session, const std::string& given) {
  if (!given.empty()) return resolve_path(given, ".");
  std::string pattern = session.environment.get("TMPDIR").value_or("/tmp") + "/forebay-demo-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    return fail({ErrorCode::denied, "create folder", pattern, "no folder can be created there",
                 "name one: forebay demo --folder DIR"});
  }
  return pattern;
}

// The demo's feed is recognised like anybody's: by the names of its objects.
Result<std::string> recognise_feed() {
  ASSIGN_OR_RETURN(const auto found,
                   recognise(builtin_feeds(), {"_batches/20261020T140003Z.snapshot.json"}));
  CHECK(!found.empty());
  return found.front().feed;
}

Result<std::string> write_config(const std::string& folder) {
  const std::string path = folder + "/forebay.yaml";
  ASSIGN_OR_RETURN(const std::string feed, recognise_feed());
  std::ofstream file(path, std::ios::trunc);
  file << "target: duckdb:warehouse.duckdb\n"
          "pipelines:\n"
          "  carwash:\n"
          "    source: ./bucket/carwash/\n"
          "    feed: "
       << feed
       << "\n"
          "    schema: carwash\n";
  file.close();
  if (file) return path;
  return fail({ErrorCode::denied, "write", path, "the disk refuses", ""});
}

// The first rows of a table, as a person would ask for them.
Result<std::string> show_table(const std::string& database, const std::string& table) {
  ASSIGN_OR_RETURN(const auto opened,
                   duckdb::Database::open({.path = database, .read_only = true}));
  ASSIGN_OR_RETURN(const auto connection, opened->connect());
  const std::string from = duckdb::quote(kSchema, table);
  ASSIGN_OR_RETURN(
      const auto columns,
      connection->describe(fmt::format("SELECT * EXCLUDE (_row_id, _forebay_file) FROM {}", from),
                           "describe the table"));
  std::vector<TextTable::Heading> headings;
  std::string list;
  for (const Column& column : columns) {
    headings.push_back({column.name});
    list += fmt::format("{}coalesce(CAST({} AS VARCHAR), '-')", list.empty() ? "" : ", ",
                        duckdb::quote(column.name));
  }
  ASSIGN_OR_RETURN(const auto rows,
                   connection->query(fmt::format("SELECT {} FROM {} ORDER BY id DESC LIMIT {}",
                                                 list, from, kRowsShown),
                                     "read the table"));
  TextTable text(std::move(headings));
  for (const duckdb::Row& row : rows) {
    std::vector<std::string> cells;
    for (const duckdb::Value& value : row) cells.push_back(duckdb::text(value));
    text.add(std::move(cells));
  }
  return fmt::format("  {}.{}, newest first\n{}", kSchema, table, text.render(4));
}

// One delivery in front of the user: what happened, the load, the table.
Result<CycleReport> play(const Session& session, DemoFeed& feed, int number,
                         const std::string& config_path) {
  ASSIGN_OR_RETURN(const DemoFeed::Delivery delivery, feed.deliver());
  session.answer(
      fmt::format("\n{}. {}\n   _batches/{} arrived\n", number, delivery.story, delivery.marker));
  ASSIGN_OR_RETURN(const RawConfig config, load_config(config_path, session.environment));
  ASSIGN_OR_RETURN(const PipelineConfig pipeline,
                   read_pipeline(config, config.pipelines.front(), session.environment));
  CycleReport report = load_one(session, pipeline, {});
  session.answer(report_text(report));
  if (report.outcome == Outcome::failed) return report;
  ASSIGN_OR_RETURN(const std::string shown,
                   show_table(pipeline.target.database, number == 2 ? "customers" : "visits"));
  if (delivery.rows > 0) session.answer(shown);
  return report;
}

void say_what_next(const Session& session, const std::string& folder) {
  const std::string config = folder + "/forebay.yaml";
  session.answer(fmt::format(
      "\nEverything is in {0}. Try:\n"
      "  forebay load -c {1}        nothing new, and it costs next to nothing\n"
      "  forebay status -c {1}\n"
      "  forebay history carwash -c {1}\n"
      "  forebay inspect s3://your-bucket/prefix/     a configuration for a bucket of your own\n"
      "  rm -r {0}\n",
      folder, config));
}

Result<ExitCode> run_demo(const Session& session, const DemoOptions& options) {
  ASSIGN_OR_RETURN(const std::string folder, demo_folder(session, options.folder));
  const std::string database = folder + "/warehouse.duckdb";
  if (std::filesystem::exists(database)) {
    return fail({ErrorCode::invalid_config, "start the demo", folder,
                 "a demo was played here already", "remove the folder or name another one"});
  }
  ASSIGN_OR_RETURN(DemoFeed feed, DemoFeed::create({.folder = folder + "/bucket/carwash",
                                                    .prefix = "carwash/",
                                                    .visits = options.visits,
                                                    .first = first_delivery(session.clock)}));
  ASSIGN_OR_RETURN(const std::string config, write_config(folder));
  session.answer(fmt::format(
      "A car wash delivers its data as files; forebay keeps the tables of {} right.\n", database));
  Json pipelines = Json::array();
  for (int number = 1; number <= DemoFeed::kDeliveries; ++number) {
    ASSIGN_OR_RETURN(const CycleReport report, play(session, feed, number, config));
    pipelines.push_back(report_json(report));
    if (report.outcome != Outcome::failed) continue;
    session.document({{"exit_code", std::to_underlying(report.exit)}, {"pipelines", pipelines}});
    return report.exit;
  }
  RETURN_IF_ERROR(feed.write_truth(folder + "/truth"));
  ASSIGN_OR_RETURN(const auto differences,
                   compare_with_truth(database, kSchema, folder + "/truth"));
  for (const std::string& difference : differences) {
    log(LogLevel::error, fmt::format("the tables are wrong: {}", difference));
  }
  if (differences.empty()) {
    session.answer("\nThe tables equal the car wash's own, row by row.\n");
    say_what_next(session, folder);
  }
  const ExitCode code = differences.empty() ? ExitCode::done : ExitCode::bug;
  session.document(
      {{"exit_code", std::to_underlying(code)}, {"folder", folder}, {"pipelines", pipelines}});
  return code;
}

// The whole feed, one folder a delivery, and the truth after each: for scripts that upload it.
Result<ExitCode> write_feed(const Session& session, const DemoOptions& options) {
  const std::filesystem::path root(resolve_path(options.feed_only, "."));
  const std::filesystem::path work = root / "work";
  ASSIGN_OR_RETURN(DemoFeed feed, DemoFeed::create({.folder = work.string(),
                                                    .prefix = "carwash/",
                                                    .visits = options.visits,
                                                    .first = first_delivery(session.clock)}));
  Json deliveries = Json::array();
  for (int number = 1; number <= DemoFeed::kDeliveries; ++number) {
    ASSIGN_OR_RETURN(const DemoFeed::Delivery delivery, feed.deliver());
    const std::filesystem::path place = root / fmt::format("delivery-{}", number);
    std::error_code error;
    std::filesystem::rename(work, place, error);
    if (error) {
      return fail(
          {ErrorCode::denied, "write", place.string(), error.message(), "name an empty folder"});
    }
    const std::string truth = (root / fmt::format("truth-{}", number)).string();
    RETURN_IF_ERROR(feed.write_truth(truth));
    session.answer(fmt::format("{}: {} rows: {}\n", place.string(), delivery.rows, delivery.story));
    deliveries.push_back({{"folder", place.string()},
                          {"truth", truth},
                          {"marker", delivery.marker},
                          {"story", delivery.story},
                          {"rows", delivery.rows}});
  }
  session.document({{"exit_code", 0}, {"deliveries", deliveries}});
  return ExitCode::done;
}

Result<ExitCode> compare(const Session& session, const DemoOptions& options) {
  ASSIGN_OR_RETURN(const auto differences,
                   compare_with_truth(options.database, kSchema, options.compare));
  const ExitCode code = differences.empty() ? ExitCode::done : ExitCode::integrity;
  for (const std::string& difference : differences) session.answer(difference + "\n");
  if (differences.empty()) session.answer("The tables are equal, row by row.\n");
  session.document({{"exit_code", std::to_underlying(code)}, {"differences", differences}});
  return code;
}

ExitCode run(const Session& session, const DemoOptions& options) {
  const Result<ExitCode> code = !options.compare.empty()     ? compare(session, options)
                                : !options.feed_only.empty() ? write_feed(session, options)
                                                             : run_demo(session, options);
  return code ? *code : session.refuse(code.error());
}

}  // namespace

void add_demo(const Command& program) {
  const auto options = std::make_shared<DemoOptions>();
  const Command command = program.add("demo", "Make a small feed and load it before your eyes",
                                      "  forebay demo\n"
                                      "  forebay demo --folder ./demo");
  command.text({"--folder", "Where everything goes (default: a new one)", "DIR"}, options->folder);
  // For scripts/demo, not for people.
  command.text({"--feed-only", "Only write the feed", "DIR", ""}, options->feed_only);
  command.number({"--visits", "Rows of the first delivery", "N", ""}, options->visits, 1);
  command.text({"--compare", "A truth written by --feed-only", "DIR", ""}, options->compare);
  command.text({"--database", "What to compare with it", "FILE", ""}, options->database);
  command.runs([options](const Session& session) { return run(session, *options); });
}

}  // namespace forebay::cli
