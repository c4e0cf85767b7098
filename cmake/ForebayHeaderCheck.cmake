# Compiles every header of src alone and without precompiled headers: one that leans on what its
# includers happen to include first does not build. Not part of `all`, since it takes a second a
# header; `make tidy` builds it.
file(GLOB_RECURSE headers RELATIVE "${PROJECT_SOURCE_DIR}/src" CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/src/*.h")
set(header_sources "")
foreach(header IN LISTS headers)
  string(REPLACE "/" "__" name "${header}")
  set(source "${PROJECT_BINARY_DIR}/generated/headers/${name}.cc")
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"@header@\"\n" @ONLY)
  list(APPEND header_sources "${source}")
endforeach()
add_library(header_check OBJECT EXCLUDE_FROM_ALL ${header_sources})
target_compile_options(header_check PRIVATE -O0 -g0)
target_link_libraries(header_check PRIVATE forebay_core parquet_thrift duckdb)
