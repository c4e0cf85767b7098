#pragma once

#include <string>
#include <vector>

namespace forebay::test {

// Whether all the values print back from a type, as DuckDB alone says.
bool print_back(const std::vector<std::string>& values, const std::string& type);

// The first type that the contract names from which all of them do; text for none at all.
std::string type_of(const std::vector<std::string>& values);

}  // namespace forebay::test
