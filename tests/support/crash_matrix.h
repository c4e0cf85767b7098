#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/crash_scene.h"

namespace forebay::test {

// What the loader is crashed over: a feed with two deliveries, and an oracle that shares no code
// with the product.
class CrashScene {
 public:
  virtual ~CrashScene() = default;

  // Puts the first delivery into the feed, or the one that the loads under test bring. False: there
  // is none, the load under test is the first ever.
  virtual bool deliver_before() = 0;
  virtual void deliver() = 0;

  // Somewhere to load it to.
  virtual LoadPlace place() const = 0;
  // What is wrong with a database, or nothing. With `all`, all that was delivered must be there.
  virtual std::string problems(const std::string& database, Applied applied) const = 0;
  // What of the feed is in a database, in words that are equal when it is the same.
  virtual std::string standing(const std::string& database) const = 0;

  // What a load that nothing disturbed should have removed from the feed, or nothing.
  virtual std::string left_over() const { return ""; }

  // How a load without faults may end. Other codes than 0: the feed has something to refuse.
  virtual std::set<int> exits() const { return {0}; }
  // A folder of the feed that loads change; what else they change is in the database.
  virtual std::optional<std::filesystem::path> changed_by_loads() const { return std::nullopt; }
};

struct SceneMaker {
  std::string name;
  std::function<std::unique_ptr<CrashScene>()> make;
};
inline void PrintTo(const SceneMaker& maker, std::ostream* out) { *out << maker.name; }

// What a process leaves behind when it dies at some of its steps.
struct CrashState {
  std::string steps;  // as their numbers and names
  LoadPlace place;
};

// The load that every test of the matrix disturbs, made ready once for each scene.
class PreparedScene {
 public:
  explicit PreparedScene(const SceneMaker& maker);

  const CrashScene& scene() const { return *scene_; }
  const FaultCount& count() const { return count_; }
  // The points at which something other than a crash is tried: the first and the last of each
  // name and some drawn between them; all of them when soaking.
  const std::set<long>& points_to_try() const { return points_to_try_; }

  // A place as it was before the load.
  LoadPlace fresh() const { return like(before_); }
  // The same as another place is now.
  LoadPlace like(const LoadPlace& place) const;
  // A load that runs to its end, stopped at each fault point: what would have been left had it
  // been killed there. States are told apart by every byte of the database and of what else loads
  // change; the first state of `place` is among them. `result` receives how it ended.
  std::vector<CrashState> states(const LoadPlace& place, ProgramResult& result) const;

 private:
  void keep_source(const LoadPlace& place) const;
  std::string fingerprint(const LoadPlace& place) const;

  std::unique_ptr<CrashScene> scene_;
  LoadPlace before_;
  FaultCount count_;
  std::set<long> points_to_try_;
};

// The suites of crash_matrix_test.cc, which the file of each feed instantiates with its scenes.
class CrashMatrix : public testing::TestWithParam<SceneMaker> {
 protected:
  static PreparedScene& prepared(const SceneMaker& maker);
  const PreparedScene& prepared() const { return prepared(GetParam()); }
  const CrashScene& scene() const { return prepared().scene(); }

  bool ends_well(const ProgramResult& result) const {
    return scene().exits().contains(result.code);
  }
  void expect_sound(const LoadPlace& place) const;
  // Then a load without faults must bring everything.
  void expect_recovery(const LoadPlace& place) const;
  // A load may fail with "try again", and must be right when it says that it did not.
  void expect_right_or_try_again(const LoadPlace& place, const ProgramResult& result) const;
  // Every state that a load from here may leave; from each of them the same again, `depth` times.
  void crash_everywhere(const LoadPlace& from, int depth);
  int crashes_ = 0;
};

// Only for some scenes: what COMMIT says is not what happened.
class CommitMatrix : public CrashMatrix {};

inline std::string scene_name(const testing::TestParamInfo<SceneMaker>& info) {
  return info.param.name;
}

}  // namespace forebay::test
