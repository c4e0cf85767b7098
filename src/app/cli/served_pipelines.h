#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/cli/session.h"
#include "app/serve/daemon.h"
#include "app/serve/state.h"

namespace forebay::cli {

// The pipelines of a configuration as the daemon runs them: what each cycle says goes to log and
// state. References in the configuration are replaced anew for each cycle, so that a token that is
// rotated in its file is taken up. One thread.
class ServedPipelines final : public DaemonWork {
 public:
  ServedPipelines(const Session& session, RawConfig config, ServeState& state);

  // Tells the state what there is, and what the ledgers say. An error: not one of the pipelines
  // could run.
  Status prepare();
  std::vector<Schedule::Entry> entries() const { return entries_; }

  CycleReport run(const std::string& pipeline) override;
  std::optional<std::vector<Schedule::Entry>> reloaded() override;
  bool stop() override;

 private:
  void take(RawConfig config, const std::vector<Chosen>& chosen);
  std::vector<Chosen> read_all(const RawConfig& config) const;
  Chosen find(const std::string& pipeline) const;
  CycleReport cycle(const Chosen& chosen);
  void say(const CycleReport& report);

  const Session& session_;
  RawConfig config_;
  ServeState& state_;
  std::vector<Schedule::Entry> entries_;
  // By pipeline: what is not said again, and how many cycles have failed since one did not.
  std::map<std::string, std::set<std::string>> warned_;
  std::map<std::string, int> failures_;
};

}  // namespace forebay::cli
