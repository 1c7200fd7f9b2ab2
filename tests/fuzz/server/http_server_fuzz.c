// SPDX-License-Identifier: MIT
//
// Fuzzes the HTTP server through a socket of this process: by the first byte of the input, any bytes, or a request with
// any method, path and host. Each answer is one of HTTP and ends, a foreign host gets no page, and the health of the
// server is always answered. The server has no threads here, and a pause between frames of a stream is over at once.
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "http_socket.h"
#include "monitor/http_server.h"
#include "monitor/page/page_server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUTS_OF_CHECK = 16 };

static struct status_publisher publisher = STATUS_PUBLISHER_INITIAL;
static struct http_server *server;
static char page[] = "<!doctype html>";

void __wrap_clock_sleep(uint64_t duration_ns);

void __wrap_clock_sleep(uint64_t duration_ns)
{
    (void)duration_ns;
}

static void begin(void)
{
    static struct page_site site = {.live_folder = "/etc"}; // which has no file of a live match
    static const struct status_server self = {.fingerprint = "thekey", .port = 5, .page = &site};
    struct error error;
    site.files = (struct page_files){.count = 1, .of = {{.name = "index.html", .type = "text/html"}}};
    site.files.of[0].bodies[PAGE_PLAIN] = site.files.of[0].bodies[PAGE_GZIP] =
        (struct page_body){(uint8_t *)page, strlen(page), "\"tag\""};
    snprintf(publisher.snapshot.name, sizeof publisher.snapshot.name, "fuzzed");
    server = http_server_open("127.0.0.1:0", &publisher, &self, &error);
    require(server != NULL);
}

static bool may_be_ours(const char *host)
{
    return strcasestr(host, "localhost") || strstr(host, "127.0.0.1") || strstr(host, "::1");
}

static void request(const uint8_t *data, size_t size)
{
    char method[HTTP_WORD_BYTES], path[HTTP_WORD_BYTES], host[HTTP_WORD_BYTES], text[4 * HTTP_WORD_BYTES];
    size_t at = http_take_word(method, data, size);
    at += http_take_word(path, data + at, size - at);
    http_take_word(host, data + at, size - at);
    int length =
        snprintf(text, sizeof text, "%s /%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method, path, host);
    int status = http_ask(text, (size_t)length);
    require(status / 100 != 2 || may_be_ours(host));
    require(status / 100 != 2 || strncmp(path, "play/", 5) != 0 || strcmp(method, "HEAD") == 0 ||
            strstr(http_answer, page));
    require(status / 100 != 2 || strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char health[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    static uint32_t inputs;
    if (!server)
        begin();
    publisher.snapshot.written_ns = clock_now_ns();
    if (size > 0 && data[0] & 1)
        request(data + 1, size - 1);
    else if (size > 0)
        http_ask(data + 1, size - 1);
    if (++inputs % INPUTS_OF_CHECK == 0)
        require(http_ask(health, sizeof health - 1) == 200);
    return 0;
}
