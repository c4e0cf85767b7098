#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/encode.h"
#include "store/stores.h"
#include "support/fake_clock.h"
#include "support/s3_script.h"
#include "support/scripted_server.h"
#include "support/temp_folder.h"

// Aim: what real servers never show on demand: faults, replaced generations, unpacked content,
// tokens that run out. Method: a scripted server; tests/system has the real one.
namespace forebay {
namespace {

using test::Answer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

struct Script {
  explicit Script(std::vector<Answer> answers, std::map<std::string, std::string> environment = {})
      : server(std::move(answers)),
        store(*open_gcs_store({.bucket = "bucket",
                               .prefix = "p/",
                               .endpoint = server.endpoint(),
                               .anonymous = environment.empty(),
                               .environment = std::move(environment)},
                              clock)) {}

  Result<std::string> read(const ReadRequest& request) {
    std::string content;
    const auto info = store->read(request, [&](std::span<const std::byte> bytes) -> Status {
      content += as_text(bytes);
      return {};
    });
    if (!info) return fail(info.error());
    return content;
  }
  std::string request(std::size_t i) const { return server.requests().at(i); }

  test::ScriptedServer server;
  test::FakeClock clock;
  std::unique_ptr<ObjectStore> store;
};

std::string page(const std::vector<std::string>& keys, std::string_view next = "") {
  std::string json = R"({"items":[)";
  for (const auto& key : keys) {
    json += fmt::format(
        R"({}{{"name":"{}","size":"1","generation":"7","timeCreated":"2026-11-30T12:00:00Z"}})",
        json.ends_with('[') ? "" : ",", key);
  }
  return json + (next.empty() ? "]}" : fmt::format(R"(],"nextPageToken":"{}"}})", next));
}

Answer object(std::string_view content, std::string_view generation, std::string_view more = "") {
  return Answer::with(200, content, fmt::format("x-goog-generation: {}\r\n{}", generation, more));
}

std::string stat_json(std::string_view generation) {
  return fmt::format(
      R"({{"name":"p/k","size":"5","generation":"{}","timeCreated":"2026-11-30T12:00:00Z"}})",
      generation);
}

TEST(GcsStore, AsksForWhatItNeedsAndLeavesTheStartOut) {
  Script script({Answer::with(200, page({"p/b", "p/b c", "p/d"}))});
  const auto listed = script.store->list({.prefix = "", .start_after = "b", .page_size = 10});
  ASSERT_TRUE(listed) << describe(listed.error());
  ASSERT_EQ(listed->objects.size(), 2U);
  EXPECT_EQ(listed->objects[0].key, "b c");
  EXPECT_EQ(listed->objects[0].version, "7");
  EXPECT_TRUE(script.store->promises().honours_start_after);
  EXPECT_THAT(
      script.request(0),
      HasSubstr("GET /storage/v1/b/bucket/o?fields=nextPageToken%2Citems%28name%2Csize%2C"
                "generation%2CtimeCreated%29&maxResults=10&prefix=p%2F&startOffset=p%2Fb "));
  EXPECT_THAT(script.request(0), Not(HasSubstr("uthorization")));
}

TEST(GcsStore, NoticesAServerThatIgnoresTheStart) {
  Script script({Answer::with(200, page({"p/a", "p/b", "p/c"}))});
  const auto listed = script.store->list({.start_after = "b"});
  ASSERT_EQ(listed.value().objects.size(), 1U);
  EXPECT_FALSE(script.store->promises().honours_start_after);
}

TEST(GcsStore, NoticesDisorderForeignKeysAndCircles) {
  Script disorder({Answer::with(200, page({"p/b", "p/a"}))});
  EXPECT_TRUE(disorder.store->list({}));
  EXPECT_FALSE(disorder.store->promises().ordered);
  Script foreign({Answer::with(200, page({"q/a"}))});
  const auto listed = foreign.store->list({});
  EXPECT_EQ(listed.error().code, ErrorCode::damaged);
  EXPECT_THAT(listed.error().cause, HasSubstr("gs://bucket/q/a"));
  Script circle({Answer::with(200, page({"p/a"}, "t")), Answer::with(200, page({"p/b"}, "t"))});
  EXPECT_EQ(test::list_all(*circle.store).error().code, ErrorCode::damaged);
  EXPECT_THAT(circle.request(1), HasSubstr("&pageToken=t "));
}

TEST(GcsStore, ReadsOneGenerationAsItIsStored) {
  Script script({object("12345", "7")});
  EXPECT_EQ(script.read({.key = "a/b c+%", .version = "7"}).value(), "12345");
  EXPECT_THAT(script.request(0),
              HasSubstr("GET /storage/v1/b/bucket/o/p%2Fa%2Fb%20c%2B%25?alt=media&generation=7&"
                        "ifGenerationMatch=7 "));
  EXPECT_THAT(script.request(0), HasSubstr("accept-encoding: gzip"));
}

TEST(GcsStore, RefusesContentThatTheServerUnpacked) {
  std::vector<Answer> answers(40, object("12345", "7", "x-goog-stored-content-encoding: gzip\r\n"));
  Script script(std::move(answers));
  EXPECT_THAT(describe(script.read({.key = "k"}).error()), HasSubstr("unpacked"));
  Script packed(
      {object("12345", "7", "x-goog-stored-content-encoding: gzip\r\ncontent-encoding: gzip\r\n")});
  EXPECT_EQ(packed.read({.key = "k"}).value(), "12345");
}

TEST(GcsStore, ComparesBothChecksums) {
  // The CRC32C of "123456789" is e3069283, its MD5 25f9e794323b453885f5181f1b624d0b.
  const char* good =
      "x-goog-hash: crc32c=4waSgw==\r\nx-goog-hash: md5=JfnnlDI7RTiF9RgfG2JNCw==\r\n";
  EXPECT_EQ(Script({object("123456789", "7", good)}).read({.key = "k"}).value(), "123456789");
  for (const char* bad : {"x-goog-hash: crc32c=4waSgA==\r\n",
                          "x-goog-hash: crc32c=4waSgw==,md5=JfnnlDI7RTiF9RgfG2JNCA==\r\n"}) {
    const auto read = Script({object("123456789", "7", bad)}).read({.key = "k"});
    EXPECT_EQ(read.error().code, ErrorCode::damaged);
    EXPECT_THAT(read.error().cause, HasSubstr("the store says"));
  }
}

TEST(GcsStore, ResumesPinnedToTheGenerationOfTheFirstAnswer) {
  const char* hash = "x-goog-hash: crc32c=4waSgw==\r\n";
  Script script(
      {object("123456789", "7", hash).cut_body(4).and_then(Answer::Then::reset),
       Answer::with(206, "56789", "x-goog-generation: 7\r\nContent-Range: bytes 4-8/9\r\n")});
  EXPECT_EQ(script.read({.key = "k"}).value(), "123456789");
  EXPECT_THAT(script.request(1), HasSubstr("generation=7&ifGenerationMatch=7 "));
  EXPECT_THAT(script.request(1), HasSubstr("range: bytes=4-"));
}

TEST(GcsStore, TellsAReplacedObjectFromOneThatIsGone) {
  Script replaced({Answer::with(404, "Not Found"), Answer::with(200, stat_json("8"))});
  const auto changed = replaced.read({.key = "k", .version = "7"});
  EXPECT_EQ(changed.error().code, ErrorCode::changed);
  EXPECT_THAT(changed.error().cause, HasSubstr("8 is there"));
  Script gone({Answer::with(404, "Not Found"), Answer::with(404, "Not Found")});
  EXPECT_EQ(gone.read({.key = "k", .version = "7"}).error().code, ErrorCode::not_found);
  Script condition({Answer::with(412, "Precondition Failed")});
  EXPECT_EQ(condition.read({.key = "k", .version = "7"}).error().code, ErrorCode::changed);
  Script ignored({object("other", "8")});
  EXPECT_EQ(ignored.read({.key = "k", .version = "7"}).error().code, ErrorCode::changed);
}

TEST(GcsStore, ReadsRangesOfAnObjectOfFiveGigabytes) {
  constexpr std::uint64_t kSize = std::uint64_t{5} << 30;
  Script script(
      {Answer::with(206, "tail",
                    fmt::format("x-goog-generation: 7\r\nContent-Range: bytes {}-{}/{}\r\n",
                                kSize - 4, kSize - 1, kSize))});
  EXPECT_EQ(script.read({.key = "k", .version = "7", .offset = kSize - 4, .length = 4}).value(),
            "tail");
  EXPECT_THAT(script.request(0),
              HasSubstr(fmt::format("range: bytes={}-{}", kSize - 4, kSize - 1)));
}

TEST(GcsStore, SortsRefusalsByWhatToDo) {
  const auto code_of = [](int status, std::string_view body) {
    Script script({Answer::with(status, body), Answer::with(404, "")});
    return script.store->stat("k").error();
  };
  EXPECT_EQ(code_of(403, R"({"error":{"message":"no","errors":[{"reason":"forbidden"}]}})").code,
            ErrorCode::denied);
  EXPECT_EQ(code_of(401, "").code, ErrorCode::denied);
  EXPECT_EQ(code_of(400, "").code, ErrorCode::invalid_config);
  EXPECT_EQ(code_of(301, "").code, ErrorCode::invalid_config);
  const Error missing = code_of(404, "");
  EXPECT_EQ(missing.code, ErrorCode::not_found);
  EXPECT_EQ(missing.object, "gs://bucket");
}

TEST(GcsStore, WaitsWhenTheRateIsTooHigh) {
  Script script({Answer::with(403, R"({"error":{"errors":[{"reason":"rateLimitExceeded"}]}})"),
                 Answer::with(503, "", "Retry-After: 3\r\n"), Answer::with(429, ""),
                 Answer::with(200, page({"p/a"}))});
  EXPECT_EQ(script.store->list({}).value().objects.size(), 1U);
  EXPECT_EQ(script.server.requests().size(), 4U);
}

TEST(GcsStore, GetsANewTokenOnceWhenTheServerNoLongerTakesTheOldOne) {
  test::TempFolder folder;
  const auto token = [](const char* name) {
    return Answer::with(200, fmt::format(R"({{"access_token":"{}","expires_in":3600}})", name));
  };
  // One script serves as token server and as store, in the order of the requests.
  test::ScriptedServer server(
      {token("first"), Answer::with(401, ""), token("second"), Answer::with(200, page({"p/a"}))});
  folder.write("user.json",
               fmt::format(R"({{"type":"authorized_user","client_id":"i","client_secret":"hush",)"
                           R"("refresh_token":"hushhush","token_uri":"{}/token"}})",
                           server.endpoint()));
  test::FakeClock clock;
  const auto store =
      *open_gcs_store({.bucket = "bucket",
                       .prefix = "p/",
                       .endpoint = server.endpoint(),
                       .environment = {{"GOOGLE_APPLICATION_CREDENTIALS", folder / "user.json"}}},
                      clock);
  const auto listed = store->list({});
  ASSERT_TRUE(listed) << describe(listed.error());
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 4U);
  EXPECT_THAT(requests[1], HasSubstr("uthorization: Bearer first"));
  EXPECT_THAT(requests[3], HasSubstr("uthorization: Bearer second"));
  EXPECT_THAT(store->access(), ElementsAre(std::pair<std::string, std::string>(
                                   "credentials", "the user in " + folder / "user.json")));
}

TEST(GcsStore, SendsNoTokenInTheClear) {
  test::FakeClock clock;
  const auto store = open_gcs_store({.bucket = "bucket", .endpoint = "http://example.com"}, clock);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::invalid_config);
}

}  // namespace
}  // namespace forebay
