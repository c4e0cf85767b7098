// Downloads every file of a bucket as a load does, verified and staged, and applies nothing: what
// bench/run downloads races against rclone.
//
//   fetch_files ENDPOINT BUCKET FOLDER CONCURRENCY
//
// Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/executor.h"
#include "feed/description.h"
#include "load/batches.h"
#include "load/list_pages.h"
#include "store/stores.h"

namespace forebay {
namespace {

struct Downloaded {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

Result<std::vector<PlannedUnit>> list_units(const Pipeline& pipeline) {
  std::vector<PlannedUnit> units;
  RETURN_IF_ERROR(list_pages(pipeline, {}, [&](ListPage& page) -> Status {
    for (ObjectInfo& object : page.objects) {
      ASSIGN_OR_RETURN(auto name, name_unit(pipeline.feed, object.key));
      if (name) units.push_back({.name = std::move(*name), .object = std::move(object)});
    }
    return {};
  }));
  return units;
}

Result<Downloaded> download(Pipeline pipeline) {
  Progress silent;
  ASSIGN_OR_RETURN(auto units, list_units(pipeline));
  ThreadExecutor executor(static_cast<std::size_t>(pipeline.fetch_threads));
  const CycleOptions options;
  BatchSource source(pipeline, std::move(units), options, executor, silent);
  Downloaded sum;
  for (FetchedBatch batch = source.next(); !batch.empty(); batch = source.next()) {
    if (!batch.failed.empty()) return fail(batch.failed.front().error);
    for (const LoadedUnit& unit : batch.units) {
      for (const StagedFile& file : unit.files) {
        ++sum.files;
        sum.bytes += file.bytes->info().size;
      }
    }
  }
  return sum;
}

Result<Downloaded> run(char** arguments) {
  std::map<std::string, std::string> environment;
  for (const char* name : {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}) {
    if (const char* value = std::getenv(name)) environment[name] = value;
  }
  ASSIGN_OR_RETURN(auto store, open_s3_store({.bucket = arguments[2],
                                              .region = "us-east-1",
                                              .endpoint = arguments[1],
                                              .environment = std::move(environment)},
                                             system_clock()));
  const std::string_view threads = arguments[4];
  Pipeline pipeline{.name = "bench", .source = arguments[2], .staging_folder = arguments[3]};
  std::from_chars(threads.data(), threads.data() + threads.size(), pipeline.fetch_threads);
  pipeline.store = store.get();
  ASSIGN_OR_RETURN(pipeline.feed, bind_feed("files", *find_builtin_feed("files"), "files.yaml",
                                            {{"table", {.values = {"t"}, .where = "bench"}}}));
  return download(std::move(pipeline));
}

}  // namespace
}  // namespace forebay

int main(int count, char** arguments) {
  if (count != 5) {
    std::fputs("usage: fetch_files ENDPOINT BUCKET FOLDER CONCURRENCY\n", stderr);
    return 1;
  }
  const auto downloaded = forebay::run(arguments);
  if (!downloaded) {
    std::fputs((forebay::describe(downloaded.error()) + "\n").c_str(), stderr);
    return 1;
  }
  std::fputs(fmt::format("{} files, {} bytes\n", downloaded->files, downloaded->bytes).c_str(),
             stdout);
  return 0;
}
