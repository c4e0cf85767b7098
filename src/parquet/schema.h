#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <parquet_types.h>
#include "base/result.h"
#include "parquet/footer.h"

namespace forebay {

// A file's schema as a tree, and what the footer check needs to know of it. Internal to parquet/.
struct ParquetSchema {
  struct Node {
    std::string name;
    std::uint32_t parent = 0;  // index of the group around it; the root is its own
  };
  struct Leaf {
    std::uint32_t node = 0;
    int physical_type = 0;    // parquet::Type
    bool repeated = false;    // below a repeated group, or repeated itself: values outnumber rows
    std::uint32_t depth = 0;  // nodes from below the root down to here
  };

  std::vector<Node> nodes;   // depth first, as the file lists them; the root first
  std::vector<Leaf> leaves;  // the order of the column chunks in a row group
  std::vector<ParquetColumn> columns;
  std::string fingerprint;
};

// Builds the tree from the elements in the footer's order. damaged: the tree does not close exactly
// where the list ends, nests deeper than limits.h allows, or an element contradicts itself.
Result<ParquetSchema> build_schema(std::span<const parquet::SchemaElement> elements,
                                   const std::string& object);

}  // namespace forebay
