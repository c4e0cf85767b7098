#include "sim/sim_store.h"

#include <algorithm>
#include <span>
#include <utility>

namespace forebay::sim {
namespace {

std::unexpected<Error> failed(ErrorCode code, const char* operation, std::string object,
                              const char* cause) {
  return fail({.code = code, .operation = operation, .object = std::move(object), .cause = cause});
}

ObjectInfo info_of(const std::string& key, const ObjectVersion& version) {
  return {.key = key,
          .size = version.bytes.size(),
          .version = version.etag,
          .last_modified = version.written};
}

}  // namespace

StorePromises SimStore::promises() const {
  return {.ordered = !sim_.unordered(), .honours_start_after = !sim_.unordered()};
}

std::string SimStore::source_key(const std::string& ledger_key) const {
  return ledger_key.substr(std::string_view(World::kPrefix).size());
}

Result<ListPage> SimStore::list(const ListRequest& request) {
  ++counts_.list;
  if (!sim_.step_quietly(loader_, "list"))
    return failed(ErrorCode::interrupted, "list", display(request.prefix), "it dies");
  if (sim_.strikes(Fault::list_fails))
    return failed(sim_.draw().one_in(2) ? ErrorCode::unavailable : ErrorCode::throttled, "list",
                  display(request.prefix), "drawn by the simulator");
  std::size_t moment = sim_.world().bucket.moment();
  if (sim_.strikes(Fault::list_lags)) moment -= std::min(moment, sim_.draw().below(4));
  auto keys = sim_.world().bucket.keys_at(moment);
  const bool backwards = sim_.unordered();
  if (backwards) std::ranges::reverse(keys);
  ListPage page;
  const std::size_t size = std::min(sim_.page_size(), static_cast<std::size_t>(request.page_size));
  for (const auto& [key, version] : keys) {
    const std::string& token = request.page_token;
    const bool before = !token.empty() && (backwards ? key >= token : key <= token);
    if (before || !key.starts_with(request.prefix)) continue;
    if (!backwards && key <= request.start_after) continue;
    if (page.objects.size() == size) {
      page.next_token = page.objects.back().key;
      break;
    }
    page.objects.push_back(info_of(key, *version));
    shown_[key] = version->etag;
  }
  return page;
}

Result<ObjectInfo> SimStore::stat(const std::string& key) {
  ++counts_.head;
  sim_.step(loader_, "stat");
  if (sim_.strikes(Fault::read_fails))
    return failed(ErrorCode::unavailable, "stat", display(key), "drawn by the simulator");
  const auto version = sim_.world().bucket.now(key);
  if (!version) return failed(ErrorCode::not_found, "stat", display(key), "it is not there");
  return info_of(key, *version);
}

Result<ObjectInfo> SimStore::read(const ReadRequest& request, const ByteSink& sink) {
  ++counts_.get;
  sim_.step(loader_, "read");
  const std::string& key = request.key;
  const auto broken = [&] {
    return failed(ErrorCode::unavailable, "read", display(key), "drawn by the simulator");
  };
  if (sim_.strikes(Fault::read_fails)) return broken();
  const Bucket& bucket = sim_.world().bucket;
  const auto version = bucket.now(key);
  if (!version) return failed(ErrorCode::not_found, "read", display(key), "it is not there");
  if (!request.version.empty() && request.version != version->etag)
    return failed(ErrorCode::changed, "read", display(key), "it was replaced");
  const auto bytes = std::as_bytes(std::span(version->bytes));
  RETURN_IF_ERROR(sink(bytes.first(bytes.size() / 2)));
  sim_.step(loader_, "read on");
  if (sim_.strikes(Fault::read_fails)) return broken();
  was_damaged_ = !was_damaged_ && sim_.strikes(Fault::read_damaged);
  if (was_damaged_) return failed(ErrorCode::damaged, "read", display(key), "a short body");
  if (bucket.now(key) != version)
    return failed(ErrorCode::changed, "read", display(key), "it was replaced meanwhile");
  RETURN_IF_ERROR(sink(bytes.subspan(bytes.size() / 2)));
  return info_of(key, *version);
}

Result<std::unique_ptr<OpenFile>> SimStore::open_in_place(const std::string& key) {
  return failed(ErrorCode::refused, "open", display(key), "this store is a bucket");
}

}  // namespace forebay::sim
