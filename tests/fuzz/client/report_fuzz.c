// SPDX-License-Identifier: MIT
//
// Fuzzes the reports that `deadfall-bots merge` and `compare` read. By the bits of the input's first byte it merges or
// compares any bytes, or a real report in which some values are replaced, with a real report. Whatever comes gets a
// verdict or an error; what was merged is a report again, and, if a bit asks for it, compared with itself it is not
// worse.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library_heap.h"
#include "load/report.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Bits of the first byte. What takes longest needs two, so that it happens less often.
enum { ANY_BYTES = 1, LATER = 2, COMPARE = 4, PAGE = 8 | 32, AGAIN = 16 | 64 };
enum { REPORT_BYTES_MAX = 1 << 17, VALUES_MAX = 2048, CHANGES_MAX = 8, INTERVALS = 1 };

// A file in memory.
struct text {
    char *bytes;
    size_t byte_count;
};

static struct text real, merged, changed;
static struct {
    size_t at, byte_count;
} values[VALUES_MAX]; // of the real report
static uint32_t value_count;
static FILE *nothing;
static json_t *parsed; // the real report
static size_t blocks;  // of it

json_t *__wrap_json_loadb(const char *bytes, size_t byte_count, size_t flags, json_error_t *error);
json_t *__real_json_loadb(const char *bytes, size_t byte_count, size_t flags, json_error_t *error);
uint8_t *__wrap_file_load(const char *path, size_t byte_count_max, size_t *byte_count);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_fopen(const char *path, const char *mode);

uint8_t *__wrap_file_load(const char *path, size_t byte_count_max, size_t *byte_count)
{
    (void)byte_count_max;
    const struct text *text = path[0] == 'r' ? &real : path[0] == 'm' ? &merged : &changed;
    uint8_t *bytes = malloc(text->byte_count + 1);
    require(bytes != NULL);
    memcpy(bytes, text->bytes, text->byte_count);
    *byte_count = text->byte_count;
    return bytes;
}

// The real report is parsed once, since that takes as long as all else. Nobody changes what they have parsed.
json_t *__wrap_json_loadb(const char *bytes, size_t byte_count, size_t flags, json_error_t *error)
{
    if (parsed && byte_count == real.byte_count && memcmp(bytes, real.bytes, byte_count) == 0)
        return json_incref(parsed);
    return __real_json_loadb(bytes, byte_count, flags, error);
}

// What is written as JSON is kept.
FILE *__wrap_fopen(const char *path, const char *mode)
{
    if (strcmp(path, "merged") != 0)
        return __real_fopen(path, mode);
    free(merged.bytes);
    return open_memstream(&merged.bytes, &merged.byte_count);
}

static size_t value_length(const char *at)
{
    if (*at != '"')
        return strcspn(at, ",]} \n");
    size_t length = 1;
    while (at[length] != '"')
        length += at[length] == '\\' ? 2 : 1;
    return length + 1;
}

// Finds the numbers, strings and words that are not the name of a member.
static void find_values(void)
{
    for (size_t at = 0; at < real.byte_count && value_count < VALUES_MAX;) {
        size_t length = strspn(real.bytes + at, "{[:,]} \n");
        at += length;
        length = at < real.byte_count ? value_length(real.bytes + at) : 0;
        if (length > 0 && real.bytes[at + length] != ':') {
            values[value_count].at = at;
            values[value_count++].byte_count = length;
        }
        at += length;
    }
}

static void begin(void)
{
    static struct measurement measurement;
    struct report *report = report_create(&(struct report_run){.server = "server", .started_s = 1e9, .interval_s = 1});
    measurement.connected = 2;
    measurement.sample.play_us = 2000000;
    measurement.sample.snapshots = 120;
    histogram_add(&measurement.sample.rtt_us, 20000);
    histogram_add(&measurement.sample.input_ack_us, 40000);
    for (uint32_t i = 0; i < INTERVALS; i++)
        report_interval(report, i + 1, &measurement, NULL);
    report_mark(report, 1, "a mark");
    report_outage(report, &(struct report_outage){.second = 1, .seconds = 0.5, .clients = 2});
    report_warn(report, "a warning");
    struct report_result result = {true, true, true, true, false, true, false, INTERVALS, &measurement};
    nothing = fopen("/dev/null", "w");
    require(nothing && !report_write_files(report, &result, &(struct report_paths){"merged", "", ""}));
    report_destroy(report);
    real = merged;
    merged.bytes = NULL;
    changed.bytes = malloc(REPORT_BYTES_MAX);
    require(changed.bytes && real.byte_count < REPORT_BYTES_MAX / 2);
    find_values();
    parsed = json_loadb(real.bytes, real.byte_count, 0, NULL);
    require(parsed != NULL);
    blocks = library_heap_count();
}

static void put(const void *bytes, size_t byte_count)
{
    size_t room = REPORT_BYTES_MAX - changed.byte_count, count = byte_count < room ? byte_count : room;
    memcpy(changed.bytes + changed.byte_count, bytes, count);
    changed.byte_count += count;
}

// Replaces values of the real report, in their order: how many are passed, and what comes in its place, up to a zero.
static void change(const uint8_t *data, size_t size)
{
    size_t from = 0;
    uint32_t value = 0;
    for (uint32_t i = 0; i < CHANGES_MAX && size >= 3; i++) {
        value += data[0] | (uint32_t)data[1] << 8;
        const uint8_t *end = memchr(data + 2, 0, size - 2);
        size_t length = end ? (size_t)(end - data) - 2 : size - 2;
        if (value >= value_count)
            break;
        put(real.bytes + from, values[value].at - from);
        put(data + 2, length);
        from = values[value].at + values[value].byte_count;
        value++;
        size -= end ? length + 3 : size;
        data += length + 3;
    }
    put(real.bytes + from, real.byte_count - from);
}

static void merge(struct settings *settings, bool with_page, bool again)
{
    strcpy(settings->given.json, "merged");
    strcpy(settings->given.csv, with_page ? "/dev/null" : "");
    strcpy(settings->given.html, with_page ? "/dev/null" : "");
    enum exit_code code = report_merge(settings, nothing, nothing);
    settings->given.json[0] = 0;
    if (code == EXIT_DATA || !again)
        return;
    settings->files[0] = settings->files[1] = "merged";
    code = report_compare(settings, nothing, nothing);
    require(code == EXIT_OK || code == EXIT_BOTTLENECK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct settings settings;
    json_set_alloc_funcs(library_heap_take, library_heap_free);
    if (!nothing)
        begin();
    if (size == 0)
        return 0;
    changed.byte_count = 0;
    if (data[0] & ANY_BYTES)
        put(data + 1, size - 1);
    else
        change(data + 1, size - 1);
    settings.file_count = 2;
    settings.files[0] = data[0] & LATER ? "real" : "changed";
    settings.files[1] = data[0] & LATER ? "changed" : "real";
    if (data[0] & COMPARE)
        report_compare(&settings, nothing, nothing);
    else
        merge(&settings, (data[0] & PAGE) == PAGE, (data[0] & AGAIN) == AGAIN);
    require(library_heap_count() == blocks);
    return 0;
}
