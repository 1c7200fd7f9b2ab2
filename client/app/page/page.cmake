# SPDX-License-Identifier: MIT
# The page that runs the window in a browser: static files, in bin/ beside each other, each also compressed.
set(maps ${PROJECT_SOURCE_DIR}/shared/maps)
set(page ${CMAKE_CURRENT_SOURCE_DIR}/page)
target_link_options(deadfall PRIVATE -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864 -sTOTAL_STACK=4194304 -sEXIT_RUNTIME=0
  -sENVIRONMENT=web -sINCOMING_MODULE_JS_API=canvas,arguments,preRun,printErr,onRuntimeInitialized,onAbort -sDYNAMIC_EXECUTION=0
  -sDEFAULT_LIBRARY_FUNCS_TO_INCLUDE=@${page}/functions.json -lidbfs.js)
file(GLOB files RELATIVE ${maps} CONFIGURE_DEPENDS ${maps}/*.tmj ${maps}/*.tsj)
foreach(file ${files} trials) # a server elsewhere sends its own
  target_link_options(deadfall PRIVATE "SHELL:--preload-file ${maps}/${file}@/maps/${file}")
endforeach()
file(GLOB trials CONFIGURE_DEPENDS ${maps}/trials/*)
list(TRANSFORM files PREPEND ${maps}/)
set_property(TARGET deadfall APPEND PROPERTY LINK_DEPENDS ${page}/functions.json ${files} ${trials})

# What the page is made of, and on which terms. Of emscripten, its own library of C and what it adds to programs is inside.
set(licences Deadfall=${PROJECT_SOURCE_DIR}/LICENSE ENet=${CMAKE_BINARY_DIR}/_deps/enet-src/LICENSE
  emscripten=/usr/share/doc/emscripten/copyright musl=${EMSCRIPTEN_ROOT_PATH}/system/lib/libc/musl/COPYRIGHT)
file(GLOB of_libraries ${sodium_PREFIX}/licences/*)
list(TRANSFORM of_libraries REPLACE "^.*/([^/]*)$" "\\1=\\0")
set(text "")
foreach(licence ${licences} ${of_libraries})
  string(REGEX MATCH "^(.*)=(.*)$" licence ${licence})
  file(READ ${CMAKE_MATCH_2} terms)
  string(APPEND text "==== ${CMAKE_MATCH_1}\n\n${terms}\n")
endforeach()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/licences.txt "${text}")
configure_file(${CMAKE_CURRENT_BINARY_DIR}/licences.txt ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/licences.txt COPYONLY)

set(static index.html page.css page.js)
foreach(file ${static})
  configure_file(page/${file} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${file} COPYONLY)
endforeach()
set(all ${static} licences.txt deadfall.js deadfall.wasm deadfall.data deadfall-server.js deadfall-server.wasm)
list(TRANSFORM static PREPEND ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/)
find_program(NODE node REQUIRED) # of emscripten
add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/compressed
  COMMAND ${NODE} ${page}/compress.js ${all}
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_CURRENT_BINARY_DIR}/compressed
  DEPENDS deadfall deadfall-server ${static} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/licences.txt ${page}/compress.js WORKING_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
add_custom_target(page ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/compressed)

# Where --page-folder is when it is not given.
foreach(file ${all})
  install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${file} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${file}.br ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${file}.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/deadfall/page COMPONENT page)
endforeach()
