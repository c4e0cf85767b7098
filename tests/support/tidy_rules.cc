#include "support/tidy_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string_view>

namespace forebay::test {
namespace {

constexpr int kLongestSource = 400;
constexpr int kLongestHeader = 200;
constexpr int kLongestFunction = 70;

bool is_header(const std::string& path) { return path.ends_with(".h"); }
bool is_cpp(const std::string& path) { return is_header(path) || path.ends_with(".cc"); }
bool in_src(const SourceFile& file) { return file.path.starts_with("src/") && is_cpp(file.path); }

std::string at_line(const SourceFile& file, size_t index, const std::string& what) {
  return fmt::format("{}:{}: {}", file.path, index + 1, what);
}

// Making a regex is dear, so each is made once. Not thread-safe.
const std::regex& compiled(const std::string& pattern) {
  static std::map<std::string, std::regex> made;
  const auto found = made.find(pattern);
  return found != made.end() ? found->second : made.emplace(pattern, pattern).first->second;
}

bool matches(const std::string& text, const std::string& pattern) {
  return std::regex_search(text, compiled(pattern));
}

// Calls found(line index, included name) for each include of one kind: '"' or '<'.
template <class Found>
void each_include(const SourceFile& file, char kind, Found found) {
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  const std::vector<std::string_view> lines = lines_of(file.text);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].contains("include")) continue;
    std::cmatch match;
    if (std::regex_search(lines[i].begin(), lines[i].end(), match, include) &&
        *match[1].first == kind) {
      found(i, match[2].str());
    }
  }
}

std::string layer_of(std::string_view path) {
  const size_t slash = path.find('/');
  return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash));
}

const std::map<std::string, std::set<std::string>>& allowed_layers() {
  static const std::map<std::string, std::set<std::string>> allowed{
      {"base", {}},
      {"net", {"base"}},
      {"parquet", {"base"}},
      {"feed", {"base"}},
      {"store", {"net", "base"}},
      {"engine", {"parquet", "base"}},
      {"decode", {"feed", "engine", "parquet", "base"}},
      {"target", {"engine", "net", "base"}},
      {"load", {"feed", "engine", "store", "target", "decode", "parquet", "base"}},
      {"app", {"load", "feed", "engine", "store", "target", "decode", "parquet", "net", "base"}},
  };
  return allowed;
}

struct Library {
  const char* header;  // pattern of the included name
  const char* place;   // pattern of the paths that may include it
  const char* why;
};

constexpr std::array kLibraries{
    Library{"^curl/", "^src/net/http\\.cc$", "libcurl belongs to src/net/http.cc"},
    Library{"^duckdb\\.h$", "^src/engine/", "DuckDB belongs to src/engine"},
    Library{"^yaml-cpp/", "^src/feed/yaml_parse\\.cc$", "yaml-cpp belongs to feed/yaml_parse.cc"},
    Library{"^(thrift/|parquet_types\\.h$)", "^src/parquet/", "Thrift belongs to src/parquet"},
    Library{"^openssl/", "^src/(base/digest|net/tls|net/credentials/jwt)\\.cc$",
            "OpenSSL is for digests and signatures"},
    Library{"^xxhash\\.h$", "^src/base/digest\\.cc$", "xxHash belongs to src/base/digest.cc"},
    Library{"^CLI/", "^src/app/", "CLI11 belongs to src/app"},
    Library{"^pugixml", "^src/(store|net/credentials)/[a-z0-9_]+_xml\\.cc$",
            "pugixml belongs to the *_xml.cc of src/store and src/net/credentials"},
    Library{"^spdlog/", "^src/base/log\\.cc$", "spdlog belongs to src/base/log.cc"},
    Library{"^libpq-fe\\.h$", "^src/target/postgres_[a-z_]+\\.cc$", "libpq is target/postgres_*'s"},
    Library{"^boost/", "^src/app/serve/web\\.cc$", "the web server is app/serve/web.cc's"},
    Library{"^prometheus/", "^src/app/serve/metrics\\.cc$", "Prometheus is serve/metrics.cc's"},
    Library{"^(zlib|zstd)\\.h$", "^src/decode/unpack\\.cc$", "zlib and zstd are unpack.cc's"},
    Library{"^(fmt|nlohmann)/", "", "used everywhere"},
    Library{"^[a-z_0-9]+$", "", "the C++ library"},
    Library{"^(dirent|fcntl|poll|signal|spawn|stdlib|unistd|grp|pwd|sys/[a-z_]+)\\.h$", "",
            "POSIX"},
};

