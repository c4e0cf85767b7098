#include "net/credentials/azure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/encode.h"

namespace forebay::azure {
namespace {

// The account and key of every emulator: published by Microsoft, no secret.
constexpr const char* kEmulatorAccount = "devstoreaccount1";
constexpr const char* kEmulatorKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
constexpr const char* kConnectionString = "AZURE_STORAGE_CONNECTION_STRING";

Error problem(std::string where, std::string cause, std::string hint) {
  return token_problem(ErrorCode::invalid_config, std::move(where), std::move(cause),
                       std::move(hint));
}

Result<Secret> read_key(const std::string& text, const std::string& where) {
  const auto bytes = base64_decode(text);
  if (bytes && !bytes->empty()) return Secret(*bytes);
  return fail(problem(where, "the account key is not in base64", "copy the key as it is shown"));
}

std::string without_question_mark(std::string sas) {
  if (sas.starts_with('?')) sas.erase(0, 1);
  return sas;
}

Result<Secret> read_sas(const std::string& text, const std::string& where) {
  std::string sas = without_question_mark(text);
  if (sas.contains("sig=") && sas.find_first_of(" \r\n#") == std::string::npos)
    return Secret(std::move(sas));
  return fail(problem(where, "this is no shared access signature",
                      "it is the part behind the '?', as it was handed out: sv=…&sig=…"));
}

// What was found opens another account than the one that is wanted.
Status check_account(const std::string& wanted, const std::string& found,
                     const std::string& where) {
  if (wanted.empty() || found.empty() || wanted == found) return {};
  return fail(problem(
      where, fmt::format("it is for the account {}, and the source is in {}", found, wanted),
      "unset it, or correct the source"));
}

Status need_account(const std::string& account) {
  if (!account.empty()) return {};
  return fail(problem("Azure", "no storage account is named",
                      "write account: NAME beside the source, set AZURE_STORAGE_ACCOUNT, or name "
                      "it in the source: abfss://container@account.dfs.core.windows.net/prefix/"));
}

}  // namespace

Result<Access> read_connection_string(const std::string& text) {
  std::map<std::string, std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    if (part.find_first_not_of(" \r\n") == std::string::npos) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      return fail(problem(kConnectionString, "a part of it is not NAME=VALUE",
                          "copy the connection string as it is shown"));
    parts[part.substr(0, equals)] = part.substr(equals + 1);
  }
  Access access{.account = parts["AccountName"], .found_in = kConnectionString};
  if (parts["UseDevelopmentStorage"] == "true") {
    access.account = kEmulatorAccount;
    access.endpoint = fmt::format("http://127.0.0.1:10000/{}", kEmulatorAccount);
    ASSIGN_OR_RETURN(access.key, read_key(kEmulatorKey, kConnectionString));
    return access;
  }
  if (!parts["BlobEndpoint"].empty()) {
    access.endpoint = parts["BlobEndpoint"];
  } else if (!access.account.empty()) {
    const std::string protocol = parts["DefaultEndpointsProtocol"];
    const std::string suffix = parts["EndpointSuffix"];
    access.endpoint = fmt::format("{}://{}.blob.{}", protocol.empty() ? "https" : protocol,
                                  access.account, suffix.empty() ? "core.windows.net" : suffix);
  }
  if (!parts["AccountKey"].empty()) {
    ASSIGN_OR_RETURN(access.key, read_key(parts["AccountKey"], kConnectionString));
  } else if (!parts["SharedAccessSignature"].empty()) {
    ASSIGN_OR_RETURN(access.sas, read_sas(parts["SharedAccessSignature"], kConnectionString));
  }
  if (access.endpoint && (access.key ? !access.account.empty() : !access.sas.empty()))
    return access;
  return fail(problem(kConnectionString,
                      "it holds no account with a key, and no endpoint with a signature",
                      "copy the connection string as it is shown"));
}

Result<Access> find_access(const Settings& settings, TokenTools tools) {
  const auto set = [&](const char* name) { return variable(settings.environment, name); };
  const std::string of_environment = set("AZURE_STORAGE_ACCOUNT");
  const std::string account = settings.account.empty() ? of_environment : settings.account;
  if (settings.anonymous) {
    RETURN_IF_ERROR(need_account(account));
    return Access{.account = account, .found_in = "none (anonymous)"};
  }
  if (const std::string text = set(kConnectionString); !text.empty()) {
    ASSIGN_OR_RETURN(Access access, read_connection_string(text));
    RETURN_IF_ERROR(check_account(settings.account, access.account, kConnectionString));
    if (access.account.empty()) access.account = account;
    return access;
  }
  RETURN_IF_ERROR(need_account(account));
  Access access{.account = account};
  if (const std::string text = set("AZURE_STORAGE_KEY"); !text.empty()) {
    RETURN_IF_ERROR(check_account(settings.account, of_environment, "AZURE_STORAGE_ACCOUNT"));
    access.found_in = "AZURE_STORAGE_KEY";
    ASSIGN_OR_RETURN(access.key, read_key(text, access.found_in));
    return access;
  }
  if (const std::string text = set("AZURE_STORAGE_SAS_TOKEN"); !text.empty()) {
    RETURN_IF_ERROR(check_account(settings.account, of_environment, "AZURE_STORAGE_ACCOUNT"));
    access.found_in = "AZURE_STORAGE_SAS_TOKEN";
    ASSIGN_OR_RETURN(access.sas, read_sas(text, access.found_in));
    return access;
  }
  access.tokens =
      std::make_shared<BearerCredentials>(entra_tokens(settings.environment, std::move(tools)));
  return access;
}

}  // namespace forebay::azure
