#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "decode/byte_source.h"

namespace forebay {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Accepts UTF-8 byte by byte: no overlong forms, no surrogates, nothing above U+10FFFF, no NUL.
class Utf8 {
 public:
  bool take(unsigned char byte) {
    if (missing_ > 0) {
      if (byte < low_ || byte > high_) return false;
      low_ = 0x80;
      high_ = 0xbf;
      --missing_;
      return true;
    }
    if (byte < 0x80) return byte != 0;
    low_ = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
    high_ = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
    missing_ = byte < 0xc2 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf5 ? 3 : 0;
    return missing_ > 0;
  }
  bool within_character() const { return missing_ > 0; }

 private:
  int missing_ = 0;
  unsigned char low_ = 0x80;
  unsigned char high_ = 0xbf;
};

class TextCheck final : public ByteSource {
 public:
  TextCheck(std::unique_ptr<ByteSource> bytes, std::string object)
      : bytes_(std::move(bytes)), object_(std::move(object)) {}

  Result<std::string_view> next() override {
    if (!begun_) return first();
    ASSIGN_OR_RETURN(const std::string_view portion, bytes_->next());
    RETURN_IF_ERROR(check(portion));
    return portion;
  }

 private:
  // The mark may come in pieces.
  Result<std::string_view> first() {
    begun_ = true;
    while (begin_.size() < kByteOrderMark.size()) {
      ASSIGN_OR_RETURN(const std::string_view portion, bytes_->next());
      if (portion.empty()) break;
      begin_ += portion;
    }
    std::string_view text = begin_;
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (text.empty() && !begin_.empty()) return next();
    RETURN_IF_ERROR(check(text));
    return text;
  }

  Status check(std::string_view portion) {
    for (std::size_t i = 0; i < portion.size(); ++i) {
      const auto byte = static_cast<unsigned char>(portion[i]);
      if (utf8_.take(byte)) continue;
      lines_ += static_cast<std::uint64_t>(std::ranges::count(portion.substr(0, i), '\n'));
      return wrong(byte == 0 ? "has a NUL byte" : "is no UTF-8 text");
    }
    lines_ += static_cast<std::uint64_t>(std::ranges::count(portion, '\n'));
    if (portion.empty() && utf8_.within_character()) return wrong("ends within a character");
    return {};
  }

  std::unexpected<Error> wrong(std::string_view what) const {
    return fail(undecodable(object_, fmt::format("line {} {}", lines_ + 1, what),
                            "have it written as UTF-8; is the format right, and its compression?"));
  }

  std::unique_ptr<ByteSource> bytes_;
  std::string object_;
  std::string begin_;
  bool begun_ = false;
  Utf8 utf8_;
  std::uint64_t lines_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> check_text(std::unique_ptr<ByteSource> bytes, std::string object) {
  return std::make_unique<TextCheck>(std::move(bytes), std::move(object));
}

}  // namespace forebay
