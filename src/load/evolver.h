#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "feed/feed.h"
#include "load/evolve.h"
#include "load/object_columns.h"
#include "target/target.h"

namespace forebay {

// A column that the current table does not have: the delete flag, and what `drop` names.
bool is_beside(const Feed& feed, const std::string& name);
// A column by which versions are compared.
bool is_term(const Feed& feed, const std::string& name);
// What stands of all that is read: in the history, else in the table and beside its columns.
std::vector<Column> standing_columns(const TableState& state, const Feed& feed);
// drift, of a table and a file.
Error drift(const TableName& table, const std::string& object, std::string cause, std::string hint);

// How evolve() finds its answer: each file's columns are bound and vote on types; last the votes of
// text are counted, since text takes what the others left open. For one call, on one thread.
class Evolver {
 public:
  Evolver(const TableName& table, const TableState& state, const Feed& feed,
          const BornColumns& born, Target& target)
      : table_(table),
        state_(state),
        feed_(feed),
        target_(target),
        read_(standing_columns(state, feed)),
        standing_(read_.size()),
        objects_(object_columns(feed)) {
    evolution_.names = state.names;
    evolution_.born = born;
  }

  Result<Evolution> run(std::vector<FileSchema> schemas);

 private:
  // Which column each column of a file is; none: it is left out, or comes from the object.
  struct Bound {
    std::size_t column = 0;
    bool all_null = false;  // of another type, and without a value that could matter
  };
  using Binding = std::vector<std::optional<Bound>>;

  Result<Binding> bind(const FileSchema& schema);
  std::optional<std::size_t> find(const std::string& name, const std::set<std::size_t>& taken,
                                  bool exact) const;
  Result<std::optional<std::size_t>> add(const FileSchema& schema, std::size_t position);
  std::string free_name(const std::string& wanted) const;
  Result<std::string> new_name(const std::string& exact) const;
  std::optional<std::size_t> find_renamed(const std::string& name,
                                          const std::set<std::size_t>& taken) const;
  Status check_name(const FileSchema& schema, std::size_t position, std::size_t column) const;
  const std::string& file_name(std::size_t column) const;
  Status widen_to(const FileSchema& schema, std::size_t position, Bound& bound);
  std::optional<ColumnType> declared_type(const FileSchema& schema, std::size_t position) const;
  CastForm cast_form(const FileSchema& schema, std::size_t position) const;
  Status check_declared(const FileSchema& schema, std::size_t position) const;
  Status meet_declared(const FileSchema& schema, std::size_t position, std::size_t column);
  void vote_by_text(const FileSchema& schema, std::size_t position, std::size_t column);
  Status settle_text(std::size_t column);
  Result<bool> is_open(std::size_t column, const TextProfile& values) const;
  void settle_born(std::size_t column, TextProfile values);
  Result<bool> is_empty(const std::string& column) const;
  Status retype(std::size_t column, const ColumnType& type, const std::string& object);
  Status check_required(const FileSchema& schema, const Binding& binding) const;
  Status check_time(const FileSchema& schema, const Binding& binding) const;
  Layout layout(const FileSchema& schema, const Binding& binding) const;
  ColumnSource source(const FileSchema& schema, std::size_t position, std::size_t column) const;
  Status check_operation(const FileSchema& schema) const;
  std::optional<std::size_t> object_of(const std::string& name) const;
  Status check_objects(const FileSchema& schema) const;
  Status bind_objects(const FileSchema& any);
  bool is_kept(const FileSchema& schema, std::size_t position) const {
    const std::string& name = schema.names[position];
    if (object_of(name) || feed_.columns.is_excluded(name)) return false;
    return feed_.keeps_history() || !is_beside(feed_, name) || is_term(feed_, name);
  }
  ColumnChanges changes(bool all) const;

  const TableName& table_;
  const TableState& state_;
  const Feed& feed_;
  Target& target_;
  Evolution evolution_;
  std::vector<Column> read_;
  const std::size_t standing_;               // so many of them stand already
  std::vector<Column> objects_;              // that come from the object
  std::vector<std::size_t> object_columns_;  // which columns they are
  std::set<std::size_t> retyped_;
  std::set<std::size_t> voted_;     // columns that a typed file with rows of this batch has
  std::set<std::size_t> declared_;  // columns whose type is told, not found
  struct TextVotes {
    TextProfile all;
    std::vector<std::pair<const FileSchema*, TextProfile>> each;
  };
  std::map<std::size_t, TextVotes> text_votes_;  // by column
};

}  // namespace forebay
