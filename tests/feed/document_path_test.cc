// Aim: a document's path means one key below the source, or is refused; nothing leaves the source.

#include "feed/document_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace forebay {
namespace {

using testing::HasSubstr;

std::string bucket(const std::string& prefix, std::string_view path) {
  auto key = resolve_path(PathBase::bucket, {.folder = false, .root = prefix}, "d/m.json", path);
  if (key) return *key;
  EXPECT_EQ(key.error().code, ErrorCode::refused);
  return "refused: " + key.error().cause;
}

std::string folder(const std::string& root, std::string_view path) {
  auto key = resolve_path(PathBase::bucket, {.folder = true, .root = root}, "d/m.json", path);
  if (key) return *key;
  EXPECT_EQ(key.error().code, ErrorCode::refused);
  return "refused: " + key.error().cause;
}

std::string beside(bool in_folder, std::string_view document, std::string_view path) {
  auto key = resolve_path(PathBase::document, {.folder = in_folder, .root = "r/"}, document, path);
  return key ? *key : "refused: " + key.error().cause;
}

TEST(DocumentPath, RollerupRule2_InABucketThePrefixIsCutOff) {
  EXPECT_EQ(bucket("rollerup/", "rollerup/prices/x.parquet"), "prices/x.parquet");
  EXPECT_EQ(bucket("a/b/", "a/b/c"), "c");
  EXPECT_EQ(bucket("", "prices/x.parquet"), "prices/x.parquet");
}

TEST(DocumentPath, RollerupRule2_InABucketThePrefixIsLiteralWhateverItsLastByte) {
  EXPECT_EQ(bucket("rollerup", "rollerup/prices/x"), "/prices/x");
  EXPECT_EQ(bucket("rollerup", "rollerup_prices/x"), "_prices/x");
}

TEST(DocumentPath, RollerupRule2_InABucketAPathOutsideTheSourceIsRefused) {
  EXPECT_EQ(bucket("rollerup/", "other/x"),
            "refused: the path \"other/x\" is outside the source, whose prefix is \"rollerup/\"");
  EXPECT_THAT(bucket("rollerup/", "/rollerup/x"), HasSubstr("refused"));
  EXPECT_THAT(bucket("rollerup/", "rollerup"), HasSubstr("refused"));
  EXPECT_THAT(bucket("rollerup/", "rollerup/"), HasSubstr("names the source itself"));
  EXPECT_THAT(bucket("", ""), HasSubstr("names the source itself"));
}

TEST(DocumentPath, InABucketDotsAndSlashesAreBytesLikeOthers) {
  EXPECT_EQ(bucket("r/", "r/a/../b"), "a/../b");
  EXPECT_EQ(bucket("r/", "r//a/./b//"), "/a/./b//");
  EXPECT_EQ(bucket("", "/a"), "/a");
}

TEST(DocumentPath, RollerupRule2_InAFolderTheLongestSharedEndingIsCutOff) {
  EXPECT_EQ(folder("/data/rollerup", "rollerup/prices/x"), "prices/x");
  EXPECT_EQ(folder("/data/rollerup/", "rollerup/prices/x"), "prices/x");
  EXPECT_EQ(folder("/data/a/b", "a/b/c"), "c");
  EXPECT_EQ(folder("/data/a/b", "b/c"), "c");
  EXPECT_EQ(folder("/data/a/b", "data/a/b/c"), "c");
  EXPECT_EQ(folder("/x/a/a", "a/a/f"), "f");
}

TEST(DocumentPath, RollerupRule2_InAFolderOtherPathsAreBelowIt) {
  EXPECT_EQ(folder("/data/copy", "rollerup/prices/x"), "rollerup/prices/x");
  EXPECT_EQ(folder("/data/a/b", "a/c"), "a/c");
  EXPECT_EQ(folder("/data/rollerup", "roller/x"), "roller/x");
  EXPECT_EQ(folder("/", "prices/x"), "prices/x");
  EXPECT_EQ(folder("data/../up", "data/x"), "data/x");
  EXPECT_EQ(folder("data/../up", "up/x"), "x");
}

TEST(DocumentPath, RollerupRule2_InAFolderWhatCouldLeaveItIsRefused) {
  EXPECT_THAT(folder("/data/r", "/r/x"), HasSubstr("begins with a slash"));
  for (const char* path : {"../x", "r/../../x", "r/../r/x", "a/../../b", "a/b/../../../r/x"})
    EXPECT_THAT(folder("/data/r", path), HasSubstr("leaves the source by a .. segment")) << path;
  EXPECT_THAT(folder("/data/r", "a/.."), HasSubstr("names the source itself"));
  EXPECT_THAT(folder("/data/r", "r"), HasSubstr("names the source itself"));
  EXPECT_THAT(folder("/data/r", "./"), HasSubstr("names the source itself"));
  EXPECT_THAT(folder("/data/r", "a/"), HasSubstr("names a folder"));
}

TEST(DocumentPath, RollerupRule2_InAFolderADotDotThatStaysInsideIsResolved) {
  EXPECT_EQ(folder("/data/r", "a/../b"), "b");
  EXPECT_EQ(folder("/data/r", "r/a/../b/x"), "b/x");
  EXPECT_EQ(folder("/data/r", "r/a/b/../../x"), "x");
}

TEST(DocumentPath, InAFolderEmptySegmentsAndDotsAreLeftOut) {
  EXPECT_EQ(folder("/data/r", "r//a/./b"), "a/b");
  EXPECT_EQ(folder("/data/r", "./r/a"), "a");
  EXPECT_EQ(folder("/data/r", "..a/b..c/..."), "..a/b..c/...");
}

TEST(DocumentPath, BesideTheDocumentStaysInItsFolder) {
  EXPECT_EQ(beside(false, "a/m.json", "part-1"), "a/part-1");
  EXPECT_EQ(beside(false, "m.json", "b/part-1"), "b/part-1");
  EXPECT_EQ(beside(false, "a/m.json", "b//c"), "a/b//c");
  EXPECT_EQ(beside(true, "a/m.json", "b//./c"), "a/b/c");
  EXPECT_THAT(beside(false, "a/m.json", "../x"), HasSubstr("refused"));
  EXPECT_THAT(beside(false, "a/m.json", "/x"), HasSubstr("refused"));
  EXPECT_THAT(beside(true, "a/m.json", "x/"), HasSubstr("refused"));
}

std::string uri(const SourceRoot& root, std::string_view path) {
  auto key = resolve_path(PathBase::uri, root, "m.json", path);
  return key ? *key : "refused: " + key.error().cause;
}

TEST(DocumentPath, AUriLosesSchemeAndBucket) {
  const SourceRoot bucket{.root = "lake/", .bucket = "acme"};
  EXPECT_EQ(uri(bucket, "s3://acme/lake/a/x.csv"), "a/x.csv");
  EXPECT_EQ(uri(bucket, "s3a://acme/lake//x"), "/x");
  EXPECT_THAT(uri(bucket, "s3://acme/other/x.csv"), HasSubstr("is outside the source"));
  EXPECT_EQ(uri({.folder = true, .root = "/data/lake"}, "s3://any/lake/a/x.csv"), "a/x.csv");
  EXPECT_THAT(uri({.folder = true, .root = "/data/lake"}, "s3://any/lake/../../x"),
              HasSubstr("leaves the source"));
}

TEST(DocumentPath, AUriOfAnotherBucketOrNoneIsRefused) {
  const SourceRoot bucket{.root = "", .bucket = "acme"};
  EXPECT_EQ(
      uri(bucket, "s3://other/a.csv"),
      "refused: the path \"s3://other/a.csv\" is in another bucket than the source, \"acme\"");
  EXPECT_THAT(uri(bucket, "s3://acme2/a.csv"), HasSubstr("another bucket"));
  EXPECT_THAT(uri(bucket, "a.csv"), HasSubstr("is no URI"));
  EXPECT_THAT(uri(bucket, "://acme/a.csv"), HasSubstr("is no URI"));
  EXPECT_THAT(uri(bucket, "s3://acme"), HasSubstr("names no file"));
  EXPECT_THAT(uri(bucket, "s3://acme/"), HasSubstr("names no file"));
}

TEST(DocumentPath, NoRandomPathLeavesAFolder) {
  std::mt19937 random(3);
  const std::vector<std::string> pieces = {"/", "..", ".", "a", "r", "//", "../", "\\", "data"};
  for (int i = 0; i < 50000; ++i) {
    std::string path;
    for (std::size_t n = random() % 7; n > 0; --n) path += pieces[random() % pieces.size()];
    for (PathBase base : {PathBase::bucket, PathBase::document, PathBase::source}) {
      auto key = resolve_path(base, {.folder = true, .root = "/data/r"}, "d/m.json", path);
      if (!key) continue;
      EXPECT_FALSE(key->empty() || key->starts_with('/') || key->ends_with('/')) << path;
      std::string framed = "/" + *key + "/";
      for (const char* bad : {"/../", "/./", "//"}) EXPECT_FALSE(framed.contains(bad)) << path;
    }
  }
}

}  // namespace
}  // namespace forebay
