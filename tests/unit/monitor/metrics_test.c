// SPDX-License-Identifier: MIT
//
// Reads the metrics as Prometheus does (source: prometheus.io/docs/instrumenting/exposition_formats): family by family,
// every line. Every figure is a different number, so that a swapped one shows.
#include "game/variant.h"
#include "monitor/metrics.h"
#include "test.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SAMPLES_MAX  40
#define FAMILIES_MAX 60

struct sample {
    char name[120]; // with its labels
    double value;
};

struct family {
    char name[60], type[20];
    struct sample samples[SAMPLES_MAX];
    size_t sample_count;
};

static struct family families[FAMILIES_MAX];
static size_t family_count;
static struct status_snapshot snapshot;
static const struct metrics_source SOURCE = {
    .snapshot = &snapshot,
    .process = {.resident_bytes = 301, .cpu_s = 1.25, .open_files = 302, .start_s = 303.5},
    .spaces = {[STORE_JOURNAL] = {401, 402}, [STORE_RECORDING] = {403, 404}}};

// What /proc says instead; null: cannot be read.
static bool proc_is_fake;
static const char *proc_self_stat, *proc_stat;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);

FILE *__wrap_fopen(const char *path, const char *mode)
{
    if (!proc_is_fake)
        return __real_fopen(path, mode);
    const char *text = strcmp(path, "/proc/self/stat") == 0 ? proc_self_stat : proc_stat;
    return text ? fmemopen((void *)(uintptr_t)text, strlen(text), "r") : NULL;
}

DIR *__wrap_opendir(const char *path)
{
    return proc_is_fake ? NULL : __real_opendir(path);
}

// "# HELP", "# TYPE" and at least one sample, for each family once.
static void read_metrics(void)
{
    char *text = NULL;
    size_t text_bytes;
    FILE *file = open_memstream(&text, &text_bytes);
    enum { HELP, TYPE, SAMPLE, SAMPLE_OR_HELP } next = HELP;
    metrics_write(file, &SOURCE);
    fclose(file);
    family_count = 0;
    memset(families, 0, sizeof families);
    assert_int_equal(text[strlen(text) - 1], '\n');
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        struct family *family = &families[family_count ? family_count - 1 : 0];
        char name[60], help[100], type[20];
        if (sscanf(line, "# HELP %59s %99[^\n]", name, help) == 2) {
            assert_true((next == HELP || next == SAMPLE_OR_HELP) && family_count < FAMILIES_MAX);
            assert_true(isupper((unsigned char)help[0]) && help[strlen(help) - 1] == '.');
            for (size_t i = 0; i < family_count; i++)
                assert_string_not_equal(families[i].name, name);
            memcpy(families[family_count++].name, name, sizeof name);
            next = TYPE;
        } else if (sscanf(line, "# TYPE %59s %19s", name, type) == 2) {
            assert_int_equal(next, TYPE);
            assert_string_equal(name, family->name);
            memcpy(family->type, type, sizeof type);
            next = SAMPLE;
        } else {
            assert_true(next == SAMPLE || next == SAMPLE_OR_HELP);
            struct sample *sample = &family->samples[family->sample_count++];
            char *end;
            size_t name_bytes = strcspn(line, " ");
            assert_true(family->sample_count < SAMPLES_MAX);
            assert_memory_equal(line, family->name, strlen(family->name)); // samples follow the name of their family
            snprintf(sample->name, sizeof sample->name, "%.*s", (int)name_bytes, line);
            sample->value = strtod(line + name_bytes, &end);
            if (end == line + name_bytes || *end)
                fail_msg("%s: no value", line);
            next = SAMPLE_OR_HELP;
        }
    }
    assert_int_equal(next, SAMPLE_OR_HELP);
    free(text);
}

