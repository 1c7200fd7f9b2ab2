// SPDX-License-Identifier: MIT
//
// Tests when a vote is decided (at more than half, or at its last tick) and which players count.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/impairment.h"
#include "probe.h"
#include "test.h"
#include "test_map.h"

static struct session session;
static struct match *match;
static struct map map;
static const char *const CHOICES[] = {"a", "b", "c", "d", "e", "f", "g"};

static void begin(void)
{
    test_map_random(&map, 4, 60, 40);
    struct match_config config = {
        .map = &map, .rules = {.mode = MODE_FFA, .seed = 7}, .players_max = 8, .snapshot_rate = 60};
    session_begin(&session, &config, &(struct impairment){0}, 4);
    session_run(&session, 60);
    match = session.match;
    assert_int_equal(roster_count(&match->roster, SEAT_PLAYER), 4);
}

static void end(void)
{
    session_end(&session);
}

EACH_TEST(begin, end);

TEST(more_than_half_of_the_players_decide)
{
    bool ended;
    assert_true(vote_open(match, "?", CHOICES, 3, 100));
    assert_true(vote_cast(match, 0, 2) && vote_cast(match, 1, 2));
    assert_int_equal(vote_count(match, &ended), VOTE_NONE); // two of four
    assert_false(ended);
    assert_true(vote_cast(match, 2, 2));
    assert_int_equal(vote_count(match, &ended), 2);
    assert_true(ended);
    assert_int_equal(vote_count(match, &ended), VOTE_NONE); // a vote counts once
    assert_false(ended);
    assert_false(vote_cast(match, 0, 0));
}

