#pragma once

#include <map>
#include <string>
#include <vector>

#include "net/credentials/aws_lookup.h"
#include "net/credentials/ini.h"

namespace forebay {

// One section of the shared files, put together from both: what ~/.aws/credentials says wins.
struct AwsProfile {
  std::string name;
  std::map<std::string, std::string> values;
  std::vector<std::string> places;  // "/home/u/.aws/config [profile dev]", where it stands

  bool exists() const { return !places.empty(); }
  bool has(const std::string& key) const { return values.contains(key); }
  std::string get(const std::string& key) const;
  // For messages: all its places.
  std::string where() const;
};

// The two files that the AWS tools share: AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials) and
// AWS_CONFIG_FILE (~/.aws/config). A file that is missing has no sections.
class AwsProfiles {
 public:
  static AwsProfiles read(const AwsSettings& settings);

  // The profile that is meant: of the configuration, AWS_PROFILE, "default".
  static std::string name_of(const AwsSettings& settings);

  AwsProfile profile(const std::string& name) const;
  AwsProfile sso_session(const std::string& name) const;
  // Where a profile would stand: for messages when it does not.
  std::vector<std::string> places_of(const std::string& name) const;

 private:
  struct File {
    std::string path;  // empty: neither its variable nor HOME is set
    IniSections sections;
  };
  static std::string place(const File& file, const std::string& section);
  static File read_file(const AwsSettings& settings, const char* name, const char* below_home);
  static std::string section_of(const std::string& name);
  static void add(AwsProfile& profile, const File& file, const std::string& section);

  File credentials_;
  File config_;
};

}  // namespace forebay
