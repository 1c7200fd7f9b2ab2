// SPDX-License-Identifier: MIT
//
// Tests load-test clients in a match in virtual time: what they do and measure, and how they join, leave and return.
#include "unit.h"

#include "arena.h"
#include "memory_network.h"

static struct arena arena;
static struct load_client_settings settings;
static struct swarm *swarm;
static struct sample sample;
static uint64_t pulses;
static uint32_t held[16][600]; // buttons by slot and tick of the recording
static uint32_t recorded;      // ticks

static void start(uint32_t players_max, const struct impairment *impairment)
{
    arena_begin(&arena, players_max, impairment);
    settings.connect = arena_connect;
    settings.context = &arena;
    swarm = swarm_create(&settings);
    assert_non_null(swarm);
}

static void begin(void)
{
    settings = (struct load_client_settings){.skill = SKILL_NORMAL, .mix = {.shares = {1}}, .name = "bot", .say = ""};
    pulses = recorded = 0;
}

static void finish(void)
{
    swarm_destroy(swarm);
    arena_end(&arena);
}

EACH_TEST(begin, finish);

// One pulse: the match advances, then the clients.
static void pulse(uint32_t wanted)
{
    uint64_t ticks = arena.ticks;
    arena_advance(&arena, ARENA_START_US + ++pulses * 1000000 / ARENA_PULSES);
    swarm_pulse(swarm, wanted, arena.now_us);
    if (arena.ticks == ticks || recorded == 600)
        return;
    for (uint32_t slot = 0; slot < 16; slot++)
        held[slot][recorded] = arena.match->inputs[slot].buttons;
    recorded++;
}

static void run(double seconds, uint32_t wanted)
{
    for (uint32_t i = 0; i < (uint32_t)(seconds * ARENA_PULSES); i++)
        pulse(wanted);
}

// Runs until all wanted clients are in the match.
static void join(uint32_t wanted)
{
    for (uint32_t i = 0; i < 5 * ARENA_PULSES && swarm_connected(swarm) < wanted; i++)
        pulse(wanted);
    assert_int_equal(swarm_connected(swarm), wanted);
}

// Starts a swarm on a perfect network, and runs until its clients are in the match.
static void start_with(uint32_t clients)
{
    start(8, &(struct impairment){0});
    join(clients);
}

static void record(double seconds, uint32_t wanted)
{
    recorded = 0;
    run(seconds, wanted);
}

static void measure(double seconds, uint32_t wanted)
{
    run(seconds, wanted);
    swarm_take_sample(swarm, &sample);
}

static void assert_near(uint64_t value, uint64_t expected, uint64_t tolerance)
{
    assert_in_range(value, expected - tolerance, expected + tolerance);
}

TEST(bots_join_the_match_with_their_names)
{
    settings.name = "0123456789abc"; // the first ten letters are taken
    settings.verify = 1;
    start(8, &(struct impairment){0});
    assert_int_equal(swarm_connected(swarm), 0);
    assert_int_equal(arena.opened, 0);
    join(3);
    run(0.5, 3);
    assert_int_equal(arena.opened, 3);
    assert_int_equal(swarm_joined(swarm), 3);
    assert_int_equal(swarm_ended(swarm), 0);
    assert_string_equal(swarm_error_text(swarm), "");
    for (uint32_t slot = 0; slot < 3; slot++) {
        const struct player *player = &arena.match->world.players[slot];
        char expected[PLAYER_NAME_BYTES] = "";
        snprintf(expected, sizeof expected, "0123456789%u", slot + 1);
        assert_memory_equal(player->name, expected, PLAYER_NAME_BYTES);
        assert_int_equal(player->colour, slot);
        assert_int_equal(arena.match->hats[slot], slot % HATS);
    }
}

TEST(the_time_to_connect_is_from_opening_to_playing)
{
    start(8, &(struct impairment){.delay_us = 30000});
    pulse(1);
    uint64_t opened_us = arena.now_us;
    join(1);
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.connect_us.count, 1);
    assert_int_equal(sample.connect_us.max, arena.now_us - opened_us);
    assert_true(sample.connect_us.max > 120000); // two ways there and back at least
}

