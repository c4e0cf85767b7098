#include "sim/ready_files.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "sim/draw.h"
#include "support/feed_maker.h"
#include "support/parquet_bytes.h"
#include "support/temp_folder.h"

namespace forebay::sim {
namespace {

constexpr int kFiles = 48;

const std::vector<Column>& all_columns() {
  static const std::vector<Column> columns{{"_row_id", {.kind = TypeKind::text}},
                                           {"_deleted", {.kind = TypeKind::boolean}},
                                           {"amount", {.kind = TypeKind::int32}},
                                           {"note", {.kind = TypeKind::text}}};
  return columns;
}

Cells cells_of(const test::FeedRow& row, std::size_t columns) {
  Cells cells{*row.id, row.deleted.value_or(false) ? "true" : "false"};
  for (std::size_t i = 2; i < columns; ++i) {
    if (i - 2 >= row.cells.size()) {
      cells.emplace_back();
    } else if (const auto* number = std::get_if<std::int64_t>(&row.cells[i - 2])) {
      cells.emplace_back(std::to_string(*number));
    } else {
      cells.emplace_back(std::get<std::string>(row.cells[i - 2]));
    }
  }
  return cells;
}

// Few keys, so that files meet each other; no two rows are equal.
test::FeedFile draw_file(int number, Draw& draw) {
  test::FeedFile file{.table = "any", .columns = {{"amount", "INTEGER"}}};
  if (draw.one_in(4)) file.columns.push_back({"note", "VARCHAR"});
  for (std::size_t i = 0, rows = number == 0 ? 0 : 1 + draw.below(3); i < rows; ++i) {
    const std::string id(1, static_cast<char>('a' + draw.below(5)));
    if (draw.one_in(4)) {
      file.rows.push_back(test::gone(id));
    } else {
      file.rows.push_back(test::put(id, {static_cast<std::int64_t>(number * 10 + i)}));
      if (file.columns.size() > 1) file.rows.back().cells.emplace_back(fmt::format("n{}", i));
    }
  }
  return file;
}

struct Library {
  std::vector<ReadyFile> files;
  std::unordered_map<std::string_view, const ReadyFile*> by_bytes;

  Library() {
    const test::TempFolder folder;
    Draw draw(1);
    std::vector<test::FeedFile> made;
    for (int i = 0; i < kFiles; ++i) made.push_back(draw_file(i, draw));
    std::vector<std::pair<std::string, const test::FeedFile*>> writes;
    for (int i = 0; i < kFiles; ++i)
      writes.emplace_back(folder / fmt::format("{}.parquet", i),
                          &made[static_cast<std::size_t>(i)]);
    test::write_feed_files(writes);
    for (const auto& [path, file] : writes) {
      ReadyFile& ready = files.emplace_back();
      ready.bytes = test::read_file(path);
      ready.columns.assign(all_columns().begin(),
                           all_columns().begin() + 2 + std::ssize(file->columns));
      for (const test::FeedRow& row : file->rows)
        ready.rows.push_back(cells_of(row, ready.columns.size()));
    }
    for (const ReadyFile& file : files) by_bytes.emplace(file.bytes, &file);
  }
};

const Library& library() {
  static const Library library;
  return library;
}

}  // namespace

const std::vector<ReadyFile>& ready_files() { return library().files; }

const ReadyFile* find_ready_file(std::string_view bytes) {
  const auto found = library().by_bytes.find(bytes);
  return found == library().by_bytes.end() ? nullptr : found->second;
}

}  // namespace forebay::sim
