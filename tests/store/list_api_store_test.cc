#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/time_text.h"
#include "store/list_api_client.h"
#include "store/stores.h"
#include "support/fake_clock.h"
#include "support/s3_script.h"
#include "support/scripted_server.h"

// Aim: files that an HTTP API lists and hands out links to are listed whole and read right,
// whatever the API and the links do, and no secret goes to the wrong side (rule 7 of the feed
// `twisp`). Method: one scripted server plays both, answer by answer; what it was asked is looked
// at after.
namespace forebay {
namespace {

using test::Answer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kKey = "warehouse/parquet/2026/07/29/10/entry/a.parquet";
constexpr const char* kContent = "the bytes of a file";

ListApi api() {
  return {.list_body = R"({"query": "q", "variables": {"p": "{prefix}", "t": "{token}"}})",
          .keys = "/data/files/listPage/keys",
          .key = "/key",
          .next = "/data/files/listPage/nextPageToken",
          .read_body = R"({"query": "m", "variables": {"k": "{key}"}})",
          .url = "/data/d/downloadURL",
          .headers = "/data/d/downloadHeaders",
          .expires = "/data/d/downloadURLExpiration",
          .errors = "/errors"};
}

Answer json(const std::string& body) {
  return Answer::with(200, body, "Content-Type: application/json\r\n");
}

Answer page(const std::vector<std::string>& keys, const std::string& next = "null") {
  std::string entries;
  for (const std::string& key : keys)
    entries += fmt::format(R"({}{{"key": "{}"}})", entries.empty() ? "" : ", ", key);
  return json(fmt::format(
      R"({{"data": {{"files": {{"listPage": {{"keys": [{}], "nextPageToken": {}}}}}}}}})", entries,
      next));
}

class ListApiStore : public ::testing::Test {
 protected:
  // A server must stand before a script can name its address: "@" stands for it.
  void play(std::vector<Answer> script) {
    server_ = std::make_unique<test::ScriptedServer>(std::move(script));
    auto opened = open_list_api_store({.endpoint = server_->endpoint() + "/graphql",
                                       .headers = {{"authorization", Secret("Bearer sesame")}},
                                       .api = api(),
                                       .retry_for = std::chrono::minutes(2)},
                                      clock_);
    ASSERT_TRUE(opened.has_value()) << describe(opened.error());
    store_ = std::move(*opened);
  }

  // An answer to a request for a link. The server's port is not known yet, so the link leads to a
  // second server.
  static Answer link(const test::ScriptedServer& files, const std::string& expires,
                     const std::string& headers = "{}") {
    return json(fmt::format(R"({{"data": {{"d": {{"downloadURL": "{}/bucket/x?signature=hush", )"
                            R"("downloadURLExpiration": "{}", "downloadHeaders": {}}}}}}})",
                            files.endpoint(), expires, headers));
  }
  std::string in(Duration from_now) { return format_rfc3339(clock_.now() + from_now); }

  Result<std::string> read(bool may_start_over = true) {
    std::string bytes;
    ReadRequest request{.key = kKey};
    if (may_start_over) {
      request.start_over = [&]() -> Status {
        bytes.clear();
        return {};
      };
    }
    const auto info = store_->read(request, [&](std::span<const std::byte> part) -> Status {
      bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
      return {};
    });
    if (!info) return fail(info.error());
    EXPECT_EQ(info->size, bytes.size());
    return bytes;
  }

