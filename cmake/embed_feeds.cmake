# Writes OUTPUT, a C++ source file that holds every file of the list FEEDS as a literal.
cmake_minimum_required(VERSION 3.25)

set(delimiter "feed_yaml")
# The standard promises no literal longer than this.
set(longest 65535)

set(count 0)
set(entries "")
foreach(path IN LISTS FEEDS)
  cmake_path(GET path STEM LAST_ONLY name)
  file(SIZE "${path}" size)
  if(size GREATER longest)
    message(FATAL_ERROR "${path} has ${size} bytes, a feed description may have ${longest}")
  endif()
  file(READ "${path}" text)
  string(FIND "${text}" ")${delimiter}\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${path} contains )${delimiter}\", which ends the literal around it")
  endif()
  string(APPEND entries "    {\"${name}\", R\"${delimiter}(${text})${delimiter}\"},\n")
  math(EXPR count "${count} + 1")
endforeach()

file(WRITE "${OUTPUT}.new" "// Made by cmake/embed_feeds.cmake from feeds/*.yaml. Do not edit.
#include <array>

#include \"feed/builtin.h\"

namespace forebay {
namespace {

constexpr std::array<BuiltinFeed, ${count}> kFeeds{{
${entries}}};

}  // namespace

std::span<const BuiltinFeed> builtin_feeds() { return kFeeds; }

}  // namespace forebay
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
