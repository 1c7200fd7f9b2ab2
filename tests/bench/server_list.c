// SPDX-License-Identifier: MIT
//
// Measures the list of servers in the window with this many of them: the list of a directory, read and verified on a
// thread of its own; the longest frame meanwhile (step_us), of this thread alone; the rows, gathered; sorted by each
// column; and a frame of the list that scrolls by one row, with what the player has pressed. Prints one JSON line per
// number of servers; CPU time in us, so other load on the machine does not count.
//     bench_server_list [SERVERS]...
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "base/clock.h"
#include "bench.h"
#include "wire/message.h"

enum { TIMES = 20, FRAMES = 600 };

#define NOW_US UINT64_C(100000000)

static struct server_list list;
static struct server_rows rows;
static struct server_browser browser;
static struct preferences preferences;
static struct directories directories;
static struct menu menu;
static struct canvas canvas;
static double frames_us[FRAMES];

static void fail(const char *what)
{
    fprintf(stderr, "bench_server_list: %s\n", what);
    exit(EXIT_FAILURE);
}

// Writes a list of servers with usual facts, as a directory does.
static char *list_of(uint32_t count, size_t *byte_count)
{
    static const char *const MAPS[] = {"foundry", "duel", "clockwork", "colosseum", "skyline", "breakout"};
    static const char *const MODES_USUAL[] = {"ffa", "lms", "teams"}, *const REGIONS[] = {"eu", "us-east", "asia", ""};
    uint8_t seed[32] = {1}, key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    struct server_list_entry *entries = calloc(count, sizeof *entries);
    for (uint32_t i = 0; entries && i < count; i++) {
        struct server_list_entry *entry = &entries[i];
        uint32_t mixed = i * 2654435761u;
        entry->facts = (struct server_facts){
            .protocol = PROTOCOL_VERSION, .players = mixed >> 28, .bots = mixed >> 24 & 3, .places = 16};
        snprintf(entry->facts.name, sizeof entry->facts.name, "Arena %08x", mixed);
        snprintf(entry->facts.map, sizeof entry->facts.map, "%s", MAPS[mixed >> 20 & 3]);
        snprintf(entry->facts.mode, sizeof entry->facts.mode, "%s", MODES_USUAL[(mixed >> 16 & 15) % 3]);
        snprintf(entry->facts.region, sizeof entry->facts.region, "%s", REGIONS[mixed >> 12 & 3]);
        snprintf(entry->facts.version, sizeof entry->facts.version, "0.1.0");
        snprintf(entry->addresses[0], sizeof entry->addresses[0], "11.%u.%u.%u:27440", i >> 16, i >> 8 & 255, i & 255);
        memset(entry->fingerprint, 'a', sizeof entry->fingerprint - 1);
        for (uint32_t letter = 0; letter < 4; letter++)
            entry->fingerprint[letter] = (char)('a' + (i >> 4 * letter & 15));
    }
    signed_text_keys(seed, key, secret);
    char *text = entries ? server_list_write(&(struct server_list){.made_s = 1000, .count = count, .entries = entries},
                                             key, secret, byte_count)
                         : NULL;
    free(entries);
    if (!text)
        fail("no memory for the list");
    return text;
}

// The longest frame while a list that was kept is read and merged.
static double step(const char *text, size_t byte_count, uint32_t count)
{
    static struct option_list urls = {.count = 1, .values = {"http://127.0.0.1:9"}};
    char folder[] = "/tmp/bench-lists-XXXXXX", path[FILE_PATH_BYTES];
    double longest_us = 0;
    if (!mkdtemp(folder))
        fail("no folder for the list");
    directories_open(&directories, &urls, folder);
    snprintf(path, sizeof path, "%s", directories.sources[0].path);
    if (!file_write(path, text, byte_count))
        fail("the list cannot be kept");
    double begun_us = bench_cpu_us();
    directories_open(&directories, &urls, folder);
    directories.sources[0].next_us = UINT64_MAX;
    while (directories.sources[0].has_kept) {
        directories_step(&directories, NOW_US, DIRECTORIES_PERIOD_US);
        double now_us = bench_cpu_us();
        longest_us = now_us - begun_us > longest_us ? now_us - begun_us : longest_us;
        clock_sleep(100000);
        begun_us = bench_cpu_us();
    }
    if (directories.merged.count != count)
        fail("the kept list lacks servers");
    directories_close(&directories);
    unlink(path);
    rmdir(folder);
    return longest_us;
}

static double read_list(uint32_t count, size_t *byte_count, double *step_us)
{
    struct error error;
    char *text = list_of(count, byte_count);
    double begun_us = bench_cpu_us();
    if (!server_list_read(&list, text, *byte_count, NULL, &error))
        fail(error.text);
    double took_us = bench_cpu_us() - begun_us;
    *step_us = step(text, *byte_count, count);
    free(text);
    if (list.count != count)
        fail("the list lacks servers");
    return took_us;
}

static double gather(void)
{
    double begun_us = bench_cpu_us();
    for (uint32_t i = 0; i < TIMES; i++)
        server_rows_gather(&rows, &list, &browser, &preferences, NOW_US);
    return (bench_cpu_us() - begun_us) / TIMES;
}

// The dearest column.
static double sort(void)
{
    double most_us = 0;
    for (uint32_t column = 0; column <= SERVERS_SORT_REGION; column++) {
        preferences.servers_sort = column;
        double begun_us = bench_cpu_us();
        for (uint32_t i = 0; i < TIMES; i++)
            server_rows_arrange(&rows, &preferences);
        double took_us = (bench_cpu_us() - begun_us) / TIMES;
        most_us = took_us > most_us ? took_us : most_us;
    }
    return most_us;
}

// A press and a drawing, as in a frame of the window.
static void scroll(void)
{
    menu.preferences = &preferences;
    menu.facts.servers = &rows;
    menu.facts.directories = &directories;
    menu_open_alone(&menu, &SCREEN_TITLE);
    menu_open(&menu, &SCREEN_JOIN);
    for (uint32_t i = 0; i < FRAMES; i++) {
        double begun_us = bench_cpu_us();
        menu_press(&menu, MENU_DOWN);
        menu_fill(&menu);
        draw_menu(&canvas, &menu, i);
        frames_us[i] = bench_cpu_us() - begun_us;
    }
    bench_sort(frames_us, FRAMES);
}

static void run(uint32_t count)
{
    size_t byte_count;
    double step_us, read_us = read_list(count, &byte_count, &step_us), gather_us = gather(), sort_us = sort();
    if (rows.shown_count != count)
        fail("the rows lack servers");
    scroll();
    printf("{\"servers\": %u, \"bytes\": %zu, \"read_us\": %.0f, \"step_us\": %.0f, \"gather_us\": %.0f, \"sort_us\": "
           "%.0f, "
           "\"scroll_us\": %.0f, \"scroll_p99_us\": %.0f}\n",
           count, byte_count, read_us, step_us, gather_us, sort_us, frames_us[FRAMES / 2],
           frames_us[FRAMES * 99 / 100]);
}

int main(int argc, char **argv)
{
    static const uint32_t USUAL[] = {200, 2000, 16384, 0};
    struct error error;
    if (sodium_init() < 0 || !preferences_read(&preferences, "", &error))
        return EXIT_FAILURE;
    bench_each(argc, argv, SERVER_LIST_CAPACITY, USUAL, run);
    server_rows_free(&rows);
    server_list_free(&list);
    return EXIT_SUCCESS;
}
