#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <list>
#include <mutex>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "store/local_file.h"
#include "store/local_walk.h"
#include "store/stores.h"

namespace forebay {
namespace {

using local::Fd;
using local::Handle;
using local::Root;
using local::Walker;

constexpr std::size_t kReadBytes = 1 << 20;
// Listings under way that are kept between two pages. More of them only cost a second reading.
constexpr std::size_t kKeptWalks = 8;

bool same_facts(const struct stat& a, const struct stat& b) {
  const auto same_time = [](const timespec& x, const timespec& y) {
    return x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec;
  };
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         same_time(a.st_mtim, b.st_mtim) && same_time(a.st_ctim, b.st_ctim);
}

// changed, when the file behind `fd` is not as it was.
Status still_as(int fd, const struct stat& before, const std::string& shown) {
  struct stat now{};
  if (::fstat(fd, &now) != 0) return fail(local::system_error(errno, "stat", shown));
  if (same_facts(before, now)) return {};
  return fail({.code = ErrorCode::changed,
               .operation = "read",
               .object = shown,
               .cause = "the file was written to while it was read",
               .hint = "write files under another name and rename them when they are whole"});
}

class LocalOpenFile final : public OpenFile {
 public:
  LocalOpenFile(Fd fd, const struct stat& facts, ObjectInfo info, std::string shown)
      : fd_(std::move(fd)), facts_(facts), info_(std::move(info)), shown_(std::move(shown)) {}

  std::string path() const override { return local::descriptor_path(fd_.get()); }
  const ObjectInfo& info() const override { return info_; }
  Status unchanged() const override { return still_as(fd_.get(), facts_, shown_); }

 private:
  Fd fd_;
  struct stat facts_;
  ObjectInfo info_;
  std::string shown_;
};

// A listing between two pages: the walk, and the file that proved there is another page.
struct Walk {
  std::string prefix;
  std::string start_after;
  std::string page_token;
  Walker walker;
  std::optional<ObjectInfo> pending;
};

class LocalStore final : public ObjectStore {
 public:
  explicit LocalStore(std::string folder) : folder_(std::move(folder)) {}

  StorePromises promises() const override { return {.in_place = true}; }

  std::string display(const std::string& key) const override {
    return local::display_path(folder_, key);
  }

  std::string ledger_key(const std::string& key) const override { return key; }
  std::string source_key(const std::string& ledger_key) const override { return ledger_key; }

  Result<ListPage> list(const ListRequest& request) override {
    ++lists_;
    ASSIGN_OR_RETURN(Walk walk, walk_for(request));
    const auto size = static_cast<std::size_t>(std::clamp(request.page_size, 1, 1000));
    ListPage page;
    if (walk.pending) page.objects.push_back(*std::exchange(walk.pending, std::nullopt));
    while (true) {
      ASSIGN_OR_RETURN(auto found, walk.walker.next());
      if (!found) return page;
      if (page.objects.size() == size) {
        walk.pending = std::move(found);
        break;
      }
      page.objects.push_back(std::move(*found));
    }
    walk.page_token = page.objects.back().key;
    page.next_token = walk.page_token;
    keep(std::move(walk));
    return page;
  }

  Result<ObjectInfo> stat(const std::string& key) override {
    ++heads_;
    ASSIGN_OR_RETURN(const Root root, local::open_root(folder_));
    ASSIGN_OR_RETURN(const Handle handle, local::open_key(root, key));
    return local::info_of(key, handle.facts);
  }

  Status remove(const std::string& key) override {
    ASSIGN_OR_RETURN(const Root root, local::open_root(folder_));
    const auto file = local::open_key(root, key);
    if (!file) return file.error().code == ErrorCode::not_found ? Status() : fail(file.error());
    const std::size_t slash = key.rfind('/');
    const std::string name = slash == std::string::npos ? key : key.substr(slash + 1);
    int directory = root.fd.get();
    Handle parent;
    if (slash != std::string::npos) {
      ASSIGN_OR_RETURN(parent, local::open_handle(root, directory, key.substr(0, slash),
                                                  local::FollowLinks::yes, key));
      directory = parent.fd.get();
    }
    if (::unlinkat(directory, name.c_str(), 0) == 0 || errno == ENOENT) return {};
    return fail(local::system_error(errno, "remove", display(key)));
  }

