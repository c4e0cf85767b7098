#pragma once

#include <string>

#include "net/credentials/aws_lookup.h"

namespace forebay {

// Runs the program of `credential_process` and reads its answer (version 1). `where` names the
// profile. Nothing that the program writes, and none of its arguments, gets into a message.
Result<AwsCredentials> process_credentials(const std::string& command, const std::string& where,
                                           Time now);

}  // namespace forebay
