# SPDX-License-Identifier: MIT
# Builds for browsers on Debian: emscripten, and the libraries of portable/libraries.sh browser.
set(DEADFALL_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../../../build/portable/browser CACHE PATH "The libraries that the program carries inside")
set(CMAKE_FIND_ROOT_PATH ${DEADFALL_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY BOTH) # the paths that pkg-config gives, too
set(ENV{PKG_CONFIG_LIBDIR} ${DEADFALL_LIBRARIES}/lib/pkgconfig)
set(ENV{EM_PKG_CONFIG_PATH} ${DEADFALL_LIBRARIES}/lib/pkgconfig)
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
