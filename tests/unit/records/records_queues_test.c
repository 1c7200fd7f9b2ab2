// SPDX-License-Identifier: MIT
#include "records/records_queues.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define NOON 1700000000

static struct records_vouches own, other; // of two servers
static char other_fingerprint[FINGERPRINT_TEXT_BYTES];

static struct records_player player_of(char letter, uint32_t local)
{
    struct records_player player = {.name = "Ada", .rating = {1611.128, 77.7}, .matches = 12};
    memset(player.key.identity, letter, sizeof player.key.identity);
    player.key.local = local;
    return player;
}

static void begin(void)
{
    static const uint8_t seeds[2][IDENTITY_SEED_BYTES] = {{1}, {2}};
    struct option_list nobody = {0}, trust = {.count = 1};
    struct records_vouch made;
    struct records_player player = player_of('a', 0);
    struct vouch vouch;
    memset(&own, 0, sizeof own);
    memset(&other, 0, sizeof other);
    records_vouches_begin(&other, seeds[1], &nobody);
    records_vouches_sign(&other, &player, NOON, &made);
    assert_true(vouch_read(&vouch, made.bytes, sizeof made.bytes));
    strcpy(other_fingerprint, vouch.fingerprint);
    strcpy(trust.values[0], other_fingerprint);
    records_vouches_begin(&own, seeds[0], &trust);
}

EACH_TEST(begin, NULL);

TEST(a_vouch_of_a_trusted_server_is_believed_for_its_player)
{
    struct records_vouch made;
    struct vouch vouch;
    struct records_player player = player_of('a', 2);
    records_vouches_sign(&other, &player, NOON, &made);
    assert_true(records_vouches_judge(&own, &made, NOON, &vouch));
    assert_string_equal(vouch.name, "Ada");
    assert_true(vouch.mean == 161113 && vouch.deviation == 7770 && vouch.matches == 12 && vouch.local == 2);
    assert_true(vouch.made_s == NOON && vouch.expires_s == NOON + VOUCH_LIFE_S);
    assert_false(records_vouches_judge(&own, &made, NOON + (int64_t)VOUCH_LIFE_S, &vouch));
    assert_false(records_vouches_judge(&other, &made, NOON, &vouch)); // not even its own, unless it is trusted
    made.key.local = 1;
    assert_false(records_vouches_judge(&own, &made, NOON, &vouch));
    made.key = player_of('b', 2).key; // somebody else shows it
    assert_false(records_vouches_judge(&own, &made, NOON, &vouch));
    made.key = player.key;
    made.bytes[VOUCH_BYTES - 1] ^= 1;
    assert_false(records_vouches_judge(&own, &made, NOON, &vouch));
    assert_false(records_vouches_trust(&own, "")); // what is not in the list is no server
}

TEST(queues_are_bounded_and_in_order)
{
    struct records_vouch vouch = {.bytes = {0}};
    struct seat_key key = {.local = 0};
    for (uint32_t i = 0; i < RECORDS_SHOWN_CAPACITY + 5; i++) {
        key.local = i;
        assert_int_equal(records_vouches_show(&own, &key, vouch.bytes), i < RECORDS_SHOWN_CAPACITY);
    }
    for (uint32_t i = 0; i < RECORDS_SHOWN_CAPACITY; i++) {
        assert_true(records_vouches_take_shown(&own, &vouch));
        assert_int_equal(vouch.key.local, i);
    }
    assert_false(records_vouches_take_shown(&own, &vouch));
    static struct records_own players;
    struct records_mail mail = {.has_vouch = true};
    for (uint32_t i = 0; i < RECORDS_FOUND_CAPACITY + 5; i++) {
        mail.player.key.local = i;
        records_own_put_found(&players, &mail);
    }
    for (uint32_t i = 5; i < RECORDS_FOUND_CAPACITY + 5; i++) {
        assert_true(records_own_take_found(&players, &mail) && mail.has_vouch);
        assert_int_equal(mail.player.key.local, i);
    }
    assert_false(records_own_take_found(&players, &mail));
}

TEST(names_are_kept_for_the_first_with_a_trusted_server)
{
    struct records_name names[3] = {
        {.name = "Ada", .identity = {1}}, {.name = "Ada", .identity = {2}}, {.name = "aDA", .identity = {3}}};
    struct seat_key second = {.identity = {2}, .local = 3}, third = {.identity = {3}, .local = 0};
    memset(names[0].server, 'x', FINGERPRINT_TEXT_BYTES - 1); // not trusted
    strcpy(names[1].server, other_fingerprint);
    strcpy(names[2].server, other_fingerprint);
    assert_false(records_vouches_keep(&own, NULL, "Ada"));
    records_vouches_set_names(&own, names, 3);
    assert_int_equal(own.name_changes, 1);
    assert_true(records_vouches_keep(&own, NULL, "ADA"));
    assert_true(records_vouches_keep(&own, &third, "ada"));
    assert_false(records_vouches_keep(&own, &second, "ada")); // any of the players at their machine
    assert_false(records_vouches_keep(&own, &third, "Ad"));
    records_vouches_set_names(&own, names, 3);
    assert_int_equal(own.name_changes, 1); // nothing has changed
    records_vouches_set_names(&own, names, 2);
    assert_int_equal(own.name_changes, 2);
    records_vouches_set_names(&own, names, 0);
    assert_int_equal(own.name_changes, 3);
    assert_false(records_vouches_keep(&own, &third, "ada"));
}
