#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "feed/feed.h"
#include "load/fetch.h"
#include "target/target.h"

namespace forebay {

// What rows are known by, where the description alone does not say it.

// The feed with the key that the documents of these files of one table tell; nothing where the
// feed says itself what rows are known by.
std::optional<Feed> with_told_key(const Feed& feed, const std::vector<const StagedFile*>& files);

// Such a key is fixed once rows stand, like any other; a new one becomes a fact. refused: the files
// say another one, or not all the same.
Status check_told_key(const LedgerHead& head, const TableName& table,
                      const std::vector<const StagedFile*>& files, std::vector<Fact>& facts);

// Rows that replace others by their key need one, and which columns it has nobody can guess.
// refused: there is none, with the columns that could be it.
Status check_needed_key(const Feed& feed, const TableName& table,
                        const std::vector<const StagedFile*>& files,
                        const std::vector<Column>& columns);

}  // namespace forebay
