#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace forebay {

// The fingerprints that stores, manifests and request signatures speak of.
enum class DigestKind { md5, sha256, xxh3_64, xxh3_128 };

std::string_view to_string(DigestKind kind);

// A fingerprint taken while bytes stream by. Not thread-safe; one object a stream. MD5 serves only
// to compare with what others wrote down, never to keep anyone out.
class Digest {
 public:
  explicit Digest(DigestKind kind);
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text);

  // The fingerprint of everything so far, as raw bytes (xxh3: big-endian, the canonical form), and
  // as lower-case hexadecimal digits. May be asked at any time, also repeatedly; update() goes on.
  std::string bytes() const;
  std::string hex() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Fingerprint of a whole text, lower-case hexadecimal.
std::string digest_hex(DigestKind kind, std::string_view text);
std::string sha256_hex(std::string_view text);
// Where other programs name things by it (the AWS tools their cached tokens); proves nothing.
std::string sha1_hex(std::string_view text);

// 32 raw bytes. The key may be of any length, also empty.
std::string hmac_sha256(std::string_view key, std::string_view text);

}  // namespace forebay
