# SPDX-License-Identifier: MIT
# Writes japanese.h: the glyphs of japanese.hex, sorted by character.  cmake -DOUT=japanese.h -DFOLDER=... -P japanese.cmake
file(STRINGS ${FOLDER}/japanese.hex lines)
set(text "// Made from client/engine/window/japanese.hex.\n#ifndef WINDOW_JAPANESE_H\n#define WINDOW_JAPANESE_H\n")
string(APPEND text "static const struct glyph JAPANESE[] = {\n")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^([0-9A-F]+):(.*)$" "\\1;\\2" parts "${line}")
  list(GET parts 0 code)
  list(GET parts 1 rows)
  string(REGEX REPLACE "([0-9A-F][0-9A-F][0-9A-F][0-9A-F])" "0x\\1, " rows "${rows}")
  string(APPEND text "    {0x${code}, {${rows}}},\n")
endforeach()
file(WRITE ${OUT} "${text}};\n#endif\n")
