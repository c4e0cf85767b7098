# What Forebay builds upon: Debian's packages, and the files that scripts/setup puts into .deps.
# docs/DEPENDENCIES.md says why each one is here.

find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(yaml-cpp 0.7 REQUIRED)
find_package(pugixml 1.13 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(spdlog 1.10 REQUIRED)
find_package(CURL 7.88 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
find_package(ZLIB 1.2 REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(libpq REQUIRED libpq)
pkg_check_modules(thrift REQUIRED IMPORTED_TARGET thrift)
pkg_check_modules(prometheus REQUIRED IMPORTED_TARGET prometheus-cpp-core)
find_path(BOOST_BEAST_INCLUDE boost/beast/http.hpp REQUIRED)
find_program(THRIFT_COMPILER thrift REQUIRED)

foreach(file duckdb/lib/libduckdb.so duckdb/include/duckdb.h parquet/parquet.thrift)
  if(NOT EXISTS "${FOREBAY_DEPS}/${file}")
    message(FATAL_ERROR "${FOREBAY_DEPS}/${file} is missing: run scripts/setup first.")
  endif()
endforeach()

add_library(duckdb SHARED IMPORTED)
set_target_properties(duckdb PROPERTIES
  IMPORTED_LOCATION "${FOREBAY_DEPS}/duckdb/lib/libduckdb.so"
  INTERFACE_INCLUDE_DIRECTORIES "${FOREBAY_DEPS}/duckdb/include")