static void fill(void)
{
    snapshot = (struct status_snapshot){
        .players = 2,
        .bots = 1,
        .is_live = true,
        .live = {.chunks = 61, .bytes = 62, .lost = 63, .delay_s = 64, .behind_ticks = 90},
        .players_max = 12,
        .drains = true,
        .overruns = 11,
        .late = 13,
        .skipped = 90,
        .health = {.stores = {[STORE_JOURNAL] = {.wanted = true, .up = true, .failures = 51, .success_s = 52},
                              [STORE_RECORDING] = {.up = true, .failures = 53, .success_s = 54},
                              [STORE_RECORDS] = {.wanted = true, .failures = 55, .success_s = 56}},
                   .records_lost = 57,
                   .asleep = true,
                   .recovered = true},
        .map = {.name = "a\"\\\n"},
        .world = {.rules = {.mode = MODE_TEAMS, .variants = 1u << VARIANT_BOMBS | 1u << VARIANT_ICE}},
        .statistics = {.ticks = 101,
                       .snapshots = 102,
                       .snapshot_parts = 103,
                       .snapshot_bytes = 104,
                       .bodies_encoded = 105,
                       .joins = 106,
                       .denials = 107,
                       .malformed = 108,
                       .inputs_late = 109,
                       .inputs_missed = 110,
                       .full_requests = 111,
                       .unsent = 112,
                       .ticks_stood_still = 113,
                       .household_denials = 114,
                       .returns = 115,
                       .input_margins = 90,
                       .input_margin_quarter_ticks = -480,
                       .input_margin_classes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
        .net = {.bytes_in = 201,
                .bytes_out = 202,
                .packets_in = 203,
                .packets_out = 204,
                .queries = 205,
                .rejected = 206,
                .receive_buffer_bytes = 207,
                .sessions =
                    {.accepted = 31, .waiting = 32, .playing = 33, .leaving = 34, .households = 35, .webrtc = 36},
                .refusals =
                    {.joins_of_household = 211,
                     .joins_of_all = 212,
                     .queries_of_household = 213,
                     .queries_of_all = 214,
                     .denied =
                         {[DENIAL_FULL] = 215, [DENIAL_VERSION] = 216, [DENIAL_BANNED] = 217, [DENIAL_PASSWORD] = 218},
                     .passwords_untried = 221,
                     .password_waits = 222,
                     .gave_way = 219,
                     .browsers_gave_way = 223,
                     .resets = 220}},
        .health.webrtc = {.starts = 37, .dropped = 38, .refused = 39},
        .rtt_classes = {1, 2, 3, 4, 5, 6, 7, 8},
        .rtt_count = 40,
        .rtt_ms_total = 12345};
}

TEST(every_family_has_its_type_and_its_figures)
{
    static const char *const reasons[] = {"{reason=\"not_admitted\"}", "{reason=\"malformed\"}"};
    static const char *const results[] = {"{result=\"joined\"}", "{result=\"sent_away\"}"};
    static const char *const sum_and_count[] = {"_sum", "_count"};
    static const char *const one[] = {""};
    static const char *const states[] = {"{state=\"accepted\"}", "{state=\"waiting\"}", "{state=\"playing\"}",
                                         "{state=\"leaving\"}"};
    static const char *const joins[] = {"{reason=\"household_rate\"}",   "{reason=\"rate\"}",   "{reason=\"full\"}",
                                        "{reason=\"version\"}",          "{reason=\"banned\"}", "{reason=\"password\"}",
                                        "{reason=\"household_players\"}"};
    static const char *const match[] = {
        "{map=\"a\\\"\\\\\\n\",mode=\"teams\",variants=\"bombs,ice\",phase=\"warm-up\"}"};
    static const char *const stores[] = {"{store=\"journal\"}", "{store=\"records\"}"};
    char build[60];
    const char *const version[] = {build};
    const struct {
        const char *name, *type;
        const char *const *samples; // what follows the name; null: a histogram
        double values[7];           // 0: no more; NAN: 0
    } rows[] = {
        {"deadfall_build_info", "gauge", version, {1}},
        {"deadfall_match_info", "gauge", match, {1}},
        {"deadfall_asleep", "gauge", one, {1}},
        {"deadfall_recovered", "gauge", one, {1}},
        {"deadfall_players", "gauge", one, {2}},
        {"deadfall_bots", "gauge", one, {1}},
        {"deadfall_draining", "gauge", one, {1}},
        {"deadfall_players_max", "gauge", one, {12}},
        {"deadfall_connections_total", "counter", results, {106, 107}},
        {"deadfall_reconnects_total", "counter", one, {115}},
        {"deadfall_snapshot_size_bytes", "summary", sum_and_count, {104, 102}},
        {"deadfall_inputs_late_total", "counter", one, {109}},
        {"deadfall_inputs_missed_total", "counter", one, {110}},
        {"deadfall_input_margin_seconds", "histogram", NULL, {0}},
        {"deadfall_desyncs_total", "counter", one, {111}},
        {"deadfall_ticks_total", "counter", one, {101}},
        {"deadfall_tick_overruns_total", "counter", one, {11}},
        {"deadfall_ticks_late_total", "counter", one, {13}},
        {"deadfall_ticks_stood_still_total", "counter", one, {113}},
        {"deadfall_stalled_seconds_total", "counter", one, {1.5}},
        {"deadfall_tick_duration_seconds", "histogram", NULL, {0}},
        {"deadfall_network_receive_bytes_total", "counter", one, {201}},
        {"deadfall_network_transmit_bytes_total", "counter", one, {202}},
        {"deadfall_network_receive_packets_total", "counter", one, {203}},
        {"deadfall_network_transmit_packets_total", "counter", one, {204}},
        {"deadfall_network_receive_buffer_bytes", "gauge", one, {207}},
        {"deadfall_messages_unsent_total", "counter", one, {112}},
        {"deadfall_queries_total", "counter", one, {205}},
        {"deadfall_datagrams_rejected_total", "counter", reasons, {206, 108}},
        {"deadfall_sessions", "gauge", states, {31, 32, 33, 34}},
        {"deadfall_sessions_webrtc", "gauge", one, {36}},
        {"deadfall_webrtc_starts_total", "counter", one, {37}},
        {"deadfall_webrtc_dropped_total", "counter", one, {38}},
        {"deadfall_webrtc_refused_total", "counter", one, {39}},
        {"deadfall_webrtc_gave_way_total", "counter", one, {223}},
        {"deadfall_households", "gauge", one, {35}},
        {"deadfall_joins_refused_total", "counter", joins, {211, 212, 215, 216, 217, 218, 114}},
        {"deadfall_passwords_untried_total", "counter", one, {221}},
        {"deadfall_password_waits_total", "counter", one, {222}},
        {"deadfall_sessions_gave_way_total", "counter", one, {219}},
        {"deadfall_resets_total", "counter", one, {220}},
        {"deadfall_queries_refused_total", "counter", joins, {213, 214}},
        {"deadfall_client_rtt_seconds", "histogram", NULL, {0}},
        {"deadfall_storage_up", "gauge", stores, {1, NAN}},
        {"deadfall_storage_last_success_timestamp_seconds", "gauge", stores, {52, 56}},
        {"deadfall_storage_failures_total", "counter", stores, {51, 55}},
        {"deadfall_storage_available_bytes", "gauge", stores, {401}}, // that of the records is unknown
        {"deadfall_storage_size_bytes", "gauge", stores, {402}},
        {"deadfall_records_lost_total", "counter", one, {57}},
        {"deadfall_live_chunks_total", "counter", one, {61}},
        {"deadfall_live_bytes_total", "counter", one, {62}},
        {"deadfall_live_lost_total", "counter", one, {63}},
        {"deadfall_live_delay_seconds", "gauge", one, {64}},
        {"deadfall_live_behind_seconds", "gauge", one, {1.5}},
        {"process_resident_memory_bytes", "gauge", one, {301}},
        {"process_cpu_seconds_total", "counter", one, {1.25}},
        {"process_open_fds", "gauge", one, {302}},
        {"process_start_time_seconds", "gauge", one, {303.5}},
    };
    snprintf(build, sizeof build, "{version=\"%s\",protocol=\"%u\"}", DEADFALL_VERSION, PROTOCOL_VERSION);
    fill();
    read_metrics();
    assert_int_equal(family_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < family_count; i++) {
        const struct family *family = &families[i];
        assert_string_equal(family->name, rows[i].name);
        assert_string_equal(family->type, rows[i].type);
        if (!rows[i].samples)
            continue;
        size_t wanted = 1;
        while (wanted < sizeof rows[i].values / sizeof *rows[i].values && rows[i].values[wanted] != 0)
            wanted++;
        assert_int_equal(family->sample_count, wanted);
        for (size_t j = 0; j < family->sample_count; j++) {
            const struct sample *sample = &family->samples[j];
            if (strcmp(sample->name + strlen(family->name), rows[i].samples[j]) != 0 ||
                (isnan(rows[i].values[j]) ? sample->value != 0 : fabs(sample->value - rows[i].values[j]) > 1e-9))
                fail_msg("%s is not %g: %s %g", family->name, rows[i].values[j], sample->name, sample->value);
        }
    }
}

// Compares a histogram with the upper edges and counts of its buckets, the last of which has no edge.
static void compare_histogram(const char *name, const double edges[], const uint32_t counts[], size_t count, double sum)
{
    const struct family *family = families;
    while (strcmp(family->name, name) != 0)
        assert_true(++family < families + family_count);
    assert_int_equal(family->sample_count, count + 2);
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &family->samples[i];
        const char *edge = sample->name + strlen(name) + strlen("_bucket{le=\"");
        char *end;
        assert_memory_equal(sample->name + strlen(name), "_bucket{le=\"", strlen("_bucket{le=\""));
        double value = strtod(edge, &end);
        assert_string_equal(end, "\"}");
        assert_true(i + 1 < count ? fabs(value - edges[i]) < 1e-9 : strncmp(edge, "+Inf", 4) == 0);
        if (sample->value != counts[i])
            fail_msg("%s is %g, not %u", sample->name, sample->value, counts[i]);
    }
    const struct sample *last = &family->samples[count];
    assert_string_equal(last[0].name + strlen(name), "_sum");
    assert_true(fabs(last[0].value - sum) < 1e-9);
    assert_string_equal(last[1].name + strlen(name), "_count");
    assert_true(last[1].value == counts[count - 1]);
}

