# SPDX-License-Identifier: MIT
# The window as a program for browsers, and the server as one beside it, in a worker. The libraries are those of portable/libraries.sh browser.
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs") # Debian's acorn
find_package(PkgConfig REQUIRED)
foreach(library sodium=libsodium jansson sdl2 qrencode=libqrencode)
  string(REGEX REPLACE "=.*" "" name ${library})
  string(REGEX REPLACE ".*=" "" module ${library})
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
endforeach()
# The page is small before all (-Oz), which inlines no function of itself; what runs in each frame has to be fast.
set(DEADFALL_PAGE_FAST -O2 -finline-functions -fno-unroll-loops)
set(DEADFALL_ENET built-in)
add_subdirectory(shared/game/map/tiled)
add_subdirectory(shared/engine/net)
add_subdirectory(shared/engine/discovery)
add_subdirectory(server)
add_subdirectory(client/engine/core)
add_subdirectory(client/engine/window)
add_subdirectory(client/game)
add_subdirectory(client/text)
add_subdirectory(client/app)
# Who is corrected runs many ticks at once.
foreach(library deadfall_physics deadfall_sync deadfall_game deadfall_client_core deadfall_client_game)
  target_compile_options(${library} PRIVATE ${DEADFALL_PAGE_FAST})
endforeach()
