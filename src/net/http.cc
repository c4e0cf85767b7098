#include "net/http.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "base/check.h"
#include "base/encode.h"
#include "base/stop.h"
#include "base/version.h"

namespace forebay {
namespace {

// Bytes a second. One byte a second would keep a load busy for years.
constexpr long kStalledBelow = 1024;

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, FreeEasy>;
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

// What the callbacks know of the transfer under way.
struct Transfer {
  const HttpReceiver* receiver = nullptr;
  HttpHead head;
  Status status;          // the receiver's error, if it had one
  long proxy_status = 0;  // what the proxy said to CONNECT
  std::array<char, CURL_ERROR_SIZE> detail{};
};

template <class T>
void set_option(CURL* easy, CURLoption option, T value) {
  CHECK(curl_easy_setopt(easy, option, value) == CURLE_OK);
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// "HTTP/1.1 206 Partial Content" gives 206; 0: no status line.
int status_of(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return 0;
  int status = 0;
  for (const char c : line.substr(space + 1, 3)) {
    if (c < '0' || c > '9') return 0;
    status = status * 10 + (c - '0');
  }
  return status;
}

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view line = trim({data, size * count});
  if (line.starts_with("HTTP/")) {
    transfer.head = {.status = status_of(line), .headers = {}};
  } else if (line.empty()) {
    const bool interim = transfer.head.status < 200;  // 100 Continue; the answer is still to come
    if (!interim && transfer.receiver->head) {
      transfer.status = transfer.receiver->head(transfer.head);
      if (!transfer.status) return 0;
    }
  } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    transfer.head.headers.emplace_back(lower(line.substr(0, colon)), trim(line.substr(colon + 1)));
  }
  return size * count;
}

std::size_t on_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (transfer.receiver->body) {
    transfer.status = transfer.receiver->body(as_byte_span({data, size * count}));
    if (!transfer.status) return CURL_WRITEFUNC_ERROR;
  }
  return size * count;
}

int on_progress(void* /*user*/, curl_off_t /*expected*/, curl_off_t /*received*/,
                curl_off_t /*to_send*/, curl_off_t /*sent*/) {
  return stop_requested() ? 1 : 0;
}

Error unavailable(std::string cause, std::string hint = {}) {
  return {.code = ErrorCode::unavailable,
          .operation = {},
          .object = {},
          .cause = std::move(cause),
          .hint = std::move(hint)};
}

Error misconfigured(std::string cause, std::string hint) {
  Error error = unavailable(std::move(cause), std::move(hint));
  error.code = ErrorCode::invalid_config;
  return error;
}

// libcurl's codes, sorted by what a person can do about them. `detail` is libcurl's sentence, which
// names hosts and ports and never a path, a query or a header.
Error classify(CURLcode code, const std::string& detail) {
  switch (static_cast<int>(code)) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return unavailable(fmt::format("name resolution failed: {}", detail),
                         "check endpoint, region and the name server");
    case CURLE_COULDNT_CONNECT: return unavailable(fmt::format("no connection: {}", detail));
    case CURLE_SSL_CONNECT_ERROR:
      return unavailable(fmt::format("the TLS handshake failed: {}", detail));
    case CURLE_PEER_FAILED_VERIFICATION:
      return misconfigured(fmt::format("the server's certificate is not trusted: {}", detail),
                           "name the authority that signed it with ca_file");
    case CURLE_SSL_CACERT_BADFILE:
      return misconfigured("the certificates of ca_file cannot be read", "check ca_file");
    case CURLE_UNSUPPORTED_PROTOCOL:
      // What libcurl calls an answer without a status line.
      if (detail.contains("HTTP/0.9")) return unavailable("the answer is not HTTP");
      [[fallthrough]];
    case CURLE_URL_MALFORMAT:
      return misconfigured("the address is no http or https address", "check the endpoint");
    case CURLE_OPERATION_TIMEDOUT: return unavailable(fmt::format("timeout: {}", detail));
    case CURLE_PARTIAL_FILE: return unavailable("the body ended before its announced length");
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR: return unavailable("the connection was reset");
    case CURLE_WEIRD_SERVER_REPLY: return unavailable("the answer is not HTTP");
    default: return unavailable(fmt::format("the transfer failed: {}", curl_easy_strerror(code)));
  }
}

Error transfer_error(CURLcode code, const Transfer& transfer, const HttpRequest& request) {
  Error error;
  if (code == CURLE_ABORTED_BY_CALLBACK) {
    error.code = ErrorCode::interrupted;
    error.cause = "asked to stop";
  } else if (transfer.proxy_status == 407) {
    error = misconfigured("the proxy does not take the user and password", "check proxy");
  } else if (transfer.proxy_status >= 400) {
    error = unavailable(fmt::format("the proxy answered {}", transfer.proxy_status), "check proxy");
  } else {
    error = classify(code, transfer.detail.data());
  }
  error.operation = request.method;
  error.object = request.shown;
  return error;
}

class CurlHttp final : public Http {
 public:
  explicit CurlHttp(HttpOptions options) : options_(std::move(options)) {}

