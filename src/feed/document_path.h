#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "feed/feed.h"
#include "feed/unit.h"

namespace forebay {

// The key below the source that a path in a document means.
//
// bucket   in a bucket the source's prefix is cut off, literally: keys are bytes, `//`, `.` and
// `..`
//          mean nothing there, and whatever does not begin with the prefix is outside. In a folder
//          the longest ending of the source's path, in whole segments, with which the document's
//          path begins is cut off; else the path is below the folder.
// document beside the document of key `document_key`
// source   below the source
// uri      scheme://bucket/key: the key as for `bucket`. Another bucket than the source's is
// refused;
//          a folder has none.
//
// A relative path's leading slash is refused. From a folder's bucket root a `..` is resolved, and
// refused where it leaves the source; beside a document and below the source every `..` is refused,
// also one that would stay inside: nobody needs it, and it is one thing less that can go wrong. In
// a folder empty segments and `.` are left out, as the file system does.
//
// refused: the path leaves the source or names the source itself; the cause says so, without
// object.
Result<std::string> resolve_path(PathBase base, const SourceRoot& root,
                                 std::string_view document_key, std::string_view path);

}  // namespace forebay
