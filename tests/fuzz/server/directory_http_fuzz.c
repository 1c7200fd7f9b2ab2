// SPDX-License-Identifier: MIT
//
// Fuzzes a directory over HTTP through a socket of this process: by the first byte of the input, any bytes; or a
// request to one of its pages with any query and any sender, and an announcement, which has a valid signature or none.
// Each answer is one of HTTP and ends, nothing is listed that nobody has asked, and the health of the directory is
// always answered. The directory has no threads here, and 20 minutes pass between two inputs, so each finds it empty.
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "directory/directory_http.h"
#include "directory/notes.h"
#include "http_socket.h"
#include "signed_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUTS_OF_CHECK = 16, REQUEST_BYTES = 8192 };

#define PASSES_NS (20 * 60 * CLOCK_SECOND_NS)
#define UNIX_NS   (UINT64_C(1764000000) * CLOCK_SECOND_NS)

static struct directory *directory;
static struct directory_http *http;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t now_ns = PASSES_NS;

uint64_t __wrap_clock_now_ns(void);
uint64_t __wrap_clock_unix_ns(void);

uint64_t __wrap_clock_now_ns(void)
{
    return now_ns;
}

uint64_t __wrap_clock_unix_ns(void)
{
    return UNIX_NS;
}

static void begin(void)
{
    struct household_rules households = {.players_max = 4};
    struct error error;
    static const struct option_list listen = {.count = 1, .values = {"127.0.0.1:0"}};
    static const struct option_list proxy = {.count = 1, .values = {"127.0.0.1"}};
    directory = malloc(sizeof *directory);
    require(directory && sodium_init() >= 0);
    directory_init(directory, NULL, &households);
    directory->notes = notes_open(&directory->households);
    http =
        directory_http_open(&(struct directory_http_settings){&listen, &proxy, NULL, NULL}, directory, &lock, &error);
    require(http != NULL);
}

// PATH SENDER ANNOUNCEMENT
static void request(const uint8_t *data, size_t size, bool posts, bool is_signed)
{
    char path[HTTP_WORD_BYTES], sender[HTTP_WORD_BYTES], text[REQUEST_BYTES];
    size_t at = http_take_word(path, data, size);
    at += http_take_word(sender, data + at, size - at);
    size_t byte_count = size - at < REQUEST_BYTES / 2 ? size - at : REQUEST_BYTES / 2;
    char *body = is_signed ? sign_bytes(data + at, byte_count) : NULL;
    const void *sent = body ? (const void *)body : data + at;
    byte_count += body ? SIGNED_TEXT_HEAD_BYTES : 0;
    int head = snprintf(text, sizeof text,
                        "%s /%s HTTP/1.1\r\nHost: d\r\nConnection: close\r\nX-Forwarded-For: %s\r\n"
                        "Content-Length: %zu\r\n\r\n",
                        posts ? "POST" : "GET", path, sender, byte_count);
    memcpy(text + head, sent, byte_count);
    int status = http_ask(text, (size_t)head + byte_count);
    require(status < 500 || status == 503);
    require(status != 200 || !posts || strncmp(path, "announce", 8) == 0 || strncmp(path, "notes", 5) == 0);
    free(body);
}

static void check_health(void)
{
    static const char health[] = "GET /healthz HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n";
    static const char metrics[] = "GET /metrics HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n";
    require(http_ask(health, sizeof health - 1) == 200);
    require(http_ask(metrics, sizeof metrics - 1) == 200 &&
            strstr(http_answer, "deadfall_directory_listed{family=\"ipv4\"} 0\n"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t inputs;
    if (!directory)
        begin();
    now_ns += PASSES_NS;
    if (directory->used > 0) // else nothing is to be forgotten, and a sweep takes longer than the rest
        directory_sweep(directory, now_ns);
    require(directory->used == 0 && directory->question_count == 0);
    if (size > 0 && size < REQUEST_BYTES && data[0] & 1)
        request(data + 1, size - 1, data[0] & 2, data[0] & 4);
    else if (size > 0 && size < REQUEST_BYTES)
        http_ask(data + 1, size - 1);
    require(directory->used <= 1 + size / 64 && directory_listed(directory, 0) + directory_listed(directory, 1) == 0);
    if (++inputs % INPUTS_OF_CHECK == 0)
        check_health();
    return 0;
}
