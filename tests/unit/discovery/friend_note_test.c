// SPDX-License-Identifier: MIT
#include <sodium.h>
#include <string.h>

#include "discovery/friend.h"
#include "test.h"

#define NOW_S 1764000300

enum { ANNA, BERT, CARL, FRIENDS };

static struct friend_keys keys[FRIENDS];
static uint8_t seeds[FRIENDS][IDENTITY_SEED_BYTES] = {{1}, {2}, {3}};

static const struct friend_note PLAYS = {.time_ms = 1764000300123,
                                         .plays = true,
                                         .player = "0123456789abcdef",
                                         .server = "The Smithy",
                                         .link = "deadfall://192.0.2.7:27440#abcdefghijklmnopqrstuvwxyz234567"};

static void derive(void)
{
    assert_true(sodium_init() >= 0);
    for (int i = 0; i < FRIENDS; i++)
        friend_key_derive(seeds[i], &keys[i]);
}

ALL_TESTS(derive, NULL);

// A note of ANNA to BERT, where it is, and what is read of it.
static uint8_t anna[FRIEND_KEY_BYTES];
static struct note encrypted;
static struct friend_note read;
static struct friend_note_place place;

static void pair_of(int own, int other, uint8_t pair[FRIEND_KEY_BYTES])
{
    assert_true(friend_key_pair(&keys[own], keys[other].key, pair));
}

static void begin(void)
{
    pair_of(ANNA, BERT, anna);
    place = (struct friend_note_place){anna, keys[ANNA].key, friend_note_step(NOW_S)};
}

EACH_TEST(begin, NULL);

TEST(a_key_is_read_as_it_was_written)
{
    char text[FRIEND_KEY_TEXT_BYTES], link[FRIEND_KEY_LINK_BYTES] = FRIEND_KEY_LINK;
    uint8_t key[FRIEND_KEY_BYTES];
    friend_key_write(keys[ANNA].key, text);
    assert_int_equal(strlen(text), FRIEND_KEY_TEXT_BYTES - 1);
    assert_true(friend_key_read(text, key));
    assert_memory_equal(key, keys[ANNA].key, sizeof key);
    strcat(link, text);
    memset(key, 0, sizeof key);
    assert_true(friend_key_read(link, key));
    assert_memory_equal(key, keys[ANNA].key, sizeof key);
}

TEST(a_key_with_a_wrong_letter_is_none)
{
    char text[FRIEND_KEY_TEXT_BYTES + 1];
    uint8_t key[FRIEND_KEY_BYTES];
    for (size_t i = 0; i < FRIEND_KEY_TEXT_BYTES - 1; i++) {
        friend_key_write(keys[ANNA].key, text);
        text[i] = text[i] == 'a' ? 'b' : 'a';
        assert_false(friend_key_read(text, key));
        text[i] = '!';
        assert_false(friend_key_read(text, key));
        text[i] = 0;
        assert_false(friend_key_read(text, key));
    }
    friend_key_write(keys[ANNA].key, text);
    strcat(text, "a");
    assert_false(friend_key_read(text, key));
}

// Servers see the account, which must not lead to the key of friends, and each seed has its own.
TEST(keys_differ_from_the_account_and_from_each_other)
{
    uint8_t account[crypto_sign_PUBLICKEYBYTES], secret[crypto_sign_SECRETKEYBYTES], curve[32];
    crypto_sign_seed_keypair(account, secret, seeds[ANNA]);
    assert_int_equal(crypto_sign_ed25519_pk_to_curve25519(curve, account), 0);
    assert_memory_not_equal(account, keys[ANNA].key, 32);
    assert_memory_not_equal(curve, keys[ANNA].key, 32);
    assert_memory_not_equal(keys[ANNA].key, keys[BERT].key, 32);
}

