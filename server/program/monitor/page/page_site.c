// SPDX-License-Identifier: MIT
#include "page_site.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/platform/disk.h"
#include "recording/live_stream.h"

#define LIVE             "/live/"
#define LIVE_BYTES_MAX   ((size_t)4 << 20) // two seconds of a full match are a fiftieth of it
#define LIVE_NAME_DIGITS "0123456789-"

// Its own scripts and wasm; lists, recordings and live matches come from any web server. The live page of a server may
// show it in a frame.
static const char POLICY[] =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self' http: https: blob:; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'";

const char *const PAGE_ENCODING_NAMES[PAGE_ENCODINGS] = {"br", "gzip", NULL};
static const char *const ENDINGS[PAGE_ENCODINGS] = {".br", ".gz", ""};

static const struct {
    const char *ending, *type;
} TYPES[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".data", "application/octet-stream"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".ico", "image/x-icon"},
    {".txt", "text/plain; charset=utf-8"},
};

static const char *type_of(const char *name)
{
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof TYPES / sizeof *TYPES; i++)
        if (strcmp(TYPES[i].ending, ending) == 0)
            return TYPES[i].type;
    return NULL;
}

static bool is_name(const char *name)
{
    size_t length = strlen(name);
    return length < PAGE_FILE_NAME_BYTES && name[0] != '.' &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") == length;
}

bool page_site_find_folder(char folder[FILE_PATH_BYTES], struct error *error)
{
    static const char *const PLACES[] = {"/page", "/share/deadfall/page"};
    struct disk_facts facts;
    for (size_t i = 0; i < 2; i++)
        if (file_near_program(folder, i > 0, PLACES[i]) && disk_look(folder, &facts) && facts.kind == DISK_FOLDER)
            return true;
    return error_set(error, "there is no page for browsers in page beside this program, nor in ../share/deadfall/page: "
                            "say where it is by --page-folder");
}

// The last word is filled up with zeros, so the number of bytes counts, too.
static void write_etag(struct page_body *body, enum page_encoding encoding)
{
    struct hash hash = hash_begin();
    for (size_t at = 0; at < body->byte_count; at += sizeof(uint32_t)) {
        uint32_t word = 0;
        size_t left = body->byte_count - at;
        memcpy(&word, body->bytes + at, left < sizeof word ? left : sizeof word);
        hash_words(&hash, &word, 1);
    }
    snprintf(body->etag, sizeof body->etag, "\"%016" PRIx64 "%x%s%s\"", hash_end(&hash),
             (unsigned)(body->byte_count % sizeof(uint32_t)), encoding == PAGE_PLAIN ? "" : "-",
             encoding == PAGE_PLAIN ? "" : PAGE_ENCODING_NAMES[encoding]);
}

// Reads a file in one encoding. True if there is none; false with errno.
static bool read_body(struct page_files *files, struct page_body *body, const char *path, int64_t not_before_ns,
                      enum page_encoding encoding)
{
    struct disk_facts facts;
    if (!disk_look(path, &facts))
        return encoding != PAGE_PLAIN && errno == ENOENT;
    if (facts.kind != DISK_FILE)
        return true;
    if (facts.modified_ns < not_before_ns) {
        files->stale_count++;
        return true;
    }
    body->bytes = file_load(path, PAGE_FILES_BYTES_MAX - files->byte_count, &body->byte_count);
    if (!body->bytes)
        return false;
    files->byte_count += body->byte_count;
    write_etag(body, encoding);
    return true;
}

static bool read_file(struct page_files *files, const char *folder, const char *name, const char *type,
                      struct error *error)
{
    char path[FILE_PATH_BYTES];
    struct disk_facts facts = {0};
    struct page_file *file = &files->of[files->count];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length + 4 > sizeof path)
        return error_set(error, "the path of %.200s is too long", name);
    if (!disk_look(path, &facts) || facts.kind != DISK_FILE)
        return true;
    if (files->count == PAGE_FILES_MAX)
        return error_set(error, "%.300s has more than %d files of a page: --page-folder is a folder of its own", folder,
                         PAGE_FILES_MAX);
    *file = (struct page_file){.type = type};
    snprintf(file->name, sizeof file->name, "%s", name);
    files->count++; // so that what has been read is freed
    for (uint32_t i = 0; i < PAGE_ENCODINGS; i++) {
        snprintf(path + length, sizeof path - (size_t)length, "%s", ENDINGS[i]);
        int64_t not_before_ns = i == PAGE_PLAIN ? INT64_MIN : facts.modified_ns;
        if (!read_body(files, &file->bodies[i], path, not_before_ns, (enum page_encoding)i))
            return error_set(error, "cannot read %.300s for --page: %s", path, strerror(errno));
    }
    return true;
}

static bool read_all(struct page_files *files, const char *folder, struct error *error)
{
    const char *name, *type;
    bool good = true;
    struct disk_list *list = disk_list_open(folder);
    if (!list)
        return error_set(error, "cannot read the folder %.300s of --page-folder: %s", folder, strerror(errno));
    while (good && (name = disk_list_next(list)))
        good = !is_name(name) || !(type = type_of(name)) || read_file(files, folder, name, type, error);
    disk_list_close(list);
    if (good && !page_site_find(files, "/"))
        return error_set(error, "%.300s has no index.html: --page-folder is the folder of a page for browsers", folder);
    return good;
}

