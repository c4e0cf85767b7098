#include "net/credentials/jwt.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/test_key.h"

// Aim: tokens that every library of others accepts. Method: openssl, which shares nothing with our
// way of writing a token but the arithmetic, verifies what was signed; the thumbprint is compared
// with the one openssl prints.
namespace forebay {
namespace {

TEST(Jwt, IsSignedSoThatOthersAcceptIt) {
  const test::TestKey key;
  const auto token = sign_jwt({{"kid", "k1"}}, {{"iss", "a@b"}, {"exp", 42}}, key.private_pem());
  ASSERT_TRUE(token) << describe(token.error());
  const auto parts = test::jwt_parts(*token);
  EXPECT_EQ(nlohmann::json::parse(parts.header),
            (nlohmann::json{{"alg", "RS256"}, {"typ", "JWT"}, {"kid", "k1"}}));
  EXPECT_EQ(nlohmann::json::parse(parts.claims), (nlohmann::json{{"iss", "a@b"}, {"exp", 42}}));
  EXPECT_TRUE(key.verifies(*token));
  std::string forged = *token;
  forged[3] = forged[3] == 'A' ? 'B' : 'A';
  EXPECT_FALSE(key.verifies(forged));
}

TEST(Jwt, RefusesWhatIsNoKeyAndRepeatsNothingOfIt) {
  for (const char* text :
       {"", "hush", "-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----\n"}) {
    const auto token = sign_jwt({}, {}, text);
    ASSERT_FALSE(token);
    EXPECT_EQ(token.error().code, ErrorCode::invalid_config);
    EXPECT_EQ(describe(token.error()).find("hush"), std::string::npos);
  }
}

TEST(Jwt, NamesACertificateByItsThumbprint) {
  const test::TestKey key;
  EXPECT_EQ(certificate_thumbprint(key.private_pem() + key.certificate_pem()).value(),
            key.thumbprint());
  EXPECT_FALSE(certificate_thumbprint(key.private_pem()));
}

}  // namespace
}  // namespace forebay