TEST(at_the_end_the_first_of_the_leading_choices_wins)
{
    static const struct {
        int32_t choices[4]; // -1: none
        uint32_t winner;
    } rows[] = {
        /* 0 */ {{1, 1, 0, 0}, 0},
        /* 1 */ {{2, 1, -1, -1}, 1},
        /* 2 */ {{2, -1, -1, -1}, 2},
        /* 3 */ {{-1, -1, -1, -1}, VOTE_NONE},
        /* 4 */ {{0, 2, 2, 1}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool ended;
        assert_true(vote_open(match, "?", CHOICES, 3, 10));
        for (uint32_t peer = 0; peer < 4; peer++)
            if (rows[i].choices[peer] >= 0)
                assert_true(vote_cast(match, peer, (uint32_t)rows[i].choices[peer]));
        match->world.tick += 9;
        assert_int_equal(vote_count(match, &ended), VOTE_NONE);
        assert_false(ended);
        match->world.tick += 1;
        uint32_t winner = vote_count(match, &ended);
        if (!ended || winner != rows[i].winner)
            fail_msg("row %zu: %u", i, winner);
    }
}

TEST(a_vote_has_two_to_six_choices_and_only_one_is_open)
{
    assert_false(vote_open(match, "?", CHOICES, 0, 10));
    assert_false(vote_open(match, "?", CHOICES, 1, 10));
    assert_false(vote_open(match, "?", CHOICES, VOTE_CHOICE_CAPACITY + 1, 10));
    assert_true(vote_open(match, "?", CHOICES, VOTE_CHOICE_CAPACITY, 10));
    assert_false(vote_open(match, "?", CHOICES, 2, 10));
    assert_true(vote_cast(match, 0, VOTE_CHOICE_CAPACITY - 1));
    assert_false(vote_cast(match, 0, VOTE_CHOICE_CAPACITY));
    assert_false(vote_cast(match, 7, 0)); // no player in this slot
    vote_end(match);
    assert_true(vote_open(match, "?", CHOICES, 2, 10));
    assert_int_equal(match->vote.message.choices[5].votes, 0);
}

TEST(every_client_gets_the_question_its_own_choice_and_the_time)
{
    assert_true(vote_open(match, "Which?", CHOICES, 2, 100));
    assert_true(vote_cast(match, 1, 1));
    session_run(&session, 5);
    for (uint32_t i = 0; i < 4; i++) {
        const struct vote_message *open_vote = &session.probes[i].open_vote;
        assert_string_equal(open_vote->question, "Which?");
        assert_int_equal(open_vote->choice_count, 2);
        assert_string_equal(open_vote->choices[1].text, "b");
        assert_int_equal(open_vote->choices[0].votes, 0);
        assert_int_equal(open_vote->choices[1].votes, 1);
        assert_int_equal(open_vote->own, i == 1 ? 2 : 0);
        assert_int_equal(open_vote->ticks_left, 100);
    }
    vote_end(match);
    session_run(&session, 5);
    assert_int_equal(session.probes[3].open_vote.choice_count, 0);
    assert_int_equal(session.probes[1].open_vote.own, 0);
}

TEST(long_texts_are_cut_at_a_whole_character)
{
    char question[VOTE_QUESTION_BYTES_MAX + 4], choice[VOTE_CHOICE_BYTES_MAX + 4];
    memset(question, 'q', sizeof question);
    memcpy(question + VOTE_QUESTION_BYTES_MAX - 1, "\xC3\xA4", 3);
    memset(choice, 'c', sizeof choice);
    choice[VOTE_CHOICE_BYTES_MAX] = 0; // just fits
    assert_true(vote_open(match, question, (const char *const[]){choice, "b"}, 2, 10));
    assert_int_equal(strlen(match->vote.message.question), VOTE_QUESTION_BYTES_MAX - 1);
    assert_string_equal(match->vote.message.choices[0].text, choice);
}

TEST(clients_that_left_or_still_load_do_not_count)
{
    bool ended;
    assert_true(vote_open(match, "?", CHOICES, 2, 100));
    assert_true(vote_cast(match, 0, 0) && vote_cast(match, 1, 0));
    peer_drop(match, 3, DENY_KICKED); // two of three are enough
    assert_int_equal(vote_count(match, &ended), 0);
    assert_true(ended);
    match->peers[0].state = PEER_LOADING;
    assert_true(vote_open(match, "?", CHOICES, 2, 100));
    assert_false(vote_cast(match, 0, 0));
    match->peers[0].state = PEER_PLAYING;
    assert_true(vote_cast(match, 1, 1));
    peer_drop(match, 1, DENY_KICKED);
    match->world.tick += 100;
    assert_int_equal(vote_count(match, &ended), VOTE_NONE);
    assert_true(ended);
}

// Puts a player into a household that has limits: 203.0.113.NUMBER.
static void move_to(uint32_t peer, uint32_t number)
{
    match->households = (struct household_rules){.players_max = 8};
    match->peers[peer].client.household = (uint64_t)4 << 56 | 0xCB007100u | number;
}

TEST(of_a_household_only_the_last_choice_counts)
{
    bool ended;
    for (uint32_t peer = 0; peer < 3; peer++)
        move_to(peer, 1);
    move_to(3, 2);
    assert_true(vote_open(match, "?", CHOICES, 3, 100));
    assert_true(vote_cast(match, 0, 1) && vote_cast(match, 1, 1) && vote_cast(match, 2, 2));
    assert_int_equal(vote_count(match, &ended), VOTE_NONE); // one of two households
    assert_int_equal(match->vote.message.choices[1].votes, 0);
    assert_int_equal(match->vote.message.choices[2].votes, 1);
    assert_int_equal(vote_choice(match, local_seats_first(&match->peers[0].seats)), VOTE_NONE);
    assert_int_equal(vote_choice(match, local_seats_first(&match->peers[2].seats)), 2);
    assert_true(vote_cast(match, 3, 2));
    assert_int_equal(vote_count(match, &ended), 2);
    assert_true(ended);
}

TEST(players_of_an_exempt_household_choose_for_themselves)
{
    bool ended;
    for (uint32_t peer = 0; peer < 4; peer++)
        move_to(peer, 1);
    match->households.exempt_count = 1;
    assert_true(household_range_parse("203.0.113.0/24", &match->households.exempt[0]));
    assert_true(vote_ask(match, 0, "Kick?", true)); // and at once
    assert_true(vote_cast(match, 1, 0) && vote_cast(match, 2, 0));
    assert_int_equal(vote_count(match, &ended), 0);
    assert_true(ended);
}

TEST(a_new_player_in_a_seat_has_not_voted)
{
    bool ended;
    assert_true(vote_open(match, "?", CHOICES, 2, 100));
    assert_true(vote_cast(match, 0, 1) && vote_cast(match, 1, 1));
    match->roster.seats[local_seats_first(&match->peers[1].seats)].occupant++;
    assert_int_equal(vote_count(match, &ended), VOTE_NONE);
    assert_int_equal(match->vote.message.choices[1].votes, 1);
}

TEST(four_identities_of_one_address_kick_nobody)
{
    bool ended;
    for (uint32_t peer = 0; peer < 4; peer++)
        move_to(peer, peer < 3 ? 1 : 2);
    match->statistics.ticks += VOTE_SENIORITY_TICKS;
    assert_true(vote_ask(match, 0, "Kick?", true));
    assert_true(vote_cast(match, 1, 0) && vote_cast(match, 2, 0));
    assert_int_equal(vote_count(match, &ended), VOTE_NONE);
    match->world.tick = match->vote.end_tick;
    assert_int_equal(vote_count(match, &ended), 1); // no
    assert_true(ended);
}

TEST(a_restricted_vote_needs_more_than_half_of_those_who_take_part)
{
    static const struct {
        int32_t choices[4]; // of the households; -1: none
        bool over;          // before its end
        uint32_t result;
    } rows[] = {
        /* 0 */ {{0, -1, -1, -1}, false, 1},
        /* 1 */ {{0, 0, -1, -1}, false, 1}, // two of four
        /* 2 */ {{0, 0, 0, -1}, true, 0},
        /* 3 */ {{0, 1, 1, -1}, true, 1},
    };
    for (uint32_t peer = 0; peer < 4; peer++)
        move_to(peer, peer);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool ended;
        match->statistics.ticks += VOTE_SENIORITY_TICKS;
        assert_true(vote_ask(match, 0, "Kick?", true));
        for (uint32_t peer = 1; peer < 4; peer++)
            if (rows[i].choices[peer] >= 0)
                assert_true(vote_cast(match, peer, (uint32_t)rows[i].choices[peer]));
        uint32_t result = vote_count(match, &ended);
        if (ended != rows[i].over)
            fail_msg("row %zu: over %d", i, ended);
        match->world.tick = match->vote.end_tick;
        if (!ended)
            result = vote_count(match, &ended);
        if (!ended || result != rows[i].result)
            fail_msg("row %zu: %u", i, result);
    }
}

