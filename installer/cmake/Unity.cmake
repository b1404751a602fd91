# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# homebooth_unity(target) compiles the sources of one folder together, eight at a time (HOMEBOOTH_UNITY): most of a
# compilation is reading headers and making what their templates yield. Eight of the engine took a quarter to a third of
# the time that they take apart, eight of base a half.
# Names in anonymous namespaces are therefore unique in a folder. A source with options of its own stays alone.
set(HOMEBOOTH_UNITY_SIZE 8)

function(homebooth_unity target)
  if(NOT HOMEBOOTH_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "folder_${folder}" group)
    list(APPEND members_${group} "${source}")
    list(LENGTH members_${group} count)
    math(EXPR part "(${count} - 1) / ${HOMEBOOTH_UNITY_SIZE}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${part}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # it takes what is private to a source for part of a header
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()
