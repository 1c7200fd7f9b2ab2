# SPDX-License-Identifier: MIT
# The page that runs the window in a browser: static files, in bin/ beside each other.
set(maps ${PROJECT_SOURCE_DIR}/shared/maps)
target_link_options(deadfall PRIVATE -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864 -sTOTAL_STACK=4194304 -sEXIT_RUNTIME=0
  -sENVIRONMENT=web -sINCOMING_MODULE_JS_API=canvas,arguments,preRun,printErr,onRuntimeInitialized,onAbort
  -sDEFAULT_LIBRARY_FUNCS_TO_INCLUDE=@${CMAKE_CURRENT_SOURCE_DIR}/page/functions.json -lidbfs.js)
file(GLOB files RELATIVE ${maps} CONFIGURE_DEPENDS ${maps}/*.tmj ${maps}/*.tsj)
foreach(file ${files} trials) # a server elsewhere sends its own
  target_link_options(deadfall PRIVATE "SHELL:--preload-file ${maps}/${file}@/maps/${file}")
endforeach()
foreach(file index.html page.js)
  configure_file(page/${file} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${file} COPYONLY)
endforeach()
