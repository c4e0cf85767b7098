#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/list_api.h"
#include "base/result.h"
#include "base/secret.h"
#include "store/object_store.h"

namespace forebay {

// A folder. Symbolic links are followed only while they stay inside it.
struct LocalStoreOptions {
  std::string folder;
};
Result<std::unique_ptr<ObjectStore>> open_local_store(LocalStoreOptions options);

// A bucket that speaks the S3 protocol. Credentials are found by net/credentials/aws.h, or not at
// all (anonymous).
struct S3StoreOptions {
  std::string bucket;
  std::string prefix;  // literal; keys are below it, whatever its last byte
  std::string region;  // empty: AWS_REGION, the profile's, else us-east-1
  // "http://127.0.0.1:8333"; absent: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, else Amazon's own.
  std::optional<std::string> endpoint;
  std::optional<bool> path_style;  // absent: path style exactly when an endpoint is given
  std::optional<std::string> profile;
  std::optional<std::string> role_arn;  // assumed with the credentials that were found
  bool anonymous = false;
  bool request_payer = false;  // sends x-amz-request-payer, without which such a bucket refuses
  std::optional<std::string> ca_file;
  std::optional<std::string> proxy;
  Duration retry_for = std::chrono::minutes(5);    // how long one request is tried again
  std::map<std::string, std::string> environment;  // the variables the credential chain may read
};
Result<std::unique_ptr<ObjectStore>> open_s3_store(S3StoreOptions options, Clock& clock);

// A bucket of Google Cloud Storage, by its JSON API. Credentials are resolved by
// net/credentials/google; none are sent to an emulator (STORAGE_EMULATOR_HOST).
struct GcsStoreOptions {
  std::string bucket;
  std::string prefix;                   // literal; keys are below it, whatever its last byte
  std::optional<std::string> endpoint;  // absent: STORAGE_EMULATOR_HOST, else Google's
  bool anonymous = false;
  std::optional<std::string> ca_file;
  std::optional<std::string> proxy;
  Duration retry_for = std::chrono::minutes(5);
  std::map<std::string, std::string> environment;  // the variables that may be read
};
Result<std::unique_ptr<ObjectStore>> open_gcs_store(GcsStoreOptions options, Clock& clock);

// A container of Azure Blob Storage. Credentials are resolved by net/credentials/azure.
struct AzureStoreOptions {
  std::string container;
  std::string prefix;   // literal; keys are below it, whatever its last byte
  std::string shown;    // what stands in front of the prefix for people: "az://container/"
  std::string account;  // empty: the credentials name it
  std::optional<std::string> endpoint;         // with the account's path, if the server wants it
  std::optional<std::string> source_endpoint;  // where neither this nor a connection string says
  bool anonymous = false;
  std::optional<std::string> ca_file;
  std::optional<std::string> proxy;
  Duration retry_for = std::chrono::minutes(5);
  std::map<std::string, std::string> environment;  // the variables that may be read
};
Result<std::unique_ptr<ObjectStore>> open_azure_store(AzureStoreOptions options, Clock& clock);

// What an HTTP API lists and hands out links to. It tells neither sizes nor versions: a key whose
// content is replaced cannot be noticed.
struct ListApiStoreOptions {
  std::string endpoint;  // https; http on this machine only
  std::map<std::string, Secret> headers;
  ListApi api;
  std::optional<std::string> ca_file;
  std::optional<std::string> proxy;
  Duration retry_for = std::chrono::minutes(5);
};
Result<std::unique_ptr<ObjectStore>> open_list_api_store(ListApiStoreOptions options, Clock& clock);

}  // namespace forebay
