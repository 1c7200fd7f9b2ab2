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

enum { INPUTS_OF_CHECK = 16, TEXT_BYTES = 128 };

static struct status_publisher publisher = STATUS_PUBLISHER_INITIAL;
static struct http_server *server;
static struct MHD_Daemon *http_daemon;
static char page[] = "<!doctype html>";

struct MHD_Daemon *__wrap_MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept_policy,
                                           void *accept_context, MHD_AccessHandlerCallback handler, void *context, ...);
struct MHD_Daemon *__real_MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept_policy,
                                           void *accept_context, MHD_AccessHandlerCallback handler, void *context, ...);
const union MHD_DaemonInfo *__wrap_MHD_get_daemon_info(struct MHD_Daemon *asked, enum MHD_DaemonInfoType type, ...);
void __wrap_clock_sleep(uint64_t duration_ns);

// Without threads and without a port, but with the server's own options.
struct MHD_Daemon *__wrap_MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept_policy,
                                           void *accept_context, MHD_AccessHandlerCallback handler, void *context, ...)
{
    va_list options;
    MHD_NotifyConnectionCallback notify = NULL;
    MHD_RequestCompletedCallback completed = NULL;
    void *notify_context = NULL, *completed_context = NULL;
    unsigned capacity = 0;
    (void)flags;
    va_start(options, context);
    for (int option; (option = va_arg(options, int)) != MHD_OPTION_END;) {
        if (option == MHD_OPTION_SOCK_ADDR)
            va_arg(options, void *);
        else if (option == MHD_OPTION_CONNECTION_LIMIT)
            capacity = va_arg(options, unsigned);
        else if (option == MHD_OPTION_CONNECTION_TIMEOUT)
            va_arg(options, unsigned);
        else if (option == MHD_OPTION_THREAD_STACK_SIZE)
            va_arg(options, size_t);
        else if (option == MHD_OPTION_NOTIFY_CONNECTION) {
            notify = va_arg(options, MHD_NotifyConnectionCallback);
            notify_context = va_arg(options, void *);
        } else if (option == MHD_OPTION_NOTIFY_COMPLETED) {
            completed = va_arg(options, MHD_RequestCompletedCallback);
            completed_context = va_arg(options, void *);
        } else {
            require(false);
        }
    }
    va_end(options);
    http_daemon = __real_MHD_start_daemon(MHD_USE_NO_LISTEN_SOCKET, port, accept_policy, accept_context, handler,
                                          context, MHD_OPTION_CONNECTION_LIMIT, capacity, MHD_OPTION_NOTIFY_CONNECTION,
                                          notify, notify_context, MHD_OPTION_NOTIFY_COMPLETED, completed,
                                          completed_context, MHD_OPTION_END);
    return http_daemon;
}

// Only the port is asked for.
const union MHD_DaemonInfo *__wrap_MHD_get_daemon_info(struct MHD_Daemon *asked, enum MHD_DaemonInfoType type, ...)
{
    static const union MHD_DaemonInfo info = {.port = 1};
    (void)asked, (void)type;
    return &info;
}

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

// Copies a word of the input: up to a blank or anything that ends a line. Returns what is behind it.
static size_t take_word(char word[TEXT_BYTES], const uint8_t *data, size_t size)
{
    size_t length = 0;
    for (; length < size && length < TEXT_BYTES - 1 && data[length] > ' ' && data[length] < 0x7F; length++)
        word[length] = (char)data[length];
    word[length] = 0;
    return length < size ? length + 1 : length;
}

static bool may_be_ours(const char *host)
{
    return strcasestr(host, "localhost") || strstr(host, "127.0.0.1") || strstr(host, "::1");
}

static void request(const uint8_t *data, size_t size)
{
    char method[TEXT_BYTES], path[TEXT_BYTES], host[TEXT_BYTES], text[4 * TEXT_BYTES];
    size_t at = take_word(method, data, size);
    at += take_word(path, data + at, size - at);
    take_word(host, data + at, size - at);
    int length =
        snprintf(text, sizeof text, "%s /%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method, path, host);
    int status = http_ask(http_daemon, text, (size_t)length);
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
        http_ask(http_daemon, data + 1, size - 1);
    if (++inputs % INPUTS_OF_CHECK == 0)
        require(http_ask(http_daemon, health, sizeof health - 1) == 200);
    return 0;
}
