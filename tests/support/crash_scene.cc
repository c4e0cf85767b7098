#include "support/crash_scene.h"

#include <sstream>
#include <utility>

#include "base/check.h"

namespace forebay::test {

LoadPlace::LoadPlace(std::filesystem::path program, std::string source,
                     std::vector<std::string> more)
    : environment{{"HOME", "/nonexistent"}, {"PATH", "/usr/bin:/bin"}},
      program_(std::move(program)),
      source_(std::move(source)),
      more_(std::move(more)) {
  std::filesystem::create_directories(*folder_ / "staging");
}

void LoadPlace::copy_database(const LoadPlace& from) const {
  for (const auto& entry : std::filesystem::directory_iterator(from.folder_->path())) {
    if (!entry.is_regular_file()) continue;
    std::filesystem::copy_file(entry.path(), *folder_ / entry.path().filename().string());
  }
}

std::vector<std::string> LoadPlace::words() const {
  std::vector<std::string> words = {"load",     "--json",
                                    "--source", source_,
                                    "--feed",   feed,
                                    "--target", "duckdb:" + database(),
                                    "--set",    "staging=" + *folder_ / "staging"};
  words.insert(words.end(), more_.begin(), more_.end());
  return words;
}

ProgramOptions LoadPlace::options(const std::string& fault) const {
  ProgramOptions options{.folder = folder_->path(), .environment = environment};
  if (!fault.empty()) options.environment["FOREBAY_FAULT"] = fault;
  return options;
}

ProgramResult LoadPlace::load(const std::string& fault) const {
  return run_program(program_, words(), options(fault));
}

bool LoadPlace::staging_is_empty() const { return std::filesystem::is_empty(*folder_ / "staging"); }

nlohmann::json pipeline_report(const ProgramResult& result) {
  const auto document = nlohmann::json::parse(result.out, nullptr, false);
  CHECK(!document.is_discarded() && document["pipelines"].size() == 1);
  return document["pipelines"][0];
}

FaultCount fault_count(const ProgramResult& result) {
  FaultCount count;
  std::istringstream lines(result.err);
  const std::string total = "fault points reached: ";
  const std::string point = "fault point ";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(total)) count.points = std::stol(line.substr(total.size()));
    if (!line.starts_with(point)) continue;
    const auto colon = line.rfind(':');
    count.names.insert(line.substr(point.size(), colon - point.size()));
    for (const char* word : {" from ", " to "})
      count.ends.insert(std::stol(line.substr(line.find(word, colon) + std::string(word).size())));
  }
  return count;
}

void deliver_first(SmallFeed& feed, const std::function<void(const std::string&)>& put) {
  feed.deliver({.number = 1,
                .snapshot = true,
                .files = {{"cars", {{1, 10}, {2, 20}}},
                          {"cars", {{3, 30}, {4, 40}}},
                          {"visits", {{1, 100}, {2, 200}, {3, 300}}}}},
               put);
  feed.deliver({.number = 3, .files = {{"cars", {{2, 21}, {5, 50}, {1, 0, true}}}}}, put);
  feed.deliver({.number = 5}, put);
  feed.deliver({.number = 6, .files = {{"visits", {{2, 0, true}, {4, 400}}}}}, put);
}

void deliver_second(SmallFeed& feed, const std::function<void(const std::string&)>& put) {
  feed.deliver({.number = 9,
                .files = {{"cars", {{3, 0, true}, {6, 60}, {1, 11}}}, {"staff", {{1, 1}, {2, 2}}}}},
               put);
  // Late: below what the first load applied. Key 2 of cars was decided by delivery 3.
  feed.deliver({.number = 2, .files = {{"cars", {{2, 29}, {4, 0, true}, {7, 70}}}}}, put);
  feed.deliver({.number = 10, .snapshot = true, .files = {{"visits", {{1, 111}, {9, 900}}}}}, put);
  feed.deliver({.number = 11}, put);
}

}  // namespace forebay::test
