#include "base/last_words.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <utility>

#include "base/check.h"

namespace forebay {
namespace {

// Loads may run side by side, each with its own words; more than these have none.
std::array<std::atomic<const LastWords*>, 16> g_words;

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

}  // namespace

// Runs in a signal handler: only what is safe there.
void LastWords::write() const noexcept {
  ::mkdir(folder_.c_str(), 0777);
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  const char* rest = words_.data();
  std::size_t size = words_.size();
  while (size > 0) {
    const ssize_t written = ::write(file, rest, size);
    if (written <= 0) break;
    rest += written;
    size -= static_cast<std::size_t>(written);
  }
  ::close(file);
}

namespace {

// SA_RESETHAND and SA_NODEFER: raised again, the signal ends the process as it would have.
extern "C" void on_fault(int signal) {
  for (auto& slot : g_words) {
    if (const LastWords* words = slot.exchange(nullptr)) words->write();
  }
  ::raise(signal);
}

void install() {
  for (const int signal : kFaults) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = on_fault;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

LastWords::LastWords(std::string path, std::string words)
    : folder_(std::filesystem::path(path).parent_path().string()),
      path_(std::move(path)),
      words_(std::move(words)) {
  static const bool kInstalled = (install(), true);
  CHECK(kInstalled);
  for (auto& slot : g_words) {
    const LastWords* nobody = nullptr;
    if (slot.compare_exchange_strong(nobody, this)) return;
  }
}

LastWords::~LastWords() {
  for (auto& slot : g_words) {
    const LastWords* own = this;
    if (slot.compare_exchange_strong(own, nullptr)) return;
  }
}

}  // namespace forebay
