// SPDX-License-Identifier: MIT
//
// Serves the page that runs the window in a browser over HTTP, beside the game: its files, and under /live/ the live
// match of --publish, in files that any page may read. Everything else is not found. The page's files are read when the
// server starts, so a request opens none of them and can ask for nothing else. Beside FILE may be FILE.br and FILE.gz,
// the same compressed, for browsers that take it. It needs nothing of the match, so the tick never waits for it.
#ifndef MONITOR_PAGE_SERVER_H
#define MONITOR_PAGE_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/file.h"

/// Files at most, without the compressed ones.
#define PAGE_FILES_MAX 64
/// Bytes of all at most, with the compressed ones.
#define PAGE_FILES_BYTES_MAX ((size_t)64 << 20)
/// Bytes of a name with its final zero.
#define PAGE_FILE_NAME_BYTES 64
/// Bytes of an ETag with its final zero.
#define PAGE_FILE_ETAG_BYTES 32

/// How a file can be sent.
enum page_encoding { PAGE_BROTLI, PAGE_GZIP, PAGE_PLAIN, PAGE_ENCODINGS };
/// Their names in Content-Encoding; null for PAGE_PLAIN.
extern const char *const PAGE_ENCODING_NAMES[PAGE_ENCODINGS];

/// The bytes of a file, in one encoding.
struct page_body {
    uint8_t *bytes; ///< null: there is none
    size_t byte_count;
    char etag[PAGE_FILE_ETAG_BYTES]; ///< changes with the bytes and the encoding, in quotation marks
};

/// A file, as it can be sent.
struct page_file {
    char name[PAGE_FILE_NAME_BYTES]; ///< letters, digits and -_., no dot first
    const char *type;                ///< Content-Type
    struct page_body bodies[PAGE_ENCODINGS];
};

/// Begin with zeros.
struct page_files {
    uint32_t count;
    uint32_t stale_count; ///< compressed files that are older than what they are of, and so count nothing
    size_t byte_count;
    struct page_file of[PAGE_FILES_MAX];
};

/// What is served.
struct page_site {
    struct page_files files;
    const char *live_folder; ///< of --publish; null: nothing is published
};

/// Finds the folder of the page near the program: page/ beside it, or ../share/deadfall/page. False with an error.
bool page_server_find_folder(char folder[FILE_PATH_BYTES], struct error *error);
/// Reads the files of a folder that end in a type that pages use; others, and folders in it, are left out. False with
/// an error; then there are none.
bool page_server_read(struct page_files *files, const char *folder, struct error *error);
/// Frees all.
void page_server_free(struct page_files *files);

/// Returns the file of a path: "/NAME"; "/" is index.html. Null if there is none.
const struct page_file *page_server_find(const struct page_files *files, const char *path);
/// Returns the best encoding of a file for a browser that sends this Accept-Encoding; null: it sends none.
enum page_encoding page_server_choose(const struct page_file *file, const char *accepted);

struct MHD_Connection; // of libmicrohttpd, which not every system has

/// Answers a GET or HEAD of a path, which begins with a slash. Returns an enum MHD_Result.
unsigned page_server_answer(const struct page_site *site, struct MHD_Connection *connection, const char *path);

struct page_server;

/// What is served, and where.
struct page_config {
    const char *address;     ///< "ADDR:PORT"; port 0: any free one
    const char *folder;      ///< of the page; "": it is near the program
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
