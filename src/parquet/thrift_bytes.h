#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <thrift/Thrift.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

// Thrift's messages as bytes. Internal to parquet/.
namespace forebay {

template <class Message>
std::string thrift_bytes(const Message& message) {
  using apache::thrift::transport::TMemoryBuffer;
  const auto buffer = std::make_shared<TMemoryBuffer>();
  apache::thrift::protocol::TCompactProtocolT<TMemoryBuffer> out(buffer);
  message.write(&out);
  return buffer->getBufferAsString();
}

// A view of bytes that Thrift may read. No message is longer than they are, whatever it claims.
inline std::shared_ptr<apache::thrift::transport::TMemoryBuffer> thrift_buffer(
    std::string_view bytes) {
  using apache::thrift::transport::TMemoryBuffer;
  // OBSERVE never writes; the transport's interface just lacks the const.
  auto* data = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
  return std::make_shared<TMemoryBuffer>(
      data, static_cast<std::uint32_t>(bytes.size()), TMemoryBuffer::OBSERVE,
      std::make_shared<apache::thrift::TConfiguration>(static_cast<int>(bytes.size())));
}

// Nothing when the bytes are no such message.
template <class Message>
std::optional<Message> parse_thrift(std::string_view bytes) {
  using apache::thrift::transport::TMemoryBuffer;
  const auto limit = static_cast<std::int32_t>(bytes.size());
  apache::thrift::protocol::TCompactProtocolT<TMemoryBuffer> in(thrift_buffer(bytes), limit, limit);
  try {
    Message message;
    message.read(&in);
    return message;
  } catch (const apache::thrift::TException&) {
    return std::nullopt;
  }
}

}  // namespace forebay
