#include "load/suspects.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/digest.h"

namespace forebay {

Suspects::Suspects(const Pipeline& pipeline)
    : note_((std::filesystem::path(pipeline.staging_folder) /
             ("died-reading-" + digest_hex(DigestKind::xxh3_64, pipeline.name)))
                .string()) {
  std::ifstream note(note_);
  for (std::string line; std::getline(note, line);) noted_.insert(line);
  alone_ = noted_.size() == 1;
  several_ = noted_.size() > 1;
}

std::string Suspects::name_of(const LoadedUnit& unit) {
  return digest_hex(DigestKind::xxh3_128,
                    unit.planned.name.name + '\0' + unit.planned.object.version);
}

Error Suspects::refusal() {
  return {.code = ErrorCode::damaged,
          .operation = "read",
          .cause = "the process died while it read this unit and nothing else",
          .hint = "have its files delivered again; a new version is tried by itself"};
}

LastWords Suspects::while_reading(const std::vector<const LoadedUnit*>& units) const {
  std::string words;
  for (const LoadedUnit* unit : units) words += name_of(*unit) + "\n";
  return {note_, words};
}

void Suspects::forget(const LoadedUnit& unit) {
  if (noted_.erase(name_of(unit)) != 0 && alone_) remove_note();
}

Suspects::~Suspects() {
  if (several_) remove_note();
}

void Suspects::remove_note() const {
  std::error_code ignored;
  std::filesystem::remove(note_, ignored);
}

}  // namespace forebay
