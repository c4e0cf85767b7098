#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/encode.h"
#include "store/stores.h"
#include "support/fake_clock.h"
#include "support/scripted_server.h"

// Aim: what real servers never show on demand: faults, replaced blobs, every way to open a
// container, and that none of them is told. Method: a scripted server; tests/system has Azurite.
namespace forebay {
namespace {

using test::Answer;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSignature = "sv=2021-12-02&sp=rl&sig=very%2Bhush";

struct Script {
  explicit Script(std::vector<Answer> answers,
                  std::map<std::string, std::string> environment = {{"AZURE_STORAGE_SAS_TOKEN",
                                                                     kSignature}},
                  std::string shown = "az://lake/")
      : server(std::move(answers)),
        store(*open_azure_store({.container = "lake",
                                 .prefix = "p/",
                                 .shown = std::move(shown),
                                 .account = "acme",
                                 .endpoint = server.endpoint(),
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

std::string page(const std::vector<std::string>& names, std::string_view next = "") {
  std::string xml = "<EnumerationResults><Blobs>";
  for (const auto& name : names) {
    xml += fmt::format(
        "<Blob><Name>{}</Name><Properties><Last-Modified>Mon, 30 Nov 2026 12:00:00 GMT"
        "</Last-Modified><Etag>0x1</Etag><Content-Length>1</Content-Length></Properties></Blob>",
        name);
  }
  return xml + fmt::format("</Blobs><NextMarker>{}</NextMarker></EnumerationResults>", next);
}

Answer blob(std::string_view content, std::string_view more = "") {
  return Answer::with(200, content, fmt::format("ETag: \"0x1\"\r\n{}", more));
}

Answer refusal(int status, std::string_view code) {
  return Answer::with(status,
                      fmt::format("<Error><Code>{}</Code><Message>m sig=very%2Bhush</Message>"
                                  "</Error>",
                                  code),
                      fmt::format("x-ms-error-code: {}\r\n", code));
}

TEST(AzureStore, ListsPageByPageAndLeavesOutWhatComesBeforeTheStart) {
  Script script({Answer::with(200, page({"p/a", "p/b"}, "2!m")), Answer::with(200, page({"p/c"}))});
  auto listed = script.store->list({.start_after = "a", .page_size = 2});
  ASSERT_TRUE(listed) << describe(listed.error());
  ASSERT_EQ(listed->objects.size(), 1U);
  EXPECT_EQ(listed->objects[0].key, "b");
  EXPECT_EQ(listed->objects[0].version, "0x1");
  listed =
      script.store->list({.start_after = "a", .page_token = *listed->next_token, .page_size = 2});
  EXPECT_EQ(listed->objects.at(0).key, "c");
  EXPECT_THAT(script.request(0),
              HasSubstr("GET /lake?restype=container&comp=list&maxresults=2&prefix=p%2F&sv="));
  EXPECT_THAT(script.request(1), HasSubstr("&marker=2%21m&"));
  EXPECT_FALSE(script.store->promises().honours_start_after);
  EXPECT_TRUE(script.store->promises().ordered);
}

TEST(AzureStore, PromisesNoOrderInAHierarchicalNamespace) {
  Script script({}, {{"AZURE_STORAGE_SAS_TOKEN", kSignature}},
                "abfss://lake@acme.dfs.core.windows.net/");
  EXPECT_FALSE(script.store->promises().ordered);
  EXPECT_EQ(script.store->display("k"), "abfss://lake@acme.dfs.core.windows.net/p/k");
}

TEST(AzureStore, ReadsOneVersionAndComparesItsMd5) {
  // The MD5 of "123456789" is 25f9e794323b453885f5181f1b624d0b.
  Script script({blob("123456789", "Content-MD5: JfnnlDI7RTiF9RgfG2JNCw==\r\n")});
  EXPECT_EQ(script.read({.key = "a/b c+%", .version = "0x1"}).value(), "123456789");
  EXPECT_THAT(script.request(0), HasSubstr("GET /lake/p/a/b%20c%2B%25?sv="));
  EXPECT_THAT(script.request(0), HasSubstr("if-match: \"0x1\""));
  Script bad({blob("123456789", "Content-MD5: JfnnlDI7RTiF9RgfG2JNCA==\r\n")});
  EXPECT_EQ(bad.read({.key = "k"}).error().code, ErrorCode::damaged);
}

TEST(AzureStore, ResumesPinnedToTheVersionOfTheFirstAnswer) {
  Script script({blob("123456789").cut_body(4).and_then(Answer::Then::reset),
                 Answer::with(206, "56789", "ETag: \"0x1\"\r\nContent-Range: bytes 4-8/9\r\n")});
  EXPECT_EQ(script.read({.key = "k"}).value(), "123456789");
  EXPECT_THAT(script.request(1), HasSubstr("if-match: \"0x1\""));
  EXPECT_THAT(script.request(1), HasSubstr("range: bytes=4-"));
}

TEST(AzureStore, TellsAReplacedBlobFromOneThatIsGone) {
  Script replaced({refusal(412, "ConditionNotMet"), blob("")});
  EXPECT_EQ(replaced.read({.key = "k", .version = "0x0"}).error().code, ErrorCode::changed);
  Script gone({refusal(412, "ConditionNotMet"), refusal(404, "BlobNotFound")});
  EXPECT_EQ(gone.read({.key = "k", .version = "0x0"}).error().code, ErrorCode::not_found);
  Script ignored({blob("other")});
  EXPECT_EQ(ignored.read({.key = "k", .version = "0x0"}).error().code, ErrorCode::changed);
}

TEST(AzureStore, SortsRefusalsByWhatToDoAndTellsNoSignature) {
  const auto error = [](int status, std::string_view code) {
    Script script({refusal(status, code)});
    const auto stat = script.store->stat("k");
    EXPECT_THAT(describe(stat.error()), Not(HasSubstr("hush"))) << code;
    return stat.error();
  };
  EXPECT_EQ(error(404, "BlobNotFound").object, "az://lake/p/k");
  EXPECT_EQ(error(404, "ContainerNotFound").object, "az://lake/");
  EXPECT_EQ(error(403, "AuthenticationFailed").code, ErrorCode::denied);
  EXPECT_EQ(error(403, "AuthorizationPermissionMismatch").code, ErrorCode::denied);
  EXPECT_EQ(error(409, "PublicAccessNotPermitted").code, ErrorCode::denied);
  EXPECT_EQ(error(409, "BlobArchived").code, ErrorCode::denied);
  EXPECT_EQ(error(400, "InvalidUri").code, ErrorCode::invalid_config);
  EXPECT_EQ(error(302, "").code, ErrorCode::invalid_config);
}

TEST(AzureStore, WaitsWhileTheServerIsBusy) {
  Script script({refusal(503, "ServerBusy"), refusal(500, "InternalError"),
                 Answer::with(200, page({"p/a"}))});
  EXPECT_EQ(script.store->list({}).value().objects.size(), 1U);
}

TEST(AzureStore, SignsByTheKeyAndSendsItNowhere) {
  Script script({Answer::with(200, page({}))},
                {{"AZURE_STORAGE_KEY", base64_encode("a secret key")}});
  EXPECT_TRUE(script.store->list({}));
  EXPECT_THAT(script.request(0), HasSubstr("uthorization: SharedKey acme:"));
  EXPECT_THAT(script.request(0), Not(HasSubstr(base64_encode("a secret key"))));
}

TEST(AzureStore, ReadsRangesOfABlobOfFiveGigabytes) {
  constexpr std::uint64_t kSize = std::uint64_t{5} << 30;
  Script script({Answer::with(206, "tail",
                              fmt::format("ETag: \"0x1\"\r\nContent-Range: bytes {}-{}/{}\r\n",
                                          kSize - 4, kSize - 1, kSize))});
  EXPECT_EQ(script.read({.key = "k", .version = "0x1", .offset = kSize - 4, .length = 4}).value(),
            "tail");
}

TEST(AzureStore, SendsNoSignatureInTheClear) {
  test::FakeClock clock;
  const auto store = open_azure_store({.container = "lake",
                                       .shown = "az://lake/",
                                       .account = "acme",
                                       .endpoint = "http://example.com",
                                       .environment = {{"AZURE_STORAGE_SAS_TOKEN", kSignature}}},
                                      clock);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::invalid_config);
  EXPECT_THAT(describe(store.error()), Not(HasSubstr("hush")));
}

}  // namespace
}  // namespace forebay
