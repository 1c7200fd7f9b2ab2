// SPDX-License-Identifier: MIT
#include "page_server.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/platform/disk.h"
#include "http/http.h"
#include "options/options.h"
#include "recording/live_stream.h"

#define LIVE             "/live/"
#define LIVE_BYTES_MAX   ((size_t)4 << 20) // two seconds of a full match are a fiftieth of it
#define LIVE_NAME_DIGITS "0123456789-"
#define NAME_LETTERS     "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."

struct page_server {
    struct http_listener listener;
    struct http_site front;
    struct http_callers callers;
    struct http_connection places[HTTP_READERS_CAPACITY];
    struct page_site site;
};

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

bool page_server_find_folder(char folder[FILE_PATH_BYTES], struct error *error)
{
    static const char *const PLACES[] = {"/page", "/share/deadfall/page"};
    struct disk_facts facts;
    for (size_t i = 0; i < 2; i++)
        if (file_near_program(folder, i > 0, PLACES[i]) && disk_look(folder, &facts) && facts.kind == DISK_FOLDER)
            return true;
    return error_set(error, "there is no page for browsers in page beside this program, nor in ../share/deadfall/page: "
                            "say where it is by --page-folder");
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
    // The ETag. The last word is filled up with zeros, so the number of bytes counts, too.
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

bool page_server_read(struct page_files *files, const char *folder, struct error *error)
{
    const char *name;
    bool good = true;
    struct disk_list *list = disk_list_open(folder);
    *files = (struct page_files){0};
    if (!list)
        return error_set(error, "cannot read the folder %.300s of --page-folder: %s", folder, strerror(errno));
    while (good && (name = disk_list_next(list))) {
        size_t length = strlen(name);
        const char *ending = strrchr(name, '.'), *type = NULL;
        for (size_t i = 0; ending && i < sizeof TYPES / sizeof *TYPES; i++)
            if (strcmp(TYPES[i].ending, ending) == 0)
                type = TYPES[i].type;
        if (type && length < PAGE_FILE_NAME_BYTES && name[0] != '.' && strspn(name, NAME_LETTERS) == length)
            good = read_file(files, folder, name, type, error);
    }
    disk_list_close(list);
    if (good && !page_server_find(files, "/"))
        good = error_set(error, "%.300s has no index.html: --page-folder is the folder of a page for browsers", folder);
    if (!good)
        page_server_free(files);
    return good;
}

void page_server_free(struct page_files *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        for (uint32_t k = 0; k < PAGE_ENCODINGS; k++)
            free(files->of[i].bodies[k].bytes);
    *files = (struct page_files){0};
}

const struct page_file *page_server_find(const struct page_files *files, const char *path)
{
    const char *name = strcmp(path, "/") == 0 ? "index.html" : path + 1;
    for (uint32_t i = 0; path[0] == '/' && i < files->count; i++)
        if (strcmp(files->of[i].name, name) == 0)
            return &files->of[i];
    return NULL;
}

// Returns whether a list such as "gzip, br;q=0.5" has a word, and not with a weight of nothing.
static bool accepts(const char *list, const char *word)
{
    while (*list) {
        list += strspn(list, ", \t");
        size_t length = strcspn(list, ",; \t"), rest = strcspn(list, ",");
        const char *weight = memchr(list, '=', rest);
        if (length == strlen(word) && strncasecmp(list, word, length) == 0) {
            char digit = weight ? weight[1 + strspn(weight + 1, "0. ")] : '1'; // the first that is not 0
            return digit >= '1' && digit <= '9';
        }
        list += rest;
    }
    return false;
}

enum page_encoding page_server_choose(const struct page_file *file, const char *accepted)
{
    for (uint32_t i = 0; accepted && i < PAGE_PLAIN; i++)
        if (file->bodies[i].bytes && accepts(accepted, PAGE_ENCODING_NAMES[i]))
            return (enum page_encoding)i;
    return PAGE_PLAIN;
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
    enum page_encoding encoding = page_server_choose(
        file, MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING));
    const struct page_body *body = &file->bodies[encoding];
    const char *known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
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

// Sends a file as live_stream.h names them: MATCH.head, MATCH-N.chunk with digits and hyphens, and the index.
static enum MHD_Result send_live(struct MHD_Connection *connection, const char *folder, const char *name)
{
    char path[FILE_PATH_BYTES];
    size_t byte_count = 0, digits = strspn(name, LIVE_NAME_DIGITS);
    bool is_index = strcmp(name, LIVE_STREAM_INDEX) == 0;
    bool is_live =
        is_index ||
        (digits > 0 && (strcmp(name + digits, LIVE_STREAM_HEAD) == 0 || strcmp(name + digits, LIVE_STREAM_CHUNK) == 0));
    int length = is_live ? snprintf(path, sizeof path, "%s/%s", folder, name) : -1;
    bool fits = length >= 0 && (size_t)length < sizeof path;
    uint8_t *bytes = fits ? file_load(path, LIVE_BYTES_MAX, &byte_count) : NULL;
    if (!bytes)
        return send_not_found(connection);
    struct http_head head = {.status = MHD_HTTP_OK,
                             .type = is_index ? "application/json" : "application/octet-stream",
                             .cache = is_index ? "no-cache" : "public, max-age=3600, immutable",
                             .policy = HTTP_POLICY_NOTHING,
                             .origins = "*"};
    return http_head_send(connection, &head, MHD_create_response_from_buffer(byte_count, bytes, MHD_RESPMEM_MUST_FREE));
}

unsigned page_server_answer(const struct page_site *site, struct MHD_Connection *connection, const char *path)
{
    const struct page_file *file = page_server_find(&site->files, path);
    if (file)
        return send_file(connection, file);
    if (site->live_folder && strncmp(path, LIVE, strlen(LIVE)) == 0)
        return send_live(connection, site->live_folder, path + strlen(LIVE));
    return send_not_found(connection);
}

static enum MHD_Result answer(void *context, struct http_request *request)
{
    const struct page_server *server = context;
    return (enum MHD_Result)page_server_answer(&server->site, request->connection, request->path);
}

static const struct http_route ROUTES[] = {{"", answer, .is_folder = true}};

static bool read_files(struct page_files *files, const char *folder, struct error *error)
{
    char found[FILE_PATH_BYTES];
    bool good = folder[0] ? page_server_read(files, folder, error)
                          : page_server_find_folder(found, error) && page_server_read(files, found, error);
    if (!good)
        error->code = EXIT_IO;
    return good;
}

struct page_server *page_server_open(const struct page_config *config, struct error *error)
{
    struct page_server *server = malloc(sizeof *server);
    if (!server) {
        error_set_code(error, EXIT_UNAVAILABLE, "out of memory");
        return NULL;
    }
    *server =
        (struct page_server){.front = {.routes = ROUTES, .route_count = 1, .context = server, .has_threads = true},
                             .site = {.live_folder = config->live_folder}};
    http_callers_init(&server->callers, &HTTP_READERS, server->places, HTTP_READERS_CAPACITY);
    bool is_read = read_files(&server->site.files, config->folder, error);
    if (is_read &&
        http_listener_open(&server->listener, &server->front, &server->callers, config->address, " for --page", error))
        return server;
    error->code = is_read ? EXIT_UNAVAILABLE : error->code;
    page_server_free(&server->site.files);
    free(server);
    return NULL;
}

bool page_server_check(const struct page_config *config, struct error *error)
{
    static struct page_files files;
    bool good = read_files(&files, config->folder, error);
    page_server_free(&files);
    return good;
}

uint16_t page_server_port(const struct page_server *server)
{
    return server->listener.port;
}

uint32_t page_server_stale(const struct page_server *server)
{
    return server->site.files.stale_count;
}

const struct page_site *page_server_site(const struct page_server *server)
{
    return server ? &server->site : NULL;
}

void page_server_close(struct page_server *server)
{
    if (!server)
        return;
    http_listener_close(&server->listener);
    page_server_free(&server->site.files);
    free(server);
}
