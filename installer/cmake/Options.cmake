# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiler options of every target of ours, in one interface target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(homebooth_options INTERFACE)
target_include_directories(homebooth_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(
  homebooth_options
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor;-Woverloaded-virtual>
            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${HOMEBOOTH_WERROR}>>:-Werror>)

if(HOMEBOOTH_SANITIZER STREQUAL "address")
  target_compile_options(homebooth_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(homebooth_options INTERFACE -fsanitize=address,undefined)
elseif(HOMEBOOTH_SANITIZER STREQUAL "thread")
  target_compile_options(homebooth_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(homebooth_options INTERFACE -fsanitize=thread)
endif()

# With sanitizers GCC 12 takes the insides of std::function and std::optional for uninitialised.
if(HOMEBOOTH_SANITIZER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(homebooth_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
endif()

find_program(HOMEBOOTH_CCACHE ccache)
if(HOMEBOOTH_CCACHE)
  # A precompiled header defeats ccache unless it may overlook the header's time stamp.
  set(launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
               "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
               "${HOMEBOOTH_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
# Debian 12's mold (1.10) linked programs that do not start and once never ended; its other linkers are as fast here.
find_program(HOMEBOOTH_MOLD mold)
if(HOMEBOOTH_MOLD)
  execute_process(COMMAND "${HOMEBOOTH_MOLD}" --version OUTPUT_VARIABLE moldVersion)
  if(moldVersion MATCHES "mold ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL 2)
    target_link_options(homebooth_options INTERFACE -fuse-ld=mold)
  endif()
endif()