struct Banned {
  const char* hint;     // stands in every line that `code` matches; saves the search in most lines
  const char* code;     // pattern, looked for in code without comments and literals
  const char* applies;  // pattern of the paths it applies to
  const char* except;   // pattern of the paths that may
  const char* instead;
};

constexpr const char* kAllCode = "^(src|tests|bench)/";
constexpr const char* kNowhere = "^$";
constexpr const char* kSleep = "sleep by a Clock; tests wait for an event with a deadline";
constexpr const char* kOutput = "use fmt::format, and the log (base/log.h) or app's output";
constexpr const char* kTime = "take a Clock (base/clock.h)";
constexpr const char* kShell = "no shell: net/credentials/program.h starts programs";

constexpr std::array kBanned{
    Banned{"getenv", "\\b(secure_)?getenv\\b", "^src/",
           "^src/(app/config[a-z_]*|net/credentials/[a-z_]+|base/fault)\\.cc$",
           "the environment is read by app/config and net/credentials; take it as a parameter"},
    Banned{"clock", "system_clock::now|\\bclock_gettime\\b", "^src/", "^src/base/clock\\.cc$",
           kTime},
    Banned{"time", "\\bgettimeofday\\b|\\btime\\s*\\(\\s*(NULL|nullptr|0|&)", "^src/", kNowhere,
           kTime},
    Banned{"sleep", "\\b(sleep_for|sleep_until|usleep|nanosleep)\\b|(^\\s*|::)sleep\\s*\\(",
           "^(src|tests)/", "^src/base/clock\\.cc$", kSleep},
    Banned{"rand", "\\bs?rand\\s*\\(|\\brandom_shuffle\\b", kAllCode, kNowhere,
           "take a seeded generator as a parameter"},
    Banned{"system", "\\bsystem\\s*\\(", "^src/", kNowhere, kShell},
    Banned{"popen", "\\bpopen\\s*\\(", "^src/", kNowhere, kShell},
    Banned{"std::c", "std::(cout|cerr|clog)\\b", "^src/", "^src/app/", kOutput},
    Banned{"printf", "\\bv?(f|s|sn|d)?printf\\s*\\(", "^src/", "^src/base/(check|fault)\\.cc$",
           kOutput},
    Banned{"puts", "\\bf?puts\\s*\\(", "^src/", kNowhere, kOutput},
    Banned{"assert", "\\bassert\\s*\\(", "^src/", kNowhere,
           "CHECK (base/check.h) stays on in release builds"},
    Banned{"namespace", "\\busing\\s+namespace\\s+(?!std::([a-z_]+::)*[a-z_]*literals\\b)",
           kAllCode, kNowhere, "name what is used"},
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Whether `word` stands in `text` with no letter on either side; both in lower case.
bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool left = at == 0 || !is_letter(text[at - 1]);
    const size_t end = at + word.size();
    if (left && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// Compares one length with its limit or with its line in the ratchet, which is then used up.
void hold_length(const std::string& key, int length, int limit,
                 std::map<std::string, Allowance>& allowances, Findings& findings) {
  const auto found = allowances.find(key);
  if (found == allowances.end()) {
    if (length > limit) {
      findings.push_back(fmt::format("{}: {} lines, at most {}: split it", key, length, limit));
    }
    return;
  }
  const int allowed = found->second.number;
  allowances.erase(found);
  if (length > allowed) {
    findings.push_back(fmt::format("{}: {} lines, the ratchet allows {}", key, length, allowed));
  } else if (length <= limit) {
    findings.push_back(fmt::format("{}: short enough now, take it off the ratchet", key));
  } else if (length < allowed) {
    findings.push_back(fmt::format("{}: lower the ratchet from {} to {}", key, allowed, length));
  }
}

}  // namespace

Findings check_layers(const SourceFile& file) {
  Findings findings;
  if (!in_src(file)) return findings;
  const std::string layer = layer_of(std::string_view(file.path).substr(4));
  const auto allowed = allowed_layers().find(layer);
  if (allowed == allowed_layers().end()) {
    return {fmt::format("{}: src/{} is not a layer; see docs/ARCHITECTURE.md", file.path, layer)};
  }
  each_include(file, '"', [&](size_t line, const std::string& name) {
    const std::string other = layer_of(name);
    if (!allowed_layers().contains(other)) {
      findings.push_back(at_line(file, line, "\"" + name + "\" is not named from the root of src"));
    } else if (other != layer && !allowed->second.contains(other)) {
      findings.push_back(at_line(file, line, layer + " may not include " + other));
    }
    if (layer == "load" && (other == "store" || other == "target") &&
        name != "store/object_store.h" && name != "target/target.h") {
      findings.push_back(at_line(file, line, "load sees stores and targets by interface only"));
    }
    if ((name == "store/stores.h" || name == "target/targets.h") && layer != other &&
        file.path != "src/app/wiring.cc") {
      findings.push_back(at_line(file, line, "only app/wiring.cc knows the drivers"));
    }
  });
  return findings;
}

Findings check_libraries(const SourceFile& file) {
  Findings findings;
  if (!in_src(file)) return findings;
  each_include(file, '<', [&](size_t line, const std::string& name) {
    const auto library = std::ranges::find_if(
        kLibraries, [&](const Library& each) { return matches(name, each.header); });
    if (library == kLibraries.end()) {
      findings.push_back(
          at_line(file, line, "<" + name + "> has no place in the list of libraries"));
    } else if (!matches(file.path, library->place)) {
      findings.push_back(at_line(file, line, "<" + name + ">: " + library->why));
    }
  });
  return findings;
}

Findings check_banned(const SourceFile& file) {
  Findings findings;
  if (!is_cpp(file.path)) return findings;
  const std::string code = code_only(file.text);
  const std::vector<std::string_view> lines = lines_of(code);
  for (const Banned& banned : kBanned) {
    if (!matches(file.path, banned.applies) || matches(file.path, banned.except)) continue;
    for (size_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].contains(banned.hint)) continue;
      std::cmatch match;
      if (std::regex_search(lines[i].begin(), lines[i].end(), match, compiled(banned.code))) {
        findings.push_back(at_line(file, i, match.str() + ": " + banned.instead));
      }
    }
  }
  static const std::regex todo(R"(TO)"
                               R"(DO(?!: \S.{18}))");
  const std::vector<std::string_view> full = lines_of(file.text);
  for (size_t i = 0; i < full.size(); ++i) {
    if (full[i].contains("DO") && std::regex_search(full[i].begin(), full[i].end(), todo)) {
      findings.push_back(at_line(file, i, "say in a sentence what is to do, after a colon"));
    }
  }
  return findings;
}