TEST(each_bucket_counts_the_ticks_up_to_its_edge)
{
    static const double edges[] = {0.00005, 0.0001, 0.00015, 0.0002, 0.0003, 0.0004, 0.0005, 0.00075, 0.001, 0.0015,
                                   0.002,   0.003,  0.004,   0.005,  0.006,  0.008,  0.01,   0.012,   0.016, 0.025};
    uint32_t counts[21], count = 0;
    double sum = 0;
    fill();
    for (size_t i = 0; i < 20; i++) { // one just within the bucket, and two beyond it
        uint64_t edge_ns = (uint64_t)lround(edges[i] * 1e9);
        count++;
        status_count_tick(&snapshot.status, edge_ns - 1);
        counts[i] = count;
        status_count_tick(&snapshot.status, edge_ns);
        status_count_tick(&snapshot.status, edge_ns + 7);
        count += 2;
        sum += (double)(3 * edge_ns + 6) / 1e9;
    }
    status_count_tick(&snapshot.status, 3000000000u);
    counts[20] = count + 1;
    read_metrics();
    compare_histogram("deadfall_tick_duration_seconds", edges, counts, 21, sum + 3);
}

TEST(input_margins_and_round_trips_have_their_buckets)
{
    static const double margins[] = {-0.1333, -0.0667, -0.0333, -0.0167, 0,      0.0083,
                                     0.0167,  0.025,   0.0333,  0.0667,  0.1333, 0.2667};
    static const uint32_t margin_counts[] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 90};
    static const double trips[] = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1};
    static const uint32_t trip_counts[] = {1, 3, 6, 10, 15, 21, 28, 36, 40};
    fill();
    read_metrics();
    compare_histogram("deadfall_input_margin_seconds", margins, margin_counts, 13, -2);
    compare_histogram("deadfall_client_rtt_seconds", trips, trip_counts, 9, 12.345);
}

