#include "store/s3_read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/encode.h"
#include "support/s3_script.h"
#include "support/temp_folder.h"

// Aim: all bytes of a read come from one version, exactly those that were asked for, or the read is
// an error. Method: a scripted server for the faults, vectors for the pure parts.
namespace forebay::s3 {
namespace {

using test::Answer;
using test::error_xml;
using test::object_answer;
using test::part_answer;
using test::ScriptedS3;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kContent = "0123456789";
const std::string kMd5 = digest_hex(DigestKind::md5, kContent);

TEST(S3Read, GivesAWholeObjectAndItsFacts) {
  ScriptedS3 s3({object_answer(kContent, kMd5)});
  std::string content;
  const auto info = s3.store->read({.key = "a+b"}, [&](std::span<const std::byte> bytes) -> Status {
    content += as_text(bytes);
    return {};
  });
  ASSERT_TRUE(info) << describe(info.error());
  EXPECT_EQ(content, kContent);
  EXPECT_EQ(info->key, "a+b");
  EXPECT_EQ(info->size, 10U);
  EXPECT_EQ(info->version, kMd5);
  EXPECT_THAT(s3.server.requests().at(0), HasSubstr("GET /bucket/p/a%2Bb HTTP"));
  EXPECT_THAT(s3.server.requests().at(0), Not(HasSubstr("range:")));
}

TEST(S3Read, PinsTheVersionThatWasListed) {
  ScriptedS3 s3({object_answer(kContent, kMd5)});
  EXPECT_EQ(*s3.read({.key = "k", .version = kMd5}), kContent);
  EXPECT_THAT(s3.server.requests().at(0), HasSubstr("if-match: \"" + kMd5 + "\"\r\n"));
}

// OVER-7
TEST(S3Read, SaysThatAnObjectWasReplacedSinceItWasListed) {
  ScriptedS3 s3({Answer::with(412, error_xml("PreconditionFailed"))});
  EXPECT_EQ(s3.read({.key = "k", .version = "old"}).error().code, ErrorCode::changed);
}

TEST(S3Read, TrustsNoServerThatIgnoresIfMatch) {
  ScriptedS3 s3({object_answer(kContent, kMd5)});
  EXPECT_EQ(s3.read({.key = "k", .version = "old"}).error().code, ErrorCode::changed);
}

TEST(S3Read, GoesOnWhereTheConnectionBrokeRETRY6) {
  ScriptedS3 s3({object_answer(kContent, kMd5).cut_body(4).and_then(Answer::Then::close),
                 part_answer(kContent, kMd5, 4, 9).cut_body(3).and_then(Answer::Then::close),
                 part_answer(kContent, kMd5, 7, 9)});
  EXPECT_EQ(*s3.read({.key = "k"}), kContent);
  EXPECT_THAT(s3.server.requests().at(1), HasSubstr("range: bytes=4-9\r\n"));
  EXPECT_THAT(s3.server.requests().at(1), HasSubstr("if-match: \"" + kMd5 + "\"\r\n"));
  EXPECT_THAT(s3.server.requests().at(2), HasSubstr("range: bytes=7-9\r\n"));
}

// OVER-7
TEST(S3Read, DoesNotMixVersionsWhenAnObjectIsReplacedInMidFile) {
  ScriptedS3 s3({object_answer(kContent, kMd5).cut_body(4).and_then(Answer::Then::close),
                 Answer::with(412, error_xml("PreconditionFailed"))});
  EXPECT_EQ(s3.read({.key = "k"}).error().code, ErrorCode::changed);
  ScriptedS3 careless({object_answer(kContent, kMd5).cut_body(4).and_then(Answer::Then::close),
                       part_answer("abcdefghij", "other", 4, 9)});
  EXPECT_EQ(careless.read({.key = "k"}).error().code, ErrorCode::changed);
}

TEST(S3Read, ReadsExactlyTheRangeThatWasAskedFor) {
  ScriptedS3 s3({part_answer(kContent, kMd5, 2, 4), part_answer(kContent, kMd5, 7, 9)});
  EXPECT_EQ(*s3.read({.key = "k", .offset = 2, .length = 3}), "234");
  EXPECT_THAT(s3.server.requests().at(0), HasSubstr("range: bytes=2-4\r\n"));
  EXPECT_EQ(*s3.read({.key = "k", .offset = 7}), "789");
  EXPECT_THAT(s3.server.requests().at(1), HasSubstr("range: bytes=7-\r\n"));
}

TEST(S3Read, CutsAWholeObjectToTheRangeThatWasAskedFor) {
  ScriptedS3 s3({object_answer(kContent, kMd5), object_answer(kContent, kMd5)});
  EXPECT_EQ(*s3.read({.key = "k", .offset = 2, .length = 3}), "234");
  EXPECT_EQ(*s3.read({.key = "k", .offset = 7}), "789");
}

TEST(S3Read, RefusesAnotherRangeThanWasAskedFor) {
  ScriptedS3 s3({part_answer(kContent, kMd5, 3, 5)});
  const auto wrong = s3.read({.key = "k", .offset = 2, .length = 3});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::damaged);
  EXPECT_THAT(wrong.error().cause, HasSubstr("3 to 5 instead of 2 to 4"));
}

TEST(S3Read, RefusesARangeBeyondTheEnd) {
  ScriptedS3 s3({part_answer(kContent, kMd5, 8, 9), Answer::with(416, error_xml("InvalidRange")),
                 object_answer(kContent, kMd5)});
  EXPECT_EQ(s3.read({.key = "k", .offset = 8, .length = 5}).error().code, ErrorCode::damaged);
  EXPECT_EQ(s3.read({.key = "k", .offset = 80, .length = 5}).error().code, ErrorCode::damaged);
  EXPECT_EQ(s3.read({.key = "k", .offset = 8, .length = 5}).error().code, ErrorCode::damaged);
}

TEST(S3Read, ReadsNothingAtTheVeryEnd) {
  ScriptedS3 s3({Answer::with(416, error_xml("InvalidRange")),
                 object_answer(kContent, kMd5).cut_body(0),
                 object_answer(kContent, kMd5).cut_body(0),
                 object_answer("", digest_hex(DigestKind::md5, ""))});
  EXPECT_EQ(*s3.read({.key = "k", .offset = 10}), "");
  EXPECT_EQ(*s3.read({.key = "k", .offset = 10, .length = 0}), "");
  EXPECT_EQ(*s3.read({.key = "k"}), "");
}

TEST(S3Read, FindsAFlippedByteByTheMd5) {
  ScriptedS3 s3({object_answer("0123456780", kMd5)});
  const auto flipped = s3.read({.key = "k"});
  ASSERT_FALSE(flipped);
  EXPECT_EQ(flipped.error().code, ErrorCode::damaged);
  EXPECT_THAT(flipped.error().cause, HasSubstr(kMd5));
}

TEST(S3Read, ReadsDamagedBytesOnceMoreWhereTheCallerCanStartOver) {
  ScriptedS3 s3({object_answer("0123456780", kMd5), object_answer(kContent, kMd5)});
  std::string content;
  const auto info = s3.store->read({.key = "k",
                                    .start_over = [&]() -> Status {
                                      content.clear();
                                      return {};
                                    }},
                                   [&](std::span<const std::byte> bytes) -> Status {
                                     content += as_text(bytes);
                                     return {};
                                   });
  EXPECT_TRUE(info);
  EXPECT_EQ(content, kContent);
  ScriptedS3 twice({object_answer("0123456780", kMd5), object_answer("0123456780", kMd5)});
  EXPECT_EQ(twice.read({.key = "k", .start_over = [] { return Status{}; }}).error().code,
            ErrorCode::damaged);
  EXPECT_EQ(twice.server.requests().size(), 2U);
}

TEST(S3Read, TakesOtherEtagsForWhatTheyAre) {
  const std::string kms = "x-amz-server-side-encryption: aws:kms\r\n";
  ScriptedS3 s3({object_answer(kContent, std::string(32, 'a') + "-2"),
                 object_answer(kContent, std::string(32, 'a'), kms)});
  EXPECT_EQ(*s3.read({.key = "k"}), kContent);
  EXPECT_EQ(*s3.read({.key = "k"}), kContent);
}

TEST(S3Read, TakesAnAnswerWithoutEtagForNoObjectRETRY6) {
  ScriptedS3 s3({Answer::with(200, error_xml("InternalError")), object_answer(kContent, kMd5)});
  EXPECT_EQ(*s3.read({.key = "k"}), kContent);
}

TEST(S3Read, TriesAgainWhenThrottledOrBrokenRETRY1) {
  ScriptedS3 s3({Answer::with(503, error_xml("SlowDown"), "Retry-After: 2\r\n"),
                 Answer{.bytes = "", .then = Answer::Then::reset},
                 Answer{.bytes = "HTTP/1.1 200", .then = Answer::Then::reset},
                 Answer::with(500, ""), object_answer(kContent, kMd5)});
  EXPECT_EQ(*s3.read({.key = "k"}), kContent);
  EXPECT_EQ(s3.server.requests().size(), 5U);
}

TEST(S3Read, DoesNotTryAgainWhatStaysWrong) {
  ScriptedS3 s3(
      {Answer::with(404, error_xml("NoSuchKey")), Answer::with(403, error_xml("AccessDenied"))});
  EXPECT_EQ(s3.read({.key = "k"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(s3.read({.key = "k"}).error().code, ErrorCode::denied);
  EXPECT_EQ(s3.server.requests().size(), 2U);
  EXPECT_TRUE(s3.clock.naps().empty());
}

TEST(S3Read, ReadsABodyWithoutAnnouncedLength) {
  Answer chunked{
      .bytes = "HTTP/1.1 200 OK\r\nETag: \"" + kMd5 +
               "\"\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n"};
  ScriptedS3 s3({chunked});
  EXPECT_EQ(*s3.read({.key = "k"}), kContent);
}

// The token ends while a file is being read: the connection breaks, and the server no longer takes
// what signed its first half.
TEST(S3Read, GoesOnInMidFileWithNewCredentialsCRED1) {
  const test::TempFolder folder;
  const auto write = [&](const std::string& token) {
    folder.write("keys",
                 "[default]\naws_access_key_id=k\naws_secret_access_key=s\n"
                 "aws_session_token=" +
                     token + "\n");
  };
  write("old");
  std::size_t count = 0;
  const test::ScriptedServer server([&](const std::string& request) {
    ++count;
    if (count == 1) return object_answer(kContent, kMd5).cut_body(4).and_then(Answer::Then::close);
    if (!request.contains("x-amz-security-token: new\r\n")) {
      write("new");
      return Answer::with(400, error_xml("ExpiredToken"));
    }
    return part_answer(kContent, kMd5, 4, 9);
  });
  test::FakeClock clock;
  const auto store =
      *open_s3_store({.bucket = "bucket",
                      .endpoint = server.endpoint(),
                      .environment = {{"AWS_SHARED_CREDENTIALS_FILE", folder / "keys"}}},
                     clock);
  std::string content;
  const auto info = store->read({.key = "k"}, [&](std::span<const std::byte> bytes) -> Status {
    content += as_text(bytes);
    return {};
  });
  ASSERT_TRUE(info) << describe(info.error());
  EXPECT_EQ(content, kContent);
  EXPECT_EQ(server.requests().size(), 3U);
  for (std::size_t i : {1U, 2U}) {
    EXPECT_THAT(server.requests().at(i), HasSubstr("range: bytes=4-9\r\n"));
    EXPECT_THAT(server.requests().at(i), HasSubstr("if-match: \"" + kMd5 + "\"\r\n"));
  }
}

TEST(S3Read, GivesUpOnAServerThatBringsAFewBytesEachTime) {
  const std::string content(10'000, 'x');
  const std::string md5 = digest_hex(DigestKind::md5, content);
  std::size_t count = 0;
  const test::ScriptedServer server([&](const std::string&) {
    const std::size_t first = count++;
    auto answer = first == 0 ? object_answer(content, md5)
                             : part_answer(content, md5, first, content.size() - 1);
    return answer.cut_body(1).and_then(Answer::Then::close);
  });
  test::FakeClock clock;
  const Time begun = clock.now();
  const auto store =
      *open_s3_store({.bucket = "bucket",
                      .endpoint = server.endpoint(),
                      .environment = {{"AWS_ACCESS_KEY_ID", "k"}, {"AWS_SECRET_ACCESS_KEY", "s"}}},
                     clock);
  const auto info = store->read({.key = "k"}, [](std::span<const std::byte>) { return Status(); });
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, ErrorCode::unavailable);
  EXPECT_LE(clock.now() - begun, std::chrono::minutes(5));
}

TEST(S3Read, EndsWithTheSinksError) {
  ScriptedS3 s3({object_answer(kContent, kMd5)});
  const auto result = s3.store->read({.key = "k"}, [](std::span<const std::byte>) -> Status {
    return fail({.code = ErrorCode::internal, .cause = "disk full"});
  });
  EXPECT_EQ(result.error().cause, "disk full");
  EXPECT_EQ(s3.server.requests().size(), 1U);
}

TEST(EtagIsMd5, OnlyWithoutPartsAndForeignKeys) {
  HttpHead head{.status = 200, .headers = {}};
  EXPECT_TRUE(etag_is_md5(head, kMd5));
  EXPECT_FALSE(etag_is_md5(head, kMd5 + "-1"));
  EXPECT_FALSE(etag_is_md5(head, std::string(32, 'A')));
  head.headers = {{"x-amz-server-side-encryption", "AES256"}};
  EXPECT_TRUE(etag_is_md5(head, kMd5));
  head.headers = {{"x-amz-server-side-encryption", "aws:kms:dsse"}};
  EXPECT_FALSE(etag_is_md5(head, kMd5));
  head.headers = {{"x-amz-server-side-encryption-customer-algorithm", "AES256"}};
  EXPECT_FALSE(etag_is_md5(head, kMd5));
}

}  // namespace
}  // namespace forebay::s3
