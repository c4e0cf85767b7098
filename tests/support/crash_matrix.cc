#include "support/crash_matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <sstream>

#include "base/check.h"
#include "base/digest.h"
#include "support/parquet_bytes.h"
#include "support/paths.h"
#include "support/soak.h"

namespace forebay::test {
namespace {

namespace fs = std::filesystem;

// The first and the last point of each name, and five drawn between them.
std::set<long> some_points(const FaultCount& count) {
  std::set<long> points = count.ends;
  std::mt19937_64 random(1);
  std::uniform_int_distribution<long> draw(1, count.points);
  for (int i = 0; i < 5; ++i) points.insert(draw(random));
  return points;
}

std::set<long> all_points(const FaultCount& count) {
  std::set<long> points;
  for (long k = 1; k <= count.points; ++k) points.insert(k);
  return points;
}

// The very files, not copies of them: a folder tells versions apart by inode and time too. Loads
// remove files and never write into one.
constexpr auto kLinked = fs::copy_options::recursive | fs::copy_options::create_hard_links;

fs::path kept_source(const LoadPlace& place) { return place.folder() / "source"; }

std::vector<std::string> names_of_stops(const ProgramResult& result) {
  std::vector<std::string> names;
  std::istringstream lines(result.err);
  const std::string stopped = "stopped at ";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(stopped)) names.push_back(line.substr(stopped.size()));
  }
  return names;
}

// Names and contents of what stands in a folder, and of folders below it.
void add_files(Digest& digest, const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.insert(entry.path());
  }
  for (const fs::path& file : files) {
    digest.update(file.string());
    digest.update(read_file(file.string()));
  }
}

}  // namespace

PreparedScene::PreparedScene(const SceneMaker& maker)
    : scene_(maker.make()), before_(scene_->place()) {
  if (scene_->deliver_before()) {
    const ProgramResult first = before_.load();
    EXPECT_EQ(first.code, 0) << first.err;
  }
  scene_->deliver();
  keep_source(before_);
  const LoadPlace quiet = fresh();
  const ProgramResult result = quiet.load("count");
  EXPECT_TRUE(scene_->exits().contains(result.code)) << result.code << result.err;
  EXPECT_EQ(scene_->problems(quiet.database(), Applied::all), "");
  EXPECT_EQ(scene_->left_over(), "");
  EXPECT_NE(scene_->standing(quiet.database()), scene_->standing(before_.database()));
  count_ = fault_count(result);
  EXPECT_GT(count_.points, 10);
  points_to_try_ = soaking() ? all_points(count_) : some_points(count_);
}

void PreparedScene::keep_source(const LoadPlace& place) const {
  const auto source = scene_->changed_by_loads();
  if (!source) return;
  fs::remove_all(kept_source(place));
  fs::copy(*source, kept_source(place), kLinked);
}

LoadPlace PreparedScene::like(const LoadPlace& from) const {
  LoadPlace place = scene_->place();
  place.copy_database(from);
  if (const auto source = scene_->changed_by_loads()) {
    fs::copy(kept_source(from), kept_source(place), kLinked);
    fs::remove_all(*source);
    fs::copy(kept_source(from), *source, kLinked);
  }
  return place;
}

std::string PreparedScene::fingerprint(const LoadPlace& place) const {
  Digest digest(DigestKind::xxh3_128);
  for (const char* name : {"t.duckdb", "t.duckdb.wal"}) {
    const std::string path = place.folder() / name;
    digest.update(fs::exists(path) ? read_file(path) : "none");
  }
  if (const auto source = scene_->changed_by_loads()) add_files(digest, *source);
  return digest.hex();
}

std::vector<CrashState> PreparedScene::states(const LoadPlace& place, ProgramResult& result) const {
  std::vector<CrashState> states;
  std::map<std::string, std::vector<int>> steps;  // of each state, by fingerprint
  std::vector<std::string> order;
  ChildProcess child = place.start("stops");
  for (int step = 1; child.wait_until_stopped(); ++step) {
    EXPECT_TRUE(place.staging_is_empty()) << "at step " << step;
    const std::string found = fingerprint(place);
    auto& same = steps[found];
    same.push_back(step);
    if (same.size() == 1) {
      order.push_back(found);
      LoadPlace copy = scene_->place();
      copy.copy_database(place);
      keep_source(copy);
      states.push_back({.steps = "", .place = std::move(copy)});
    }
    child.signal(SIGCONT);
  }
  result = child.wait();
  const std::vector<std::string> names = names_of_stops(result);
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (const int step : steps[order[i]]) {
      const auto at = static_cast<std::size_t>(step - 1);
      states[i].steps += fmt::format(" {} {}", step, at < names.size() ? names[at] : "?");
    }
  }
  return states;
}

PreparedScene& CrashMatrix::prepared(const SceneMaker& maker) {
  static auto& scenes = *new std::map<std::string, std::unique_ptr<PreparedScene>>;
  auto& scene = scenes[maker.name];
  if (scene == nullptr) scene = std::make_unique<PreparedScene>(maker);
  return *scene;
}

void CrashMatrix::expect_sound(const LoadPlace& place) const {
  EXPECT_EQ(scene().problems(place.database(), Applied::some), "");
  EXPECT_TRUE(place.staging_is_empty());
}

void CrashMatrix::expect_recovery(const LoadPlace& place) const {
  const ProgramResult recovery = place.load();
  EXPECT_TRUE(ends_well(recovery)) << recovery.code << "\n" << recovery.err;
  EXPECT_EQ(scene().problems(place.database(), Applied::all), "");
  EXPECT_EQ(scene().left_over(), "");
  EXPECT_TRUE(place.staging_is_empty());
}

void CrashMatrix::expect_right_or_try_again(const LoadPlace& place,
                                            const ProgramResult& result) const {
  if (result.code == 0) {
    EXPECT_EQ(scene().problems(place.database(), Applied::all), "") << result.err;
    EXPECT_TRUE(place.staging_is_empty());
    // Cleaning up may fail for a moment too: the next load does it.
    if (!scene().left_over().empty()) expect_recovery(place);
    return;
  }
  // A feed with something to refuse says that, and not that something else failed for a moment.
  EXPECT_TRUE(ends_well(result) || result.code == 2) << result.code << "\n" << result.err;
  expect_sound(place);
  expect_recovery(place);
}

void CrashMatrix::crash_everywhere(const LoadPlace& from, int depth) {
  ProgramResult result;
  const auto states = prepared().states(from, result);
  EXPECT_TRUE(ends_well(result)) << result.code << "\n" << result.err;
  EXPECT_EQ(scene().problems(from.database(), Applied::all), "");
  for (const CrashState& state : states) {
    SCOPED_TRACE("killed at" + state.steps);
    ++crashes_;
    expect_sound(state.place);
    const LoadPlace next = prepared().like(state.place);
    if (depth > 1) {
      crash_everywhere(next, depth - 1);
    } else {
      expect_recovery(next);
    }
  }
}

}  // namespace forebay::test
