#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/stores.h"
#include "support/s3_script.h"

// Aim: a listing is whole or an error, whatever the server does. Method: a scripted server; retries
// take no time, since the clock only moves in naps.
namespace forebay {
namespace {

using test::Answer;
using test::error_xml;
using test::list_all;
using test::list_xml;
using test::ScriptedS3;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> keys(const Result<std::vector<ObjectInfo>>& objects) {
  if (!objects) return {"error: " + describe(objects.error())};
  std::vector<std::string> found;
  for (const auto& object : *objects) found.push_back(object.key);
  return found;
}

TEST(S3Store, SendsPrefixStartAndPageSizeAsTheyAre) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p%2Fdt=1/b%2Bc"}))});
  EXPECT_THAT(
      keys(list_all(*s3.store, {.prefix = "dt=1/", .start_after = "dt=1/a +", .page_size = 7})),
      ElementsAre("dt=1/b+c"));
  EXPECT_THAT(s3.server.requests().at(0),
              HasSubstr("GET /bucket?encoding-type=url&list-type=2&max-keys=7&prefix=p%2Fdt%3D1%2F&"
                        "start-after=p%2Fdt%3D1%2Fa%20%2B HTTP"));
  EXPECT_EQ(s3.store->requests().list, 1U);
}

TEST(S3Store, DoesNotSendAStartThatThePrefixMakesNeedless) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p/b/x"}))});
  EXPECT_THAT(keys(list_all(*s3.store, {.prefix = "b/", .start_after = "a"})), ElementsAre("b/x"));
  EXPECT_THAT(s3.server.requests().at(0), Not(HasSubstr("start-after")));
}

TEST(S3Store, FollowsTokensWithPlusSignsMISS12) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p/a"}, "1+/=&amp;x")),
                 Answer::with(200, list_xml({"p/b"}, "2")), Answer::with(200, list_xml({"p/c"}))});
  EXPECT_THAT(keys(list_all(*s3.store)), ElementsAre("a", "b", "c"));
  EXPECT_THAT(s3.server.requests().at(1), HasSubstr("continuation-token=1%2B%2F%3D%26x&"));
}

TEST(S3Store, RepeatsAFailedPageAndLosesNothing) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p/a"}, "1")), Answer::with(500, ""),
                 Answer{.bytes = "", .then = Answer::Then::reset},
                 Answer::with(503, error_xml("SlowDown")),
                 Answer::with(200, list_xml({"p/b"}, "2")), Answer::with(200, list_xml({"p/c"}))});
  EXPECT_THAT(keys(list_all(*s3.store)), ElementsAre("a", "b", "c"));
}

TEST(S3Store, FailsAsAWholeWhenPageTwoOfThreeFails) {
  ScriptedS3 s3(
      {Answer::with(200, list_xml({"p/a"}, "1")), Answer::with(403, error_xml("AccessDenied"))});
  const auto objects = list_all(*s3.store);
  ASSERT_FALSE(objects);
  EXPECT_EQ(objects.error().code, ErrorCode::denied);
  EXPECT_EQ(objects.error().operation, "list");
}

TEST(S3Store, WaitsAsLongAsTheServerWishesRETRY1) {
  ScriptedS3 s3({Answer::with(503, error_xml("SlowDown"), "Retry-After: 40\r\n"),
                 Answer::with(200, list_xml({}))});
  EXPECT_TRUE(list_all(*s3.store));
  ASSERT_EQ(s3.clock.naps().size(), 1U);
  EXPECT_GE(s3.clock.naps()[0], std::chrono::seconds(40));
}

TEST(S3Store, TakesAnErrorDocumentWithStatus200ForAnErrorRETRY6) {
  ScriptedS3 s3(
      {Answer::with(200, error_xml("InternalError")), Answer::with(200, list_xml({"p/a"}))});
  EXPECT_THAT(keys(list_all(*s3.store)), ElementsAre("a"));
}

TEST(S3Store, RefusesATruncatedListing) {
  const std::string xml = list_xml({"p/a", "p/b"});
  ScriptedS3 s3({Answer::with(200, xml.substr(0, xml.size() - 60))});
  EXPECT_EQ(list_all(*s3.store).error().code, ErrorCode::damaged);
}

TEST(S3Store, RefusesARepeatedToken) {
  ScriptedS3 s3(
      {Answer::with(200, list_xml({"p/a"}, "same")), Answer::with(200, list_xml({"p/b"}, "same"))});
  const auto objects = list_all(*s3.store);
  ASSERT_FALSE(objects);
  EXPECT_EQ(objects.error().code, ErrorCode::damaged);
  EXPECT_THAT(objects.error().cause, HasSubstr("circle"));
}