Findings check_vendor_names(const SourceFile& file) {
  Findings findings;
  if (!in_src(file)) return findings;
  const std::string text = lower(file.path + "\n" + file.text);
  const std::vector<std::string_view> lines = lines_of(text);
  for (size_t i = 0; i < lines.size(); ++i) {
    for (const std::string_view vendor : {"rollerup", "twisp", "rivet", "firebolt", "spice"}) {
      if (!has_word(lines[i], vendor)) continue;
      findings.push_back(
          fmt::format("{}:{}: {} is a feed's name: what is special about it belongs "
                      "into the description language",
                      file.path, i, vendor));
    }
  }
  return findings;
}

Findings check_header_form(const SourceFile& file) {
  if (!is_header(file.path) || file.path.starts_with("cmake/")) return {};
  if (file.text.starts_with("#pragma once\n")) return {};
  return {file.path + ":1: a header starts with #pragma once"};
}

Findings check_machine_names(const SourceFile& file) {
  // Put together here, so that this file does not contain what it looks for.
  static const std::vector<std::string> names{
      std::string("/wo") + "rk/",          std::string("/ro") + "ot/",
      std::string("py") + "pi.org",        std::string("python") + "hosted.org",
      std::string("npm") + "js.org",       std::string("npm") + "js.com",
      std::string("repo.") + "maven",      std::string("repo1.") + "maven",
      std::string("deb.") + "debian.org",  std::string("crates") + ".io",
      std::string("proxy.") + "golang.org"};
  Findings findings;
  const std::vector<std::string_view> lines = lines_of(file.text);
  for (size_t i = 0; i < lines.size(); ++i) {
    for (const std::string& name : names) {
      if (lines[i].find(name) == std::string_view::npos) continue;
      findings.push_back(at_line(file, i, name + " is of one machine or registry: leave it out"));
    }
  }
  return findings;
}

