# SPDX-License-Identifier: MIT
# Writes report_page.h: what is before and after the report in report.html, as bytes.
#   cmake -DOUT=report_page.h -DPAGE=report.html -P embed.cmake
file(READ ${PAGE} page HEX)
string(HEX "@REPORT@" mark)
string(FIND "${page}" "${mark}" at)
string(LENGTH "${mark}" length)
math(EXPR rest "${at} + ${length}")
string(SUBSTRING "${page}" 0 ${at} head)
string(SUBSTRING "${page}" ${rest} -1 tail)
foreach(part head tail)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," ${part} "${${part}}")
endforeach()
file(WRITE ${OUT} "// Made from report.html.\nstatic const unsigned char REPORT_PAGE_HEAD[] = {${head}};\nstatic const unsigned char REPORT_PAGE_TAIL[] = {${tail}};\n")
