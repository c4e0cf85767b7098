#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "feed/feed.h"
#include "sim/bucket.h"
#include "sim/draw.h"
#include "sim/ready_files.h"

namespace forebay::sim {

enum class FeedKind {
  files,      // units are files, in any order, whose rows append
  documents,  // units are markers, in the order of their names: puts, deletes, snapshots
};

// What a marker says.
struct MarkerMeaning {
  struct File {
    std::string table;
    std::string key;
  };
  bool snapshot = false;
  std::vector<File> files;
};

// The producer: a bucket, what will happen to it, and what everything in it ever meant.
class World {
 public:
  static constexpr const char* kPrefix = "lake/";  // of the source, in the store's keys

  struct Habits {
    bool overwrites = false;
    bool removes = false;
    bool damages = false;
  };
  World(FeedKind kind, const Habits& habits, Draw& draw);

  bool done() const { return next_ == plan_.size(); }
  // The next thing that happens, told in a few words.
  std::string act();
  // All that is left happens, and what a document needs is made whole.
  void settle();

  Bucket bucket;
  Time now;

  // What a version of a data file holds; null: nothing that can be read.
  const ReadyFile* rows_of(std::string_view etag) const;
  const MarkerMeaning& marker(std::string_view etag) const {
    return markers_.at(std::string(etag));
  }

 private:
  struct Event {
    std::string words;
    std::function<void()> happen;
  };
  void plan_files(const Habits& habits);
  void plan_documents(const Habits& habits);
  void plan_document(const std::string& name, const Habits& habits);
  void put_file(const std::string& key, const ReadyFile& file, bool whole);
  void put_marker(const std::string& name, const MarkerMeaning& meaning, int wrong_rows,
                  bool pretty);
  void later(std::string words, std::function<void()> happen);
  const ReadyFile& any_file() { return ready_files()[draw_.below(ready_files().size())]; }

  Draw& draw_;
  std::vector<Event> plan_;
  std::size_t next_ = 0;
  std::size_t first_of_unit_ = 0;
  std::vector<std::function<void()>> repairs_;
  std::map<std::string, MarkerMeaning> markers_;  // by etag
};

}  // namespace forebay::sim
