#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/feed_maker.h"

namespace forebay::test {

// What the tables must hold, computed from the markers alone, as plainly as the feed's document
// puts it: take the markers in the order of their names, and act. It shares no code with the
// loader.
class Oracle {
 public:
  struct Row {
    std::map<std::string, std::string> cells;  // by column; a column that is not here is null
    std::string decided_by;  // marker and number of its file: "20261020T140000Z#0"
  };
  struct Table {
    std::set<std::string> columns;             // of all files ever listed, without _deleted
    std::map<std::string, std::string> least;  // by column: the type that its values need
    std::map<std::string, std::string> most;   // by column: the widest type that any file gave it
    std::map<std::string, Row> rows;           // by _row_id
    std::set<std::string> gone;                // keys deleted last, since the last snapshot
    std::set<std::string> live;  // files (as in decided_by) that no snapshot retracted
  };

  // The marker has been loaded, whenever that was.
  void apply(const Marker& marker) { markers_[marker.name + ".json"] = marker; }

  std::map<std::string, Table> tables() const;
  const std::map<std::string, Marker>& markers() const { return markers_; }

 private:
  std::map<std::string, Marker> markers_;  // by the marker's file name: its order
};

// A number in the shortest form, so that 2, 2.0 and 2.00 are one; any other text as it is.
std::string shortest_number(const std::string& text);

// Which of two types of one column is the wider; the types that histories use, and no others.
bool wider(const std::string& a, const std::string& b);

}  // namespace forebay::test
