#include "net/credentials/aws_process.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_reader.h"
#include "net/credentials/aws_json.h"
#include "net/credentials/program.h"

namespace forebay {

Result<AwsCredentials> process_credentials(const std::string& command, const std::string& where,
                                           Time now) {
  const auto words = split_command(command);
  if (!words)
    return fail(unusable(where, "credential_process: " + words.error().cause, words.error().hint));
  const std::string from = fmt::format("{} (credential_process {})", where, words->front());
  auto output = run_program(*words, {.output = kMostCredentialBytes});
  if (!output) {
    return fail(
        credential_error(output.error().code, from, output.error().cause, output.error().hint));
  }
  const auto document = read_json(*output, from);
  const auto* version = document ? json_at(*document, "/Version") : nullptr;
  if (document && (version == nullptr || *version != 1))
    return fail(unusable(from, "its answer is not of version 1",
                         "the program is no "
                         "credential_process, or a newer one"));
  ASSIGN_OR_RETURN(AwsCredentials found, parse_credential_document(*output, from));
  if (found.expires && *found.expires <= now)
    return fail(unusable(from, "it hands out credentials that have expired",
                         "run it by hand to see what it says"));
  return found;
}

}  // namespace forebay
