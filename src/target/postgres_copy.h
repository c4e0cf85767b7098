#pragma once

#include <string>
#include <vector>

#include "engine/database.h"
#include "target/postgres_session.h"

namespace forebay {

// Makes a temporary table `name` in the session with the rows of a relation of the engine, piece by
// piece by binary COPY, and gives it statistics. Its columns have PostgreSQL's types for those of
// the relation; the terms of
// versions compare like their bytes.
//
// refused, with column and value: a NUL byte in a text, a time outside PostgreSQL's years or with
// nanoseconds, a type that PostgreSQL has no place for.
Status copy_to_postgres(duckdb::Connection& local, const std::string& relation,
                        PostgresSession& session, const std::string& name, const std::string& what);

// Whether a column of this type can stand in PostgreSQL; else why not.
std::string unstorable_in_postgres(const ColumnType& type);

// Internal, for tests: a decimal as text ("-12.50") in the form of binary COPY.
std::string postgres_numeric(std::string_view decimal);

}  // namespace forebay
