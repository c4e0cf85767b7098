#include "base/digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <xxhash.h>

#include <array>
#include <utility>

#include "base/check.h"
#include "base/encode.h"

namespace forebay {
namespace {

struct FreeEvp {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
struct FreeXxh {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

std::string raw_bytes(const unsigned char* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

// Exactly one of the two states is set. A library call that fails here means a machine without MD5
// or memory; no fingerprint is worth going on without.
class Digest::Impl {
 public:
  explicit Impl(DigestKind kind) : kind_(kind) {
    switch (kind) {
      case DigestKind::md5: start_evp(EVP_md5()); break;
      case DigestKind::sha256: start_evp(EVP_sha256()); break;
      case DigestKind::xxh3_64:
        xxh_.reset(XXH3_createState());
        CHECK(xxh_ != nullptr && XXH3_64bits_reset(xxh_.get()) == XXH_OK);
        break;
      case DigestKind::xxh3_128:
        xxh_.reset(XXH3_createState());
        CHECK(xxh_ != nullptr && XXH3_128bits_reset(xxh_.get()) == XXH_OK);
        break;
    }
  }

  void update(std::span<const std::byte> data) {
    if (data.empty()) return;
    switch (kind_) {
      case DigestKind::md5:
      case DigestKind::sha256:
        CHECK(EVP_DigestUpdate(evp_.get(), data.data(), data.size()) == 1);
        break;
      case DigestKind::xxh3_64:
        CHECK(XXH3_64bits_update(xxh_.get(), data.data(), data.size()) == XXH_OK);
        break;
      case DigestKind::xxh3_128:
        CHECK(XXH3_128bits_update(xxh_.get(), data.data(), data.size()) == XXH_OK);
        break;
    }
  }

  std::string bytes() const {
    switch (kind_) {
      case DigestKind::md5:
      case DigestKind::sha256: return finish_evp();
      case DigestKind::xxh3_64: {
        XXH64_canonical_t out;
        XXH64_canonicalFromHash(&out, XXH3_64bits_digest(xxh_.get()));
        return raw_bytes(out.digest, sizeof out.digest);
      }
      case DigestKind::xxh3_128: {
        XXH128_canonical_t out;
        XXH128_canonicalFromHash(&out, XXH3_128bits_digest(xxh_.get()));
        return raw_bytes(out.digest, sizeof out.digest);
      }
    }
    std::unreachable();
  }

 private:
  void start_evp(const EVP_MD* method) {
    evp_.reset(EVP_MD_CTX_new());
    CHECK(evp_ != nullptr && EVP_DigestInit_ex(evp_.get(), method, nullptr) == 1);
  }

  // Finishes a copy, so that update() may go on.
  std::string finish_evp() const {
    const std::unique_ptr<EVP_MD_CTX, FreeEvp> copy(EVP_MD_CTX_new());
    CHECK(copy != nullptr && EVP_MD_CTX_copy_ex(copy.get(), evp_.get()) == 1);
    std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
    unsigned size = 0;
    CHECK(EVP_DigestFinal_ex(copy.get(), out.data(), &size) == 1);
    return raw_bytes(out.data(), size);
  }

  DigestKind kind_;
  std::unique_ptr<EVP_MD_CTX, FreeEvp> evp_;
  std::unique_ptr<XXH3_state_t, FreeXxh> xxh_;
};

std::string_view to_string(DigestKind kind) {
  switch (kind) {
    case DigestKind::md5: return "md5";
    case DigestKind::sha256: return "sha256";
    case DigestKind::xxh3_64: return "xxh3_64";
    case DigestKind::xxh3_128: return "xxh3_128";
  }
  std::unreachable();
}

Digest::Digest(DigestKind kind) : impl_(std::make_unique<Impl>(kind)) {}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::update(std::span<const std::byte> bytes) { impl_->update(bytes); }
void Digest::update(std::string_view text) { impl_->update(as_byte_span(text)); }
std::string Digest::bytes() const { return impl_->bytes(); }
std::string Digest::hex() const { return hex_encode(impl_->bytes()); }

std::string digest_hex(DigestKind kind, std::string_view text) {
  Digest digest(kind);
  digest.update(text);
  return digest.hex();
}

std::string sha256_hex(std::string_view text) { return digest_hex(DigestKind::sha256, text); }

std::string sha1_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned size = 0;
  CHECK(EVP_Digest(text.data(), text.size(), out.data(), &size, EVP_sha1(), nullptr) == 1);
  return hex_encode(raw_bytes(out.data(), size));
}

std::string hmac_sha256(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned size = 0;
  CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), out.data(),
             &size) != nullptr);
  return raw_bytes(out.data(), size);
}

}  // namespace forebay
