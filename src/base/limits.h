#pragma once

#include <chrono>
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
// Staged files of up to so many bytes are kept in memory, and of all of them together no more.
inline constexpr std::uint64_t kStagedInMemoryBytes = std::uint64_t{128} << 10;
inline constexpr std::uint64_t kStagedInMemoryTotal = std::uint64_t{64} << 20;
// Rows that a snapshot must bring before its batch is closed behind it: it then goes straight from
// the files into the table, without a sort of its keys against later rows.
inline constexpr std::uint64_t kLargeSnapshotRows = 200'000;
// Keys of a snapshot whose hashes are compared in memory, 8 bytes each and as much again while the
// engine hands them over; those of more are sorted by the engine, which spills.
inline constexpr std::uint64_t kHashesInMemory = 32'000'000;
// What `plan` reads of a file's end to learn its columns; wider footers are refused there, not
// lost.
inline constexpr std::uint64_t kPeekBytes = std::uint64_t{1} << 20;
// Files a table that `plan` looks into; the newest of a longer queue are taken as they come.
inline constexpr std::size_t kPeekFiles = 64;
// Prefixes, one for each hour or day of a look-back: beyond that a listing of all costs less.
inline constexpr std::size_t kMaxDatedPrefixes = 1'000;
// Units that a person names, each looked up with a listing of its own; more are looked for in one
// listing of all.
inline constexpr std::size_t kMaxNamedPrefixes = 100;
// Differences that `verify` lists, of each kind that a query finds.
inline constexpr std::size_t kMaxDifferences = 1'000;
// How old a file in a folder must be before it is read, unless `settle` says otherwise: copying
// into a folder makes it visible before it is whole.
inline constexpr std::chrono::seconds kFolderSettle{2};
// How long `load` waits in all for objects that are still settling.
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

// Flags with content, such as a hash in hexadecimal.
inline constexpr std::size_t kMaxFlagBytes = 4 * 1024;

// Names that become names of tables; databases bound them lower still.
inline constexpr std::size_t kMaxTableNameBytes = 512;
// Parquet footers. What a footer claims is compared with these before memory is taken for it.
// A footer is held in memory whole. 10,000 columns in 10 row groups make 11 MB (WIDE-3), so this is
// more than twenty times the widest file that was ever reported.
inline constexpr std::uint64_t kMaxParquetFooterBytes = 256 * 1024 * 1024;
// Nodes of a schema, the root counted. Engines stop working at about 44,000 columns (WIDE-2), and a
// list column has three nodes.
inline constexpr std::uint64_t kMaxParquetSchemaElements = 200'000;
// How deep groups may nest: readers descend recursively, and a list costs two levels.
inline constexpr std::uint64_t kMaxParquetSchemaDepth = 128;
// Row groups times leaf columns: DuckDB keeps more than half a kilobyte for each.
inline constexpr std::uint64_t kMaxParquetColumnChunks = 4'000'000;
// A page's header holds at most the smallest and the largest value of the page.
inline constexpr std::uint64_t kMaxParquetPageHeaderBytes = 16 * 1024 * 1024;

// What a compressed file may become: whatever stays below the first, and beyond it no more than the
// second times its own size, so that a bomb cannot fill the staging disk.
inline constexpr std::uint64_t kMaxInflatedFree = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kMaxInflation = 1'000;
// One row of CSV or JSON: a quote left open would make one of the whole rest of the file.
inline constexpr std::size_t kMaxTextRecordBytes = std::size_t{64} << 20;
// Columns of a file of text; engines stop working at about 44,000 (WIDE-2).
inline constexpr std::size_t kMaxTextColumns = 20'000;
// Rows and bytes of a row group of a decoded file, which is held in memory for each file being
// read.
inline constexpr std::uint64_t kTextGroupRows = 122'880;
inline constexpr std::size_t kTextGroupBytes = std::size_t{16} << 20;

// Shared files. So many files are put into one, of at most so many bytes each: copying more costs
// more than opening it (measured with bench/run files-5000). The shared file ends at so many bytes
// or column chunks, which its reader holds in memory.
inline constexpr std::size_t kSpliceFiles = 16;
inline constexpr std::uint64_t kSplicedFileBytes = 128 * 1024;
inline constexpr std::uint64_t kSpliceBytes = std::uint64_t{256} << 20;
inline constexpr std::size_t kSpliceChunks = 100'000;

}  // namespace forebay
