#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forebay::test {

// A real export, step by step: what stood at the destination after each step, and what the tables
// must hold once it is loaded (tests/data/rivet/README.md).
struct SampleColumn {
  std::string name;
  std::string source_type;
};

struct SampleTable {
  std::vector<SampleColumn> columns;
  std::vector<std::vector<std::optional<std::string>>> rows;
};

struct SampleTarget {
  std::string prefix;
  std::string mode;
};

struct SampleStep {
  std::string state;
  std::map<std::string, std::string> objects;                // path → file among the objects
  std::map<std::string, std::optional<SampleTable>> tables;  // by target; nothing: none yet
};

struct Sample {
  std::filesystem::path objects;
  std::map<std::string, SampleTarget> targets;
  std::vector<SampleStep> steps;
};

Sample read_sample(const std::string& scenario);

// Makes `folder` what it was after a step: writes what is new or differs, removes what is gone.
void lay_out(const Sample& sample, const SampleStep& step, const std::string& folder);

// An expression of DuckDB's SQL that gives a column's value in the text form of the samples.
std::string sample_text_sql(const SampleColumn& column);

// Whether two texts of a column mean the same: floating point numbers by value, JSON as values.
bool same_value(const SampleColumn& column, const std::optional<std::string>& a,
                const std::optional<std::string>& b);

}  // namespace forebay::test
