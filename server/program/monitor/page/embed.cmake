# SPDX-License-Identifier: MIT
# Writes page.h: the files of the live page as strings.  cmake -DOUT=page.h -DFOLDER=... -P embed.cmake
set(text "// Made from server/program/monitor/page.\n#ifndef MONITOR_PAGE_H\n#define MONITOR_PAGE_H\n")
foreach(kind html js css)
  file(READ ${FOLDER}/live.${kind} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(TOUPPER ${kind} name)
  string(APPEND text "static const char PAGE_${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}#endif\n")
