#pragma once

#include <map>
#include <string>
#include <vector>

#include "feed/feed.h"
#include "sim/model_database.h"
#include "sim/world.h"

namespace forebay::sim {

// Rows as texts, sorted: "_row_id=a amount=7"; what is null is not named.
using Rows = std::vector<std::string>;
using Tables = std::map<std::string, Rows>;  // by table's name

// What the tables must hold, from what the ledger calls applied and what the bucket ever held; the
// loader and its target are not asked. Tables without rows are left out.
Tables expected_tables(FeedKind kind, OnRewrite on_rewrite, const ModelDatabase& ledger,
                       const World& world);

Tables tables_of(const ModelDatabase& database);

// The units that are in the bucket and not decided on as they are; empty: nothing is left to do.
std::vector<std::string> unsettled(FeedKind kind, const ModelDatabase& ledger, const World& world);

std::string row_text(const std::vector<Column>& columns, const Cells& cells);

}  // namespace forebay::sim