  test::FakeClock clock_;
  std::unique_ptr<test::ScriptedServer> server_;
  std::unique_ptr<ObjectStore> store_;
};

TEST_F(ListApiStore, ListsPageAfterPageAndAnEmptyPageWithATokenIsNotTheEnd) {
  play({page({"p/a", "p/b"}, "\"one\""), page({}, "\"two\""), page({"p/c"})});
  const auto keys = test::list_all(*store_, {.prefix = "p/"});
  ASSERT_TRUE(keys.has_value()) << describe(keys.error());
  ASSERT_EQ(keys->size(), 3U);
  EXPECT_EQ(keys->back().key, "p/c");
  EXPECT_EQ(store_->requests().list, 3U);
  EXPECT_FALSE(store_->promises().lists_versions);
  const auto asked = server_->requests();
  EXPECT_THAT(asked[0], HasSubstr(R"("p":"p/","t":null)"));
  EXPECT_THAT(asked[2], HasSubstr(R"("t":"two")"));
  EXPECT_THAT(asked[0], HasSubstr("Bearer sesame"));
}

TEST_F(ListApiStore, TheLastPageMayHaveAnEmptyToken) {
  play({page({"p/a"}, "\"one\""), page({"p/b"}, "\"\"")});
  const auto keys = test::list_all(*store_, {.prefix = "p/"});
  ASSERT_TRUE(keys.has_value()) << describe(keys.error());
  EXPECT_EQ(keys->size(), 2U);
  EXPECT_EQ(store_->requests().list, 2U);
}

TEST_F(ListApiStore, ErrorsUnder200AreErrorsAndAreNotAskedForAgain) {
  play({json(R"({"errors": [{"message": "no such\nprefix"}], "data": null})")});
  const auto found = store_->list({.prefix = "p/"});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::unavailable);
  EXPECT_THAT(found.error().cause, HasSubstr("no such prefix"));
  EXPECT_EQ(server_->requests().size(), 1U);
}

TEST_F(ListApiStore, WaitsAsLongAsTheApiAsks) {
  play({Answer::with(429, "", "Retry-After: 7\r\n"), Answer::with(503, ""), page({"p/a"})});
  const Time before = clock_.now();
  ASSERT_TRUE(store_->list({.prefix = "p/"}).has_value());
  EXPECT_GE(clock_.now() - before, std::chrono::seconds(7));
}

TEST_F(ListApiStore, AnAnswerOfAnotherShapeIsDamaged) {
  for (const char* body : {"", "[]", "{}", R"({"data": {"files": {"listPage": {"keys": {}}}}})",
                           R"({"data": {"files": {"listPage": {"keys": [{"k": 1}]}}}})",
                           R"({"data": {"files": {"listPage": {"keys": [], "nextPageToken": 7}}}})",
                           R"({"data": 1, "data": 2})"}) {
    play({json(body)});
    const auto found = store_->list({.prefix = "p/"});
    ASSERT_FALSE(found.has_value()) << body;
    EXPECT_EQ(found.error().code, ErrorCode::damaged) << body;
  }
}

TEST_F(ListApiStore, AKeyOutsideThePrefixIsDamaged) {
  play({page({"p/a", "q/b"})});
  const auto found = store_->list({.prefix = "p/"});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::damaged);
  EXPECT_THAT(found.error().cause, HasSubstr("q/b"));
}

TEST_F(ListApiStore, ARefusedTokenNamesTheHeadersAndShowsNone) {
  play({Answer::with(401, "")});
  const auto found = store_->list({.prefix = "p/"});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::denied);
  EXPECT_THAT(describe(found.error()), Not(HasSubstr("sesame")));
}

TEST_F(ListApiStore, FollowsNoRedirect) {
  play({Answer::with(302, "", "Location: http://127.0.0.1:1/\r\n")});
  const auto found = store_->list({.prefix = "p/"});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::damaged);
  EXPECT_EQ(server_->requests().size(), 1U);
}

// CRED-3: by GET alone.
TEST_F(ListApiStore, ReadsFromALinkWithTheLinksHeadersAndNoOthers) {
  test::ScriptedServer files({test::object_answer(kContent, "e1")});
  play({link(files, in(std::chrono::minutes(5)), R"({"X-Link": ["one"], "X-More": "two"})")});
  EXPECT_EQ(read().value_or("nothing"), kContent);
  EXPECT_THAT(server_->requests()[0], HasSubstr(kKey));
  const std::string asked = files.requests()[0];
  EXPECT_THAT(asked, HasSubstr("X-Link: one\r\n"));
  EXPECT_THAT(asked, HasSubstr("X-More: two\r\n"));
  EXPECT_THAT(asked, Not(HasSubstr("sesame")));
}