TEST(measurements_add_up)
{
    settings.verify = 1;
    start_with(3);
    measure(1, 3);
    measure(4, 3);
    assert_int_equal(sample.play_us, 3 * 4000000);
    assert_int_equal(sample.verify_play_us, 4000000);
    assert_near(sample.snapshots, 3 * 240, 6);
    assert_int_equal(sample.snapshot_gap_us.count, sample.snapshots);
    assert_near(sample.snapshot_gap_us.sum, 3 * 4000000, 100000);
    assert_near(sample.prediction_error_subpx.count, 240, 2); // only of the full client
    assert_near(sample.inputs, 3 * 240, 6);
    assert_near(sample.rtt_us.count, 3 * 240, 6);                     // each answer of this network is one
    assert_in_range(sample.input_ack_us.count, 3 * 240 / 3, 3 * 240); // of ticks with an input of their own
    assert_int_equal(sample.connect_us.count, 0);
    assert_int_equal(sample.snapshots_lost, 0);
    assert_int_equal(sample.desyncs, 0);
    assert_in_range(sample.bytes_down, 3 * 240 * 10, 3 * 240 * 400);
    assert_in_range(sample.bytes_up, 3 * 240 * 4, 3 * 240 * 100);
    assert_int_equal(sample.flood_messages, 0);
    assert_true(swarm_least_snapshots_per_s(swarm) > 58 && swarm_least_snapshots_per_s(swarm) < 61);
}

TEST(each_sample_starts_at_zero_and_their_sum_is_the_total)
{
    static struct sample sum;
    memset(&sum, 0, sizeof sum);
    settings.verify = 2;
    start(8, &(struct impairment){.loss_ppm = 50000});
    for (uint32_t i = 0; i < 4; i++) {
        measure(0.7, 4);
        metric_sample_add(&sum, &sample);
    }
    assert_true(sum.snapshots > 0);
    assert_memory_equal(&sum, swarm_total(swarm), sizeof sum);
    static const struct sample nothing;
    swarm_take_sample(swarm, &sample);
    assert_memory_equal(&sample, &nothing, sizeof nothing);
}

TEST(figures_of_a_full_client_equal_its_own_counts)
{
    struct client_statistics before, after;
    settings.verify = 1;
    start(8, &(struct impairment){.delay_us = 40000, .jitter_us = 30000, .loss_ppm = 400000});
    assert_null(swarm_full_client(swarm));
    join(2);
    assert_non_null(swarm_full_client(swarm));
    client_statistics(swarm_full_client(swarm), &before);
    swarm_take_sample(swarm, &sample); // both have joined
    run(10, 1);                        // the other leaves
    client_statistics(swarm_full_client(swarm), &after);
    // Until the next snapshot comes, those that are overdue count as lost.
    for (uint32_t i = 0, heard = after.snapshots; i < ARENA_PULSES && after.snapshots == heard; i++) {
        pulse(1);
        client_statistics(swarm_full_client(swarm), &after);
    }
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.snapshots, after.snapshots - before.snapshots);
    assert_int_equal(sample.snapshots_lost, after.snapshots_lost - before.snapshots_lost);
    assert_int_equal(sample.corrections, after.corrections - before.corrections);
    assert_int_equal(sample.resimulated_ticks, after.resimulated_ticks - before.resimulated_ticks);
    assert_int_equal(sample.inputs_missed, after.inputs_missed - before.inputs_missed);
    assert_true(sample.snapshots_lost > 0 && sample.resimulated_ticks > 0 && sample.inputs_missed > 0);
    assert_near(sample.bytes_down, after.bytes_in - before.bytes_in, 300);
    assert_near(sample.bytes_up, after.bytes_out - before.bytes_out, 300);
    // Two trips of 40 to 70 ms.
    assert_in_range(histogram_quantile(&sample.rtt_us, 500), 80000, 250000);
    assert_in_range(histogram_quantile(&sample.input_ack_us, 500), 80000, 350000);
}

TEST(unexpected_inputs_of_others_are_no_correction)
{
    struct client_statistics before, after;
    settings.verify = 1;
    start(8, &(struct impairment){.delay_us = 40000, .jitter_us = 20000});
    join(3);
    client_statistics(swarm_full_client(swarm), &before);
    swarm_take_sample(swarm, &sample);
    measure(10, 3);
    client_statistics(swarm_full_client(swarm), &after);
    assert_int_equal(sample.corrections, after.corrections - before.corrections);
    assert_true(after.resimulations - before.resimulations > sample.corrections);
}

TEST(a_light_client_has_no_world)
{
    start_with(1);
    run(1, 1);
    assert_null(swarm_full_client(swarm));
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.verify_play_us, 0);
    assert_int_equal(sample.prediction_error_subpx.count, 0);
}