  Result<ObjectInfo> read(const ReadRequest& request, const ByteSink& sink) override {
    ASSIGN_OR_RETURN(const Opened file, open(request.key));
    const std::string shown = display(request.key);
    ObjectInfo info = local::info_of(request.key, file.facts);
    if (!request.version.empty() && request.version != info.version) {
      return fail({.code = ErrorCode::changed,
                   .operation = "read",
                   .object = shown,
                   .cause = fmt::format("version {} was asked for, {} is there", request.version,
                                        info.version)});
    }
    const std::uint64_t most = info.size - std::min(info.size, request.offset);
    const std::uint64_t length = request.length.value_or(most);
    if (request.offset > info.size || length > most) {
      return fail({.code = ErrorCode::damaged,
                   .operation = "read",
                   .object = shown,
                   .cause = fmt::format("{} bytes at {} were asked for, the file has {}", length,
                                        request.offset, info.size)});
    }
    RETURN_IF_ERROR(copy(file.fd.get(), request.offset, length, shown, sink));
    RETURN_IF_ERROR(still_as(file.fd.get(), file.facts, shown));
    return info;
  }

  Result<std::unique_ptr<OpenFile>> open_in_place(const std::string& key) override {
    ASSIGN_OR_RETURN(Opened file, open(key));
    return std::make_unique<LocalOpenFile>(std::move(file.fd), file.facts,
                                           local::info_of(key, file.facts), display(key));
  }

  RequestCounts requests() const override {
    return {.list = lists_, .get = gets_, .head = heads_, .other = 0};
  }

 private:
  struct Opened {
    Fd fd;
    struct stat facts{};
  };

  Result<Opened> open(const std::string& key) {
    ++gets_;
    ASSIGN_OR_RETURN(const Root root, local::open_root(folder_));
    ASSIGN_OR_RETURN(const Handle handle, local::open_key(root, key));
    Opened opened;
    ASSIGN_OR_RETURN(opened.fd, local::open_for_reading(handle, root, key));
    // Facts of the readable descriptor, taken after it was opened: what is read is what they say.
    if (::fstat(opened.fd.get(), &opened.facts) != 0) {
      return fail(local::system_error(errno, "stat", display(key)));
    }
    return opened;
  }

  static Status copy(int fd, std::uint64_t offset, std::uint64_t length, const std::string& shown,
                     const ByteSink& sink) {
    std::vector<std::byte> buffer(std::min<std::uint64_t>(length, kReadBytes));
    while (length > 0) {
      if (stop_requested()) {
        return fail({.code = ErrorCode::interrupted,
                     .operation = "read",
                     .object = shown,
                     .cause = "asked to stop"});
      }
      const std::size_t wanted = std::min<std::uint64_t>(length, buffer.size());
      const ssize_t got = ::pread(fd, buffer.data(), wanted, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return fail(local::system_error(errno, "read", shown));
      if (got == 0) {
        return fail({.code = ErrorCode::changed,
                     .operation = "read",
                     .object = shown,
                     .cause = "the file was cut short while it was read"});
      }
      const auto count = static_cast<std::size_t>(got);
      RETURN_IF_ERROR(sink(std::span(buffer.data(), count)));
      offset += count;
      length -= count;
    }
    return {};
  }

  // The walk that the page before left behind, or a new one from there. A page that is asked for
  // twice is walked again.
  Result<Walk> walk_for(const ListRequest& request) {
    if (!request.page_token.empty()) {
      const std::lock_guard lock(mutex_);
      const auto found = std::ranges::find_if(walks_, [&](const Walk& walk) {
        return walk.page_token == request.page_token && walk.prefix == request.prefix &&
               walk.start_after == request.start_after;
      });
      if (found != walks_.end()) {
        Walk walk = std::move(*found);
        walks_.erase(found);
        return walk;
      }
    }
    ASSIGN_OR_RETURN(Root root, local::open_root(folder_));
    ASSIGN_OR_RETURN(Walker walker,
                     Walker::start(std::move(root), request.prefix,
                                   std::max(request.start_after, request.page_token)));
    return Walk{.prefix = request.prefix,
                .start_after = request.start_after,
                .page_token = request.page_token,
                .walker = std::move(walker),
                .pending = std::nullopt};
  }

  void keep(Walk walk) {
    const std::lock_guard lock(mutex_);
    walks_.push_front(std::move(walk));
    if (walks_.size() > kKeptWalks) walks_.pop_back();
  }

  const std::string folder_;
  std::mutex mutex_;
  std::list<Walk> walks_;  // guarded by mutex_
  std::atomic<std::uint64_t> lists_{0};
  std::atomic<std::uint64_t> gets_{0};
  std::atomic<std::uint64_t> heads_{0};
};

}  // namespace

Result<std::unique_ptr<ObjectStore>> open_local_store(LocalStoreOptions options) {
  if (options.folder.empty()) {
    return fail({.code = ErrorCode::invalid_config,
                 .operation = "open folder",
                 .object = {},
                 .cause = "the source names no folder",
                 .hint = "write ./ for the current one"});
  }
  while (options.folder.size() > 1 && options.folder.ends_with('/')) options.folder.pop_back();
  return std::make_unique<LocalStore>(std::move(options.folder));
}

}  // namespace forebay
