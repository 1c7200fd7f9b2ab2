# SPDX-License-Identifier: MIT
# Builds for browsers on Debian: emscripten, and the libraries of portable/libraries.sh browser.
set(DEADFALL_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../../../build/portable/browser CACHE PATH "The libraries that the program carries inside")
set(CMAKE_FIND_ROOT_PATH ${DEADFALL_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY BOTH) # the paths that pkg-config gives, too
set(ENV{PKG_CONFIG_LIBDIR} ${DEADFALL_LIBRARIES}/lib/pkgconfig)
set(ENV{EM_PKG_CONFIG_PATH} ${DEADFALL_LIBRARIES}/lib/pkgconfig)
# deadfall_js_library(LIBRARY CONDITION FILE): programs with the library are linked with the file's functions where the condition, a
# generator expression, is true, and linked again when the file changes.
function(deadfall_js_library library condition file)
  target_link_options(${library} INTERFACE $<${condition}:--js-library=${file}>)
  set_property(TARGET ${library} APPEND PROPERTY INTERFACE_LINK_DEPENDS $<${condition}:${file}>)
endfunction()
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
