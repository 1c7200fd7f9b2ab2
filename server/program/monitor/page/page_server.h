// SPDX-License-Identifier: MIT
//
// Serves the page that runs the window in a browser, and with it the live match, over HTTP, beside the game
// (page_site.h). It needs nothing of the match, so the tick never waits for it.
#ifndef MONITOR_PAGE_SERVER_H
#define MONITOR_PAGE_SERVER_H

#include <stdint.h>

#include "base/error.h"

struct page_server;
struct page_site;

/// What is served, and where.
struct page_config {
    const char *address;     ///< "ADDR:PORT"; port 0: any free one
    const char *folder;      ///< of the page; "": it is near the program (page_site.h)
    const char *live_folder; ///< of --publish; null: nothing is published. It must outlive the server
};

/// Reads the files and opens it. Null with an error; its code is EXIT_IO if the files are to blame, or
/// EXIT_UNAVAILABLE.
struct page_server *page_server_open(const struct page_config *config, struct error *error);
/// Checks whether the files can be read, and keeps none. False with an error.
bool page_server_check(const struct page_config *config, struct error *error);
/// Returns the port that it listens on.
uint16_t page_server_port(const struct page_server *server);
/// Returns how many compressed files are older than what they are of, and are not sent.
uint32_t page_server_stale(const struct page_server *server);
/// Returns what it serves; null for a null server.
const struct page_site *page_server_site(const struct page_server *server);
/// Ends the server and its threads; accepts null.
void page_server_close(struct page_server *server);

#endif
