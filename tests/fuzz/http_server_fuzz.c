// SPDX-License-Identifier: MIT
//
// Fuzzes the HTTP server through its socket: by the first byte of the input, any bytes, or a request with any method,
// path and host. Each answer is one of HTTP and ends, a foreign host gets no page, and the health of the server is
// always answered.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "monitor/http_server.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ANSWER_BYTES = 16384, INPUTS_OF_CHECK = 16, WAIT_S = 5, TEXT_BYTES = 128 };

static struct status_publisher publisher = STATUS_PUBLISHER_INITIAL;
static struct http_server *server;
static char answer[ANSWER_BYTES + 1];

void __real_clock_sleep(uint64_t duration_ns);
void __wrap_clock_sleep(uint64_t duration_ns);

// The pause between frames of a stream, in which its reader leaves.
void __wrap_clock_sleep(uint64_t duration_ns)
{
    __real_clock_sleep(duration_ns / 100);
}

static int connect_to_server(void)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(http_server_port(server)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct linger at_once = {.l_onoff = 1}; // or all ports would wait for their end
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require(file >= 0);
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = WAIT_S}, sizeof(struct timeval));
    setsockopt(file, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    require(connect(file, (const struct sockaddr *)&address, sizeof address) == 0);
    return file;
}

// Sends a request and reads the answer, of a stream its first frame. Returns its status; 0 without an answer.
static int ask(const void *bytes, size_t byte_count)
{
    int file = connect_to_server(), status = 0;
    size_t count = 0;
    ssize_t got = 1;
    send(file, bytes, byte_count, MSG_NOSIGNAL);
    shutdown(file, SHUT_WR);
    while (got > 0 && count < ANSWER_BYTES && !strstr(answer, "\n\ndata: ")) {
        got = recv(file, answer + count, ANSWER_BYTES - count, 0);
        require(got >= 0 || errno == ECONNRESET); // and not that it takes too long
        count += got > 0 ? (size_t)got : 0;
        answer[count] = 0;
    }
    close(file);
    require(count == 0 || sscanf(answer, "HTTP/1.%*1[01] %3d ", &status) == 1);
    answer[0] = 0;
    return status;
}

static void begin(void)
{
    static const struct status_server self = {.fingerprint = "thekey", .port = 5};
    struct error error;
    snprintf(publisher.snapshot.name, sizeof publisher.snapshot.name, "fuzzed");
    server = http_server_open("127.0.0.1:0", &publisher, &self, &error);
    require(server != NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 0}}, NULL); // libFuzzer's would interrupt calls
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
    int status = ask(text, (size_t)length);
    require(status / 100 != 2 || may_be_ours(host));
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
        ask(data + 1, size - 1);
    if (++inputs % INPUTS_OF_CHECK == 0)
        require(ask(health, sizeof health - 1) == 200);
    return 0;
}