TEST(a_note_is_read_by_the_friend_alone)
{
    uint8_t bert[FRIEND_KEY_BYTES], carl[FRIEND_KEY_BYTES], name[NOTE_EXCHANGE_NAME_BYTES];
    uint64_t step = place.step;
    pair_of(BERT, ANNA, bert);
    pair_of(CARL, ANNA, carl);
    friend_note_encrypt(&PLAYS, &place, &encrypted);
    place.pair = bert;
    friend_note_name(&place, name);
    assert_memory_equal(name, encrypted.name, sizeof name);
    assert_true(friend_note_decrypt(&read, &place, &encrypted));
    assert_int_equal(read.time_ms, PLAYS.time_ms);
    assert_true(read.plays);
    assert_string_equal(read.player, PLAYS.player);
    assert_string_equal(read.server, PLAYS.server);
    assert_string_equal(read.link, PLAYS.link);
    struct friend_note_place wrong[] = {
        /* 0: another's */ {carl, keys[ANNA].key, step},
        /* 1: the other way */ {bert, keys[BERT].key, step},
        /* 2: later */ {bert, keys[ANNA].key, step + 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        friend_note_name(&wrong[i], name);
        assert_memory_not_equal(name, encrypted.name, sizeof name);
        assert_false(friend_note_decrypt(&read, &wrong[i], &encrypted));
    }
}

TEST(a_note_that_was_changed_is_not_read)
{
    for (size_t i = 0; i < sizeof encrypted; i++) {
        friend_note_encrypt(&PLAYS, &place, &encrypted);
        ((uint8_t *)&encrypted)[i] ^= 1;
        assert_false(friend_note_decrypt(&read, &place, &encrypted));
    }
}

// What a friend's program would not write is not shown.
TEST(a_friend_cannot_write_what_is_no_text)
{
    static const struct friend_note NOTES[] = {
        {.player = "a\nb"}, {.player = "\xFF"}, {.server = "\xE2\x80\xAE"},
        {.link = "a b"},    {.link = "a\x01"},  {.link = "\xC3\xA4"},
    };
    for (size_t i = 0; i < COUNT_OF(NOTES); i++) {
        friend_note_encrypt(&NOTES[i], &place, &encrypted);
        assert_false(friend_note_decrypt(&read, &place, &encrypted));
    }
}

TEST(a_key_that_gives_everybody_the_same_secret_is_refused)
{
    uint8_t pair[FRIEND_KEY_BYTES], zero[FRIEND_KEY_BYTES] = {0}, one[FRIEND_KEY_BYTES] = {1};
    assert_false(friend_key_pair(&keys[ANNA], zero, pair));
    assert_false(friend_key_pair(&keys[ANNA], one, pair));
}

TEST(the_step_beside_is_the_nearer_one)
{
    assert_int_equal(friend_note_step(1200), 2);
    assert_int_equal(friend_note_step_beside(1200), 1);
    assert_int_equal(friend_note_step_beside(1499), 1);
    assert_int_equal(friend_note_step_beside(1500), 3);
    assert_int_equal(friend_note_step_beside(1799), 3);
}

// --- requests and answers

static struct note_request request, read_request;
static struct note_answer answer, read_answer;
static uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX + NOTE_EXCHANGE_ANSWER_BYTES_MAX];

static void fill(void *target, size_t byte_count, uint8_t first)
{
    for (size_t i = 0; i < byte_count; i++)
        ((uint8_t *)target)[i] = (uint8_t)(first + i * 7);
}

TEST(a_request_is_read_as_it_was_written)
{
    static const struct {
        uint32_t notes, names;
    } rows[] = {{0, 0}, {1, 0}, {0, 1}, {3, 5}, {NOTE_EXCHANGE_NOTES_MAX, NOTE_EXCHANGE_NAMES_MAX}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        request = (struct note_request){.note_count = rows[i].notes, .name_count = rows[i].names};
        read_request = (struct note_request){0};
        fill(request.notes, rows[i].notes * sizeof *request.notes, 1);
        fill(request.names, rows[i].names * sizeof *request.names, 100);
        size_t count = friend_notes_write_request(&request, bytes);
        assert_true(friend_notes_read_request(&read_request, bytes, count));
        assert_memory_equal(&request, &read_request, sizeof request);
        assert_false(friend_notes_read_request(&read_request, bytes, count - 1));
        assert_false(friend_notes_read_request(&read_request, bytes, count + 1));
    }
}

TEST(an_answer_is_read_as_it_was_written)
{
    static const uint32_t counts[] = {0, 1, 5, NOTE_EXCHANGE_NAMES_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        answer = (struct note_answer){.count = counts[i]};
        read_answer = (struct note_answer){0};
        fill(answer.notes, counts[i] * sizeof *answer.notes, 1);
        size_t count = friend_notes_write_answer(&answer, bytes);
        assert_true(friend_notes_read_answer(&read_answer, bytes, count));
        assert_memory_equal(&answer, &read_answer, sizeof answer);
        assert_false(friend_notes_read_answer(&read_answer, bytes, count - 1));
        assert_false(friend_notes_read_answer(&read_answer, bytes, count + 1));
    }
}

// The head of a request: the magic word, and how many notes and names follow. Each row has as many bytes as it says.
TEST(more_than_there_may_be_is_refused)
{
    static const struct {
        uint8_t notes, names;
        bool good;
    } rows[] = {
        /* 1 */ {NOTE_EXCHANGE_NOTES_MAX, 0, true},
        /* 2 */ {NOTE_EXCHANGE_NOTES_MAX + 1, 0, false},
        /* 3 */ {0, NOTE_EXCHANGE_NAMES_MAX, true},
        /* 4 */ {0, NOTE_EXCHANGE_NAMES_MAX + 1, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint8_t head[] = {'D', 'F', 'N', '1', rows[i].notes, rows[i].names};
        size_t count = sizeof head + rows[i].notes * sizeof *request.notes + rows[i].names * sizeof *request.names;
        memcpy(bytes, head, sizeof head);
        if (friend_notes_read_request(&read_request, bytes, count) != rows[i].good)
            fail_msg("row %zu", i + 1);
        bytes[3] = '2';
        assert_false(friend_notes_read_request(&read_request, bytes, count));
    }
    memcpy(bytes, "DFN1", 4);
    bytes[4] = NOTE_EXCHANGE_NAMES_MAX + 1;
    assert_false(friend_notes_read_answer(&read_answer, bytes, 5 + bytes[4] * sizeof *answer.notes));
}
