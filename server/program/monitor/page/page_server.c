// SPDX-License-Identifier: MIT
#include "page_server.h"

#include <stdlib.h>

#include "http/http.h"
#include "options/options.h"
#include "page_site.h"

struct page_server {
    struct http_listener listener;
    struct http_site front;
    struct http_callers callers;
    struct http_connection places[HTTP_READERS_CAPACITY];
    struct page_site site;
};

static enum MHD_Result answer(void *context, struct http_request *request)
{
    const struct page_server *server = context;
    return page_site_answer(&server->site, request->connection, request->path);
}

static const struct http_route ROUTES[] = {{"", answer, .is_folder = true}};

static bool read_files(struct page_files *files, const char *folder, struct error *error)
{
    char found[FILE_PATH_BYTES];
    bool good = folder[0] ? page_site_read(files, folder, error)
                          : page_site_find_folder(found, error) && page_site_read(files, found, error);
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
    page_site_free(&server->site.files);
    free(server);
    return NULL;
}

bool page_server_check(const struct page_config *config, struct error *error)
{
    static struct page_files files;
    bool good = read_files(&files, config->folder, error);
    page_site_free(&files);
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
    page_site_free(&server->site.files);
    free(server);
}
