# Writes OUTPUT, a C++ source file that holds the file PAGE as a literal.
cmake_minimum_required(VERSION 3.25)

set(delimiter "page_html")
# The standard promises no literal longer than this.
set(longest 65535)

file(SIZE "${PAGE}" size)
if(size GREATER longest)
  message(FATAL_ERROR "${PAGE} has ${size} bytes, a literal may have ${longest}")
endif()
file(READ "${PAGE}" text)
string(FIND "${text}" ")${delimiter}\"" clash)
if(NOT clash EQUAL -1)
  message(FATAL_ERROR "${PAGE} contains )${delimiter}\", which ends the literal around it")
endif()

file(WRITE "${OUTPUT}.new" "// Made by cmake/embed_dashboard.cmake from src/app/serve/dashboard.html. Do not edit.
#include \"app/serve/dashboard.h\"

namespace forebay {

std::string_view dashboard_page() { return R\"${delimiter}(${text})${delimiter}\"; }

}  // namespace forebay
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
