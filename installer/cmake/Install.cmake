# SPDX-FileCopyrightText: 2026 Homebooth authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake --install: programs, resources, desktop entry, icon and metainfo where the FHS wants them. LibTorch stays
# where the set-up unpacked it; the worker finds it by its run path.
# The target programs builds what is copied, without the tests.
include(GNUInstallDirs)
add_custom_target(programs)
add_dependencies(programs homebooth-engine homebooth-worker)
install(TARGETS homebooth-engine RUNTIME)
install(PROGRAMS "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/homebooth-worker" TYPE BIN) # keeps its run path
install(DIRECTORY resources/models resources/drawings DESTINATION "${CMAKE_INSTALL_DATADIR}/homebooth")
# Single files bring no vocabulary of their own.
install(FILES "${HOMEBOOTH_DEPS_DIR}/vocabulary/open_clip/bpe_simple_vocab_16e6.txt.gz"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/homebooth/vocabulary" OPTIONAL)
install(DIRECTORY LICENSES/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/licences")
install(FILES NOTICE.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(HOMEBOOTH_APP)
  add_dependencies(programs homebooth)
  install(TARGETS homebooth RUNTIME)
  install(FILES resources/desktop/homebooth.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES resources/desktop/homebooth.metainfo.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES resources/icons/homebooth.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()