TEST(S3Store, RefusesTokensThatLeadBack) {
  std::vector<Answer> script;
  for (int i = 0; i < 20; ++i) {
    script.push_back(Answer::with(200, list_xml({"p/a"}, i % 3 == 0   ? "x"
                                                         : i % 3 == 1 ? "y"
                                                                      : "z")));
  }
  ScriptedS3 s3(std::move(script));
  EXPECT_EQ(list_all(*s3.store).error().code, ErrorCode::damaged);
  EXPECT_LT(s3.server.requests().size(), 12U);
}

TEST(S3Store, RefusesAKeyOutsideOfThePrefix) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p/a", "q/b"}))});
  const auto objects = list_all(*s3.store);
  ASSERT_FALSE(objects);
  EXPECT_EQ(objects.error().code, ErrorCode::damaged);
  EXPECT_THAT(objects.error().cause, HasSubstr("s3://bucket/q/b"));
}

TEST(S3Store, DropsKeysThatAServerListsBeforeTheStart) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p/a", "p/b", "p/c"}))});
  EXPECT_TRUE(s3.store->promises().honours_start_after);
  EXPECT_THAT(keys(list_all(*s3.store, {.start_after = "b"})), ElementsAre("c"));
  EXPECT_FALSE(s3.store->promises().honours_start_after);
  EXPECT_TRUE(s3.store->promises().ordered);
}

TEST(S3Store, NoticesListingsWithoutOrder) {
  ScriptedS3 in_page({Answer::with(200, list_xml({"p/b", "p/a"}))});
  EXPECT_THAT(keys(list_all(*in_page.store)), ElementsAre("b", "a"));
  EXPECT_FALSE(in_page.store->promises().ordered);
  ScriptedS3 over_pages(
      {Answer::with(200, list_xml({"p/b"}, "1")), Answer::with(200, list_xml({"p/a"}))});
  EXPECT_THAT(keys(list_all(*over_pages.store)), ElementsAre("b", "a"));
  EXPECT_FALSE(over_pages.store->promises().ordered);
}

TEST(S3Store, LeavesTheSourcesOwnFolderMarkerOut) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p/", "p/a"}))});
  EXPECT_THAT(keys(list_all(*s3.store)), ElementsAre("a"));
}

std::string unencoded(std::string xml) {
  const std::string element = "<EncodingType>url</EncodingType>";
  return xml.erase(xml.find(element), element.size());
}

TEST(S3Store, ReadsAPlusAsASpaceWhereAPlusIsEncodedCHAR1) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p/a+b%2Bc", "p/d%20e/f+g"}))});
  EXPECT_THAT(keys(list_all(*s3.store)), ElementsAre("a b+c", "d e/f g"));
}

TEST(S3Store, AsksOnceMoreUnencodedWhenNothingTellsWhatAPlusMeansCHAR1) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p/a+b"})),
                 Answer::with(200, unencoded(list_xml({"p/a b"}))),
                 Answer::with(200, list_xml({"p/c+d"}))});
  EXPECT_THAT(keys(list_all(*s3.store)), ElementsAre("a b"));
  EXPECT_THAT(s3.server.requests().at(1), Not(HasSubstr("encoding-type")));
  EXPECT_THAT(keys(list_all(*s3.store)), ElementsAre("c d"));
  EXPECT_EQ(s3.server.requests().size(), 3U);
}

TEST(S3Store, LeavesAPlusAloneWhereTheServerDoesCHAR1) {
  ScriptedS3 s3({Answer::with(200, list_xml({"p/a%20b+c"})),
                 Answer::with(200, unencoded(list_xml({"p/a b+c"})))});
  EXPECT_THAT(keys(list_all(*s3.store)), ElementsAre("a b+c"));
}

TEST(S3Store, TellsAMissingBucketFromAnEmptyPrefixEMPTY4CRED5) {
  ScriptedS3 missing({Answer::with(404, error_xml("NoSuchBucket"))});
  const auto objects = list_all(*missing.store);
  ASSERT_FALSE(objects);
  EXPECT_EQ(objects.error().code, ErrorCode::not_found);
  EXPECT_EQ(objects.error().object, "s3://bucket");
  ScriptedS3 empty({Answer::with(200, list_xml({}))});
  EXPECT_THAT(keys(list_all(*empty.store)), ElementsAre());
  ScriptedS3 denied({Answer::with(403, error_xml("AccessDenied"))});
  EXPECT_EQ(list_all(*denied.store).error().code, ErrorCode::denied);
}