bool page_site_read(struct page_files *files, const char *folder, struct error *error)
{
    *files = (struct page_files){0};
    bool good = read_all(files, folder, error);
    if (!good)
        page_site_free(files);
    return good;
}

void page_site_free(struct page_files *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        for (uint32_t k = 0; k < PAGE_ENCODINGS; k++)
            free(files->of[i].bodies[k].bytes);
    *files = (struct page_files){0};
}

const struct page_file *page_site_find(const struct page_files *files, const char *path)
{
    const char *name = strcmp(path, "/") == 0 ? "index.html" : path + 1;
    for (uint32_t i = 0; path[0] == '/' && i < files->count; i++)
        if (strcmp(files->of[i].name, name) == 0)
            return &files->of[i];
    return NULL;
}

// Returns whether a weight such as "0.5" behind q= is more than nothing.
static bool is_wanted(const char *weight)
{
    return weight[strspn(weight, "0. ")] >= '1' && weight[strspn(weight, "0. ")] <= '9';
}

// Returns whether a list such as "gzip, br;q=0.5" has a word, and not with the weight 0.
static bool accepts(const char *list, const char *word)
{
    while (*list) {
        list += strspn(list, ", \t");
        size_t length = strcspn(list, ",; \t"), rest = strcspn(list, ",");
        const char *weight = memchr(list, '=', rest);
        if (length == strlen(word) && strncasecmp(list, word, length) == 0)
            return !weight || is_wanted(weight + 1);
        list += rest;
    }
    return false;
}

enum page_encoding page_site_choose(const struct page_file *file, const char *accepted)
{
    for (uint32_t i = 0; accepted && i < PAGE_PLAIN; i++)
        if (file->bodies[i].bytes && accepts(accepted, PAGE_ENCODING_NAMES[i]))
            return (enum page_encoding)i;
    return PAGE_PLAIN;
}

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result send_not_found(struct MHD_Connection *connection)
{
    return http_head_send_text(
        connection,
        &(struct http_head){.status = MHD_HTTP_NOT_FOUND, .type = "text/plain", .policy = HTTP_POLICY_NOTHING},
        "There is no such file here.\n");
}

// Names stay while their content changes, so browsers ask each time whether what they have is still the same.
static enum MHD_Result send_file(struct MHD_Connection *connection, const struct page_file *file)
{
    enum page_encoding encoding = page_site_choose(file, header_of(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING));
    const struct page_body *body = &file->bodies[encoding];
    const char *known = header_of(connection, MHD_HTTP_HEADER_IF_NONE_MATCH);
    bool is_known = known && (strcmp(known, "*") == 0 || strstr(known, body->etag));
    struct http_head head = {.status = is_known ? MHD_HTTP_NOT_MODIFIED : MHD_HTTP_OK,
                             .type = file->type,
                             .cache = "no-cache",
                             .policy = POLICY,
                             .encoding = PAGE_ENCODING_NAMES[encoding],
                             .etag = body->etag,
                             .varies = MHD_HTTP_HEADER_ACCEPT_ENCODING};
    return http_head_send(
        connection, &head,
        MHD_create_response_from_buffer(is_known ? 0 : body->byte_count, body->bytes, MHD_RESPMEM_PERSISTENT));
}

// As live_stream.h names its files: MATCH.head, MATCH-N.chunk with digits and hyphens, and the index.
static bool is_live_name(const char *name)
{
    size_t digits = strspn(name, LIVE_NAME_DIGITS);
    return strcmp(name, LIVE_STREAM_INDEX) == 0 || (digits > 0 && (strcmp(name + digits, LIVE_STREAM_HEAD) == 0 ||
                                                                   strcmp(name + digits, LIVE_STREAM_CHUNK) == 0));
}

static enum MHD_Result send_live(struct MHD_Connection *connection, const char *folder, const char *name)
{
    char path[FILE_PATH_BYTES];
    size_t byte_count = 0;
    int length = is_live_name(name) ? snprintf(path, sizeof path, "%s/%s", folder, name) : -1;
    bool fits = length >= 0 && (size_t)length < sizeof path;
    uint8_t *bytes = fits ? file_load(path, LIVE_BYTES_MAX, &byte_count) : NULL;
    bool is_index = strcmp(name, LIVE_STREAM_INDEX) == 0;
    if (!bytes)
        return send_not_found(connection);
    struct http_head head = {.status = MHD_HTTP_OK,
                             .type = is_index ? "application/json" : "application/octet-stream",
                             .cache = is_index ? "no-cache" : "public, max-age=3600, immutable",
                             .policy = HTTP_POLICY_NOTHING,
                             .origins = "*"};
    return http_head_send(connection, &head, MHD_create_response_from_buffer(byte_count, bytes, MHD_RESPMEM_MUST_FREE));
}

enum MHD_Result page_site_answer(const struct page_site *site, struct MHD_Connection *connection, const char *path)
{
    const struct page_file *file = page_site_find(&site->files, path);
    if (file)
        return send_file(connection, file);
    if (site->live_folder && strncmp(path, LIVE, strlen(LIVE)) == 0)
        return send_live(connection, site->live_folder, path + strlen(LIVE));
    return send_not_found(connection);
}