TEST(newcomers_take_no_part_in_a_restricted_vote)
{
    bool ended;
    for (uint32_t peer = 0; peer < 4; peer++)
        move_to(peer, peer);
    uint64_t entered = match->roster.seats[local_seats_first(&match->peers[0].seats)].entered_ticks;
    match->statistics.ticks = entered + VOTE_SENIORITY_TICKS - 1;
    assert_false(vote_has_seniority(match, 0));
    match->statistics.ticks = entered + VOTE_SENIORITY_TICKS;
    assert_true(vote_has_seniority(match, 0));
    for (uint32_t peer = 1; peer < 4; peer++)
        match->roster.seats[local_seats_first(&match->peers[peer].seats)].entered_ticks =
            peer == 1 ? entered : match->statistics.ticks;
    assert_true(vote_ask(match, 0, "Kick?", true));
    assert_false(vote_cast(match, 2, 0));
    assert_int_equal(vote_count(match, &ended), VOTE_NONE); // one vote is not enough
    assert_true(vote_cast(match, 1, 0));
    assert_int_equal(vote_count(match, &ended), 0);
    vote_end(match);
    assert_true(vote_open(match, "?", CHOICES, 2, 100));
    assert_true(vote_cast(match, 2, 0)); // anybody may choose a map
}

// Who has a /48 has many households.
TEST(a_site_has_one_vote_to_kick)
{
    bool ended;
    for (uint32_t i = 0; i < 4; i++)
        move_to(i, i);
    for (uint32_t i = 1; i < 4; i++)
        match->peers[i].client.household = ((uint64_t)6 << 56 | 0x20010DB8000100) + i;
    match->statistics.ticks += VOTE_SENIORITY_TICKS;
    assert_true(vote_ask(match, 1, "Kick?", true));
    assert_true(vote_cast(match, 2, 0) && vote_cast(match, 3, 0));
    assert_int_equal(match->vote.message.choices[0].votes, 1);
    assert_int_equal(vote_count(match, &ended), VOTE_NONE);
    assert_true(vote_cast(match, 3, 1)); // the last choice counts
    assert_int_equal(match->vote.message.choices[0].votes, 0);
    assert_true(vote_cast(match, 2, 0) && vote_cast(match, 0, 0));
    assert_int_equal(vote_count(match, &ended), 0); // two sites of two
    vote_end(match);
    match->households.exempt_count = 1; // the players of this household choose for themselves
    assert_true(household_range_parse("2001:db8:1:300::/56", &match->households.exempt[0]));
    assert_true(vote_ask(match, 1, "Kick?", true));
    assert_true(vote_cast(match, 3, 0) && vote_cast(match, 2, 0));
    assert_int_equal(match->vote.message.choices[0].votes, 2);
    vote_end(match);
    match->households.exempt_count = 0;
    assert_true(vote_open(match, "?", CHOICES, 2, 100)); // a map is chosen by households
    assert_true(vote_cast(match, 1, 1) && vote_cast(match, 2, 1) && vote_cast(match, 3, 1));
    assert_int_equal(vote_count(match, &ended), 1);
}

