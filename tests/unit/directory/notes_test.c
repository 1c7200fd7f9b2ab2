// SPDX-License-Identifier: MIT
#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "directory/notes.h"
#include "test.h"

#define START_NS (1000 * CLOCK_SECOND_NS)

static const struct household_rules STRICT = {.players_max = 4, .limits_lan = true};
static struct notes *notes, *other; // of two directories that share them
static struct note_answer answer;

static struct net_address address_of(uint8_t number)
{
    return (struct net_address){{198, 51, 100, number}, ADDRESS_BYTES_IPV4};
}

// Leaves notes whose names begin with `first` and asks for the notes of as many names.
static enum notes_outcome exchange_from(struct notes *at, struct net_address from, uint32_t first, uint32_t count,
                                        uint64_t now_ns)
{
    static struct note_request request;
    uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX];
    memset(&request, 0, sizeof request);
    request.note_count = count;
    request.name_count = count;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(request.notes[i].name, &(uint32_t){first + i}, 4);
        memset(request.notes[i].bytes, from.bytes[3], NOTE_EXCHANGE_BYTES);
        memcpy(request.names[i], &(uint32_t){first + i}, 4);
    }
    struct notes_question question = {from, bytes, friend_notes_write_request(&request, bytes)};
    return notes_exchange(at, &question, now_ns, &answer);
}

static enum notes_outcome exchange(struct notes *at, uint8_t home, uint32_t first, uint32_t count, uint64_t now_ns)
{
    return exchange_from(at, address_of(home), first, count, now_ns);
}

// Asks for the note of one name.
static bool finds(struct notes *at, uint32_t name, uint64_t now_ns)
{
    static struct note_request request;
    uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX];
    memset(&request, 0, sizeof request);
    request.name_count = 1;
    memcpy(request.names[0], &name, 4);
    struct notes_question question = {address_of(250), bytes, friend_notes_write_request(&request, bytes)};
    assert_int_equal(notes_exchange(at, &question, now_ns, &answer), NOTES_ANSWERED);
    return answer.count == 1;
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

static void begin(void)
{
    notes = notes_open(&STRICT);
    other = notes_open(&STRICT);
}

static void end(void)
{
    notes_close(notes);
    notes_close(other);
}

ALL_TESTS(begin_all, NULL);
EACH_TEST(begin, end);

TEST(a_note_is_found_by_its_name_until_it_is_old)
{
    assert_int_equal(exchange(notes, 1, 10, 2, START_NS), NOTES_ANSWERED);
    assert_int_equal(answer.count, 2);
    assert_int_equal(answer.notes[1].bytes[0], 1);
    assert_true(finds(notes, 11, START_NS + CLOCK_SECOND_NS));
    assert_false(finds(notes, 12, START_NS + CLOCK_SECOND_NS));
    exchange(notes, 1, 11, 1, START_NS + 50 * CLOCK_SECOND_NS); // renews one of the two
    assert_false(finds(notes, 10, START_NS + NOTE_EXCHANGE_LIFE_S * CLOCK_SECOND_NS));
    assert_true(finds(notes, 11, START_NS + NOTE_EXCHANGE_LIFE_S * CLOCK_SECOND_NS));
    assert_false(finds(notes, 11, START_NS + 200 * CLOCK_SECOND_NS));
}

// A household that leaves too many loses those beyond its limit, and nobody else anything.
TEST(a_household_has_a_limit_of_notes)
{
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(exchange(notes, 1, 1000 + i * NOTE_EXCHANGE_NOTES_MAX, NOTE_EXCHANGE_NOTES_MAX, START_NS),
                         NOTES_ANSWERED);
    assert_true(finds(notes, 1000 + NOTES_HOUSEHOLD_MAX - 1, START_NS));
    assert_false(finds(notes, 1000 + NOTES_HOUSEHOLD_MAX, START_NS));
    exchange(notes, 2, 5000, 1, START_NS);
    assert_true(finds(notes, 5000, START_NS));
    // Old ones make room, and their places are used again.
    uint64_t later_ns = START_NS + 100 * CLOCK_SECOND_NS;
    exchange(notes, 1, 9000, NOTE_EXCHANGE_NOTES_MAX, later_ns);
    assert_true(finds(notes, 9000 + NOTE_EXCHANGE_NOTES_MAX - 1, later_ns));
}

TEST(a_household_that_asks_too_often_is_refused)
{
    uint32_t answered = 0;
    for (uint32_t i = 0; i < 1000; i++)
        answered += exchange(notes, 1, 10, 1, START_NS) == NOTES_ANSWERED;
    assert_in_range(answered, 8, 100);
    assert_int_equal(exchange(notes, 2, 10, 1, START_NS), NOTES_ANSWERED);
}

