#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http.h"
#include "store/s3_xml.h"

namespace forebay::s3 {

// An answer that is no success: its head, and the error document if it had one. A 200 may hold one
// too.
struct Refusal {
  HttpHead head;
  std::optional<ErrorDocument> document;
};

struct Named {
  std::string operation;  // "list", "read", "stat"
  std::string object;     // "s3://bucket/key"
  std::string bucket;     // "s3://bucket", named when the bucket itself is missing
};

// What went wrong and what to do, from S3's code first and from the status where there is none.
// Only S3's code and message are repeated: the other parts of a document may hold keys and tokens.
Error to_error(const Refusal& refusal, const Named& named);

// The token of the credentials has run out; new credentials may help.
bool says_expired(const Refusal& refusal);

// The region where the bucket is, when the answer says that it is another one.
std::optional<std::string> told_region(const Refusal& refusal);

}  // namespace forebay::s3
