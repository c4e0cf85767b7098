#include "support/test_key.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/check.h"
#include "base/encode.h"
#include "support/run_program.h"

namespace forebay::test {
namespace {

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

ProgramResult openssl(const std::vector<std::string>& words) {
  return run_program("/usr/bin/openssl", words);
}

std::string decode_base64url(std::string text) {
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  const auto bytes = base64_decode(text);
  CHECK(bytes.has_value());
  return *bytes;
}

}  // namespace

TestKey::TestKey() {
  const auto made = openssl({"req", "-x509", "-newkey", "rsa:2048", "-noenc", "-subj", "/CN=tests",
                             "-keyout", folder_ / "key.pem", "-out", folder_ / "cert.pem"});
  CHECK(made.code == 0);
  const auto extracted =
      openssl({"pkey", "-in", folder_ / "key.pem", "-pubout", "-out", folder_ / "public.pem"});
  CHECK(extracted.code == 0);
}

std::string TestKey::private_pem() const { return content(folder_ / "key.pem"); }
std::string TestKey::certificate_pem() const { return content(folder_ / "cert.pem"); }

std::string TestKey::thumbprint() const {
  // "sha1 Fingerprint=AB:CD:…"
  std::string digits =
      openssl({"x509", "-in", folder_ / "cert.pem", "-noout", "-fingerprint", "-sha1"}).out;
  digits.erase(0, digits.find('=') + 1);
  std::erase_if(digits, [](char c) { return c == ':' || c == '\n'; });
  std::string text = base64_encode(*hex_decode(digits));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.erase(text.find('='));
  return text;
}

bool TestKey::verifies(const std::string& token) const {
  const std::size_t dot = token.rfind('.');
  folder_.write("signed", token.substr(0, dot));
  folder_.write("signature", decode_base64url(token.substr(dot + 1)));
  return openssl({"dgst", "-sha256", "-verify", folder_ / "public.pem", "-signature",
                  folder_ / "signature", folder_ / "signed"})
             .code == 0;
}

JwtParts jwt_parts(const std::string& token) {
  const std::size_t first = token.find('.');
  const std::size_t second = token.rfind('.');
  return {.header = decode_base64url(token.substr(0, first)),
          .claims = decode_base64url(token.substr(first + 1, second - first - 1))};
}

}  // namespace forebay::test
