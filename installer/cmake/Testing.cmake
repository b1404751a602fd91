# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# homebooth_test(tst_name FRAMEWORK qt|gtest LIBRARIES a b [LABELS unit|gpu|gui|slow] [TIMEOUT seconds])
# makes one executable of tst_name.cpp and registers it under its name. Default label: unit.
# The test finds the committed fixtures in HOMEBOOTH_FIXTURES_DIR and a scratch folder of its own in
# HOMEBOOTH_TEST_DIR. Programs that it starts write numbers as in English, whatever the desktop's language is, and find no
# battery, whatever the machine has.
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
# Headers of others are most of what a test of the window, of the engine or another Qt test is compiled from: each kind
# reads them precompiled, those of the window with what nearly all of them share. Tests are compiled to be ready soon,
# those of the engine and of the window, which are the longest, without optimisation; what they test has the build's own.
# homebooth_test_headers(name header.h LIBRARIES a b)
function(homebooth_test_headers name header)
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/tests/headers/headers.cpp")
  target_link_libraries(${name} PRIVATE homebooth_options ${arg_LIBRARIES})
  homebooth_test_options(${name} ${arg_LIBRARIES})
  target_precompile_headers(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/headers/${header}")
endfunction()

# Those of a test that is linked with these libraries; its precompiled header needs the same.
function(homebooth_test_options name)
  target_compile_definitions(
    ${name} PRIVATE HOMEBOOTH_FIXTURES_DIR="${PROJECT_SOURCE_DIR}/tests/fixtures"
                    HOMEBOOTH_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                    HOMEBOOTH_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  if("homebooth_engine" IN_LIST ARGN OR "homebooth_app" IN_LIST ARGN)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
  else()
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if("Qt6::Test" IN_LIST ARGN)
    target_compile_options(${name} PRIVATE ${HOMEBOOTH_QT_TEST_OPTIONS})
  endif()
endfunction()

function(homebooth_test name)
  cmake_parse_arguments(arg "" "FRAMEWORK;TIMEOUT" "LIBRARIES;LABELS;SOURCES" ${ARGN})
  add_executable(${name} ${name}.cpp ${arg_SOURCES})
  if(arg_FRAMEWORK STREQUAL "qt")
    set(moc "${CMAKE_CURRENT_BINARY_DIR}/${name}.moc") # AUTOMOC takes three more steps for each test
    qt_generate_moc(${name}.cpp "${moc}" TARGET ${name})
    target_sources(${name} PRIVATE "${moc}")
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    list(APPEND arg_LIBRARIES Qt6::Test)
    if("homebooth_app" IN_LIST arg_LIBRARIES)
      target_precompile_headers(${name} REUSE_FROM window_test_headers)
    else()
      target_precompile_headers(${name} REUSE_FROM qt_test_headers)
    endif()
  else()
    list(APPEND arg_LIBRARIES GTest::gtest GTest::gtest_main)
    if("homebooth_engine" IN_LIST arg_LIBRARIES)
      target_precompile_headers(${name} REUSE_FROM engine_test_headers)
    endif()
  endif()
  target_link_libraries(${name} PRIVATE homebooth_options ${arg_LIBRARIES})
  homebooth_test_options(${name} ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  if(HOMEBOOTH_SANITIZER)
    set(slowness 10) # instrumented code is that much slower at worst
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * ${slowness}")
    target_compile_definitions(${name} PRIVATE HOMEBOOTH_TEST_SLOWNESS=${slowness}) # see tests/patience.h
  endif()
  set(scratch "${PROJECT_BINARY_DIR}/scratch/${name}")
  file(MAKE_DIRECTORY "${scratch}")
  math(EXPR milliseconds "${arg_TIMEOUT} * 1000") # Qt Test ends one after 5 minutes otherwise
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${scratch}")
  set_tests_properties(
    ${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
                       ENVIRONMENT
                       "LC_ALL=C.UTF-8;QT_QPA_PLATFORM=offscreen;HOMEBOOTH_TEST_DIR=${scratch};HOMEBOOTH_POWER_FOLDER=${scratch}/no-power;QTEST_FUNCTION_TIMEOUT=${milliseconds}")
  # Where every test was skipped, ctest says so. It looks at that before the exit code: what matches ends there, so that
  # nothing can have failed afterwards.
  if(arg_FRAMEWORK STREQUAL "qt")
    # Of two that passed both are Qt's own, before all tests and after them.
    set(skipped "Totals: [12] passed, 0 failed, [1-9][0-9]* skipped, [0-9]+ blacklisted, [0-9]+ms\n")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "${skipped}[*]+ Finished testing of [^\n]+ [*]+\n$")
  else()
    set_tests_properties(
      ${name} PROPERTIES SKIP_REGULAR_EXPRESSION
                         "PASSED  . 0 tests\\.\n.  SKIPPED . [^\n]*:\n(.  SKIPPED . [^\n]*\n)+$")
  endif()
endfunction()
