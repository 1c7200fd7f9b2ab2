# SPDX-License-Identifier: MIT
# Builds for Windows on Debian: gcc-mingw-w64 with POSIX threads, and the libraries of portable/libraries.sh windows.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(DEADFALL_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../../../build/portable/windows CACHE PATH "The libraries that programs carry inside")
set(CMAKE_FIND_ROOT_PATH ${DEADFALL_LIBRARIES} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Behind all libraries, also those that come without their own list.
set(CMAKE_C_STANDARD_LIBRARIES "-lws2_32 -lwinmm -lpsapi -lbcrypt -lcrypt32 -liphlpapi" CACHE STRING "")
set(ENV{PKG_CONFIG_LIBDIR} ${DEADFALL_LIBRARIES}/lib/pkgconfig)
set(PKG_CONFIG_ARGN --static CACHE STRING "")
