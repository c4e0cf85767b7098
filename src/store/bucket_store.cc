#include "store/bucket_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/s3_page_token.h"

namespace forebay {

Error BucketStore::error(std::string operation, const std::string& key, ErrorCode code,
                         std::string cause) const {
  return {.code = code,
          .operation = std::move(operation),
          .object = display(key),
          .cause = std::move(cause),
          .hint = {}};
}

Status BucketStore::check_key(const char* operation, const std::string& key) const {
  if (!key.empty()) return {};
  return fail(error(operation, key, ErrorCode::refused, "the key is empty"));
}

Result<ListPage> BucketStore::list(const ListRequest& request) {
  s3::PageToken token;
  if (!request.page_token.empty()) {
    auto decoded = s3::decode_page_token(request.page_token);
    if (!decoded) return fail(error("list", "", ErrorCode::internal, "this is no page token"));
    token = std::move(*decoded);
  }
  ServerRequest wanted{.prefix = prefix_ + request.prefix,
                       .token = token.server,
                       .page_size = std::clamp(request.page_size, 1, 1000)};
  // Below the prefix a start excludes nothing.
  const std::string start = prefix_ + request.start_after;
  if (!request.start_after.empty() && start > wanted.prefix) wanted.start = start;
  auto sent = list_server(wanted);
  if (!sent) {
    Error wrong = std::move(sent).error();
    // A document that was not understood does not know where it came from.
    if (wrong.object.empty()) {
      wrong.object = display(request.prefix);
      wrong.operation = "list";
    }
    return fail(std::move(wrong));
  }
  ListPage page;
  std::string last_key = token.last_key;
  for (ObjectInfo& object : sent->objects)
    RETURN_IF_ERROR(add(page, request, std::move(object), sent->start_sent, last_key));
  if (!sent->next_token) return page;
  const auto next = s3::follow(token, *sent->next_token, std::move(last_key));
  if (!next)
    return fail(error("list", request.prefix, ErrorCode::damaged,
                      "the server's page tokens go in a circle"));
  page.next_token = s3::encode(*next);
  return page;
}

Status BucketStore::add(ListPage& page, const ListRequest& request, ObjectInfo object,
                        bool start_sent, std::string& last_key) {
  if (!object.key.starts_with(prefix_ + request.prefix)) {
    return fail(error("list", request.prefix, ErrorCode::damaged,
                      fmt::format("the server listed {}, which is not below that",
                                  client_->display(object.key))));
  }
  if (!last_key.empty() && object.key <= last_key) ordered_ = false;
  last_key = std::max(last_key, object.key);
  object.key.erase(0, prefix_.size());
  if (!request.start_after.empty() && object.key <= request.start_after) {
    // The start itself may come: some protocols only know where to begin.
    if (start_sent && object.key < request.start_after) honours_start_after_ = false;
    return {};
  }
  if (object.key.empty()) return {};  // the source's own folder marker
  page.objects.push_back(std::move(object));
  return {};
}

Result<ObjectInfo> BucketStore::stat(const std::string& key) {
  RETURN_IF_ERROR(check_key("stat", key));
  auto info = stat_object(prefix_ + key);
  if (info) info->key = key;
  return info;
}

Result<ObjectInfo> BucketStore::read(const ReadRequest& request, const ByteSink& sink) {
  RETURN_IF_ERROR(check_key("read", request.key));
  ReadRequest full = request;
  full.key = prefix_ + request.key;
  auto info = read_object(full, sink);
  if (info) info->key = request.key;
  return info;
}

Result<std::unique_ptr<OpenFile>> BucketStore::open_in_place(const std::string& key) {
  return fail(
      error("open", key, ErrorCode::refused, "objects of a bucket cannot be opened in place"));
}

Status BucketStore::remove(const std::string& key) {
  RETURN_IF_ERROR(check_key("remove", key));
  const auto response = client_->fetch(remove_call(prefix_ + key));
  if (!response && response.error().code != ErrorCode::not_found) return fail(response.error());
  return {};
}

}  // namespace forebay
