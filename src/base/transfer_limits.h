#pragma once

#include <cstddef>
#include <cstdint>

namespace forebay {

// Bounds of listing and downloading, with their reasons; all others stand in base/limits.h.

// Names of a listing compared with the ledger at once. With what the ledger says of them 65,536
// took 219 MB in all, 16,384 took 145 MB and 8,192 take 123 MB, over a million known objects.
inline constexpr std::size_t kListedBatch = 8'192;
// Memory of the engine meanwhile: it keeps what it read up to its limit, and a listing of millions
// of names reads all of the ledger. Enough for as many names of a kilobyte each.
inline constexpr std::uint64_t kCompareMemory = std::uint64_t{40} << 20;
// Pages that a listing may be ahead of whoever reads it, for each prefix being listed: about 250 kB
// each.
inline constexpr std::size_t kPagesAhead = 2;

// An object of at least so many bytes is read by ranges, several of them at once.
inline constexpr std::uint64_t kMinRangedBytes = std::uint64_t{32} << 20;
// A range: large enough that a request costs little beside its bytes, small enough that one that
// breaks is soon read again.
inline constexpr std::uint64_t kRangeBytes = std::uint64_t{16} << 20;

}  // namespace forebay
