// SPDX-License-Identifier: MIT
//
// A report as one page of XHTML with plots, to keep or to send: it refers to nothing outside itself and runs no script.
// Made from the same JSON tree as the report's file.
#ifndef BOTS_REPORT_HTML_H
#define BOTS_REPORT_HTML_H

#include <jansson.h>
#include <stdbool.h>

/// Writes the page. False if the file could not be written.
bool report_html_write(const json_t *report, const char *path);

#endif
