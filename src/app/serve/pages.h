#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/serve/state.h"
#include "base/clock.h"
#include "base/secret.h"

namespace forebay {

struct WebRequest {
  std::string method;
  std::string target;         // as it was sent: "/api/status?x=1"
  std::string host;           // of the header; empty: none
  std::string authorization;  // of the header; empty: none
};

struct WebReply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// What is answered to whom. Looks at the state and at nothing else: no request starts, stops or
// changes anything.
//
//   /            the dashboard              /metrics   for Prometheus
//   /api/status  the state as JSON          /healthz, /readyz
//
// With a token all but /healthz and /readyz want it: `Authorization: Bearer TOKEN`, or as the
// password of `Basic`, which browsers can ask for. Without one they answer only under an address or
// "localhost", never under another name, so that no page of a foreign site reads them through a
// name that it lets point here. Thread-safe.
class Pages {
 public:
  Pages(const ServeState& state, Secret token, Clock& clock);

  WebReply answer(const WebRequest& request) const;

 private:
  bool may_see(const WebRequest& request) const;

  const ServeState& state_;
  Secret token_;
  Clock& clock_;
  std::string dashboard_policy_;
};

}  // namespace forebay
