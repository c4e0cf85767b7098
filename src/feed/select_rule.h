#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "feed/value_ref.h"

namespace forebay {

struct Feed;

// `select:` of a description: values of a document by which a pipeline picks its units, and says
// which table they make. What it picked is fixed once rows stand.
struct SelectRule {
  std::vector<std::pair<std::string, ValueRef>> values;  // by the option's name

  // What the pipeline says: units that have other values are passed over.
  std::map<std::string, std::string> wanted;
  // Tables that have rules of their own, or that are made of the units with these values.
  struct Table {
    std::string name;
    std::map<std::string, std::string> match;  // empty: the units that name it themselves
    std::shared_ptr<const Feed> feed;
  };
  std::vector<Table> tables;
};

// As the ledger remembers what is wanted: "export orders". Empty: all is taken.
std::string select_text(const std::map<std::string, std::string>& wanted);

}  // namespace forebay