TEST(bots_leave_and_return_as_the_wanted_count_changes)
{
    start_with(4);
    run(0.5, 1);
    assert_int_equal(swarm_connected(swarm), 1);
    assert_int_equal(swarm_joined(swarm), 4); // they had joined
    assert_int_equal(swarm_ended(swarm), 0);
    assert_int_equal(arena.match->peer_count, 1);
    swarm_take_sample(swarm, &sample);
    memory_network_block(arena.network, true, true);
    run(0.2, 4);
    assert_int_equal(swarm_joined(swarm), 4); // returning does not change that
    memory_network_block(arena.network, false, false);
    run(0.2, 1);
    join(3);
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.connect_us.count, 2);
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        assert_int_equal(sample.disconnects[i], 0);
}

TEST(a_refused_client_has_ended_and_says_why)
{
    start(1, &(struct impairment){0});
    run(1, 2);
    assert_int_equal(swarm_connected(swarm), 1);
    assert_int_equal(swarm_joined(swarm), 1);
    assert_int_equal(swarm_ended(swarm), 1);
    assert_string_equal(swarm_error_text(swarm), message_deny_text(DENY_FULL));
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.disconnects[DENY_FULL], 1);
    run(1, 2);
    assert_int_equal(arena.opened, 2); // it does not try again
    arena_cut(&arena, 0);
    run(1, 2);
    assert_int_equal(swarm_ended(swarm), 2);
    assert_string_equal(swarm_error_text(swarm), message_deny_text(DENY_FULL)); // the reason of the first refusal
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.disconnects[DENY_NONE], 1);
    assert_int_equal(sample.disconnects[DENY_FULL], 0);
}

TEST(a_bot_without_a_connection_is_lost)
{
    settings.reconnect = true; // a client that never joined does not come back
    start(8, &(struct impairment){0});
    arena.refuses = true;
    run(0.1, 3);
    assert_int_equal(swarm_ended(swarm), 3);
    assert_int_equal(swarm_joined(swarm), 0);
    assert_string_equal(swarm_error_text(swarm), "A connection could not be opened.");
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.disconnects[DENY_NONE], 3);
    assert_true(swarm_least_snapshots_per_s(swarm) == 0);
}

TEST(a_disconnected_client_is_lost)
{
    start_with(2);
    arena_cut(&arena, 1);
    run(2, 2);
    assert_int_equal(swarm_ended(swarm), 1);
    assert_int_equal(swarm_connected(swarm), 1);
    assert_int_equal(swarm_joined(swarm), 2);
    assert_string_equal(swarm_error_text(swarm),
                        "The connection to the server was lost. Check your network and try again.");
}

TEST(with_reconnect_a_disconnected_client_comes_back)
{
    settings.reconnect = true;
    start_with(2);
    swarm_take_sample(swarm, &sample);
    measure(3, 2);
    uint64_t down = sample.bytes_down, up = sample.bytes_up; // in three seconds
    for (uint32_t again = 0; again < 2; again++) {
        arena_cut(&arena, 1);
        run(3, 2);
        assert_int_equal(swarm_ended(swarm), 0);
        assert_int_equal(swarm_connected(swarm), 2);
        assert_int_equal(arena.opened, 3 + again);
        swarm_take_sample(swarm, &sample);
        assert_int_equal(sample.disconnects[DENY_NONE], 0);
        assert_in_range(sample.snapshots, 180 + 100, 2 * 180);
        assert_in_range(sample.bytes_down, down * 3 / 4, down * 3 / 2); // a new connection counts from zero
        assert_in_range(sample.bytes_up, up * 3 / 4, up * 3 / 2);
    }
}

TEST(with_reconnect_a_kicked_client_stays_away)
{
    settings.reconnect = true;
    start_with(1);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (arena.match->peers[i].state == PEER_PLAYING)
            peer_drop(arena.match, i, DENY_KICKED);
    run(5, 1);
    assert_int_equal(swarm_ended(swarm), 1);
    assert_string_equal(swarm_error_text(swarm), message_deny_text(DENY_KICKED));
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.disconnects[DENY_KICKED], 1);
    assert_int_equal(arena.opened, 1);
}

