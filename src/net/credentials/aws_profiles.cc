#include "net/credentials/aws_profiles.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace forebay {

std::string AwsProfile::get(const std::string& key) const {
  const auto found = values.find(key);
  return found == values.end() ? "" : found->second;
}

std::string AwsProfile::where() const { return fmt::format("{}", fmt::join(places, " and ")); }

AwsProfiles::File AwsProfiles::read_file(const AwsSettings& settings, const char* name,
                                         const char* below_home) {
  File file{.path = variable(settings, name), .sections = {}};
  const std::string home = variable(settings, "HOME");
  if (file.path.empty() && !home.empty()) file.path = home + below_home;
  if (file.path.empty()) return file;
  std::ifstream in(file.path, std::ios::binary);
  file.sections = parse_ini(std::string(std::istreambuf_iterator<char>(in), {}));
  return file;
}

AwsProfiles AwsProfiles::read(const AwsSettings& settings) {
  AwsProfiles profiles;
  profiles.credentials_ = read_file(settings, "AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials");
  profiles.config_ = read_file(settings, "AWS_CONFIG_FILE", "/.aws/config");
  return profiles;
}

std::string AwsProfiles::name_of(const AwsSettings& settings) {
  if (settings.profile) return *settings.profile;
  const std::string name = variable(settings, "AWS_PROFILE");
  return name.empty() ? "default" : name;
}

// In the configuration file all profiles but "default" say that they are one.
std::string AwsProfiles::section_of(const std::string& name) {
  return name == "default" ? name : "profile " + name;
}

std::string AwsProfiles::place(const File& file, const std::string& section) {
  return fmt::format("{} [{}]", file.path, section);
}

void AwsProfiles::add(AwsProfile& profile, const File& file, const std::string& section) {
  const auto found = file.sections.find(section);
  if (found == file.sections.end()) return;
  profile.places.push_back(place(file, section));
  for (const auto& [key, value] : found->second) profile.values[key] = value;
}

AwsProfile AwsProfiles::profile(const std::string& name) const {
  AwsProfile profile{.name = name, .values = {}, .places = {}};
  add(profile, config_, section_of(name));
  add(profile, credentials_, name);
  return profile;
}

std::vector<std::string> AwsProfiles::places_of(const std::string& name) const {
  std::vector<std::string> places;
  if (!credentials_.path.empty()) places.push_back(place(credentials_, name));
  if (!config_.path.empty()) places.push_back(place(config_, section_of(name)));
  return places;
}

AwsProfile AwsProfiles::sso_session(const std::string& name) const {
  AwsProfile session{.name = name, .values = {}, .places = {}};
  add(session, config_, "sso-session " + name);
  return session;
}

}  // namespace forebay
