// Listings and errors of Azure.
#include "store/azure_xml.h"

#include "fuzz/fuzz.h"

namespace forebay::test {

FOREBAY_FUZZ(azure_xml) {
  if (const auto page = azure::parse_list(input)) {
    must(page->entries.size() <= input.size() / 8, "entries are in the document");
    for (const azure::ListEntry& entry : page->entries)
      must(!entry.name.empty() && !entry.etag.empty(), "an entry has a name and a version");
    if (page->next_marker) must(!page->next_marker->empty(), "a page that goes on has a marker");
  } else {
    must(page.error().code == ErrorCode::damaged, "a listing is right or damaged");
  }
  if (const auto error = azure::parse_error(input)) {
    must(error->code.size() + error->message.size() <= input.size(), "nothing is made up");
    must(error->message.find('\n') == std::string::npos, "a message is one line");
  }
}

}  // namespace forebay::test
