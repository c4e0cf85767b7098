#pragma once

#include <cstddef>
#include <cstdint>

namespace forebay {

// Every bound of the program, with its reason. A bound that is reached is an error that names it.

// Names compared with the ledger in one anti-join: large enough to be worth a query, small enough
// to stay far below a hundred megabytes.
inline constexpr std::size_t kKnownBatch = 65'536;
// Documents read ahead of a batch, together.
inline constexpr std::size_t kDocumentsAhead = 256;
// Units and files of one transaction. Each file holds a descriptor until it is applied.
inline constexpr std::size_t kMaxBatchUnits = 2'000;
inline constexpr std::size_t kMaxBatchFiles = 4'000;
// Bytes staged for one batch; a unit that is larger goes alone.
inline constexpr std::uint64_t kMaxBatchBytes = std::uint64_t{4} << 30;
// Rows that a snapshot must bring before its batch is closed behind it: it then goes straight from
// the files into the table, without a sort of its keys against later rows.
inline constexpr std::uint64_t kLargeSnapshotRows = 200'000;
// What `plan` reads of a file's end to learn its columns; wider footers are refused there, not lost.
inline constexpr std::uint64_t kPeekBytes = std::uint64_t{1} << 20;
// Files a table that `plan` looks into; the newest of a longer queue are taken as they come.
inline constexpr std::size_t kPeekFiles = 64;
// How long `load` waits for an object that is still settling.
inline constexpr int kMaxSettleSeconds = 60;
// Examples of keys that are no unit, for `plan`.
inline constexpr std::size_t kExamples = 20;

// Feed descriptions: a page of YAML. The size also bounds what a hostile page can cost to parse.
inline constexpr std::size_t kMaxDescriptionBytes = 64 * 1024 - 1;
inline constexpr int kMaxDescriptionDepth = 32;

// Patterns: object keys have at most 1,024 bytes; the search for ambiguity is quadratic in steps.
inline constexpr std::size_t kMaxPatternBytes = 512;
inline constexpr std::size_t kMaxPatternSteps = 512;

// Documents that list a unit's files. 64 MiB hold some 400,000 entries.
inline constexpr std::size_t kMaxDocumentBytes = 64 * 1024 * 1024;
inline constexpr int kMaxDocumentDepth = 64;
inline constexpr std::size_t kMaxDocumentFiles = 1'000'000;

// Names that become names of tables; databases bound them lower still.
inline constexpr std::size_t kMaxTableNameBytes = 512;

}  // namespace forebay