TEST(a_full_table_keeps_what_it_has)
{
    notes_close(notes);
    static const struct household_rules lax = {.exempt_count = 1, .exempt = {{0}}};
    notes = notes_open(&lax);
    for (uint32_t i = 0; i < NOTES_CAPACITY + 1000; i += 20)
        exchange(notes, 1, 100 + i, 20, START_NS);
    assert_true(finds(notes, 100, START_NS));
    assert_false(finds(notes, 100 + NOTES_CAPACITY + 500, START_NS));
    uint64_t later_ns = START_NS + 100 * CLOCK_SECOND_NS;
    for (uint32_t i = 0; i < NOTES_CAPACITY - 20; i += 20)
        exchange(notes, 1, 100000 + i, 20, later_ns);
    assert_true(finds(notes, 100000 + NOTES_CAPACITY - 40, later_ns));
}

// One of a crowd of households.
static struct net_address attacker(uint32_t number)
{
    return (struct net_address){{203, (uint8_t)(number >> 8), (uint8_t)number, 7}, ADDRESS_BYTES_IPV4};
}

// Each of `count` households leaves as many notes as one may, as the limit of requests lets it.
static uint64_t flood(uint32_t count, uint32_t *name, uint64_t now_ns)
{
    for (uint32_t household = 0; household < count; household++, now_ns += CLOCK_SECOND_NS / 100)
        for (uint32_t i = 0; i < NOTES_HOUSEHOLD_MAX / NOTE_EXCHANGE_NOTES_MAX; i++) {
            exchange_from(notes, attacker(household), *name, NOTE_EXCHANGE_NOTES_MAX, now_ns);
            *name += NOTE_EXCHANGE_NOTES_MAX;
        }
    return now_ns;
}

// Those who came before, in between and after, with few notes or with all that friends need.
TEST(who_fills_the_table_takes_the_room_of_their_own)
{
    uint32_t name = 1000000, counts[] = {1, 5, 20, NOTE_EXCHANGE_NOTES_MAX};
    uint64_t now_ns = START_NS;
    exchange(notes, 1, 100, NOTE_EXCHANGE_NOTES_MAX, now_ns);
    for (uint8_t i = 0; i < 4; i++) {
        now_ns = flood(300, &name, now_ns);
        exchange(notes, (uint8_t)(10 + i), 200 + 100u * i, counts[i], now_ns);
        assert_int_equal(answer.count, counts[i]);
    }
    now_ns = flood(300, &name, now_ns);
    for (uint32_t i = 0; i < NOTE_EXCHANGE_NOTES_MAX; i++)
        assert_true(finds(notes, 100 + i, now_ns += CLOCK_SECOND_NS));
    for (uint32_t i = 0; i < 4; i++)
        assert_true(finds(notes, 200 + 100 * i + counts[i] - 1, now_ns += CLOCK_SECOND_NS));
}

// A table that is full of households with a note each has no one to take from.
TEST(nobody_is_displaced_by_who_has_as_many)
{
    uint64_t now_ns = START_NS;
    for (uint32_t i = 0; i < NOTES_CAPACITY; i++, now_ns += CLOCK_SECOND_NS / 1000)
        assert_int_equal(exchange_from(notes, attacker(i), 1000 + i, 1, now_ns), NOTES_ANSWERED);
    assert_int_equal(exchange(notes, 1, 1, 1, now_ns), NOTES_ANSWERED);
    assert_int_equal(answer.count, 0);
    for (uint32_t i = 0; i < NOTES_CAPACITY; i += NOTES_CAPACITY / 8)
        assert_true(finds(notes, 1000 + i, now_ns += CLOCK_SECOND_NS));
}

// Takes what one directory has to share to another one. Returns how many notes that learns.
static uint32_t share(struct notes *from, struct notes *to, uint64_t now_ns)
{
    static struct change change;
    uint32_t learned = 0;
    while (notes_share(from, now_ns, &change)) {
        assert_int_equal(change.kind, CHANGE_NOTED);
        learned += notes_learn(to, &change, now_ns);
    }
    return learned;
}

TEST(what_is_left_at_one_directory_is_found_at_another)
{
    uint64_t later_ns = START_NS + 30 * CLOCK_SECOND_NS;
    exchange(notes, 1, 10, 20, START_NS);
    assert_false(finds(other, 10, START_NS));
    assert_int_equal(share(notes, other, later_ns), 20);
    assert_true(finds(other, 10, later_ns));
    assert_int_equal(answer.notes[0].bytes[0], 1);
    assert_true(finds(other, 29, later_ns));
    assert_int_equal(share(notes, other, later_ns), 0);
    assert_int_equal(share(other, notes, later_ns), 0); // what is learned goes no further
    assert_false(finds(other, 10, START_NS + NOTE_EXCHANGE_LIFE_S * CLOCK_SECOND_NS)); // counted from when it was left
}

