#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace forebay {

// Text forms of bytes. Pure functions; the decoders take the exact form only and say nothing
// (nullopt) to anything else, so that damage is never read as data.

// Lower-case hexadecimal digits, two a byte.
std::string hex_encode(std::string_view bytes);
// Digits in either case; an odd count or any other character is nullopt.
std::optional<std::string> hex_decode(std::string_view text);

// The standard alphabet with padding (RFC 4648, section 4).
std::string base64_encode(std::string_view bytes);
// Needs the padding; refuses line breaks and stray bits after the last byte.
std::optional<std::string> base64_decode(std::string_view text);

// Every byte but A-Z a-z 0-9 - . _ ~ and those in `keep` becomes %XX with upper-case digits,
// exactly once: a '%' in the input becomes %25, whatever follows it.
std::string percent_encode(std::string_view bytes, std::string_view keep = "");
// The reverse, once. '+' stays '+': this is no form decoding. A '%' without two digits is nullopt.
std::optional<std::string> percent_decode(std::string_view text);

// Views one kind of bytes as the other; no copy is made.
std::string_view as_text(std::span<const std::byte> bytes);
std::span<const std::byte> as_byte_span(std::string_view text);

}  // namespace forebay
