#include "app/wiring.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <utility>

#include "engine/database.h"
#include "store/stores.h"
#include "target/targets.h"

namespace forebay {
namespace {

// The variables that the credential chain of a cloud may read: nothing else reaches a store.
std::map<std::string, std::string> cloud_variables(const Environment& environment) {
  std::map<std::string, std::string> variables;
  for (const auto& [name, value] : environment.all()) {
    if (name.starts_with("AWS_") || name == "HOME") variables.emplace(name, value);
  }
  return variables;
}

// The same, of the other clouds: those whose names begin so.
std::map<std::string, std::string> variables_of(
    const Environment& environment, std::initializer_list<std::string_view> beginnings) {
  std::map<std::string, std::string> variables;
  for (const auto& [name, value] : environment.all()) {
    for (const std::string_view beginning : beginnings) {
      if (name.starts_with(beginning)) variables.emplace(name, value);
    }
  }
  return variables;
}

GcsStoreOptions gcs_options(const PipelineConfig& config, const Environment& environment) {
  return {.bucket = config.source.bucket,
          .prefix = config.source.prefix,
          .endpoint = config.store.endpoint,
          .anonymous = config.store.anonymous,
          .ca_file = config.store.ca_file,
          .proxy = config.store.proxy,
          .retry_for = config.store.retry_for,
          .environment = variables_of(environment, {"GOOGLE_", "GCE_METADATA_HOST", "CLOUDSDK_",
                                                    "STORAGE_EMULATOR_HOST", "HOME"})};
}

AzureStoreOptions azure_options(const PipelineConfig& config, const Environment& environment) {
  const SourceUrl& source = config.source;
  return {
      .container = source.bucket,
      .prefix = source.prefix,
      .shown = source.shown,
      .account = source.account.empty() ? config.store.account : source.account,
      .endpoint = config.store.endpoint,
      .source_endpoint = source.endpoint.empty() ? std::nullopt : std::optional(source.endpoint),
      .anonymous = config.store.anonymous,
      .ca_file = config.store.ca_file,
      .proxy = config.store.proxy,
      .retry_for = config.store.retry_for,
      .environment = variables_of(environment, {"AZURE_", "IDENTITY_", "MSI_", "HOME"})};
}

Error no_right(const std::string& path, int reason, std::string hint) {
  const ErrorCode code = reason == ENOENT ? ErrorCode::not_found : ErrorCode::denied;
  return {code, "open target", path, std::strerror(reason), std::move(hint)};
}

}  // namespace

std::uint64_t default_memory_limit() {
  constexpr std::uint64_t kMost = 4'000'000'000;
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_size <= 0) return kMost;
  return std::min(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size) / 4,
                  kMost);
}

Result<std::unique_ptr<ObjectStore>> open_store(const PipelineConfig& config,
                                                const Environment& environment, Clock& clock) {
  switch (config.source.kind) {
    case SourceUrl::Kind::folder: return open_local_store({.folder = config.source.folder});
    case SourceUrl::Kind::s3:
      return open_s3_store({.bucket = config.source.bucket,
                            .prefix = config.source.prefix,
                            .region = config.store.region,
                            .endpoint = config.store.endpoint,
                            .path_style = config.store.path_style,
                            .profile = config.store.profile,
                            .role_arn = config.store.role_arn,
                            .anonymous = config.store.anonymous,
                            .request_payer = config.store.request_payer,
                            .ca_file = config.store.ca_file,
                            .proxy = config.store.proxy,
                            .retry_for = config.store.retry_for,
                            .environment = cloud_variables(environment)},
                           clock);
    case SourceUrl::Kind::gcs: return open_gcs_store(gcs_options(config, environment), clock);
    case SourceUrl::Kind::azure: return open_azure_store(azure_options(config, environment), clock);
    case SourceUrl::Kind::api:
      return open_list_api_store({.endpoint = config.source.endpoint,
                                  .headers = config.store.headers,
                                  .api = config.feed.api.value(),
                                  .ca_file = config.store.ca_file,
                                  .proxy = config.store.proxy,
                                  .retry_for = config.store.retry_for},
                                 clock);
  }
  std::unreachable();
}

Result<std::unique_ptr<Target>> open_target(const PipelineConfig& config, TargetMode mode) {
  RETURN_IF_ERROR(duckdb::check_library_version());
  const std::uint64_t memory_limit = config.memory_limit.value_or(default_memory_limit());
  if (!config.target.address.empty())
    return open_postgres_target({.url = config.target.address.reveal(),
                                 .mode = mode,
                                 .memory_limit = memory_limit,
                                 .spill_folder = config.staging});
  return open_duckdb_target({.path = config.target.database,
                             .mode = mode,
                             .memory_limit = memory_limit,
                             .spill_folder = config.staging});
}

Result<OpenPipeline> open_pipeline(const PipelineConfig& config, TargetMode mode,
                                   const Environment& environment, Clock& clock) {
  OpenPipeline open;
  ASSIGN_OR_RETURN(open.store, open_store(config, environment, clock));
  ASSIGN_OR_RETURN(open.target, open_target(config, mode));
  const bool folder = config.source.kind == SourceUrl::Kind::folder;
  open.pipeline = {.name = config.name,
                   .feed = config.feed,
                   .root = {.folder = folder,
                            .root = folder ? config.source.folder : config.source.prefix,
                            .bucket = config.source.uri_bucket()},
                   .source = config.source.display(),
                   .schema = config.schema.empty() ? open.target->default_schema() : config.schema,
                   .staging_folder = config.staging,
                   .fetch_threads = config.store.concurrency,
                   .store = open.store.get(),
                   .target = open.target.get()};
  return open;
}

Status check_target_rights(const PipelineConfig& config) {
  if (!config.target.address.empty()) return {};  // the server alone knows, and says so
  const std::filesystem::path file(config.target.database);
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    if (access(file.c_str(), R_OK | W_OK) == 0) return {};
    return fail(no_right(file.string(), errno, "the file must be readable and writable"));
  }
  const std::filesystem::path folder = file.parent_path();
  if (access(folder.c_str(), W_OK | X_OK) == 0) return {};
  const int reason = errno;
  return fail(no_right(folder.string(), reason,
                       reason == ENOENT ? "create the folder; forebay creates the database in it"
                                        : "the database is created in this folder"));
}

}  // namespace forebay