TEST(S3Store, GoesToTheRegionThatTheAnswerTellsAndStaysThere) {
  const std::string wrong = error_xml("AuthorizationHeaderMalformed", "<Region>eu-west-1</Region>");
  ScriptedS3 s3(
      {Answer::with(400, wrong), Answer::with(200, list_xml({})), Answer::with(200, list_xml({}))});
  EXPECT_TRUE(list_all(*s3.store));
  EXPECT_TRUE(list_all(*s3.store));
  EXPECT_THAT(s3.server.requests().at(0), HasSubstr("/us-east-1/s3/"));
  EXPECT_THAT(s3.server.requests().at(1), HasSubstr("/eu-west-1/s3/"));
  EXPECT_THAT(s3.server.requests().at(2), HasSubstr("/eu-west-1/s3/"));
}

TEST(S3Store, FollowsTheRegionOnlyOnce) {
  ScriptedS3 s3({Answer::with(301, "", "x-amz-bucket-region: a\r\n"),
                 Answer::with(301, "", "x-amz-bucket-region: b\r\n")});
  EXPECT_EQ(list_all(*s3.store).error().code, ErrorCode::invalid_config);
  EXPECT_EQ(s3.server.requests().size(), 2U);
}

TEST(S3Store, SaysThatATokenHasRunOutWhenThereIsNoNewerOneCRED1) {
  ScriptedS3 s3({Answer::with(400, error_xml("ExpiredToken"))});
  const auto objects = list_all(*s3.store);
  ASSERT_FALSE(objects);
  EXPECT_EQ(objects.error().code, ErrorCode::denied);
  EXPECT_THAT(objects.error().hint, HasSubstr("renew"));
  EXPECT_EQ(s3.server.requests().size(), 1U);
}

TEST(S3Store, NeverShowsASecretOrASignature) {
  ScriptedS3 s3({Answer::with(
      403, error_xml("SignatureDoesNotMatch", "<StringToSign>secret</StringToSign>"))});
  const auto objects = list_all(*s3.store);
  ASSERT_FALSE(objects);
  EXPECT_THAT(describe(objects.error()), Not(HasSubstr("secret")));
  EXPECT_THAT(describe(objects.error()), Not(HasSubstr("ignature=")));
  EXPECT_THAT(s3.server.requests().at(0), Not(HasSubstr("verysecret")));
}

TEST(S3Store, TellsOneObject) {
  ScriptedS3 s3({test::object_answer("12345", "abc").cut_body(0)});
  const auto info = s3.store->stat("a b");
  ASSERT_TRUE(info) << describe(info.error());
  EXPECT_EQ(info->key, "a b");
  EXPECT_EQ(info->size, 5U);
  EXPECT_EQ(info->version, "abc");
  EXPECT_THAT(s3.server.requests().at(0), HasSubstr("HEAD /bucket/p/a%20b HTTP"));
}

TEST(S3Store, TellsAMissingObjectFromAMissingBucketCRED5) {
  ScriptedS3 object({Answer::with(404, ""), Answer::with(200, list_xml({}))});
  EXPECT_EQ(object.store->stat("a").error().object, "s3://bucket/p/a");
  ScriptedS3 bucket({Answer::with(404, ""), Answer::with(404, error_xml("NoSuchBucket"))});
  EXPECT_EQ(bucket.store->stat("a").error().object, "s3://bucket");
}

TEST(S3Store, NamesKeysForPeopleAndForTheLedger) {
  ScriptedS3 s3({});
  EXPECT_EQ(s3.store->display("a"), "s3://bucket/p/a");
  EXPECT_EQ(s3.store->ledger_key("a"), "p/a");
  EXPECT_EQ(s3.store->source_key("p/a"), "a");
  EXPECT_EQ(s3.store->open_in_place("a").error().code, ErrorCode::refused);
  EXPECT_EQ(s3.store->stat("").error().code, ErrorCode::refused);
  EXPECT_FALSE(s3.store->promises().in_place);
}

TEST(S3Store, IsRefusedWithoutABucket) {
  test::FakeClock clock;
  EXPECT_EQ(open_s3_store({}, clock).error().code, ErrorCode::invalid_config);
}

}  // namespace
}  // namespace forebay
