#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/last_words.h"
#include "load/batches.h"
#include "load/pipeline.h"

namespace forebay {

// Units whose reading has ended the process. A reader may crash on a file that is damaged in a way
// nobody foresaw, and would in every run: the file would take its pipeline down for good. So a
// process that dies of a fault leaves a note in the staging folder that names the units it was
// reading, and the next load reads those one by one. One that was alone when the process died is
// not read again: it is refused, and all others are loaded. Not thread-safe.
class Suspects {
 public:
  // Reads the note of the pipeline, if there is one.
  explicit Suspects(const Pipeline& pipeline);
  // Whoever gets here has read them. The note of one that is refused stays until that is in the
  // ledger, where an ordered feed never puts it.
  ~Suspects();
  Suspects(const Suspects&) = delete;
  Suspects& operator=(const Suspects&) = delete;

  bool contains(const LoadedUnit& unit) const { return noted_.contains(name_of(unit)); }
  // Whether nothing else was read when the process died.
  bool condemned(const LoadedUnit& unit) const { return alone_ && contains(unit); }
  static Error refusal();

  // Keeps the words ready for as long as the object lives.
  LastWords while_reading(const std::vector<const LoadedUnit*>& units) const;
  // It was read, or what became of it is in the ledger.
  void forget(const LoadedUnit& unit);

 private:
  static std::string name_of(const LoadedUnit& unit);
  void remove_note() const;

  std::string note_;
  std::set<std::string> noted_;  // fingerprints of a unit's name and version
  bool alone_ = false;           // the note names one only
  bool several_ = false;         // or more
};

}  // namespace forebay
