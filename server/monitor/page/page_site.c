// SPDX-License-Identifier: MIT
#include "page_site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/live_folder.h"

#define LIVE             "/live/"
#define LIVE_BYTES_MAX   ((size_t)4 << 20) // two seconds of a full match are a fiftieth of it
#define LIVE_NAME_DIGITS "0123456789-"

// Its own scripts and wasm; lists, recordings and live matches come from any web server. The live page of a server may
// show it in a frame.
static const char POLICY[] =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self' http: https: blob:; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'";

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
    enum page_encoding encoding = page_files_choose(file, header_of(connection, MHD_HTTP_HEADER_ACCEPT_ENCODING));
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
    return strcmp(name, LIVE_FOLDER_INDEX) == 0 || (digits > 0 && (strcmp(name + digits, LIVE_FOLDER_HEAD) == 0 ||
                                                                   strcmp(name + digits, LIVE_FOLDER_CHUNK) == 0));
}

static enum MHD_Result send_live(struct MHD_Connection *connection, const char *folder, const char *name)
{
    char path[FILE_PATH_BYTES];
    size_t byte_count = 0;
    int length = is_live_name(name) ? snprintf(path, sizeof path, "%s/%s", folder, name) : -1;
    bool fits = length >= 0 && (size_t)length < sizeof path;
    uint8_t *bytes = fits ? file_load(path, LIVE_BYTES_MAX, &byte_count) : NULL;
    bool is_index = strcmp(name, LIVE_FOLDER_INDEX) == 0;
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
    const struct page_file *file = page_files_find(&site->files, path);
    if (file)
        return send_file(connection, file);
    if (site->live_folder && strncmp(path, LIVE, strlen(LIVE)) == 0)
        return send_live(connection, site->live_folder, path + strlen(LIVE));
    return send_not_found(connection);
}