TEST(figures_of_the_process_are_its_own)
{
    struct process_usage before, after;
    struct rusage usage;
    uint32_t open_files = 0;
    for (int file = 0; file < 1024; file++)
        open_files += fcntl(file, F_GETFD) >= 0;
    process_find_usage(&before);
    assert_int_equal(before.open_files, open_files);
    FILE *file = fopen("/dev/null", "r");
    volatile char *memory = malloc(64 << 20); // else a compiler may leave it out
    for (size_t i = 0; i < 64 << 20; i += 1024)
        memory[i] = 1;
    process_find_usage(&after);
    getrusage(RUSAGE_SELF, &usage);
    fclose(file);
    free((void *)(uintptr_t)memory);
    assert_int_equal(after.open_files, before.open_files + 1);
    assert_true(after.resident_bytes >= before.resident_bytes + (60 << 20));
    assert_true(before.resident_bytes > 1000000 && before.resident_bytes < 10000000000u);
    assert_true(fabs(after.start_s - (double)time(NULL)) < 600);
    double used_s = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
                    (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    assert_true(before.cpu_s >= 0 && after.cpu_s <= used_s + 0.02); // /proc counts in hundredths
}

TEST(proc_is_read_field_by_field)
{
    static const char self[] =
        "4711 (a) R (1) S 4 5 6 7 8 9 10 11 12 13 1400 1500 16 17 18 19 20 21 2200 23 24 25 26\n";
    static const char boot[] = "cpu  1 2 3\nintr 5 btime 7\nctxt 8\nbtime 1700000000\nprocesses 9\nbtime 5\n";
    static const struct {
        const char *self, *boot;
        double cpu_s, start_s;
        uint64_t pages;
    } rows[] = {
        /* 0 */ {self, boot, 2900, 1700000000.0 + 2200, 24},
        /* 1 */ {self, NULL, 2900, 2200, 24},
        /* 2 */ {self, "cpu 1 2 3\n", 2900, 2200, 24},
        /* 3 */ {NULL, boot, 0, 0, 0},
        /* 4 */ {"4711 no name", boot, 0, 0, 0},
        /* 5 */ {"4711 (a) S 4 5 6", boot, 0, 0, 0},
    };
    double per_s = (double)sysconf(_SC_CLK_TCK);
    proc_is_fake = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct process_usage process;
        memset(&process, 0xAA, sizeof process);
        proc_self_stat = rows[i].self;
        proc_stat = rows[i].boot;
        process_find_usage(&process);
        double boot_s = rows[i].start_s > 1e9 ? 1.7e9 : 0;
        if (fabs(process.cpu_s - rows[i].cpu_s / per_s) > 1e-6 ||
            fabs(process.start_s - boot_s - (rows[i].start_s - boot_s) / per_s) > 1e-3 ||
            process.resident_bytes != rows[i].pages * (uint64_t)sysconf(_SC_PAGESIZE) || process.open_files != 0)
            fail_msg("row %zu: %g s, since %f, %llu bytes, %u files", i, process.cpu_s, process.start_s,
                     (unsigned long long)process.resident_bytes, process.open_files);
    }
    proc_is_fake = false;
}
