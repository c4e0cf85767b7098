#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support/crash_matrix.h"

namespace forebay::test {

// What must be in a database together, as the author of a test worked it out by hand. Every line
// sorted as text.
struct Stage {
  std::vector<std::string> units;                          // "name state", names without folders
  std::vector<std::string> files;                          // "name rows state"
  std::map<std::string, std::vector<std::string>> tables;  // schema main; cells joined by '|'
};

// What one unit brings, and what goes with it.
struct Part {
  Stage adds;
  Stage takes = {};
};

// The stages that units pass through which commit by themselves, in whatever order: `before`, then
// each subset of the parts, all of them last.
std::vector<Stage> in_any_order(const Stage& before, const std::vector<Part>& parts);

// A feed in a folder, told as files and as the stages that a database may be in: nothing, what
// stood before the load under test, and what stands after each of its commits. The database must
// be in one of them, tables and ledger together.
class ToldScene : public CrashScene {
 public:
  struct Told {
    std::string feed;
    std::vector<std::string> options;               // "name=value"
    std::function<void(const TempFolder&)> before;  // writes below the folder's `in`
    std::function<void(const TempFolder&)> after;
    std::vector<Stage> stages;
    std::set<int> exits = {0};
    bool names_units = true;  // windows are named after their commits, which are not told
  };
  explicit ToldScene(Told told);

  bool deliver_before() override;
  void deliver() override { told_.after(folder_); }
  LoadPlace place() const override;
  std::string problems(const std::string& database, Applied applied) const override;
  std::string standing(const std::string& database) const override;
  std::set<int> exits() const override { return told_.exits; }

 protected:
  // Where the files are loaded from; the folder itself unless overridden.
  virtual std::string source() const { return folder_ / "in/"; }
  const TempFolder& folder() const { return folder_; }

 private:
  Told told_;
  TempFolder folder_;
};

// Writes a file of a scene, a new version when it stands: never the same bytes changed in place.
void put_rows(const TempFolder& folder, const std::string& key, const std::string& query);
void put_text(const TempFolder& folder, const std::string& key, const std::string& bytes);

}  // namespace forebay::test
