// Aim: the rules of docs/STYLE.md that a machine can check hold for every file of the project.
// Method: each rule is a function (support/tidy_rules.h). Tidy runs them on the project; TidyRule
// runs each on made-up input that breaks it and on input that does not, so that no rule can pass by
// finding nothing anywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/paths.h"
#include "support/tidy_rules.h"

namespace forebay::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::vector<SourceFile>& project() {
  static const std::vector<SourceFile> files = project_files();
  return files;
}

const SourceFile& project_file(const std::string& path) {
  const auto found = std::ranges::find(project(), path, &SourceFile::path);
  if (found == project().end()) throw std::runtime_error(path + " is missing");
  return *found;
}

void expect_none(const Findings& findings) {
  std::string all;
  for (const std::string& finding : findings) all += "\n" + finding;
  EXPECT_TRUE(findings.empty()) << all;
}

// One rule over all files.
void expect_kept(Findings (*rule)(const SourceFile&)) {
  Findings all;
  for (const SourceFile& file : project()) {
    const Findings found = rule(file);
    all.insert(all.end(), found.begin(), found.end());
  }
  expect_none(all);
}

TEST(Tidy, LayersIncludeOnlyWhatIsBelowThem) { expect_kept(check_layers); }
TEST(Tidy, EveryLibraryHasOnePlace) { expect_kept(check_libraries); }
TEST(Tidy, BannedCallsAreAbsent) { expect_kept(check_banned); }
TEST(Tidy, NoVendorsFeedIsNamedInCode) { expect_kept(check_vendor_names); }
TEST(Tidy, HeadersHaveTheirForm) { expect_kept(check_header_form); }
TEST(Tidy, NoMachineOrRegistryIsNamed) { expect_kept(check_machine_names); }

TEST(Tidy, FilesAndFunctionsAreShort) {
  expect_none(check_lengths(project(), project_file("tests/tidy_ratchet.txt")));
}

TEST(Tidy, IgnoredErrorsAreCounted) {
  expect_none(check_ignored_errors(project(), project_file("tests/tidy_ratchet.txt")));
}

TEST(Tidy, EverySourceHasItsTest) {
  expect_none(check_tests_mirror(project(), project_file("tests/tidy_untested.txt")));
}

TEST(Tidy, LinksInTheDocumentsLeadSomewhere) { expect_none(check_links(project())); }

