// SPDX-License-Identifier: MIT
//
// Fuzzes the HTTP client and the reader of a server's metrics with any answers. The first byte of the input is the size
// of the pieces in which they come; a byte FF ends an answer.
#include <string.h>

#include "base/http_client.h"
#include "load/metrics_scraper.h"
#include "memory_streams.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ANSWERS_MAX = 4, PIECES_MAX = 16 };

static void answer(struct metrics_scraper *scraper, const uint8_t *bytes, size_t byte_count, size_t piece_bytes,
                   uint64_t now_us)
{
    piece_bytes = piece_bytes > byte_count / PIECES_MAX ? piece_bytes : byte_count / PIECES_MAX + 1;
    metrics_scraper_ask(scraper);
    require(metrics_scraper_waits(scraper));
    for (size_t at = 0; at < byte_count && metrics_scraper_waits(scraper); at += piece_bytes) {
        size_t count = piece_bytes < byte_count - at ? piece_bytes : byte_count - at;
        memory_streams_send(memory_streams_newest(), bytes + at, count);
        metrics_scraper_pulse(scraper, now_us);
    }
    memory_streams_end(memory_streams_newest());
    metrics_scraper_pulse(scraper, now_us);
    require(!metrics_scraper_waits(scraper));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct server_sample sample;
    struct error error;
    uint64_t now_us = 1000000;
    if (size == 0)
        return 0;
    memory_streams_begin();
    struct metrics_scraper *scraper = metrics_scraper_open("127.0.0.1:9464", &error);
    require(scraper != NULL);
    for (size_t at = 1, i = 0; at < size && i < ANSWERS_MAX; i++, now_us += 1000000) {
        const uint8_t *end = memchr(data + at, 0xFF, size - at);
        size_t count = end ? (size_t)(end - data) - at : size - at;
        answer(scraper, data + at, count, 1 + data[0], now_us);
        metrics_scraper_take(scraper, &sample);
        at += count + 1;
    }
    metrics_scraper_total(scraper, &sample);
    metrics_scraper_close(scraper);
    return 0;
}
