# SPDX-License-Identifier: MIT
# What every program for Windows has, and no source needs to know. Include it before the targets.
enable_language(RC)
set(DEADFALL_ENET built-in)
add_compile_definitions(_WIN32_WINNT=0x0A00 _POSIX_C_SOURCE=200809L __USE_MINGW_ANSI_STDIO=1 CURL_STATICLIB MINIUPNP_STATICLIB)
add_compile_options($<$<COMPILE_LANGUAGE:C>:-include$<SEMICOLON>${PROJECT_SOURCE_DIR}/shared/engine/base/platform/windows/libc.h>)
# Its gcc takes our formats for those of the C library of Windows, which the programs do not use; Linux checks them.
add_compile_options(-Wno-format -Wno-format-extra-args)
# Its isnan() and isfinite() are written for each kind of number, with conversions.
add_compile_options(-Wno-float-conversion)
add_link_options(-static -fstack-protector-strong -Wl,--gc-sections)
add_library(deadfall_start OBJECT ${PROJECT_SOURCE_DIR}/shared/engine/base/platform/windows/start.c)

# deadfall_windows_program(TARGET DESCRIPTION): what a program has here besides its sources: start.c, a manifest, its version,
# and an icon if it is one that players start.
function(deadfall_windows_program target description)
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(manifest ${PROJECT_BINARY_DIR}/resources/deadfall.manifest)
  set(resources ${PROJECT_BINARY_DIR}/resources/${target}.rc)
  set(icon "")
  if(target MATCHES "^deadfall(-server)?$")
    set(icon "1 ICON \"${here}/deadfall.ico\"")
  endif()
  string(REPLACE . , numbers ${PROJECT_VERSION}.0)
  configure_file(${here}/deadfall.manifest.in ${manifest} @ONLY)
  configure_file(${here}/program.rc.in ${resources} @ONLY)
  set_source_files_properties(${resources} PROPERTIES OBJECT_DEPENDS "${manifest};${here}/deadfall.ico")
  target_sources(${target} PRIVATE ${resources})
  target_link_libraries(${target} PRIVATE deadfall_start)
endfunction()
