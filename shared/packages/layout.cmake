# SPDX-License-Identifier: MIT
# Lays out and hardens the game as Debian does. Include it before the project-wide settings.
set(CMAKE_INSTALL_PREFIX /usr)
set(CMAKE_INSTALL_BINDIR games)
set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_C_LIBRARY_ARCHITECTURE})
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O3 -g") # like the release preset: assertions stay
set(BUILD_TESTING OFF CACHE BOOL "")
add_compile_options(-fstack-protector-strong)
add_compile_definitions($<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=2>)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_link_options(-Wl,-z,relro -Wl,-z,now)
