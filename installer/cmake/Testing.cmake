# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# homebooth_test(tst_name FRAMEWORK qt|gtest LIBRARIES a b [LABELS unit|gpu|gui|slow] [TIMEOUT seconds])
# makes one executable of tst_name.cpp and registers it under its name. Default label: unit.
# The test finds the committed fixtures in HOMEBOOTH_FIXTURES_DIR and a scratch folder of its own in
# HOMEBOOTH_TEST_DIR.
#
# GoogleTest: an installed one, else built from its sources, which Debian's package googletest puts there.
set(HOMEBOOTH_GOOGLETEST_DIR "/usr/src/googletest" CACHE PATH "GoogleTest's sources, where it is not installed")
find_package(GTest QUIET)
if(NOT GTest_FOUND)
  if(NOT EXISTS "${HOMEBOOTH_GOOGLETEST_DIR}/CMakeLists.txt")
    message(FATAL_ERROR "GoogleTest is neither installed nor in ${HOMEBOOTH_GOOGLETEST_DIR}. Install libgtest-dev, set "
                        "HOMEBOOTH_GOOGLETEST_DIR, or configure with -DHOMEBOOTH_TESTS=OFF.")
  endif()
  set(INSTALL_GTEST OFF)
  set(BUILD_GMOCK OFF)
  add_subdirectory("${HOMEBOOTH_GOOGLETEST_DIR}" "${PROJECT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
endif()

# Qt's names of a test's own folders, which differ from folder to folder: a precompiled header would not fit.
set(HOMEBOOTH_QT_TEST_OPTIONS -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
# Qt's headers are most of what a test of the window, or another Qt test, is compiled from: each kind reads them
# precompiled. Tests are compiled to be ready soon; what they test has the build's own optimisation.
function(homebooth_test_headers name header)
  find_package(Qt6 REQUIRED COMPONENTS Test)
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/tests/headers/headers.cpp")
  target_link_libraries(${name} PRIVATE homebooth_options Qt6::Test ${ARGN})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1> ${HOMEBOOTH_QT_TEST_OPTIONS})
  target_precompile_headers(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/headers/${header}")
endfunction()

function(homebooth_test name)
  cmake_parse_arguments(arg "" "FRAMEWORK;TIMEOUT" "LIBRARIES;LABELS;SOURCES" ${ARGN})
  add_executable(${name} ${name}.cpp ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE homebooth_options ${arg_LIBRARIES})
  if(arg_FRAMEWORK STREQUAL "qt")
    find_package(Qt6 REQUIRED COMPONENTS Test)
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
    target_link_libraries(${name} PRIVATE Qt6::Test)
    target_compile_options(${name} PRIVATE ${HOMEBOOTH_QT_TEST_OPTIONS})
    set_source_files_properties("${CMAKE_CURRENT_BINARY_DIR}/${name}_autogen/mocs_compilation.cpp"
                                PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    if("homebooth_app" IN_LIST arg_LIBRARIES)
      target_precompile_headers(${name} REUSE_FROM window_test_headers)
    else()
      target_precompile_headers(${name} REUSE_FROM qt_test_headers)
    endif()
  else()
    target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  endif()
  target_compile_definitions(
    ${name} PRIVATE HOMEBOOTH_FIXTURES_DIR="${PROJECT_SOURCE_DIR}/tests/fixtures"
                    HOMEBOOTH_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                    HOMEBOOTH_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if("homebooth_engine" IN_LIST arg_LIBRARIES)
    target_precompile_headers(${name} REUSE_FROM homebooth_engine)
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(HOMEBOOTH_SANITIZER)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 10") # instrumented code is that much slower at worst
  endif()
  set(scratch "${PROJECT_BINARY_DIR}/scratch/${name}")
  file(MAKE_DIRECTORY "${scratch}")
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${scratch}")
  set_tests_properties(
    ${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
                       ENVIRONMENT "QT_QPA_PLATFORM=offscreen;HOMEBOOTH_TEST_DIR=${scratch}")
  if(NOT arg_FRAMEWORK STREQUAL "qt")
    # Where every test was skipped, ctest says so. A failed test would follow the list, and then this does not match.
    set_tests_properties(
      ${name} PROPERTIES SKIP_REGULAR_EXPRESSION
                         "PASSED  . 0 tests\\.\n.  SKIPPED . [^\n]*:\n(.  SKIPPED . [^\n]*\n)+$")
  endif()
endfunction()
