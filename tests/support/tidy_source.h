#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forebay::test {

// A text file as the rules of tests/tidy_test.cc see it.
struct SourceFile {
  std::string path;  // from the root of the project, with forward slashes
  std::string text;
};

// One broken rule a line: "path:line: what is wrong and what to do".
using Findings = std::vector<std::string>;

// All files that git tracks, and new ones that it does not ignore. Fails the calling test (throws)
// when git does not answer or names nothing, so that a check never passes by seeing no file.
std::vector<SourceFile> project_files();

// `text` with comments, string and character literals blanked, line ends kept: what remains is
// code.
std::string code_only(std::string_view text);

std::vector<std::string_view> lines_of(std::string_view text);

// A function body found in code_only() text.
struct FunctionSpan {
  std::string name;
  int first_line = 0;  // where its declaration starts, counted from 1
  int lines = 0;
};

// Function definitions, outermost only, found by their braces. A heuristic for formatted code.
std::vector<FunctionSpan> functions_of(std::string_view code);

// Lines "KEY VALUE reason…" of a list of exceptions; '#' starts a comment. A line without a reason
// is a finding under `findings`.
struct Allowance {
  int number = 0;
  std::string reason;
};
std::map<std::string, Allowance> read_allowances(const SourceFile& file, Findings& findings);

// Lines "KEY reason…".
std::map<std::string, std::string> read_reasons(const SourceFile& file, Findings& findings);

}  // namespace forebay::test
