// SPDX-License-Identifier: MIT
//
// A report as one page of XHTML with plots, to be kept beside a release or sent to somebody: it refers to nothing
// outside itself and runs no script. Made of the same tree that the JSON is.
#ifndef BOTS_REPORT_PAGE_H
#define BOTS_REPORT_PAGE_H

#include <jansson.h>
#include <stdbool.h>

/// Writes it. False if the file could not be written.
bool report_page_write(const json_t *report, const char *path);

#endif