TEST(of_a_site_four_households_vote)
{
    bool ended;
    for (uint32_t i = 0; i < 4; i++) {
        move_to(i, i);
        match->peers[i].client.household = ((uint64_t)6 << 56 | 0x20010DB8000100) + i;
    }
    struct peer *fifth = &match->peers[4];
    *fifth = match->peers[3];
    fifth->client.household++;
    fifth->seats = (struct local_seats){{5}};
    match->roster.seats[4] = match->roster.seats[3];
    match->roster.seat_count = 5;
    assert_false(vote_site_is_full(match, 3));
    assert_true(vote_site_is_full(match, 4));
    assert_true(vote_open(match, "?", CHOICES, 2, 100));
    assert_false(vote_cast(match, 4, 1));
    assert_true(vote_cast(match, 0, 1) && vote_cast(match, 1, 1));
    assert_int_equal(vote_count(match, &ended), VOTE_NONE); // two of four
    assert_true(vote_cast(match, 2, 1));
    assert_int_equal(vote_count(match, &ended), 1);
    fifth->client.household += 0x100;
    assert_false(vote_site_is_full(match, 4));
    *fifth = (struct peer){0};
    match->roster.seat_count = 4;
}

// Asks for a vote and lets all others answer.
static void ask(uint32_t peer, bool is_restricted, uint32_t answer)
{
    bool ended;
    assert_true(vote_ask(match, peer, "?", is_restricted));
    for (uint32_t i = 0; i < 4; i++)
        if (i != peer)
            vote_cast(match, i, answer);
    vote_count(match, &ended);
    match->world.tick = match->vote.end_tick;
    if (!ended)
        vote_count(match, &ended);
    assert_true(ended);
}

TEST(a_household_whose_votes_fail_waits)
{
    uint32_t minute = 60 * TICKS_PER_SECOND;
    for (uint32_t peer = 0; peer < 4; peer++)
        move_to(peer, peer == 1 ? 0 : peer); // the first two live together
    match->statistics.ticks += VOTE_SENIORITY_TICKS;
    ask(0, true, 0);
    assert_int_equal(vote_wait_ticks(match, 0), 0); // it has passed
    ask(0, false, 0);
    ask(0, false, 1);
    match->statistics.ticks += minute;
    ask(1, true, 1);
    assert_int_equal(vote_wait_ticks(match, 0), 0); // two have failed
    match->statistics.ticks += minute;
    ask(0, false, 1);
    for (uint32_t peer = 0; peer < 4; peer++)
        assert_int_equal(vote_wait_ticks(match, peer), peer < 2 ? 8 * minute : 0);
    match->statistics.ticks += 8 * minute - 1;
    assert_int_equal(vote_wait_ticks(match, 0), 1);
    match->statistics.ticks++;
    assert_int_equal(vote_wait_ticks(match, 0), 0);
    ask(0, false, 1);
    assert_int_equal(vote_wait_ticks(match, 0), minute); // the second of the first three is the oldest now
}

TEST(nobody_waits_whose_household_is_exempt_or_whose_vote_was_ended)
{
    for (uint32_t peer = 0; peer < 4; peer++)
        move_to(peer, peer);
    for (uint32_t i = 0; i < 2 * VOTE_FAILURES_MAX; i++) {
        assert_true(vote_ask(match, 0, "?", false));
        vote_end(match);
        match->households.exempt_count = 1;
        assert_true(household_range_parse("203.0.113.1", &match->households.exempt[0]));
        ask(1, false, 1);
    }
    assert_int_equal(vote_wait_ticks(match, 0), 0);
    assert_int_equal(vote_wait_ticks(match, 1), 0);
    match->households.exempt_count = 0;
    assert_int_equal(vote_wait_ticks(match, 1), 0); // nothing was noted
}

