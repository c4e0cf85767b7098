#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "load/pipeline.h"
#include "target/target.h"

namespace forebay {

// What may not change once rows stand, and whose tables these are.

// The facts that this pipeline as configured would state: its source, its feed, and what its rows
// mean ("effect", "key", …).
std::vector<Fact> facts_of(const Pipeline& pipeline);

// The tables that the ledger knows of a pipeline, by name.
std::vector<TableName> tables_of(const LedgerHead& head);

// refused: a fact that is fixed differs from the ledger; both values are named.
Status check_identity(const Pipeline& pipeline, const LedgerHead& head);

// refused: a table that another pipeline made, that forebay did not make, or that the ledger knows
// and the database lacks.
Status check_tables(const Pipeline& pipeline, const LedgerHead& head,
                    const std::vector<TableName>& tables, const std::vector<TableState>& states);

// That tables of somebody else are this pipeline's from now on (`adopt`).
std::vector<Fact> adopted_facts(const std::vector<TableName>& tables,
                                const std::vector<TableState>& states);

// The columns of a table that are not called as in the files, and how they are called there.
std::map<std::string, std::string> column_names(const LedgerHead& head, const TableName& table);

// Those facts, and one for each table that is created, that the ledger does not have yet.
std::vector<Fact> new_facts(const Pipeline& pipeline, const LedgerHead& head,
                            const std::vector<TableChange>& tables);

}  // namespace forebay
