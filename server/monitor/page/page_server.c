// SPDX-License-Identifier: MIT
#include "page_server.h"

#include <stdlib.h>

#include "monitor/http_listener.h"
#include "options/options.h"
#include "page_site.h"

struct page_server {
    struct http_listener listener;
    struct page_site site;
};

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path)
{
    const struct page_server *server = context;
    return page_site_answer(&server->site, connection, path);
}

static bool read_files(struct page_files *files, const char *folder, struct error *error)
{
    char found[FILE_PATH_BYTES];
    bool good = folder[0] ? page_files_read(files, folder, error)
                          : page_files_find_folder(found, error) && page_files_read(files, found, error);
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
    *server = (struct page_server){.listener = {.handler = answer, .context = server},
                                   .site = {.live_folder = config->live_folder}};
    bool is_read = read_files(&server->site.files, config->folder, error);
    if (is_read && http_listener_open(&server->listener, config->address, "--page", error))
        return server;
    error->code = is_read ? EXIT_UNAVAILABLE : error->code;
    page_files_free(&server->site.files);
    free(server);
    return NULL;
}

bool page_server_check(const struct page_config *config, struct error *error)
{
    static struct page_files files;
    bool good = read_files(&files, config->folder, error);
    page_files_free(&files);
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
    page_files_free(&server->site.files);
    free(server);
}
