#pragma once

#include <string>

namespace forebay::test {

// Writes all tables and views of a PostgreSQL database into a new DuckDB file, with the columns
// that a DuckDB target would have there, so that what looks at one looks at the other too.
void mirror_postgres(const std::string& url, const std::string& file);

}  // namespace forebay::test
