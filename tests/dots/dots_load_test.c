// SPDX-License-Identifier: MIT
//
// Another game is load-tested by the library of deadfall-bots, in virtual time.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load/load_test.h"
#include "match/match.h"
#include "memory_network.h"
#include "test.h"

enum { CLIENTS = 6, FULL = 3, SECONDS = 20, SECOND_NS = 1000000000 };

static struct memory_network *network;
static struct match *match;
static struct settings settings;
static uint64_t now_ns = SECOND_NS;

static struct transport *join(void *context, uint32_t client)
{
    (void)context;
    return memory_network_client_as(network, client + 1);
}

// Moves the network and the server up to now.
static void advance(void)
{
    static uint64_t ticks;
    memory_network_advance(network, now_ns / 1000);
    match_receive(match, now_ns / 1000);
    for (; ticks * SECOND_NS / TICKS_PER_SECOND <= now_ns - SECOND_NS; ticks++)
        match_tick(match, now_ns / 1000);
    memory_network_advance(network, now_ns / 1000);
}

static enum exit_code drive(struct load_test *test)
{
    struct load_test_time time = {now_ns, 0};
    load_test_begin(test, time);
    do {
        time.now_ns = now_ns = load_test_next_ns(test);
        advance();
    } while (load_test_pulse(test, time));
    load_test_end(test, time, false);
    return load_test_conclude(test);
}

static double total(const json_t *report, const char *name)
{
    const json_t *value = json_object_get(json_object_get(report, "totals"), name);
    if (!json_is_number(value))
        fail_msg("the report has no %s", name);
    return json_number_value(value);
}

TEST(another_game_is_load_tested)
{
    static const struct map plain = {400};
    static const struct impairment line = {.delay_us = 20000, .loss_ppm = 10000};
    char path[] = "/tmp/dots-load-XXXXXX", json[40];
    close(mkstemp(path));
    snprintf(json, sizeof json, "--json=%s", path);
    char *argv[] = {"dots-bots",
                    "--count=6",
                    "--verify=3",
                    "--duration=20s",
                    "--skill=greedy",
                    "--scoreboard",
                    "--threshold=desyncs<1",
                    "--threshold=packets_down>1000",
                    json,
                    NULL};
    int wrong;
    assert_true(settings_read(&settings, 9, argv, &wrong));
    assert_int_equal(settings.port, 27450);

    network = memory_network_create(1, &line, 16);
    match =
        match_create(&(struct match_config){.map = &plain, .rules = {.seed = 7}, .players_max = 8, .snapshot_rate = 60},
                     memory_network_server(network));
    char *out_text;
    size_t out_size;
    struct error error = {0};
    FILE *out = open_memstream(&out_text, &out_size);
    enum exit_code code;
    struct load_test *test = load_test_open(
        &(struct load_test_config){
            .settings = &settings, .argc = 9, .argv = argv, .connect = join, .error = &error, .out = out, .err = out},
        &code);
    assert_non_null(test);
    code = drive(test);
    fclose(out);
    if (code != EXIT_OK)
        fail_msg("exit %d\n%s", (int)code, out_text);
    assert_non_null(strstr(out_text, "5: ")); // the scoreboard is of this game
    assert_non_null(strstr(out_text, "threshold desyncs<1: holds"));

    json_t *report = json_load_file(path, 0, NULL);
    const json_t *events = json_object_get(json_object_get(report, "totals"), "events_by_kind");
    uint32_t coins = 0;
    for (uint32_t slot = 0; slot < FULL; slot++)
        coins += match->world.players[slot].coins;
    assert_true(json_is_true(json_object_get(report, "passed")));
    assert_int_equal(total(report, "connected"), CLIENTS);
    assert_int_equal(total(report, "desyncs"), 0);
    assert_int_equal(total(report, "disconnects"), 0);
    assert_true(total(report, "packets_down") > 0.9 * CLIENTS * SECONDS * TICKS_PER_SECOND);
    assert_true(coins > FULL * SECONDS / 4);
    json_int_t counted = json_integer_value(json_object_get(events, "coin")); // the last may not have been confirmed
    if (counted > coins || counted + FULL < coins)
        fail_msg("%u coins, of which the report has %d", coins, (int)counted);
    json_decref(report);
    load_test_close(test);
    match_destroy(match);
    memory_network_destroy(network);
    free(out_text);
    unlink(path);
}