// CRED-4
TEST_F(ListApiStore, ALinkThatRanOutInMidFileIsRenewedAndTheReadGoesOn) {
  const std::string content(kContent);
  test::ScriptedServer files(
      {test::object_answer(content, "e1").cut_body(5).and_then(Answer::Then::reset),
       Answer::with(403, "expired"), test::part_answer(content, "e1", 5, content.size() - 1)});
  const std::string expires = in(std::chrono::minutes(5));
  play({link(files, expires), link(files, expires)});
  EXPECT_EQ(read().value_or("nothing"), kContent);
  EXPECT_EQ(server_->requests().size(), 2U);
  EXPECT_THAT(files.requests()[2], HasSubstr("bytes=5-"));
}

// CRED-4
TEST_F(ListApiStore, AStaleLinkIsNotUsed) {
  test::ScriptedServer files(
      {Answer::with(503, "", "Retry-After: 20\r\n"), test::object_answer(kContent, "e1")});
  // 30 s to its expiry less the margin: after the wait of 20 s it must not be used again.
  play({link(files, in(std::chrono::seconds(30))), link(files, in(std::chrono::minutes(5)))});
  EXPECT_EQ(read().value_or("nothing"), kContent);
  EXPECT_EQ(server_->requests().size(), 2U);
}

TEST_F(ListApiStore, NoLinkIsUsedLongerThanFourMinutes) {
  test::ScriptedServer files({Answer::with(503, "", "Retry-After: 100\r\n"),
                              Answer::with(503, "", "Retry-After: 100\r\n"),
                              test::object_answer(kContent, "e1")});
  const std::string far = in(std::chrono::hours(5));
  play({link(files, far), link(files, far)});
  store_ = std::move(*open_list_api_store({.endpoint = server_->endpoint() + "/graphql",
                                           .headers = {},
                                           .api =
                                               [] {
                                                 ListApi shorter = api();
                                                 shorter.stale_after = std::chrono::seconds(150);
                                                 return shorter;
                                               }(),
                                           .retry_for = std::chrono::minutes(10)},
                                          clock_));
  EXPECT_EQ(read().value_or("nothing"), kContent);
  EXPECT_EQ(server_->requests().size(), 2U);
}

TEST_F(ListApiStore, ALinkThatIsAlwaysRefusedIsDeniedAndShownNowhere) {
  test::ScriptedServer files({Answer::with(403, ""), Answer::with(403, ""), Answer::with(403, "")});
  const std::string expires = in(std::chrono::minutes(5));
  play({link(files, expires), link(files, expires), link(files, expires)});
  const auto bytes = read();
  ASSERT_FALSE(bytes.has_value());
  EXPECT_EQ(bytes.error().code, ErrorCode::denied);
  EXPECT_THAT(describe(bytes.error()), Not(HasSubstr("hush")));
}

TEST_F(ListApiStore, WithoutAnETagTheReadStartsOver) {
  const std::string headers = "Content-Type: x\r\n";
  test::ScriptedServer files(
      {Answer::with(200, "other bytes, longer", headers).cut_body(5).and_then(Answer::Then::reset),
       Answer::with(200, kContent, headers)});
  play({link(files, in(std::chrono::minutes(5)))});
  EXPECT_EQ(read().value_or("nothing"), kContent);
  EXPECT_THAT(files.requests()[1], Not(HasSubstr("ange: bytes")));
}

TEST_F(ListApiStore, AFileReplacedInMidReadIsNotMixed) {
  const std::string content(kContent);
  test::ScriptedServer files(
      {test::object_answer(content, "e1").cut_body(5).and_then(Answer::Then::reset),
       test::part_answer(content, "e2", 5, content.size() - 1)});
  play({link(files, in(std::chrono::minutes(5)))});
  const auto bytes = read();
  ASSERT_FALSE(bytes.has_value());
  EXPECT_EQ(bytes.error().code, ErrorCode::changed);
}

TEST_F(ListApiStore, LinksToPlainHttpElsewhereAreRefused) {
  play({json(R"({"data": {"d": {"downloadURL": "http://example.com/x?s=hush"}}})")});
  const auto bytes = read();
  ASSERT_FALSE(bytes.has_value());
  EXPECT_EQ(bytes.error().code, ErrorCode::damaged);
  EXPECT_THAT(describe(bytes.error()), Not(HasSubstr("hush")));
  EXPECT_FALSE(open_list_api_store(
                   {.endpoint = "http://example.com/graphql", .headers = {}, .api = api()}, clock_)
                   .has_value());
}

}  // namespace
}  // namespace forebay