// Its core tries for 36 s; then it opens another twenty times, half a second apart.
TEST(with_reconnect_a_client_gives_up_after_twenty_attempts)
{
    settings.reconnect = true;
    start(8, &(struct impairment){0});
    for (uint32_t again = 0; again < 2; again++) { // a client that rejoined has all its attempts again
        join(1);
        arena_shut(&arena, true);
        arena_cut(&arena, 0);
        run(44, 1);
        assert_int_equal(swarm_ended(swarm), 0);
        arena_shut(&arena, false);
    }
    join(1);
    arena_shut(&arena, true);
    arena_cut(&arena, 0);
    run(52, 1);
    assert_int_equal(swarm_ended(swarm), 1);
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.disconnects[DENY_NONE], 1);
}

TEST(snapshots_of_a_silent_server_are_lost_once)
{
    start_with(1);
    measure(1, 1);
    for (uint32_t again = 0; again < 2; again++) { // a second silence counts like the first
        memory_network_block(arena.network, false, true);
        measure(0.2, 1);
        assert_int_equal(sample.snapshots_lost, 0); // that may be jitter
        measure(1.8, 1);
        assert_near(sample.snapshots_lost, 120, 2);
        assert_int_equal(sample.snapshots, 0);
        assert_int_equal(swarm_total(swarm)->snapshot_gap_us.count, swarm_total(swarm)->snapshots);
        memory_network_block(arena.network, false, false);
        measure(1, 1); // the client misses them now, but they were counted already
        assert_in_range(sample.snapshots_lost, 0, 3);
        assert_near(sample.snapshot_gap_us.max, 2000000, 40000);
    }
}

TEST(overdue_snapshots_are_forgotten_with_their_client)
{
    start_with(1);
    memory_network_block(arena.network, false, true);
    run(1, 1);
    run(0.1, 0); // it leaves
    memory_network_block(arena.network, false, false);
    join(1);
    measure(1, 1);
    memory_network_block(arena.network, false, true);
    measure(1, 1);
    assert_near(sample.snapshots_lost, 60, 2);
}

TEST(late_snapshots_are_no_longer_counted_as_lost)
{
    start_with(1);
    run(1, 1);
    memory_network_impair(arena.network, &(struct impairment){.delay_us = 400000});
    measure(2, 1);
    assert_near(sample.snapshots_lost, 24, 4); // 400 ms
    memory_network_block(arena.network, false, true);
    run(0.2, 1);
    memory_network_block(arena.network, false, false);
    measure(0.7, 1);
    assert_in_range(sample.snapshots_lost, 0, 3); // the twelve that are lost now were counted before
}

TEST(the_least_snapshots_are_those_of_the_worst_bot)
{
    start_with(3);
    run(2, 3);
    memory_network_kill(arena.transports[1]);
    run(2, 3);
    double least = swarm_least_snapshots_per_s(swarm);
    assert_true(least > 28 && least < 32);
}

TEST(churning_clients_stay_and_pause_for_random_times)
{
    settings.mix = (struct behaviour_mix){.shares = {[BEHAVIOUR_CHURN] = 1}};
    start(8, &(struct impairment){0});
    uint64_t since = 0, least[2] = {UINT64_MAX, UINT64_MAX}, most[2] = {0, 0};
    bool in = false;
    join(1);
    for (uint32_t changes = 0; changes < 80;) {
        pulse(1);
        if ((swarm_connected(swarm) == 1) == in)
            continue;
        uint64_t length = pulses - since;
        if (changes++ > 0) {
            least[in] = length < least[in] ? length : least[in];
            most[in] = length > most[in] ? length : most[in];
        }
        since = pulses;
        in = !in;
    }
    // In pulses; returning takes a few.
    assert_in_range(least[true], 2 * 240, 3 * 240);
    assert_in_range(most[true], 5 * 240, 6 * 240 + 2);
    assert_in_range(least[false], 120, 120 + 70);
    assert_in_range(most[false], 280, 360 + 40);
    assert_int_equal(swarm_ended(swarm), 0);
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.connect_us.count, arena.opened);
    assert_int_equal(sample.disconnects[DENY_NONE], 0);
}

// Ticks of a recording at which the buttons changed.
static uint32_t changes_of(uint32_t slot)
{
    uint32_t changes = 0;
    for (uint32_t i = 1; i < recorded; i++)
        changes += held[slot][i] != held[slot][i - 1];
    return changes;
}

