#pragma once

#include <string>
#include <vector>

#include "load/plan.h"

namespace forebay {

// Units that each bring a window of one state (PieceRule), of one part of a table and due. A state
// is whole when its windows join: one has no lower bound, one no upper bound, and every other bound
// is shared by two. Of two states with the same windows a piece is of the one that began nearer.
//
// Takes out of `units` what makes up the newest whole state and puts in its stead one unit: the
// newest of the pieces, with the files of all, each of which stays its own piece's
// (UnitFile::unit), and with the pieces' entries. Newer pieces of states that are not whole go to
// `waiting`, with the reason; they hold nothing back. Units that are not pieces end the search:
// what is older than one of them joins nothing newer.
void join_pieces(std::vector<PlannedUnit>& units, std::vector<PlannedUnit>& waiting);

}  // namespace forebay
