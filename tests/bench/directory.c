// SPDX-License-Identifier: MIT
//
// Measures a directory with this many servers that are listed: an announcement of one of them, GET /play, the list with
// its signature, and what a sweep costs each second. Prints one JSON line per number of servers; times in us.
//     bench_directory [SERVERS]...
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "directory/listing.h"
#include "directory/places.h"

enum { LISTS = 10, PLAYS = 1000 };

#define UNIX_MS UINT64_C(1764000000000)

static struct directory *directory;
static uint64_t begun_ns = 1000 * CLOCK_SECOND_NS;
static char *texts[DIRECTORY_CAPACITY];
static size_t sizes[DIRECTORY_CAPACITY];

static void write_announcements(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t seed[32] = {(uint8_t)i, (uint8_t)(i >> 8), 1}, key[SIGNED_TEXT_KEY_BYTES],
                secret[SIGNED_TEXT_SECRET_BYTES];
        struct announcement announcement = {.time_ms = UNIX_MS,
                                            .to = "directory.example.org",
                                            .port = 7,
                                            .facts = {.name = "An arena with a usual name",
                                                      .map = "foundry",
                                                      .version = "0.1.0",
                                                      .region = "eu",
                                                      .protocol = 10,
                                                      .players = i % 16,
                                                      .places = 16}};
        strcpy(announcement.facts.mode, i % 2 ? "ffa" : "lms");
        signed_text_keys(seed, key, secret);
        free(texts[i]);
        texts[i] = announcement_write(&announcement, key, secret, &sizes[i]);
        if (!texts[i])
            exit(EXIT_FAILURE);
    }
}

// Each server in a household of its own, with a place for some people.
static double announce_all(uint32_t count)
{
    double begun_us = bench_cpu_us();
    for (uint32_t i = 0; i < count; i++) {
        struct net_address from = {{11, (uint8_t)(i >> 16), (uint8_t)(i >> 8), (uint8_t)i, 0, 7}, ADDRESS_BYTES_IPV4};
        struct listing_time time = {begun_ns, UNIX_MS};
        struct listing_reply reply;
        struct error error;
        if (!listing_announce(directory, texts[i], sizes[i], &from, time, &reply, &error))
            exit(EXIT_FAILURE);
    }
    return (bench_cpu_us() - begun_us) / count;
}

static double list_once(const uint8_t *key, const uint8_t *secret, size_t *byte_count)
{
    struct server_list list;
    double begun_us = bench_cpu_us();
    if (!directory_list(directory, UNIX_MS / 1000, &list))
        exit(EXIT_FAILURE);
    char *text = server_list_write(&list, key, secret, byte_count);
    server_list_free(&list);
    free(text);
    return bench_cpu_us() - begun_us;
}

static void run(uint32_t count)
{
    uint8_t seed[32] = {9}, key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES];
    struct household_rules households = {.players_max = 16};
    struct directory_wanted wanted = {.mode = "lms", .region = "eu", .protocol = 10};
    size_t byte_count = 0;
    double list_us = 0;
    signed_text_keys(seed, key, secret);
    directory_init(directory, NULL, &households);
    write_announcements(count);
    double announce_us = announce_all(count);
    for (uint32_t i = 0; i < directory->top; i++) // what their proofs would lead to, which are measured elsewhere
        directory->entries[i].addresses[0].is_proven = true;
    double begun_us = bench_cpu_us();
    directory_sweep(directory, begun_ns);
    double sweep_us = bench_cpu_us() - begun_us;
    for (uint32_t i = 0; i < LISTS; i++)
        list_us += list_once(key, secret, &byte_count) / LISTS;
    begun_us = bench_cpu_us();
    uint32_t found = 0;
    for (uint32_t i = 0; i < PLAYS; i++)
        found += places_play(directory, &wanted, begun_ns) != NULL;
    double play_us = (bench_cpu_us() - begun_us) / PLAYS;
    printf("{\"servers\": %u, \"announce_us\": %.1f, \"play_us\": %.1f, \"list_us\": %.0f, \"list_bytes\": %zu, "
           "\"sweep_us\": %.0f, \"found\": %u}\n",
           count, announce_us, play_us, list_us, byte_count, sweep_us, found);
}

int main(int argc, char **argv)
{
    static const uint32_t USUAL[] = {200, 2000, 16384, 0};
    directory = malloc(sizeof *directory);
    if (!directory || sodium_init() < 0)
        return EXIT_FAILURE;
    bench_each(argc, argv, DIRECTORY_CAPACITY, USUAL, run);
    free(directory);
    for (uint32_t i = 0; i < DIRECTORY_CAPACITY; i++)
        free(texts[i]);
    return EXIT_SUCCESS;
}
