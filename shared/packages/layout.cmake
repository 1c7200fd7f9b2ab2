# SPDX-License-Identifier: MIT
# Lays out the game as Debian does. Include it before the project-wide settings.
set(CMAKE_INSTALL_PREFIX /usr)
set(CMAKE_INSTALL_BINDIR games)
set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_C_LIBRARY_ARCHITECTURE})
get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(several)
  set(CMAKE_CONFIGURATION_TYPES RelWithDebInfo) # the first is what such a generator builds and packs, usually Debug
elseif(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O3 -g") # like the release preset: assertions stay
set(BUILD_TESTING OFF CACHE BOOL "")
