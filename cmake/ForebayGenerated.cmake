# Code made at build time: the Parquet footer's reader, the built-in feeds and the version.

# Thrift's code is a library of its own with all warnings off; src/parquet alone includes it.
set(thrift_dir "${PROJECT_BINARY_DIR}/generated/thrift")
set(thrift_sources "${thrift_dir}/parquet_types.cpp")
file(MAKE_DIRECTORY "${thrift_dir}")
add_custom_command(
  OUTPUT ${thrift_sources} "${thrift_dir}/parquet_types.h"
  COMMAND "${THRIFT_COMPILER}" --gen cpp:no_skeleton -out "${thrift_dir}"
          "${FOREBAY_DEPS}/parquet/parquet.thrift"
  DEPENDS "${FOREBAY_DEPS}/parquet/parquet.thrift"
  COMMENT "Generating the reader of Parquet footers" VERBATIM)
add_library(parquet_thrift STATIC ${thrift_sources})
target_include_directories(parquet_thrift SYSTEM PUBLIC "${thrift_dir}")
target_compile_options(parquet_thrift PRIVATE -w -g0)
target_link_libraries(parquet_thrift PUBLIC PkgConfig::thrift)

# feeds/*.yaml become one source file that defines builtin_feeds() of src/feed/builtin.h.
file(GLOB feed_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/feeds/*.yaml")
set(FOREBAY_BUILTIN_FEEDS "${PROJECT_BINARY_DIR}/generated/builtin_feeds.cc")
add_custom_command(
  OUTPUT "${FOREBAY_BUILTIN_FEEDS}"
  COMMAND "${CMAKE_COMMAND}" "-DFEEDS=${feed_files}" "-DOUTPUT=${FOREBAY_BUILTIN_FEEDS}"
          -P "${PROJECT_SOURCE_DIR}/cmake/embed_feeds.cmake"
  DEPENDS ${feed_files} "${PROJECT_SOURCE_DIR}/cmake/embed_feeds.cmake"
          "${PROJECT_SOURCE_DIR}/src/feed/builtin.h"
  COMMENT "Embedding the built-in feeds" VERBATIM)

# The dashboard becomes one source file that defines dashboard_page() of src/app/serve/dashboard.h.
set(dashboard_html "${PROJECT_SOURCE_DIR}/src/app/serve/dashboard.html")
set(FOREBAY_DASHBOARD "${PROJECT_BINARY_DIR}/generated/dashboard_page.cc")
add_custom_command(
  OUTPUT "${FOREBAY_DASHBOARD}"
  COMMAND "${CMAKE_COMMAND}" "-DPAGE=${dashboard_html}" "-DOUTPUT=${FOREBAY_DASHBOARD}"
          -P "${PROJECT_SOURCE_DIR}/cmake/embed_dashboard.cmake"
  DEPENDS "${dashboard_html}" "${PROJECT_SOURCE_DIR}/cmake/embed_dashboard.cmake"
  COMMENT "Embedding the dashboard" VERBATIM)

# The version stands in project() alone; a change of it recompiles only who asks.
file(GLOB_RECURSE version_users CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/base/version.cc")
set_source_files_properties(${version_users} PROPERTIES
  COMPILE_DEFINITIONS "FOREBAY_VERSION=\"${PROJECT_VERSION}\"" SKIP_PRECOMPILE_HEADERS ON)
