#include "sim/model_engine.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "sim/model_database.h"
#include "support/parquet_bytes.h"

namespace forebay::sim {
namespace {

std::unexpected<Error> lacks(const char* what) {
  return fail({.code = ErrorCode::internal,
               .operation = what,
               .cause = "the model engine does not do this"});
}

Result<const ReadyFile*> ready(const std::string& path, const std::string& object) {
  const ReadyFile* file = find_ready_file(test::read_file(path));
  if (file != nullptr) return file;
  return fail({.code = ErrorCode::internal,
               .operation = "read",
               .object = object,
               .cause = "bytes that no file has reached the engine"});
}

}  // namespace

Result<std::vector<Column>> ModelEngine::file_columns(const std::string& path,
                                                      const std::string& object) {
  ASSIGN_OR_RETURN(const ReadyFile* file, ready(path, object));
  return file->columns;
}

Result<bool> ModelEngine::is_all_null(const std::vector<std::string>& paths, std::size_t position) {
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const ReadyFile* file, ready(path, path));
    for (const Cells& row : file->rows) {
      if (row[position]) return false;
    }
  }
  return true;
}

Result<TimeScan> ModelEngine::scan_times(const CollapseRequest& /*request*/,
                                         const TimeAxis& /*axis*/, std::int64_t /*latest*/) {
  return lacks("scan times");
}
Result<std::uint64_t> ModelEngine::count_nulls_kept_out(const CollapseRequest& /*request*/,
                                                        const TimeAxis& /*axis*/) {
  return lacks("count nulls");
}
Result<std::string> ModelEngine::example_kept_out(const CollapseRequest& /*request*/,
                                                  const TimeAxis& /*axis*/) {
  return lacks("look for an example");
}
Result<GroupCount> ModelEngine::count_groups(const CollapseRequest& /*request*/,
                                             const TimeAxis& /*axis*/) {
  return lacks("count groups");
}

// Appends what a file brings; counts what is left out.
Status ModelEngine::read(const CollapseRequest& request, const InputFile& file, Delta& delta,
                         std::vector<DeltaRow>& rows) const {
  if (file.filter || file.spliced || !file.acts || !file.constants.empty() || !file.version.empty())
    return lacks("read such a file");
  ASSIGN_OR_RETURN(const ReadyFile* known, ready(file.path, file.object));
  if (known->rows.size() != file.rows)
    return fail({.code = ErrorCode::damaged,
                 .operation = "read",
                 .object = file.object,
                 .cause = "not as many rows as its footer says"});
  const Layout& layout = request.layouts[file.layout];
  const auto position = [&](const std::string& name) {
    const auto found = std::ranges::find(layout.reader_names, name);
    CHECK(found != layout.reader_names.end());
    return static_cast<std::size_t>(found - layout.reader_names.begin());
  };
  for (const Cells& given : known->rows) {
    DeltaRow row{.file = file.file_id, .rank = file.rank, .removes = file.removes};
    for (const ColumnSource& source : layout.columns)
      row.cells.push_back(source.reader_name.empty() ? Cell()
                                                     : given[position(source.reader_name)]);
    const bool flagged =
        !layout.delete_flag.empty() && given[position(layout.delete_flag)] == "true";
    if (file.known_keys_only &&
        !keys_.at(request.known_keys).contains(key_text(request.columns, request.key, row.cells)))
      continue;
    ++delta.read;
    if (flagged && file.snapshot) {
      ++delta.left_out;
      continue;
    }
    row.removes = row.removes || flagged;
    rows.push_back(std::move(row));
  }
  return {};
}

Result<Delta> ModelEngine::collapse(const CollapseRequest& request) {
  if (!request.order.empty() || request.history || !request.one_value.empty())
    return lacks("collapse this");
  Delta delta;
  if (request.files.empty()) return delta;
  std::vector<DeltaRow> rows;
  for (const InputFile& file : request.files) RETURN_IF_ERROR(read(request, file, delta, rows));
  if (!request.key.empty()) {
    delta.kind = Delta::Kind::put;
    std::map<std::string, DeltaRow> last;
    for (DeltaRow& row : rows)
      last.insert_or_assign(key_text(request.columns, request.key, row.cells), std::move(row));
    delta.collapsed = rows.size() - last.size();
    rows.clear();
    for (auto& [key, row] : last) rows.push_back(std::move(row));
  }
  for (const DeltaRow& row : rows) ++(row.removes ? delta.deletes : delta.puts);
  delta.rows = "delta" + std::to_string(next_++);
  rows_[delta.rows] = std::move(rows);
  return delta;
}

std::string ModelEngine::keep_keys(std::set<std::string> keys) {
  std::string name = "keys" + std::to_string(next_++);
  keys_[name] = std::move(keys);
  return name;
}

Status ModelEngine::release() {
  rows_.clear();
  keys_.clear();
  return {};
}

}  // namespace forebay::sim