TEST(Tidy, SourcesAreFormatted) {
  if (std::system("command -v clang-format-19 >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "clang-format-19 is not installed";
  }
  const std::string command = "'" + source_dir().string() + "/scripts/format' --check";
  EXPECT_EQ(std::system(command.c_str()), 0) << "run scripts/format";
}

TEST(TidyRule, LayersFindsAnIncludeUpwards) {
  EXPECT_THAT(check_layers({"src/base/a.cc", "#include \"net/http.h\"\n"}),
              ElementsAre("src/base/a.cc:1: base may not include net"));
  EXPECT_THAT(check_layers({"src/feed/a.h", "\n#include \"store/object_store.h\"\n"}),
              ElementsAre("src/feed/a.h:2: feed may not include store"));
  EXPECT_THAT(check_layers({"src/store/a.cc", "#include \"engine/engine.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_layers({"src/target/a.cc", "#include \"engine/engine.h\"\n"}), IsEmpty());
  EXPECT_THAT(check_layers({"src/base/a.cc", "#include \"base/b.h\"\n"}), IsEmpty());
}

TEST(TidyRule, LayersFindsAFolderThatIsNoLayerAndAPathThatIsNotFromSrc) {
  EXPECT_THAT(check_layers({"src/util/a.cc", ""}), SizeIs(1));
  EXPECT_THAT(check_layers({"src/base/a.cc", "#include \"b.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_layers({"src/base/a.cc", "#include \"../net/b.h\"\n"}), SizeIs(1));
}

TEST(TidyRule, LayersLetsLoadSeeInterfacesOnly) {
  const char* interfaces = "#include \"store/object_store.h\"\n#include \"target/target.h\"\n";
  EXPECT_THAT(check_layers({"src/load/a.cc", interfaces}), IsEmpty());
  EXPECT_THAT(check_layers({"src/load/a.cc", "#include \"store/s3_client.h\"\n"}), SizeIs(1));
  EXPECT_THAT(check_layers({"src/load/a.cc", "#include \"net/http.h\"\n"}), SizeIs(1));
}

TEST(TidyRule, LayersLetsOnlyTheWiringKnowDrivers) {
  const char* drivers = "#include \"store/stores.h\"\n#include \"target/targets.h\"\n";
  EXPECT_THAT(check_layers({"src/app/wiring.cc", drivers}), IsEmpty());
  EXPECT_THAT(check_layers({"src/app/cli.cc", drivers}), SizeIs(2));
  EXPECT_THAT(check_layers({"src/store/s3_store.cc", "#include \"store/stores.h\"\n"}), IsEmpty());
}

TEST(TidyRule, LibrariesFindsALibraryOutOfPlaceAndAnUnknownOne) {
  const auto findings = [](const char* path, const char* name) {
    return check_libraries({path, std::string("#include <") + name + ">\n"});
  };
  for (const char* name : {"curl/curl.h", "duckdb.h", "yaml-cpp/yaml.h", "parquet_types.h",
                           "thrift/Thrift.h", "openssl/hmac.h", "xxhash.h", "CLI/CLI.hpp",
                           "pugixml.hpp", "spdlog/spdlog.h", "boost/any.hpp", "libpq-fe.h"}) {
    EXPECT_THAT(findings("src/load/a.cc", name), SizeIs(1)) << name;
  }
  EXPECT_THAT(findings("src/net/http.cc", "curl/curl.h"), IsEmpty());
  EXPECT_THAT(findings("src/net/http.h", "curl/curl.h"), SizeIs(1));
  EXPECT_THAT(findings("src/engine/value.h", "duckdb.h"), IsEmpty());
  EXPECT_THAT(findings("src/store/s3_xml.cc", "pugixml.hpp"), IsEmpty());
  EXPECT_THAT(findings("src/load/a.cc", "vector"), IsEmpty());
  EXPECT_THAT(findings("src/load/a.cc", "sys/stat.h"), IsEmpty());
  EXPECT_THAT(findings("src/load/a.cc", "fmt/format.h"), IsEmpty());
}

TEST(TidyRule, BannedFindsEachCall) {
  for (const char* code :
       {"getenv(\"A\");", "std::chrono::system_clock::now();", "time(nullptr);",
        "gettimeofday(&x, 0);", "clock_gettime(x, &y);", "std::this_thread::sleep_for(x);",
        "usleep(1);", "int x = rand();", "std::system(\"ls\");", "popen(\"ls\", \"r\");",
        "std::cout << 1;", "printf(\"a\");", "puts(\"a\");", "std::fprintf(stderr, \"\");",
        "assert(x);", "using namespace std;"}) {
    EXPECT_THAT(check_banned({"src/load/a.cc", code}), SizeIs(1)) << code;
  }
  EXPECT_THAT(check_banned({"tests/load/a_test.cc", "std::this_thread::sleep_for(x);"}), SizeIs(1));
}

TEST(TidyRule, BannedKnowsThePlacesThatMayAndWhatIsNoCall) {
  EXPECT_THAT(check_banned({"src/app/config.cc", "std::getenv(\"A\");"}), IsEmpty());
  EXPECT_THAT(check_banned({"src/net/credentials/aws.cc", "std::getenv(\"A\");"}), IsEmpty());
  EXPECT_THAT(check_banned({"src/base/clock.cc", "std::chrono::system_clock::now()"}), IsEmpty());
  EXPECT_THAT(check_banned({"src/app/cli.cc", "std::cout << 1;"}), IsEmpty());
  for (const char* code :
       {"// rand() is banned", "/* getenv( */", "auto s = \"printf(\";", "R\"(assert(x))\";",
        "operand(1);", "clock.sleep(x);", "file_system(x);", "static_assert(x);", "system_clock();",
        "bool sleep(Duration d);", "using namespace std::chrono_literals;"}) {
    EXPECT_THAT(check_banned({"src/load/a.cc", code}), IsEmpty()) << code;
  }
}

TEST(TidyRule, BannedFindsANoteWithoutASentence) {
  const std::string note =
      "// TO"
      "DO";
  EXPECT_THAT(check_banned({"src/load/a.cc", note}), SizeIs(1));
  EXPECT_THAT(check_banned({"src/load/a.cc", note + ": later"}), SizeIs(1));
  EXPECT_THAT(check_banned({"src/load/a.cc", note + ": read the footer once, not twice"}),
              IsEmpty());
}

TEST(TidyRule, VendorNamesFindsThemInCodeCommentsAndPaths) {
  EXPECT_THAT(check_vendor_names({"src/feed/a.cc", "\nif (name == \"Twisp\")"}),
              ElementsAre(HasSubstr("src/feed/a.cc:2:")));
  EXPECT_THAT(check_vendor_names({"src/feed/rivet_gate.cc", ""}), SizeIs(1));
  EXPECT_THAT(check_vendor_names({"src/feed/a.cc", "// as RollerUp does"}), SizeIs(1));
  EXPECT_THAT(check_vendor_names({"src/feed/a.cc", "// rivets and spices"}), IsEmpty());
  EXPECT_THAT(check_vendor_names({"docs/FEEDS.md", "Twisp"}), IsEmpty());
}

TEST(TidyRule, HeaderFormFindsAHeaderWithoutPragmaOnce) {
  EXPECT_THAT(check_header_form({"src/base/a.h", "#ifndef A\n"}), SizeIs(1));
  EXPECT_THAT(check_header_form({"src/base/a.h", "#pragma once\n"}), IsEmpty());
}

TEST(TidyRule, MachineNamesFindsFoldersAndHosts) {
  EXPECT_THAT(check_machine_names({"a.md", std::string("see /wo") + "rk/main"}), SizeIs(1));
  EXPECT_THAT(check_machine_names({"a", std::string("x\nhttps://py") + "pi.org/simple"}),
              ElementsAre(HasSubstr("a:2:")));
  EXPECT_THAT(check_machine_names({"a.md", "https://s3.amazonaws.com/bucket"}), IsEmpty());
}

std::string many_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "int x;\n";
  return text;
}

TEST(TidyRule, LengthsFindsWhatIsTooLongAndWhatTheRatchetShouldGiveUp) {
  const SourceFile none{"ratchet", "# empty\n"};
  const SourceFile long_file{"src/base/a.cc", many_lines(401)};
  EXPECT_THAT(check_lengths({{"src/base/a.cc", many_lines(400)}}, none), IsEmpty());
  EXPECT_THAT(check_lengths({long_file}, none), SizeIs(1));
  EXPECT_THAT(check_lengths({{"src/base/a.h", many_lines(201)}}, none), SizeIs(1));
  EXPECT_THAT(check_lengths({long_file}, {"ratchet", "src/base/a.cc 401 a table\n"}), IsEmpty());
  EXPECT_THAT(check_lengths({long_file}, {"ratchet", "src/base/a.cc 401\n"}), SizeIs(1));
  EXPECT_THAT(check_lengths({long_file}, {"ratchet", "src/base/a.cc 402 a table\n"}),
              ElementsAre(HasSubstr("lower the ratchet")));
  EXPECT_THAT(check_lengths({{"src/base/a.cc", "\n"}}, {"ratchet", "src/base/a.cc 401 a table\n"}),
              ElementsAre(HasSubstr("take it off")));
  EXPECT_THAT(check_lengths({}, {"ratchet", "src/base/a.cc 401 a table\n"}),
              ElementsAre(HasSubstr("does not exist")));
}

TEST(TidyRule, LengthsFindsALongFunction) {
  const auto function = [](int lines) {
    return "namespace a {\nclass B {\n  void c(int d) {\n" + many_lines(lines - 2) + "  }\n};\n}\n";
  };
  const SourceFile none{"ratchet", ""};
  EXPECT_THAT(check_lengths({{"src/base/a.cc", function(70)}}, none), IsEmpty());
  EXPECT_THAT(check_lengths({{"src/base/a.cc", function(71)}}, none),
              ElementsAre(HasSubstr("src/base/a.cc#c: 71 lines")));
  EXPECT_THAT(
      check_lengths({{"src/base/a.cc", "constexpr int kA[]{\n" + many_lines(80) + "};\n"}}, none),
      IsEmpty());
  EXPECT_THAT(check_lengths({{"src/base/a.cc", function(71)}},
                            {"ratchet", "src/base/a.cc#c 71 one switch\n"}),
              IsEmpty());
}

TEST(TidyRule, IgnoredErrorsFindsAWrongCount) {
  const SourceFile user{"src/load/a.cc", "ignore_error(x, \"why\");  // ignore_error(\n"};
  EXPECT_THAT(check_ignored_errors({user}, {"ratchet", ""}), SizeIs(1));
  EXPECT_THAT(check_ignored_errors({user}, {"ratchet", "ignore_error 1 a rollback\n"}), IsEmpty());
  EXPECT_THAT(check_ignored_errors({user}, {"ratchet", "ignore_error 2 a rollback\n"}), SizeIs(1));
}

TEST(TidyRule, TestsMirrorFindsAMissingTestAndAStaleExcuse) {
  const SourceFile source{"src/load/a.cc", ""};
  const SourceFile test{"tests/load/a_test.cc", ""};
  const SourceFile excuse{"untested", "src/load/a.cc the compiler checks it\n"};
  EXPECT_THAT(check_tests_mirror({source}, {"untested", ""}), SizeIs(1));
  EXPECT_THAT(check_tests_mirror({source, test}, {"untested", ""}), IsEmpty());
  EXPECT_THAT(check_tests_mirror({source}, excuse), IsEmpty());
  EXPECT_THAT(check_tests_mirror({source}, {"untested", "src/load/a.cc\n"}), SizeIs(1));
  EXPECT_THAT(check_tests_mirror({source, test}, excuse), SizeIs(1));
  EXPECT_THAT(check_tests_mirror({}, excuse), SizeIs(1));
}

TEST(TidyRule, LinksFindsOneThatLeadsNowhere) {
  const SourceFile other{"docs/B.md", ""};
  const auto document = [](const char* text) { return SourceFile{"docs/A.md", text}; };
  EXPECT_THAT(check_links({document("[b](B.md#part) [up](../docs/)"), other}), IsEmpty());
  EXPECT_THAT(check_links({document("[b](https://example.com) [c](#here)"), other}), IsEmpty());
  EXPECT_THAT(check_links({document("\n[b](C.md)"), other}),
              ElementsAre(HasSubstr("docs/A.md:2:")));
}

}  // namespace
}  // namespace forebay::test