TEST(the_newer_note_of_a_name_stays)
{
    exchange(notes, 1, 10, 1, START_NS);
    exchange(other, 2, 10, 1, START_NS + CLOCK_SECOND_NS);
    assert_int_equal(share(notes, other, START_NS + 2 * CLOCK_SECOND_NS), 0);
    assert_int_equal(share(other, notes, START_NS + 2 * CLOCK_SECOND_NS), 1);
    assert_true(finds(notes, 10, START_NS + 2 * CLOCK_SECOND_NS));
    assert_int_equal(answer.notes[0].bytes[0], 2);
}

TEST(limits_of_a_household_count_for_all_directories)
{
    uint32_t learned = 0;
    for (uint32_t i = 0; i < NOTES_HOUSEHOLD_MAX / NOTE_EXCHANGE_NOTES_MAX; i++) {
        exchange(notes, 1, 1000 + i * NOTE_EXCHANGE_NOTES_MAX, NOTE_EXCHANGE_NOTES_MAX, START_NS);
        exchange(other, 1, 5000 + i * NOTE_EXCHANGE_NOTES_MAX, NOTE_EXCHANGE_NOTES_MAX, START_NS);
    }
    learned += share(notes, other, START_NS);
    learned += share(other, notes, START_NS);
    assert_int_equal(learned, 0);
    exchange(notes, 2, 9000, 1, START_NS);
    assert_int_equal(share(notes, other, START_NS), 1);
}

TEST(a_renewed_note_is_shared_once)
{
    for (uint32_t i = 0; i < 8; i++)
        exchange(notes, 1, 10, 1, START_NS + i);
    assert_int_equal(share(notes, other, START_NS + 8), 1);
}

TEST(what_no_directory_would_share_is_not_learned)
{
    static struct change change;
    uint64_t now_ns = START_NS;
    struct {
        int64_t age_s;
        size_t byte_count;
        bool is_learned;
    } rows[] = {
        /* 0 */ {0, sizeof(struct note), true},
        /* 1 */ {79, sizeof(struct note), true},
        /* 2 */ {80, sizeof(struct note), false},
        /* 3 */ {-1, sizeof(struct note), false},
        /* 4 */ {0, sizeof(struct note) - 1, false},
        /* 5 */ {0, sizeof(struct note) + 1, false},
        /* 6 */ {0, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        change = (struct change){.kind = CHANGE_NOTED, .address = address_of(1), .byte_count = rows[i].byte_count};
        change.proven_ns = (uint64_t)((int64_t)now_ns - rows[i].age_s * (int64_t)CLOCK_SECOND_NS);
        change.text[0] = (char)i;
        assert_int_equal(notes_learn(notes, &change, now_ns), rows[i].is_learned);
    }
}

TEST(what_is_no_request_is_refused)
{
    uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX + 1] = {'D', 'F', 'N', '1', 1, 1};
    size_t whole = 6 + sizeof(struct note) + NOTE_EXCHANGE_NAME_BYTES;
    struct {
        uint8_t magic, notes, names;
        size_t byte_count;
        enum notes_outcome outcome;
    } rows[] = {
        /* 0 */ {'1', 1, 1, whole, NOTES_ANSWERED},
        /* 1 */ {'2', 1, 1, whole, NOTES_MALFORMED},
        /* 2 */ {'1', 1, 1, whole - 1, NOTES_MALFORMED},
        /* 3 */ {'1', 1, 1, whole + 1, NOTES_MALFORMED},
        /* 4 */ {'1', 33, 0, 6 + 33 * sizeof(struct note), NOTES_MALFORMED},
        /* 5 */ {'1', 0, 65, 6 + 65 * NOTE_EXCHANGE_NAME_BYTES, NOTES_MALFORMED},
        /* 6 */ {'1', 0, 0, 6, NOTES_ANSWERED},
        /* 7 */ {'1', 0, 0, 5, NOTES_MALFORMED},
        /* 8 */ {'1', 0, 0, 0, NOTES_MALFORMED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bytes[3] = rows[i].magic;
        bytes[4] = rows[i].notes;
        bytes[5] = rows[i].names;
        struct notes_question question = {address_of((uint8_t)(i + 1)), bytes, rows[i].byte_count};
        assert_int_equal(notes_exchange(notes, &question, START_NS, &answer), rows[i].outcome);
    }
}
