# Language, warnings, sanitizers and ccache. Everything of ours links forebay_options; generated code
# of others does not, and so has its warnings off.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

add_library(forebay_options INTERFACE)
target_compile_options(forebay_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wunused-result -Wconversion -Wno-sign-conversion -Wimplicit-fallthrough -Wextra-semi)
# -Wno-missing-field-initializers: designated initialisers name what differs from the default.
# Switches over our own enumerations have no `default`, so that -Wall finds a forgotten value.
target_compile_options(forebay_options INTERFACE -Wno-missing-field-initializers)
# g++ 12 raises these inside of std::string where it optimises, never where there was anything.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(forebay_options INTERFACE
    $<$<CONFIG:Release>:-Wno-maybe-uninitialized;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-restrict>)
endif()
if(FOREBAY_WERROR)
  target_compile_options(forebay_options INTERFACE -Werror)
endif()

# Paths in messages and debug information start at the root of the project, so that a build says
# nothing of the machine that made it and two checkouts share ccache's results.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")

if(FOREBAY_SANITIZE)
  add_compile_options(-fsanitize=${FOREBAY_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FOREBAY_SANITIZE})
  if(FOREBAY_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # The sloppiness is what ccache asks for when headers are precompiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND FOREBAY_PCH)
    add_compile_options(-fpch-preprocess)
  endif()
endif()