  Result<HttpHead> send(const HttpRequest& request, const HttpReceiver& receiver) override {
    Easy easy = take();
    Transfer transfer{.receiver = &receiver, .head = {}, .status = {}};
    const HeaderList headers = header_list(request);
    prepare(easy.get(), request, headers.get(), transfer);
    const CURLcode code = curl_easy_perform(easy.get());
    curl_easy_getinfo(easy.get(), CURLINFO_HTTP_CONNECTCODE, &transfer.proxy_status);
    give_back(std::move(easy));
    if (!transfer.status) return fail(std::move(transfer.status).error());
    if (code != CURLE_OK) return fail(transfer_error(code, transfer, request));
    if (transfer.head.status == 0) {
      return fail(transfer_error(CURLE_WEIRD_SERVER_REPLY, transfer, request));
    }
    return std::move(transfer.head);
  }

 private:
  Easy take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Easy easy = std::move(idle_.back());
        idle_.pop_back();
        return easy;
      }
    }
    Easy easy(curl_easy_init());
    CHECK(easy != nullptr);
    return easy;
  }

  void give_back(Easy easy) {
    curl_easy_reset(easy.get());  // forgets the request, keeps the connection
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(easy));
  }

  static HeaderList header_list(const HttpRequest& request) {
    curl_slist* list = nullptr;
    const auto add = [&](const std::string& line) {
      curl_slist* longer = curl_slist_append(list, line.c_str());
      CHECK(longer != nullptr);
      list = longer;
    };
    // Without these libcurl would add headers of its own.
    add("Expect:");
    add("Content-Type:");
    for (const auto& [name, value] : request.headers) {
      // A header without a value is written with ';' for libcurl, which sends it with ':'.
      add(value.empty() ? fmt::format("{};", name) : fmt::format("{}: {}", name, value));
    }
    return HeaderList(list);
  }

  void prepare(CURL* easy, const HttpRequest& request, curl_slist* headers, Transfer& transfer) {
    set_option(easy, CURLOPT_URL, request.url.c_str());
    set_option(easy, CURLOPT_PATH_AS_IS, 1L);
    set_option(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    set_option(easy, CURLOPT_FOLLOWLOCATION, 0L);
    set_option(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set_option(easy, CURLOPT_HTTPHEADER, headers);
    set_option(easy, CURLOPT_USERAGENT, fmt::format("forebay/{}", version()).c_str());
    set_option(easy, CURLOPT_NOSIGNAL, 1L);
    set_option(easy, CURLOPT_ERRORBUFFER, transfer.detail.data());
    set_option(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.connect_timeout));
    set_option(easy, CURLOPT_LOW_SPEED_LIMIT, kStalledBelow);
    set_option(easy, CURLOPT_LOW_SPEED_TIME,
               std::max(1L, milliseconds(request.stall_timeout) / 1000));
    set_option(easy, CURLOPT_BUFFERSIZE, 256L * 1024);
    set_option(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set_option(easy, CURLOPT_HEADERFUNCTION, &on_header);
    set_option(easy, CURLOPT_HEADERDATA, &transfer);
    set_option(easy, CURLOPT_WRITEFUNCTION, &on_body);
    set_option(easy, CURLOPT_WRITEDATA, &transfer);
    set_option(easy, CURLOPT_NOPROGRESS, 0L);
    set_option(easy, CURLOPT_XFERINFOFUNCTION, &on_progress);
    // An empty proxy, and not an absent one, keeps libcurl from asking the environment.
    set_option(easy, CURLOPT_PROXY, options_.proxy.value_or("").c_str());
    set_option(easy, CURLOPT_NOPROXY, options_.no_proxy.c_str());
    if (options_.ca_file) set_option(easy, CURLOPT_CAINFO, options_.ca_file->c_str());
    if (request.method == "HEAD") {
      set_option(easy, CURLOPT_NOBODY, 1L);
    } else if (request.method != "GET") {
      set_option(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
      set_option(easy, CURLOPT_POSTFIELDS, request.body.c_str());
      set_option(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    }
  }

  static long milliseconds(Duration duration) {
    return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
  }

  const HttpOptions options_;
  std::mutex mutex_;
  std::vector<Easy> idle_;  // guarded by mutex_; each holds its own connection
};

}  // namespace

std::optional<std::string_view> HttpHead::find(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &std::pair<std::string, std::string>::first);
  if (found == headers.end()) return std::nullopt;
  return found->second;
}

std::unique_ptr<Http> open_http(HttpOptions options) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  CHECK(started == CURLE_OK);
  return std::make_unique<CurlHttp>(std::move(options));
}

Result<HttpResponse> fetch(Http& http, const HttpRequest& request, std::size_t limit) {
  HttpResponse response;
  const HttpReceiver receiver{
      .head = {}, .body = [&](std::span<const std::byte> bytes) -> Status {
        if (response.body.size() + bytes.size() > limit) {
          return fail({.code = ErrorCode::damaged,
                       .operation = request.method,
                       .object = request.shown,
                       .cause = fmt::format("the answer is longer than {} bytes", limit),
                       .hint = {}});
        }
        response.body += as_text(bytes);
        return {};
      }};
  ASSIGN_OR_RETURN(response.head, http.send(request, receiver));
  return response;
}

}  // namespace forebay
