#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "base/limits.h"
#include "decode/byte_source.h"

namespace forebay {
namespace {

constexpr std::size_t kPortion = std::size_t{256} << 10;

// How much a file of this size may become.
std::uint64_t most_bytes(std::uint64_t size) {
  return std::max(kMaxInflatedFree, size * kMaxInflation);
}

// What both formats share: input in portions, output in a buffer, a limit.
class Unpacker : public ByteSource {
 public:
  Unpacker(std::unique_ptr<ByteSource> packed, std::uint64_t size, std::string object)
      : packed_(std::move(packed)), limit_(most_bytes(size)), object_(std::move(object)) {}

  Result<std::string_view> next() override {
    std::size_t made = 0;
    while (made == 0) {
      // A full buffer: the library may hold more already.
      if (input_.empty() && !full_) {
        ASSIGN_OR_RETURN(input_, packed_->next());
        if (input_.empty()) {
          if (!at_end_of_part())
            return fail(undecodable(object_, "its compressed bytes end early"));
          return std::string_view();
        }
      }
      const std::size_t before = input_.size();
      ASSIGN_OR_RETURN(made, step(input_, buffer_));
      full_ = made == buffer_.size();
      if (made == 0 && before > 0 && input_.size() == before)
        return fail(undecodable(object_, "its compressed bytes lead nowhere"));
    }
    total_ += made;
    if (total_ > limit_)
      return fail(undecodable(
          object_,
          fmt::format("it unpacks to more than {} bytes, the most allowed for its size", limit_)));
    return std::string_view(buffer_.data(), made);
  }

 protected:
  // Takes from the beginning of `input` and gives the number of bytes put into `output`.
  virtual Result<std::size_t> step(std::string_view& input, std::vector<char>& output) = 0;
  // Nothing is missing if the file ends here.
  virtual bool at_end_of_part() const = 0;
  const std::string& object() const { return object_; }

 private:
  std::unique_ptr<ByteSource> packed_;
  std::uint64_t limit_;
  std::uint64_t total_ = 0;
  std::string object_;
  std::string_view input_;
  bool full_ = false;
  std::vector<char> buffer_ = std::vector<char>(kPortion);
};

class Gunzip final : public Unpacker {
 public:
  using Unpacker::Unpacker;
  ~Gunzip() override { ::inflateEnd(&stream_); }

 private:
  Result<std::size_t> step(std::string_view& input, std::vector<char>& output) override {
    if (between_ && input.empty()) return 0U;
    if (between_) {
      // 31: the largest window, and a gzip header and trailer around it, both checked by zlib.
      const int ready = started_ ? ::inflateReset(&stream_) : ::inflateInit2(&stream_, 31);
      if (ready != Z_OK)
        return fail({.code = ErrorCode::unavailable,
                     .operation = "read",
                     .object = object(),
                     .cause = "no memory to unpack it"});
      started_ = true;
      between_ = false;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = static_cast<uInt>(output.size());
    const int outcome = ::inflate(&stream_, Z_NO_FLUSH);
    if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR)
      return fail(undecodable(object(),
                              fmt::format("it is no sound gzip file: {}",
                                          stream_.msg == nullptr ? "damaged bytes" : stream_.msg)));
    between_ = outcome == Z_STREAM_END;
    input.remove_prefix(input.size() - stream_.avail_in);
    return output.size() - stream_.avail_out;
  }
  bool at_end_of_part() const override { return between_ && started_; }

  z_stream stream_{};
  bool started_ = false;
  bool between_ = true;  // of two members: a file may be several, one behind the other
};

class Unzstd final : public Unpacker {
 public:
  using Unpacker::Unpacker;
  ~Unzstd() override { ::ZSTD_freeDStream(stream_); }

 private:
  Result<std::size_t> step(std::string_view& input, std::vector<char>& output) override {
    if (between_ && input.empty()) return 0U;
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const std::size_t outcome = ::ZSTD_decompressStream(stream_, &out, &in);
    if (::ZSTD_isError(outcome) != 0)
      return fail(undecodable(
          object(), fmt::format("it is no sound zstd file: {}", ::ZSTD_getErrorName(outcome))));
    between_ = outcome == 0;
    input.remove_prefix(in.pos);
    return out.pos;
  }
  bool at_end_of_part() const override { return between_; }

  ZSTD_DStream* stream_ = ::ZSTD_createDStream();
  bool between_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> unpack(std::unique_ptr<ByteSource> packed, Compression compression,
                                   std::uint64_t size, std::string object) {
  switch (compression) {
    case Compression::none: return packed;
    case Compression::gzip:
      return std::make_unique<Gunzip>(std::move(packed), size, std::move(object));
    case Compression::zstd:
      return std::make_unique<Unzstd>(std::move(packed), size, std::move(object));
  }
  std::unreachable();
}

}  // namespace forebay
