#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/stores.h"
#include "support/fake_clock.h"
#include "support/scripted_server.h"

namespace forebay::test {

// Documents as S3 sends them.
std::string list_xml(const std::vector<std::string>& encoded_keys,
                     std::string_view next_token = "");
std::string error_xml(std::string_view code, std::string_view more = "");

// An answer to GET: ETag (without quotes), time and length of `content`.
Answer object_answer(std::string_view content, std::string_view etag, std::string_view more = "");
// The part from `first` on, as status 206.
Answer part_answer(std::string_view content, std::string_view etag, std::size_t first,
                   std::size_t last);

// A store over a script, with credentials of its own and a clock that only moves in naps.
struct ScriptedS3 {
  explicit ScriptedS3(std::vector<Answer> script, std::string prefix = "p/");

  Result<std::string> read(const ReadRequest& request);

  ScriptedServer server;
  FakeClock clock;
  std::unique_ptr<ObjectStore> store;
};

// Everything a listing gives, page after page.
Result<std::vector<ObjectInfo>> list_all(ObjectStore& store, ListRequest request = {});

}  // namespace forebay::test
