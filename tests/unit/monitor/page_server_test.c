// SPDX-License-Identifier: MIT
//
// Tests which files of a folder are the page, and in which form a browser gets them.
#include "monitor/page/page_server.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "test.h"

static char folder[64];
static struct page_files files;
static struct error error;

static void begin(void)
{
    strcpy(folder, "/tmp/page_files_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void end(void)
{
    char command[100];
    page_server_free(&files);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

EACH_TEST(begin, end);

// Writes a file that was modified so many seconds after 1970.
static void put(const char *name, const char *text, long modified_s)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(file_write(path, text, strlen(text)));
    struct timespec times[2] = {{.tv_sec = modified_s}, {.tv_sec = modified_s}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void read_page(void)
{
    if (!page_server_read(&files, folder, &error))
        fail_msg("%s", error.text);
}

TEST(only_files_of_a_page_are_found)
{
    static const struct {
        const char *path, *type; // null: it is not found
    } rows[] = {
        /* 0 */ {"/", "text/html; charset=utf-8"},
        /* 1 */ {"/index.html", "text/html; charset=utf-8"},
        /* 2 */ {"/deadfall.wasm", "application/wasm"},
        /* 3 */ {"/page.js", "text/javascript; charset=utf-8"},
        /* 4 */ {"/deadfall.wasm.br", NULL},
        /* 5 */ {"/deadfall-server", NULL},
        /* 6 */ {"/.hidden.js", NULL},
        /* 7 */ {"/folder.js", NULL},
        /* 8 */ {"/a file.js", NULL},
        /* 9 */ {"/../page.js", NULL},
        /* 10 */ {"//page.js", NULL},
        /* 11 */ {"/./page.js", NULL},
        /* 12 */ {"/page.js/", NULL},
        /* 13 */ {"/PAGE.JS", NULL},
        /* 14 */ {"page.js", NULL},
        /* 15 */ {"", NULL},
        /* 16 */ {"/later.js", NULL},
        /* 17 */ {"/secret.pem", NULL},
    };
    static const char *const names[] = {"index.html", "deadfall.wasm",   "deadfall.wasm.br", "page.js",
                                        ".hidden.js", "deadfall-server", "a file.js",        "secret.pem"};
    char path[200];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put(names[i], names[i], 1);
    snprintf(path, sizeof path, "%s/folder.js", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    read_page();
    put("later.js", "x", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct page_file *file = page_server_find(&files, rows[i].path);
        if ((file != NULL) != (rows[i].type != NULL) || (file && strcmp(file->type, rows[i].type) != 0))
            fail_msg("row %zu: %s", i, file ? file->type : "not found");
    }
    assert_int_equal(files.count, 3);
    const struct page_body *body = &page_server_find(&files, "/page.js")->bodies[PAGE_PLAIN];
    assert_int_equal(body->byte_count, strlen("page.js"));
    assert_memory_equal(body->bytes, "page.js", strlen("page.js"));
}

TEST(a_browser_gets_the_smallest_form_that_it_takes)
{
    static const struct {
        const char *path, *accepted;
        enum page_encoding encoding;
    } rows[] = {
        /* 0 */ {"/both.js", "gzip, deflate, br", PAGE_BROTLI},
        /* 1 */ {"/both.js", "gzip, deflate", PAGE_GZIP},
        /* 2 */ {"/both.js", "deflate", PAGE_PLAIN},
        /* 3 */ {"/both.js", NULL, PAGE_PLAIN},
        /* 4 */ {"/both.js", "", PAGE_PLAIN},
        /* 5 */ {"/both.js", "br;q=0, gzip;q=0.5", PAGE_GZIP},
        /* 6 */ {"/both.js", "br;q=0.000,gzip;q=0", PAGE_PLAIN},
        /* 7 */ {"/both.js", "br;q=0.001", PAGE_BROTLI},
        /* 8 */ {"/both.js", "BR; q=1.0", PAGE_BROTLI},
        /* 9 */ {"/both.js", "brotli, gzipped", PAGE_PLAIN},
        /* 10 */ {"/both.js", "b, g, zip,, ,;q=1", PAGE_PLAIN},
        /* 11 */ {"/zipped.js", "gzip, br", PAGE_GZIP},
        /* 12 */ {"/plain.js", "gzip, br", PAGE_PLAIN},
        /* 13 */ {"/stale.js", "gzip, br", PAGE_PLAIN},
        /* 14 */ {"/both.js", "deflate;q=0, br", PAGE_BROTLI},
        /* 15 */ {"/both.js", "br ;q=0", PAGE_PLAIN},
    };
    put("index.html", "x", 1);
    put("both.js", "long", 5), put("both.js.br", "b", 5), put("both.js.gz", "g", 9);
    put("zipped.js", "long", 5), put("zipped.js.gz", "g", 5);
    put("plain.js", "long", 5);
    put("stale.js", "long", 5), put("stale.js.br", "b", 4);
    read_page();
    assert_int_equal(files.stale_count, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum page_encoding encoding = page_server_choose(page_server_find(&files, rows[i].path), rows[i].accepted);
        if (encoding != rows[i].encoding)
            fail_msg("row %zu: %u", i, encoding);
    }
}

TEST(a_tag_changes_with_the_bytes_and_the_form)
{
    static const char *const names[] = {"a.js", "b.js", "c.js", "d.js"};
    static const char *const texts[] = {"abcd", "abcde", "abcd", "abce"};
    char tags[5][PAGE_FILE_ETAG_BYTES];
    put("index.html", "x", 1);
    for (size_t i = 0; i < 4; i++)
        put(names[i], texts[i], 1);
    put("a.js.br", "abcd", 1);
    read_page();
    for (size_t i = 0; i < 4; i++) {
        char path[20];
        snprintf(path, sizeof path, "/%s", names[i]);
        strcpy(tags[i], page_server_find(&files, path)->bodies[PAGE_PLAIN].etag);
    }
    strcpy(tags[4], page_server_find(&files, "/a.js")->bodies[PAGE_BROTLI].etag);
    assert_string_equal(tags[0], tags[2]);
    assert_string_not_equal(tags[0], tags[1]);
    assert_string_not_equal(tags[0], tags[3]);
    assert_string_not_equal(tags[0], tags[4]);
    for (size_t i = 0; i < 5; i++)
        assert_true(tags[i][0] == '"' && strchr(tags[i] + 1, '"') == tags[i] + strlen(tags[i]) - 1);
}

TEST(a_folder_without_a_page_is_refused)
{
    char path[200];
    assert_false(page_server_read(&files, folder, &error));
    assert_non_null(strstr(error.text, "has no index.html"));
    snprintf(path, sizeof path, "%s/none", folder);
    assert_false(page_server_read(&files, path, &error));
    assert_non_null(strstr(error.text, "No such file"));
    put("index.html", "x", 1);
    snprintf(path, sizeof path, "%s/index.html", folder);
    assert_false(page_server_read(&files, path, &error));
    assert_non_null(strstr(error.text, "Not a directory"));
    for (int i = 0; i < PAGE_FILES_MAX; i++) {
        char name[20];
        snprintf(name, sizeof name, "%d.js", i);
        put(name, "x", 1);
    }
    assert_false(page_server_read(&files, folder, &error));
    assert_non_null(strstr(error.text, "more than 64 files"));
    assert_int_equal(files.count, 0);
}

TEST(a_file_that_is_too_large_is_refused)
{
    char path[200];
    put("index.html", "x", 1);
    snprintf(path, sizeof path, "%s/large.data", folder);
    put("large.data", "x", 1);
    assert_int_equal(truncate(path, (off_t)PAGE_FILES_BYTES_MAX), 0); // with the index one byte too many
    assert_false(page_server_read(&files, folder, &error));
    assert_non_null(strstr(error.text, "File too large"));
}
