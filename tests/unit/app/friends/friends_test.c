// SPDX-License-Identifier: MIT
#include <sodium.h>
#include <string.h>

#include "app/friends/friends.h"
#include "test.h"

enum { ANNA, BERT, CARL, PLAYERS };

#define BEGIN_S 1764000300

static struct friends players[PLAYERS];
static struct option_list lists[PLAYERS];
static const struct friends_self SELVES[PLAYERS] = {
    {.player = "Anna"},
    {.plays = true, .player = "Bert", .server = "Smithy", .link = "192.0.2.7:27440"},
    {.player = "Carl"},
};
static struct note kept[PLAYERS * NOTE_EXCHANGE_NOTES_MAX]; // what a directory has, of each player
static uint32_t kept_count[PLAYERS];

static void add(int own, int other, const char *name)
{
    struct friend_entry entry = {.name = ""};
    memcpy(entry.key, players[other].own.key, sizeof entry.key);
    strcpy(entry.name, name);
    assert_true(friend_list_put(&lists[own], &entry));
    friends_set_list(&players[own], &lists[own]);
}

// Anna and Bert have added each other, Carl has added Anna.
static void begin(void)
{
    memset(kept_count, 0, sizeof kept_count);
    for (uint8_t i = 0; i < PLAYERS; i++) {
        players[i] = (struct friends){.has_key = false};
        lists[i].count = 0;
        friends_open(&players[i], (const uint8_t[IDENTITY_SEED_BYTES]){(uint8_t)(i + 1)});
    }
    add(ANNA, BERT, "");
    add(BERT, ANNA, "Anna");
    add(CARL, ANNA, "Anna");
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

ALL_TESTS(begin_all, NULL);
EACH_TEST(begin, NULL);

static struct friends_time at(uint32_t seconds)
{
    return (struct friends_time){(uint64_t)(1000 + seconds) * 1000000, BEGIN_S + seconds};
}

// A player leaves notes at the directory, and takes what it has.
static void exchange(int player, struct friends_time time)
{
    uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX], answered[NOTE_EXCHANGE_ANSWER_BYTES_MAX];
    struct note_request request;
    struct note_answer answer = {.count = 0};
    friends_step(&players[player], &SELVES[player], time);
    assert_true(friend_notes_read_request(&request, bytes, friends_write_request(&players[player], time, bytes)));
    kept_count[player] = request.note_count;
    memcpy(kept + player * NOTE_EXCHANGE_NOTES_MAX, request.notes, sizeof request.notes);
    for (uint32_t i = 0; i < request.name_count; i++)
        for (uint32_t of = 0; of < PLAYERS; of++)
            for (uint32_t k = 0; k < kept_count[of]; k++)
                if (!memcmp(kept[of * NOTE_EXCHANGE_NOTES_MAX + k].name, request.names[i], NOTE_EXCHANGE_NAME_BYTES))
                    answer.notes[answer.count++] = kept[of * NOTE_EXCHANGE_NOTES_MAX + k];
    assert_true(friends_take_answer(&players[player], answered, friend_notes_write_answer(&answer, answered), time));
    friends_step(&players[player], &SELVES[player], time);
}

TEST(friends_who_have_added_each_other_see_where_they_play)
{
    for (uint32_t seconds = 0; seconds < 40; seconds += 20)
        for (int player = 0; player < PLAYERS; player++)
            exchange(player, at(seconds));
    assert_int_equal(players[ANNA].online, 1);
    assert_string_equal(players[ANNA].rows[0].note.player, "Bert");
    assert_string_equal(players[ANNA].rows[0].note.server, "Smithy");
    assert_string_equal(players[ANNA].rows[0].note.link, "192.0.2.7:27440");
    assert_string_equal(players[ANNA].arrived, "Bert");
    assert_int_equal(players[BERT].online, 1);
    assert_false(players[BERT].rows[0].note.plays);
    assert_int_equal(players[CARL].online, 0);
}

TEST(clocks_may_differ_by_minutes)
{
    static const int32_t DIFFERENCES[] = {-299, -100, 100, 299};
    for (size_t i = 0; i < sizeof DIFFERENCES / sizeof *DIFFERENCES; i++)
        for (uint32_t seconds = 0; seconds < 600; seconds += 100) {
            struct friends_time time = at(seconds), other = time;
            begin();
            other.unix_s += DIFFERENCES[i];
            exchange(BERT, other);
            exchange(ANNA, time);
            assert_int_equal(players[ANNA].online, 1);
        }
}

// A directory that repeats what it has cannot keep a friend there for longer than a note lasts.
TEST(a_note_that_is_repeated_proves_nothing)
{
    exchange(BERT, at(0));
    for (uint32_t seconds = 1; seconds < NOTE_EXCHANGE_LIFE_S; seconds += 20) {
        exchange(ANNA, at(seconds));
        assert_int_equal(players[ANNA].online, 1);
    }
    exchange(ANNA, at(NOTE_EXCHANGE_LIFE_S + 2));
    assert_int_equal(players[ANNA].online, 0);
    exchange(BERT, at(NOTE_EXCHANGE_LIFE_S + 3));
    exchange(ANNA, at(NOTE_EXCHANGE_LIFE_S + 4));
    assert_int_equal(players[ANNA].online, 1);
}

TEST(while_it_is_off_nobody_is_shown)
{
    exchange(BERT, at(0));
    exchange(ANNA, at(1));
    friends_step(&players[ANNA], NULL, at(2));
    assert_int_equal(players[ANNA].online, 0);
    assert_false(players[ANNA].rows[0].is_online);
}

TEST(one_friend_and_four_look_alike)
{
    uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX];
    size_t one = friends_write_request(&players[CARL], at(0), bytes);
    add(CARL, BERT, "Bert");
    assert_int_equal(friends_write_request(&players[CARL], at(0), bytes), one);
}

TEST(an_answer_that_is_malformed_changes_nothing)
{
    uint8_t bytes[NOTE_EXCHANGE_ANSWER_BYTES_MAX] = {'D', 'F', 'N', '1', 2};
    assert_false(friends_take_answer(&players[ANNA], bytes, 5, at(0)));
    assert_false(friends_take_answer(&players[ANNA], bytes, 0, at(0)));
    assert_true(friends_take_answer(&players[ANNA], bytes, 5 + 2 * sizeof(struct note), at(0)));
    assert_int_equal(players[ANNA].online, 0);
}

BARE_TEST(a_list_keeps_names_with_blanks_and_signs)
{
    static const char *const NAME_WORDS[] = {"Ada", "a b,c=d%20#", "Jørgen", ""};
    struct friend_entry entry = {.key = {9}}, read;
    struct option_list list = {.count = 0};
    for (size_t i = 0; i < sizeof NAME_WORDS / sizeof *NAME_WORDS; i++) {
        strcpy(entry.name, NAME_WORDS[i]);
        assert_true(friend_list_put(&list, &entry));
        assert_int_equal(list.count, 1);
        assert_null(strpbrk(list.values[0], " ,#"));
        assert_true(friend_list_read(list.values[0], &read));
        assert_string_equal(read.name, NAME_WORDS[i]);
    }
    assert_true(friend_list_remove(&list, entry.key));
    assert_false(friend_list_remove(&list, entry.key));
    for (uint8_t i = 0; i < FRIEND_LIST_MAX; i++) {
        entry.key[1] = i;
        assert_true(friend_list_put(&list, &entry));
    }
    entry.key[1] = FRIEND_LIST_MAX;
    assert_false(friend_list_put(&list, &entry));
    assert_false(friend_list_read("abc=Ada", &read));
}