TEST(the_log_says_who_asked_and_who_chose_what)
{
    char text[2000] = "", expected[200], key[FINGERPRINT_TEXT_BYTES];
    FILE *file = fmemopen(text, sizeof text, "w");
    struct log log = {.out = file, .level = LOG_INFO};
    bool ended;
    match->log = &log;
    for (uint32_t peer = 0; peer < 4; peer++)
        move_to(peer, peer + 1);
    match->statistics.ticks += VOTE_SENIORITY_TICKS;
    assert_true(vote_ask(match, 0, "Kick somebody?", true));
    assert_true(vote_cast(match, 1, 1) && vote_cast(match, 2, 1));
    vote_count(match, &ended);
    match->log = NULL;
    fclose(file);
    identity_fingerprint(match->peers[0].client.identity, key);
    snprintf(expected, sizeof expected, "(%.8s) of 203.0.113.1 asks for a vote: Kick somebody?\n", key);
    assert_non_null(strstr(text, expected));
    assert_non_null(strstr(text, "of 203.0.113.1 votes Yes: Kick somebody?\n"));
    assert_non_null(strstr(text, "of 203.0.113.3 votes No: Kick somebody?\n"));
    assert_non_null(strstr(text, "the vote is over: Kick somebody? No, with 1 of 4 votes\n"));
}

// Another server reads it: the same players have the same seats there.
TEST(a_vote_is_written_and_read)
{
    uint8_t bytes[VOTE_NOTE_BYTES_MAX];
    bool ended;
    size_t count = vote_write(match, bytes);
    assert_true(vote_read(match, bytes, count));
    assert_int_equal(match->vote.message.choice_count, 0);
    match->statistics.ticks += VOTE_SENIORITY_TICKS;
    assert_true(vote_ask(match, 1, "Kick?", true) && vote_cast(match, 3, 1));
    match->vote.topic = (struct vote_topic){.subject = 4, .slot = 2, .occupant = 1, .target = "Ann"};
    struct vote before = match->vote;
    count = vote_write(match, bytes);
    match->vote = (struct vote){0};
    match->statistics.ticks = 0;
    for (uint32_t slot = 0; slot < 4; slot++)
        match->roster.seats[slot].entered_ticks = 0;
    assert_true(vote_read(match, bytes, count));
    assert_memory_equal(&match->vote.message, &before.message, sizeof before.message);
    assert_memory_equal(match->vote.chosen, before.chosen, sizeof before.chosen);
    assert_memory_equal(match->vote.voter, before.voter, sizeof before.voter);
    assert_memory_equal(match->vote.voter_household, before.voter_household, sizeof before.voter_household);
    assert_true(match->vote.end_tick == before.end_tick && match->vote.is_restricted);
    assert_string_equal(match->vote.asker, before.asker);
    assert_string_equal(match->vote.topic.target, "Ann");
    assert_true(match->vote.topic.subject == 4 && match->vote.topic.slot == 2);
    assert_true(vote_has_seniority(match, 0));
    assert_int_equal(vote_count(match, &ended), VOTE_NONE);
    assert_false(ended);
}

TEST(damaged_bytes_are_no_vote_or_one_that_ends)
{
    uint8_t bytes[VOTE_NOTE_BYTES_MAX];
    uint32_t read = 0;
    assert_true(vote_open(match, "Which?", CHOICES, 6, 100) && vote_cast(match, 1, 5));
    size_t count = vote_write(match, bytes);
    for (size_t cut = 0; cut < count; cut++)
        assert_false(vote_read(match, bytes, cut));
    for (size_t bit = 0; bit < 8 * count; bit++) {
        bool ended;
        match->vote = (struct vote){0};
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        read += vote_read(match, bytes, count);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_true(match->vote.message.choice_count <= VOTE_CHOICE_CAPACITY);
        assert_true(match->vote.message.choice_count == 0 || match->vote.end_tick - match->world.tick <= VOTE_TICKS);
        match->vote.end_tick = match->world.tick;
        vote_count(match, &ended);
    }
    assert_true(read > 0 && read < 8 * count);
}

// Who is not back yet counts as somebody who has not voted.
TEST(players_who_may_still_come_back_keep_a_vote_open)
{
    bool ended;
    match->peers[2].state = match->peers[3].state = PEER_FREE;
    assert_true(vote_open(match, "?", CHOICES, 2, 100) && vote_cast(match, 0, 0) && vote_cast(match, 1, 0));
    match->return_deadline = match->world.tick + 10;
    assert_int_equal(vote_count(match, &ended), VOTE_NONE);
    assert_false(ended);
    match->return_deadline = 0;
    assert_int_equal(vote_count(match, &ended), 0);
}
