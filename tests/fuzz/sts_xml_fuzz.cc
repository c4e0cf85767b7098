// Answers of AWS's token service.
#include "fuzz/fuzz.h"
#include "net/credentials/aws_sts_xml.h"

namespace forebay::test {

FOREBAY_FUZZ(sts_xml) {
  const auto credentials = sts::parse_credentials(input);
  if (credentials) {
    must(!credentials->access_key.empty() && !credentials->secret_key.empty() &&
             !credentials->session_token.empty() && credentials->expires,
         "credentials are whole");
    must(credentials->secret_key.reveal().size() <= input.size(), "and no longer than the answer");
  } else {
    must(credentials.error().code == ErrorCode::damaged, "an answer is right or damaged");
  }
  if (const auto refusal = sts::parse_refusal(input))
    must(refusal->code.size() + refusal->message.size() <= input.size(), "nothing is made up");
}

}  // namespace forebay::test
