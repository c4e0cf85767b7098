#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/executor.h"
#include "base/result.h"
#include "decode/decode_text.h"
#include "feed/unit.h"
#include "load/pipeline.h"
#include "load/plan.h"
#include "load/progress.h"
#include "parquet/footer.h"

namespace forebay {

// An object version, whole and verified: on local disk, or in its folder and held open.
struct StagedFile {
  UnitFile file;
  std::unique_ptr<OpenFile> bytes;
  std::string object;    // for messages
  std::string checksum;  // xxh3-128 of the bytes, in hexadecimal
  ParquetFooter footer;
  std::optional<std::vector<TextColumn>> text;  // of a file of text, whose columns `footer` lacks
};

// A unit with what its document says and, once fetched, its files.
struct LoadedUnit {
  PlannedUnit planned;
  UnitContent content;
  std::vector<StagedFile> files;
};

// The unit's own time: in its document, else in its name, else when its object was written.
Time time_of(const PlannedUnit& unit, const UnitContent& content);

// Reads what a unit says. damaged, refused, changed (the document was replaced since it was
// listed), and the store's own errors.
Result<UnitContent> read_content(const Pipeline& pipeline, const PlannedUnit& unit);

// Reads many documents at once; one result a unit, in their order.
std::vector<Result<UnitContent>> read_contents(const Pipeline& pipeline,
                                               const std::vector<const PlannedUnit*>& units,
                                               Executor& executor);

// Fetches one file of a unit: pinned to one version (`version`, or when empty the one found),
// whole, its size and rows as the unit says, its footer sound. Bytes that fail verification are
// fetched once more before they count as wrong. damaged also when a file that the unit names is not
// there.
Result<StagedFile> fetch_file(const Pipeline& pipeline, const UnitFile& file,
                              const std::string& version, Progress& progress);

// How many bytes a file has, as far as that is known before it is fetched, else 0; `listed`: it is
// a unit by itself.
std::uint64_t size_to_fetch(const PlannedUnit& unit, const UnitFile& file, bool listed);

// Fetches the files of all units in parallel, large ones by ranges. One status a unit: a unit is
// whole or has an error.
std::vector<Status> fetch_units(const Pipeline& pipeline, std::vector<LoadedUnit>& units,
                                Executor& executor, Progress& progress);

}  // namespace forebay
