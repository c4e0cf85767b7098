# Run by ctest: adds a test for each suite that `suites_binary` lists.
if(NOT EXISTS "${suites_binary}")
  # Shows up as a failed test rather than as fewer tests.
  add_test("${suites_label}.not_built" "${suites_binary}")
  set_tests_properties("${suites_label}.not_built" PROPERTIES LABELS "${suites_label}")
  return()
endif()

execute_process(COMMAND "${suites_binary}" --gtest_list_tests
                OUTPUT_VARIABLE listing ERROR_VARIABLE problem RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${suites_binary} cannot list its tests (${status}): ${problem}")
endif()
# A suite stands at the start of a line and ends with a full stop; a comment may follow it.
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listing}")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n.]" "" suite "${suite}")
  if(suite MATCHES "(^|/)DISABLED_")
    continue()
  endif()
  add_test("${suite}" "${suites_binary}" "--gtest_filter=${suite}.*" --gtest_brief=1)
  set_tests_properties("${suite}" PROPERTIES LABELS "${suites_label}" TIMEOUT "${suites_timeout}"
                       WORKING_DIRECTORY "${suites_folder}")
  # The longest of all are among these. They start first, so that none runs alone at the end.
  if(suites_label STREQUAL "system")
    set_tests_properties("${suite}" PROPERTIES COST 100)
  endif()
endforeach()
