// SPDX-License-Identifier: MIT
//
// What a browser gets of the page that runs the window: the files of page_files.h, and under /live/ the live match of
// --publish, in files that any page may read. Everything else is not found.
#ifndef MONITOR_PAGE_SITE_H
#define MONITOR_PAGE_SITE_H

#include "http/http.h"
#include "page_files.h"

struct page_site {
    struct page_files files;
    const char *live_folder; ///< of --publish; null: nothing is published
};

/// Answers a GET or HEAD of a path, which begins with a slash.
enum MHD_Result page_site_answer(const struct page_site *site, struct MHD_Connection *connection, const char *path);

#endif
