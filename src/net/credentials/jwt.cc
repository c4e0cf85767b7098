#include "net/credentials/jwt.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/encode.h"
#include "net/credentials/bearer.h"

namespace forebay {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(X509* certificate) const { X509_free(certificate); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

// RFC 4648, section 5, without padding.
std::string base64url(std::string_view bytes) {
  std::string text = base64_encode(bytes);
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return text;
}

Owned<BIO> reader(std::string_view text) {
  Owned<BIO> bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  CHECK(bio != nullptr);
  return bio;
}

// Instead of asking for a password on the terminal.
int no_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*user*/) { return -1; }

std::string sign(EVP_PKEY* key, std::string_view text) {
  const Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  CHECK(context != nullptr);
  CHECK(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1);
  const auto* data = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  CHECK(EVP_DigestSign(context.get(), nullptr, &size, data, text.size()) == 1);
  std::string signature(size, '\0');
  auto* out = reinterpret_cast<unsigned char*>(signature.data());
  CHECK(EVP_DigestSign(context.get(), out, &size, data, text.size()) == 1);
  signature.resize(size);
  return signature;
}

}  // namespace

Result<std::string> sign_jwt(nlohmann::json header, const nlohmann::json& claims,
                             std::string_view private_key) {
  const Owned<EVP_PKEY> key(
      PEM_read_bio_PrivateKey(reader(private_key).get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  if (key == nullptr || EVP_PKEY_base_id(key.get()) != EVP_PKEY_RSA) {
    return fail(token_problem(ErrorCode::invalid_config, "the private key",
                              "this is no RSA key in PEM form, or it has a password",
                              "take the key as it was handed out"));
  }
  header["alg"] = "RS256";
  header["typ"] = "JWT";
  const std::string text = base64url(header.dump()) + "." + base64url(claims.dump());
  return text + "." + base64url(sign(key.get(), text));
}

Result<std::string> certificate_thumbprint(std::string_view pem) {
  const Owned<X509> certificate(
      PEM_read_bio_X509(reader(pem).get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (certificate == nullptr ||
      X509_digest(certificate.get(), EVP_sha1(), digest.data(), &size) != 1) {
    return fail(token_problem(ErrorCode::invalid_config, "the certificate",
                              "the file holds no certificate in PEM form",
                              "it must hold the certificate and its private key"));
  }
  return base64url({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace forebay