TEST(light_clients_turn_at_random_every_third_of_a_second)
{
    static uint32_t other[600];
    settings.seed = 1;
    start_with(2);
    record(10, 2);
    assert_in_range(changes_of(0), 25, 30); // 30 legs in 10 s
    assert_int_not_equal(memcmp(held[0], held[1], sizeof held[0]), 0);
    uint32_t ever = 0;
    for (uint32_t i = 0; i < recorded; i++)
        ever |= held[0][i];
    assert_int_equal(ever,
                     BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN | BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT);
    memcpy(other, held[0], sizeof other);
    for (uint32_t seed = 1; seed <= 2; seed++) { // the same for the same seed
        finish();
        begin();
        settings.seed = seed;
        start_with(2);
        record(10, 2);
        assert_int_equal(memcmp(held[0], other, sizeof other) == 0, seed == 1);
    }
}

TEST(idle_clients_hold_nothing_and_full_ones_play_as_the_ai)
{
    settings.verify = 2;
    settings.mix = (struct behaviour_mix){.shares = {[BEHAVIOUR_PLAY] = 1, [BEHAVIOUR_IDLE] = 2}};
    start_with(3);
    record(5, 3);
    assert_int_equal(changes_of(1), 0); // full client
    assert_int_equal(changes_of(2), 0); // light client
    assert_int_equal(held[1][recorded - 1] | held[2][recorded - 1], 0);
    assert_true(changes_of(0) > 0);
}

TEST(an_idle_skill_holds_nothing)
{
    settings.verify = 1;
    settings.skill = SKILL_IDLE;
    start_with(2);
    record(5, 2);
    assert_int_equal(changes_of(0), 0);
    assert_true(changes_of(1) > 0); // the light client walks
}

TEST(each_client_sends_its_line_each_time_it_joins)
{
    settings.say = "/hello";
    start_with(3);
    run(1, 3);
    assert_int_equal(arena.commands, 3);
    assert_string_equal(arena.command, "hello");
    run(1, 2);
    join(3);
    run(1, 3);
    assert_int_equal(arena.commands, 4);
}

TEST(a_flooding_client_is_expelled_returns_and_is_not_measured)
{
    settings.mix = (struct behaviour_mix){.shares = {[BEHAVIOUR_FLOOD] = 1}};
    start_with(1);
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.flood_messages, 32); // from the pulse in which it joined
    pulse(1);
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.flood_messages, 32);
    measure(10, 1);
    assert_true(sample.expelled > 1);
    assert_true(arena.opened > sample.expelled - 1 && sample.connect_us.count > 1);
    assert_true(sample.flood_messages > 32);
    assert_int_equal(sample.snapshots, 0);
    assert_int_equal(sample.play_us, 0);
    assert_int_equal(sample.inputs, 0);
    assert_int_equal(swarm_ended(swarm), 0);
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        assert_int_equal(sample.disconnects[i], 0);
}

TEST(a_slow_reader_reads_every_two_seconds)
{
    struct client_statistics statistics;
    uint64_t newest = 0, read_at[20] = {0};
    uint32_t reads = 0;
    settings.verify = 1;
    settings.mix = (struct behaviour_mix){.shares = {[BEHAVIOUR_SLOW_READER] = 1}};
    start_with(1);
    for (uint32_t i = 0; i < 9 * ARENA_PULSES && swarm_full_client(swarm); i++) {
        pulse(1);
        if (!swarm_full_client(swarm))
            break;
        client_statistics(swarm_full_client(swarm), &statistics);
        if (statistics.snapshots != newest)
            read_at[reads++ % COUNT_OF(read_at)] = pulses;
        newest = statistics.snapshots;
    }
    assert_in_range(reads, 2, 5);
    for (uint32_t i = 2; i < reads; i++)
        assert_near(read_at[i] - read_at[i - 1], 2 * ARENA_PULSES, 1);
}

TEST(a_slow_reader_is_not_measured)
{
    settings.mix = (struct behaviour_mix){.shares = {[BEHAVIOUR_SLOW_READER] = 1, [BEHAVIOUR_PLAY] = 1}};
    start_with(2);
    swarm_take_sample(swarm, &sample);
    measure(3, 2);
    assert_int_equal(sample.play_us, 3000000); // only of the other client
    assert_near(sample.inputs, 180, 3);
    run(20, 2);
    assert_int_equal(swarm_ended(swarm), 0);
}

