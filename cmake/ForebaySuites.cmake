# forebay_add_suites(TARGET LABEL label TIMEOUT seconds)
#
# Gives ctest one entry per GoogleTest suite of TARGET. A process per case would spend more time
# loading DuckDB than testing, a process for everything would hide which part is slow or broken and
# could not run in parallel. The suites are asked of the binary when ctest starts, so that building
# never runs anything.
function(forebay_add_suites target)
  cmake_parse_arguments(arg "" "LABEL;TIMEOUT" "" ${ARGN})
  set(include_file "${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake")
  file(GENERATE OUTPUT "${include_file}" CONTENT
"set(suites_binary \"$<TARGET_FILE:${target}>\")
set(suites_label \"${arg_LABEL}\")
set(suites_timeout \"${arg_TIMEOUT}\")
set(suites_folder \"${PROJECT_SOURCE_DIR}\")
include(\"${PROJECT_SOURCE_DIR}/cmake/list_suites.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include_file}")
endfunction()
