#include "app/serve/web.h"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_static_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <thread>
#include <utility>

namespace forebay {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

Error listen_error(const std::string& object, ErrorCode code, std::string cause, std::string hint) {
  return {code, "listen", object, std::move(cause), std::move(hint)};
}

std::string shown(const ListenAddress& address) {
  return address.host.contains(':') ? fmt::format("[{}]:{}", address.host, address.port)
                                    : fmt::format("{}:{}", address.host, address.port);
}

// One connection: reads a request's head, answers, ends. Lives as long as an operation of it does.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, const WebAnswer& answer, std::function<void()> closed)
      : stream_(std::move(socket)), answer_(answer), closed_(std::move(closed)) {
    parser_.header_limit(kMostHeaderBytes);
  }
  ~Connection() { closed_(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start() {
    stream_.expires_after(kRequestWithin);  // for the whole request, however it trickles in
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](error_code error, std::size_t /*bytes*/) {
                              self->reply_to(error);
                            });
  }

 private:
  void reply_to(error_code error) {
    if (!error) {
      send(answer_(request()));
    } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      send({.status = 431, .body = "the request's head is too long\n"});
    } else if (error.category() == http::make_error_code(http::error::bad_method).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      send({.status = 400, .body = "this is no HTTP request\n"});
    }
  }

  WebRequest request() const {
    const auto text = [](beast::string_view view) { return std::string(view.data(), view.size()); };
    const auto& head = parser_.get();
    return {.method = text(head.method_string()),
            .target = text(head.target()),
            .host = text(head[http::field::host]),
            .authorization = text(head[http::field::authorization])};
  }

  void send(WebReply reply) {
    reply_.result(static_cast<unsigned>(reply.status));
    reply_.version(11);
    reply_.keep_alive(false);
    reply_.set(http::field::content_type, reply.type);
    reply_.set(http::field::cache_control, "no-store");
    reply_.set("X-Content-Type-Options", "nosniff");
    reply_.set("Referrer-Policy", "no-referrer");
    for (const auto& [name, value] : reply.headers) reply_.insert(name, value);
    reply_.body() = std::move(reply.body);
    reply_.prepare_payload();
    if (parser_.get().method() == http::verb::head) reply_.body().clear();  // its length stays
    stream_.expires_after(kReplyWithin);
    http::async_write(stream_, reply_,
                      [self = shared_from_this()](error_code /*error*/, std::size_t /*bytes*/) {
                        error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  beast::tcp_stream stream_;
  beast::flat_static_buffer<kMostHeaderBytes> buffer_;
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> reply_;
  const WebAnswer& answer_;
  std::function<void()> closed_;
};

class Server final : public WebServer {
 public:
  explicit Server(WebAnswer answer) : answer_(std::move(answer)) {}
  ~Server() override {
    asio::post(context_, [this] {
      stopping_ = true;
      context_.stop();
    });
    if (thread_.joinable()) thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const override { return port_; }

  Status start(const ListenAddress& address) {
    error_code error;
    const tcp::endpoint endpoint(asio::ip::make_address(address.host), address.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) port_ = acceptor_.local_endpoint(error).port();
    if (error) return fail(explain(address, error));
    accept();
    thread_ = std::thread([this] { context_.run(); });
    return {};
  }

 private:
  static Error explain(const ListenAddress& address, const error_code& error) {
    const std::string object = shown(address);
    if (error == asio::error::address_in_use) {
      return listen_error(object, ErrorCode::busy, "another process listens there",
                          "end it, or choose another port with --listen");
    }
    if (error == asio::error::access_denied) {
      return listen_error(object, ErrorCode::denied, "this user may not listen there",
                          "choose a port above 1023");
    }
    return listen_error(object, ErrorCode::invalid_config, error.message(),
                        "name an address of this machine");
  }

  // One at a time, and none while there are as many connections as there may be.
  void accept() {
    if (stopping_ || accepting_ || open_ >= kMostConnections) return;
    accepting_ = true;
    acceptor_.async_accept([this](const error_code& error, tcp::socket socket) {
      accepting_ = false;
      if (error) return accept_later();
      ++open_;
      std::make_shared<Connection>(std::move(socket), answer_, [this] { closed(); })->start();
      accept();
    });
  }

  // Out of descriptors, say: asking again at once would only burn time.
  void accept_later() {
    pause_.expires_after(std::chrono::milliseconds(200));
    pause_.async_wait([this](const error_code& /*error*/) { accept(); });
  }

  void closed() {
    --open_;
    accept();
  }

  WebAnswer answer_;
  std::size_t open_ = 0;
  bool accepting_ = false;
  bool stopping_ = false;
  std::uint16_t port_ = 0;
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  asio::steady_timer pause_{context_};
  std::thread thread_;
};

}  // namespace

Result<ListenAddress> parse_listen(std::string_view text, std::string_view where) {
  const auto refuse = [&](std::string cause) {
    return fail(Error{ErrorCode::invalid_config, "read the configuration", std::string(where),
                      std::move(cause),
                      "write an address and a port: 127.0.0.1:8080, [::1]:8080, localhost:8080"});
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    return refuse(fmt::format("'{}' is not HOST:PORT", text));
  ListenAddress out;
  int port = 0;
  const std::string_view digits = text.substr(colon + 1);
  const bool number = !digits.empty() && digits.size() <= 5 &&
                      digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (number) port = std::stoi(std::string(digits));
  if (!number || port > 65'535) return refuse(fmt::format("'{}' is no port", digits));
  out.port = static_cast<std::uint16_t>(port);
  std::string host(text.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (error || address.is_v6() != bracketed)
    return refuse(fmt::format("'{}' is no address", text.substr(0, colon)));
  out.host = address.to_string();
  out.loopback = address.is_loopback();
  return out;
}

Result<std::unique_ptr<WebServer>> start_web_server(const ListenAddress& address,
                                                    WebAnswer answer) {
  auto server = std::make_unique<Server>(std::move(answer));
  RETURN_IF_ERROR(server->start(address));
  return std::unique_ptr<WebServer>(std::move(server));
}

}  // namespace forebay
