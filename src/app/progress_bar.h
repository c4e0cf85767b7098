#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "base/log.h"
#include "load/progress.h"

namespace forebay {

// What a bar shows at one moment.
struct ProgressState {
  std::string pipeline;
  std::string step;
  std::uint64_t keys_listed = 0;
  std::uint64_t units_due = 0;
  std::uint64_t units_applied = 0;
  std::uint64_t rows_expected = 0;
  std::uint64_t rows_applied = 0;
  std::uint64_t bytes_fetched = 0;
  double seconds = 0;
};

struct BarStyle {
  int columns = 80;  // the terminal's width; a line never reaches the last column
  bool color = false;
};

// One line for a terminal, without line break; parts that do not fit are left out from the end.
// Pure.
std::string render_bar(const ProgressState& state, const BarStyle& style);

// Draws the line at most ten times a second on standard error and takes it away again, when other
// lines are written and at the end. Draw only on a terminal: make one only if wants_progress_bar().
class ProgressBar final : public Progress, private Screen {
 public:
  ProgressBar(std::string pipeline, bool color);
  ~ProgressBar() override;

  void listed(std::uint64_t keys) override;
  void due(std::uint64_t units) override;
  void expect(std::uint64_t files, std::uint64_t rows) override;
  void fetched(std::uint64_t bytes) override;
  void step(const std::string& what) override;
  void applied(std::uint64_t units, std::uint64_t files, std::uint64_t rows) override;

 private:
  void hide() override;
  void show() override;
  void run();
  void erase();
  void draw();

  std::mutex mutex_;
  std::condition_variable wake_;
  ProgressState state_;
  double started_;
  bool color_;
  bool drawn_ = false;
  bool hidden_ = false;
  bool ending_ = false;
  std::thread thread_;
};

// Whether standard error is a terminal that can redraw a line.
bool stderr_is_terminal(const std::string& term);

}  // namespace forebay
