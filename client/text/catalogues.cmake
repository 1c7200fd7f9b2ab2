# SPDX-License-Identifier: MIT
# Writes catalogues.h: the .po files, compiled and checked by msgfmt, as bytes.
# cmake -DOUT=catalogues.h -DFOLDER=... -DMSGFMT=... -P catalogues.cmake
set(languages de es fr pl pt_BR ja) # in the order of enum text_language, after English
set(text "// Made from client/text/*.po.\n#ifndef TEXT_CATALOGUES_H\n#define TEXT_CATALOGUES_H\n")
foreach(language ${languages})
  execute_process(COMMAND ${MSGFMT} --check-format --check-domain --endianness=little -o ${OUT}.${language}.mo ${FOLDER}/${language}.po
                  COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${OUT}.${language}.mo bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const uint8_t CATALOGUE_${language}[] = {${bytes}};\n")
  list(APPEND names CATALOGUE_${language})
endforeach()
list(JOIN names ", " names)
file(WRITE ${OUT} "${text}static const uint8_t *const CATALOGUES[] = {NULL, ${names}};\n#endif\n")