TEST(a_dead_line_gives_no_round_trip_and_one_outage_for_each_client)
{
    start(8, &(struct impairment){.delay_us = 10000});
    join(2);
    measure(1, 2);
    assert_int_equal(sample.outage_us.count, 0);
    assert_in_range(histogram_quantile(&sample.rtt_us, 500), 20000, 21000);
    memory_network_block(arena.network, false, true);
    measure(0.1, 2); // what was under way
    measure(1.4, 2);
    assert_int_equal(sample.rtt_us.count, 0);
    uint64_t longest_us;
    assert_int_equal(swarm_silent(swarm, &longest_us), 2);
    assert_near(longest_us, 1500000, 30000);
    assert_int_equal(sample.outage_us.count, 0); // until it is over
    memory_network_block(arena.network, false, false);
    measure(1, 2);
    assert_int_equal(swarm_silent(swarm, &longest_us), 0);
    assert_int_equal(sample.outage_us.count, 2);
    assert_near(sample.outage_us.max, 1500000, 40000);
    assert_int_equal(sample.reconnects, 0);
    assert_int_equal(sample.recover_us.count, 0);
}

TEST(a_fifth_of_a_second_without_a_snapshot_is_an_outage)
{
    start_with(1);
    measure(1, 1);
    for (uint32_t again = 0; again < 2; again++) {
        memory_network_block(arena.network, false, true);
        run(again ? 0.21 : 0.17, 1);
        memory_network_block(arena.network, false, false);
        measure(1, 1);
        assert_int_equal(sample.outage_us.count, again);
    }
}

TEST(a_stall_of_the_load_test_itself_is_no_outage)
{
    start_with(2);
    run(1, 2);
    for (uint32_t i = 0; i < 2 * ARENA_PULSES; i++) // the match goes on, and nobody looks
        arena_advance(&arena, ARENA_START_US + ++pulses * 1000000 / ARENA_PULSES);
    run(1, 2);
    assert_false(swarm_end_outages(swarm));
    swarm_take_sample(swarm, &sample);
    assert_int_equal(sample.outage_us.count, 0);
    assert_true(sample.snapshot_gap_us.max >= 2000000);
}

TEST(who_comes_back_has_recovered_and_who_leaves_has_no_outage)
{
    settings.reconnect = true;
    start_with(2);
    run(1, 2);
    arena_shut(&arena, true);
    arena_cut(&arena, 1);
    run(2, 2);
    arena_shut(&arena, false);
    measure(3, 2);
    assert_int_equal(sample.reconnects, 1);
    assert_int_equal(sample.recover_us.count, 1);
    assert_int_equal(sample.outage_us.count, 1);
    assert_in_range(sample.recover_us.max, 1900000, 4500000);
    assert_near(sample.outage_us.max, sample.recover_us.max, 60000);
    run(1, 1); // the other leaves
    measure(1, 2);
    assert_int_equal(sample.outage_us.count + sample.reconnects, 0);
}

TEST(all_datagrams_count_also_those_of_the_join)
{
    struct client_statistics statistics;
    settings.verify = 1;
    start_with(1);
    measure(2, 1);
    client_statistics(swarm_full_client(swarm), &statistics);
    assert_near(sample.datagrams_down, statistics.packets_in, 1);
    assert_near(sample.datagrams_up, statistics.packets_out, 2);
    assert_near(sample.datagram_bytes_down, statistics.bytes_in, 100);
    assert_true(sample.datagram_bytes_down > sample.bytes_down);
}

TEST(each_desync_is_counted_once)
{
    struct client_statistics statistics;
    settings.verify = 1;
    start_with(1);
    arena.falsifies = true;
    run(1, 1);
    arena.falsifies = false;
    measure(1, 1);
    client_statistics(swarm_full_client(swarm), &statistics);
    assert_true(sample.desyncs > 1);
    assert_int_equal(sample.desyncs, statistics.desyncs);
}

TEST(a_destroyed_swarm_leaves_the_match)
{
    start_with(3);
    assert_int_equal(arena.match->peer_count, 3);
    swarm_destroy(swarm);
    swarm = NULL; // which finish() may destroy
    arena_advance(&arena, arena.now_us + 100000);
    assert_int_equal(arena.match->peer_count, 0);
}

TEST(a_client_that_never_played_does_not_count_as_the_slowest)
{
    start(8, &(struct impairment){0});
    arena.refuses = true;
    pulse(1);
    arena.refuses = false;
    run(3, 3);
    assert_int_equal(swarm_ended(swarm), 1);
    assert_true(swarm_least_snapshots_per_s(swarm) > 58);
}