Findings check_lengths(const std::vector<SourceFile>& files, const SourceFile& ratchet) {
  Findings findings;
  std::map<std::string, Allowance> allowances = read_allowances(ratchet, findings);
  allowances.erase("ignore_error");
  for (const SourceFile& file : files) {
    if (!is_cpp(file.path)) continue;
    const int lines = static_cast<int>(lines_of(file.text).size());
    hold_length(file.path, lines, is_header(file.path) ? kLongestHeader : kLongestSource,
                allowances, findings);
    if (!in_src(file)) continue;
    for (const FunctionSpan& function : functions_of(code_only(file.text))) {
      const std::string key = fmt::format("{}#{}", file.path, function.name);
      if (function.lines <= kLongestFunction && !allowances.contains(key)) continue;
      hold_length(key, function.lines, kLongestFunction, allowances, findings);
    }
  }
  for (const auto& [key, allowance] : allowances) {
    findings.push_back(fmt::format("{}: {} does not exist", ratchet.path, key));
  }
  return findings;
}

Findings check_ignored_errors(const std::vector<SourceFile>& files, const SourceFile& ratchet) {
  static const std::regex use(R"(\bignore_error\s*\()");
  Findings findings;
  std::string where;
  int uses = 0;
  for (const SourceFile& file : files) {
    if (!in_src(file) || file.path == "src/base/result.h") continue;
    if (!file.text.contains("ignore_error")) continue;
    const std::string code = code_only(file.text);
    const auto count = std::distance(std::sregex_iterator(code.begin(), code.end(), use), {});
    if (count > 0) where += fmt::format(" {} ({})", file.path, count);
    uses += static_cast<int>(count);
  }
  const int allowed = read_allowances(ratchet, findings)["ignore_error"].number;
  if (uses != allowed) {
    findings.push_back(
        fmt::format("ignore_error is used {} times, {} says {}: handle the error, or "
                    "change the number and say why. Uses:{}",
                    uses, ratchet.path, allowed, where));
  }
  return findings;
}

Findings check_tests_mirror(const std::vector<SourceFile>& files, const SourceFile& untested) {
  Findings findings;
  std::map<std::string, std::string> reasons = read_reasons(untested, findings);
  std::set<std::string> paths;
  for (const SourceFile& file : files) paths.insert(file.path);
  for (const std::string& path : paths) {
    if (!path.starts_with("src/") || !path.ends_with(".cc")) continue;
    const std::string test = "tests/" + path.substr(4, path.size() - 7) + "_test.cc";
    const bool excused = reasons.erase(path) > 0;
    if (paths.contains(test)) {
      if (excused) findings.push_back(fmt::format("{}: {} has a test now", untested.path, path));
    } else if (!excused) {
      findings.push_back(
          fmt::format("{}: write {}, or its reason into {}", path, test, untested.path));
    }
  }
  for (const auto& [path, reason] : reasons) {
    findings.push_back(fmt::format("{}: {} does not exist", untested.path, path));
  }
  return findings;
}

Findings check_links(const std::vector<SourceFile>& files) {
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  std::set<std::string> known;
  for (const SourceFile& file : files) {
    for (std::filesystem::path path(file.path); !path.empty(); path = path.parent_path()) {
      known.insert(path.string());
    }
  }
  Findings findings;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".md")) continue;
    const auto folder = std::filesystem::path(file.path).parent_path();
    const std::vector<std::string_view> lines = lines_of(file.text);
    for (size_t i = 0; i < lines.size(); ++i) {
      for (std::cregex_iterator it(lines[i].begin(), lines[i].end(), link), end; it != end; ++it) {
        std::string target = (*it)[1].str();
        if (matches(target, "^([a-z]+:|#)")) continue;
        target = target.substr(0, target.find('#'));
        std::string path = (folder / target).lexically_normal().string();
        if (path.ends_with('/')) path.pop_back();
        if (!known.contains(path)) findings.push_back(at_line(file, i, target + " does not exist"));
      }
    }
  }
  return findings;
}

}  // namespace forebay::test
