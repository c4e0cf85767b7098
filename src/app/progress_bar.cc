#include "app/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.h"

namespace forebay {
namespace {

constexpr std::string_view kToLineStartAndErase = "\r\x1b[2K";

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void write_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;  // nobody is looking any more
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Rows say most; without them units do. Negative: not known yet.
double share_done(const ProgressState& state) {
  const auto share = [](std::uint64_t done, std::uint64_t all) {
    return std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  };
  if (state.rows_expected > 0) return share(state.rows_applied, state.rows_expected);
  if (state.units_due > 0) return share(state.units_applied, state.units_due);
  return -1;
}

std::string bar_of(double share, const BarStyle& style) {
  constexpr int kWidth = 20;
  const int full = static_cast<int>(share * kWidth);
  const std::string done(static_cast<std::size_t>(full), '#');
  const std::string left(static_cast<std::size_t>(kWidth - full), '.');
  if (!style.color) return fmt::format("[{}{}]", done, left);
  return fmt::format("[\x1b[32m{}\x1b[0m{}]", done, left);
}

struct Part {
  std::string text;
  std::size_t width = 0;
};

Part plain(std::string text) {
  const std::size_t width = text.size();
  return {std::move(text), width};
}

std::vector<Part> parts_of(const ProgressState& state, const BarStyle& style) {
  std::vector<Part> parts;
  const double share = share_done(state);
  if (share < 0) {
    parts.push_back(plain(fmt::format("listing, {} keys", format_count(state.keys_listed))));
  } else {
    parts.push_back({bar_of(share, style), 22});
    parts.push_back(plain(fmt::format("{:3.0f}%", share * 100)));
    parts.push_back(plain(fmt::format("{}/{} units", format_count(state.units_applied),
                                      format_count(state.units_due))));
    if (state.rows_expected > 0) {
      parts.push_back(plain(fmt::format("{}/{} rows", format_count(state.rows_applied),
                                        format_count(state.rows_expected))));
    }
  }
  if (state.bytes_fetched > 0) parts.push_back(plain(format_size(state.bytes_fetched)));
  if (state.seconds >= 1) {
    const double rate = static_cast<double>(state.rows_applied) / state.seconds;
    if (state.rows_applied > 0) {
      parts.push_back(
          plain(fmt::format("{} rows/s", format_count(static_cast<std::uint64_t>(rate)))));
    }
    // While nothing is applied yet, the seconds show that it is alive.
    if (state.rows_applied == 0) parts.push_back(plain(fmt::format("{:.0f} s", state.seconds)));
    if (share > 0.02 && share < 1) {
      const double left = state.seconds / share * (1 - share);
      parts.push_back(plain(
          fmt::format("{} left", format_age(Duration(static_cast<std::int64_t>(left * 1e6))))));
    }
  }
  if (!state.step.empty()) parts.push_back(plain(state.step));
  return parts;
}

// Control characters of a name would move the cursor; everything beyond ASCII has no known width.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) out.push_back(c >= ' ' && c <= '~' ? c : '?');
  return out;
}

}  // namespace

std::string render_bar(const ProgressState& state, const BarStyle& style) {
  const std::size_t room = style.columns > 1 ? static_cast<std::size_t>(style.columns - 1) : 0;
  std::string line = printable(state.pipeline);
  if (line.size() > room) line.resize(room);
  std::size_t width = line.size();
  ProgressState shown = state;
  shown.step = printable(state.step);
  for (const Part& part : parts_of(shown, style)) {
    if (width + 2 + part.width > room) break;
    line += "  " + part.text;
    width += 2 + part.width;
  }
  return line;
}

bool stderr_is_terminal(const std::string& term) {
  return isatty(STDERR_FILENO) == 1 && term != "dumb";
}

ProgressBar::ProgressBar(std::string pipeline, bool color)
    : started_(now_seconds()), color_(color) {
  state_.pipeline = std::move(pipeline);
  thread_ = std::thread([this] { run(); });
  set_log_screen(this);
}

ProgressBar::~ProgressBar() {
  set_log_screen(nullptr);
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
  erase();
}

void ProgressBar::run() {
  std::unique_lock lock(mutex_);
  // The first tick comes late: a load that is over at once shows no bar at all.
  auto pause = std::chrono::milliseconds(300);
  while (!wake_.wait_for(lock, pause, [this] { return ending_; })) {
    pause = std::chrono::milliseconds(100);
    if (!hidden_) draw();
  }
}

void ProgressBar::draw() {
  state_.seconds = now_seconds() - started_;
  const std::string line = render_bar(state_, {.columns = terminal_columns(), .color = color_});
  write_stderr(std::string(kToLineStartAndErase) + line);
  drawn_ = true;
}

void ProgressBar::erase() {
  if (drawn_) write_stderr(kToLineStartAndErase);
  drawn_ = false;
}

void ProgressBar::hide() {
  const std::scoped_lock lock(mutex_);
  hidden_ = true;
  erase();
}

void ProgressBar::show() {
  const std::scoped_lock lock(mutex_);
  hidden_ = false;
}

void ProgressBar::listed(std::uint64_t keys) {
  const std::scoped_lock lock(mutex_);
  state_.keys_listed = keys;
}

void ProgressBar::due(std::uint64_t units) {
  const std::scoped_lock lock(mutex_);
  state_.units_due = units;
}

void ProgressBar::expect(std::uint64_t /*files*/, std::uint64_t rows) {
  const std::scoped_lock lock(mutex_);
  state_.rows_expected += rows;
}

void ProgressBar::fetched(std::uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  state_.bytes_fetched += bytes;
}

void ProgressBar::step(const std::string& what) {
  const std::scoped_lock lock(mutex_);
  state_.step = what;
}

void ProgressBar::applied(std::uint64_t units, std::uint64_t /*files*/, std::uint64_t rows) {
  const std::scoped_lock lock(mutex_);
  state_.units_applied += units;
  state_.rows_applied += rows;
}

}  // namespace forebay
