// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/random.h"
#include "net/path.h"
#include "test.h"

#define SECOND_NS UINT64_C(1000000000)

enum { HOME, CAFE, PORT, VICTIM, PLACES };

static const struct net_address places[PLACES] = {
    [HOME] = {{192, 0, 2, 7, 0x12, 0x34}, 6},
    [CAFE] = {{198, 51, 100, 3, 0x12, 0x34}, 6},
    [PORT] = {{192, 0, 2, 7, 0x12, 0x35}, 6}, // at home, as another connection of its router
    [VICTIM] = {{0x20, 1, 0xd, 0xb8, [15] = 1, [17] = 9}, 22},
};

static struct path path;

static void begin(void)
{
    path_init(&path, &places[HOME]);
}

EACH_TEST(begin, NULL);

static void receive(int place, size_t byte_count, uint64_t now_ns, bool newest)
{
    path_receive(&path, &(struct datagram){places[place], now_ns, NULL, byte_count}, newest);
}

// Returns the place to which so many bytes go; PLACES if they may not be sent.
static int spend(size_t byte_count, uint64_t now_ns)
{
    struct net_address to;
    int place = 0;
    if (!path_spend(&path, byte_count, now_ns, &to))
        return PLACES;
    while (!net_address_equals(&to, &places[place]))
        place++;
    return place;
}

static void respond(int place, const uint8_t challenge[PATH_MESSAGE_BYTES])
{
    uint8_t bytes[PATH_MESSAGE_BYTES];
    memcpy(bytes, challenge, sizeof bytes);
    assert_true(path_answer(bytes, sizeof bytes));
    assert_true(path_take_response(&path, &places[place], bytes, sizeof bytes));
}

TEST(a_new_address_gets_three_times_its_bytes)
{
    assert_int_equal(spend(1000000, 0), HOME);
    for (int place = CAFE; place < PLACES; place++) {
        receive(place, 60, 0, true);
        assert_int_equal(spend(181, 0), PLACES);
        assert_int_equal(spend(100, 0), place);
        assert_int_equal(spend(80, 0), place);
        assert_int_equal(spend(1, 0), PLACES);
        receive(place, 1, 0, false); // a late one counts, too
        assert_int_equal(spend(3, 0), place);
        receive(place == CAFE ? PORT : CAFE, 1000, 0, false); // one of another address does not
        assert_int_equal(spend(1, 0), PLACES);
        receive(place, 1, 0, false); // and the client is still here
        assert_int_equal(spend(3, 0), place);
    }
    receive(HOME, 1, 0, true);
    assert_int_equal(spend(1000000, 0), HOME);
}

TEST(an_address_cannot_save_up)
{
    static const struct {
        uint64_t second_ms, spend_ms; // when another 60 bytes come, and when they are to be spent
        size_t most;
    } rows[] = {
        /* 0 */ {0, 0, 360},
        /* 1 */ {99, 99, 360},
        /* 2 */ {99, 199, 360},
        /* 3 */ {99, 200, 0},
        /* 4 */ {100, 100, 180},
        /* 5 */ {100, 299, 180},
        /* 6 */ {100, 300, 0},
        /* 7 */ {1000, 1000, 180},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        uint64_t second_ns = SECOND_NS + rows[i].second_ms * 1000000, spend_ns = SECOND_NS + rows[i].spend_ms * 1000000;
        receive(VICTIM, 60, SECOND_NS, true);
        receive(VICTIM, 60, second_ns, true);
        if (spend(rows[i].most + 1, spend_ns) != PLACES ||
            (rows[i].most > 0 && spend(rows[i].most, spend_ns) != VICTIM))
            fail_msg("row %zu", i);
    }
}

TEST(only_the_token_from_the_address_that_got_it_proves_the_address)
{
    static const struct {
        int from;
        size_t byte_count;
        uint8_t flip; // bits of the last byte of the token
        uint8_t kind;
        bool is_response, proves;
    } rows[] = {
        /* 0 */ {VICTIM, PATH_MESSAGE_BYTES, 0, PATH_RESPONSE, true, true},
        /* 1 */ {HOME, PATH_MESSAGE_BYTES, 0, PATH_RESPONSE, true, false},
        /* 2 */ {CAFE, PATH_MESSAGE_BYTES, 0, PATH_RESPONSE, true, false},
        /* 3 */ {VICTIM, PATH_MESSAGE_BYTES, 1, PATH_RESPONSE, true, false},
        /* 4 */ {VICTIM, PATH_MESSAGE_BYTES - 1, 0, PATH_RESPONSE, false, false},
        /* 5 */ {VICTIM, PATH_MESSAGE_BYTES + 1, 0, PATH_RESPONSE, false, false},
        /* 6 */ {VICTIM, PATH_MESSAGE_BYTES, 0, PATH_CHALLENGE, false, false},
        /* 7 */ {VICTIM, PATH_MESSAGE_BYTES, 0, 0x80, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        uint8_t message[PATH_MESSAGE_BYTES + 1] = {0};
        receive(VICTIM, 30, 0, true);
        assert_true(path_challenge(&path, 0, message));
        message[0] = rows[i].kind;
        message[PATH_TOKEN_BYTES] ^= rows[i].flip;
        if (path_take_response(&path, &places[rows[i].from], message, rows[i].byte_count) != rows[i].is_response ||
            (spend(100000, 0) == VICTIM) != rows[i].proves)
            fail_msg("row %zu", i);
    }
}

TEST(a_token_is_of_one_stay)
{
    uint8_t first[PATH_MESSAGE_BYTES], second[PATH_MESSAGE_BYTES];
    receive(VICTIM, 30, 0, true);
    assert_true(path_challenge(&path, 0, first));
    receive(CAFE, 30, 0, true);
    assert_true(path_challenge(&path, 0, second));
    assert_memory_not_equal(first + 1, second + 1, PATH_TOKEN_BYTES);
    respond(CAFE, first); // of the other address
    assert_int_equal(spend(100000, 0), PLACES);
    receive(VICTIM, 30, 0, true);
    respond(VICTIM, first); // of an earlier stay
    assert_int_equal(spend(100000, 0), PLACES);
    assert_true(path_challenge(&path, 0, second));
    respond(VICTIM, second);
    assert_int_equal(spend(100000, 0), VICTIM);
    receive(HOME, 30, 0, true); // the address before is no longer proven
    assert_int_equal(spend(100000, 0), PLACES);
}

TEST(a_challenge_is_repeated_ten_times_a_second)
{
    uint8_t message[PATH_MESSAGE_BYTES], first[PATH_MESSAGE_BYTES];
    assert_false(path_challenge(&path, 0, message)); // nothing to prove
    receive(CAFE, 30, SECOND_NS, true);
    assert_true(path_challenge(&path, SECOND_NS, first));
    unsigned count = 0;
    for (uint64_t ms = 1; ms <= 1000; ms++)
        if (path_challenge(&path, SECOND_NS + ms * 1000000, message)) {
            assert_memory_equal(message, first, sizeof message);
            count++;
        }
    assert_int_equal(count, 10);
    respond(CAFE, first);
    assert_false(path_challenge(&path, 10 * SECOND_NS, message));
}

TEST(without_an_echo_a_session_goes_back_after_three_seconds)
{
    receive(VICTIM, 30, SECOND_NS, true);
    assert_int_equal(spend(100000, 4 * SECOND_NS - 1), PLACES);
    assert_int_equal(spend(100000, 4 * SECOND_NS), HOME);
    receive(VICTIM, 30, 5 * SECOND_NS, true); // and again
    assert_int_equal(spend(91, 5 * SECOND_NS), PLACES);
    assert_int_equal(spend(90, 5 * SECOND_NS), VICTIM);
    receive(VICTIM, 30, 8 * SECOND_NS, true); // begins another stay as the first is over
    assert_int_equal(spend(91, 8 * SECOND_NS), PLACES);
    assert_int_equal(spend(90, 8 * SECOND_NS), VICTIM);
}

// Datagrams from everywhere in any order, and as much sent as is allowed: no address that never echoes gets more.
TEST(going_to_and_fro_earns_nothing)
{
    uint64_t random = 1, now_ns = 0;
    for (int schedule = 0; schedule < 1000; schedule++) {
        begin();
        uint64_t in[PLACES] = {0}, out[PLACES + 1] = {0};
        for (int i = 0; i < 200; i++) {
            uint64_t draw = random_next64(&random);
            int place = (int)(draw % PLACES);
            size_t byte_count = 24 + (draw >> 8) % (DATAGRAM_BYTES_MAX - 24);
            uint8_t message[PATH_MESSAGE_BYTES];
            receive(place, byte_count, now_ns, (draw >> 32) % 4 > 0);
            in[place] += byte_count;
            if (path_challenge(&path, now_ns, message))
                out[spend(32, now_ns)] += 32;
            for (size_t size = DATAGRAM_BYTES_MAX; size > 0; size /= 2)
                out[spend(size, now_ns)] += size;
            now_ns += (draw >> 40) % (SECOND_NS / 2);
            for (place = CAFE; place < PLACES; place++)
                assert_true(out[place] <= 3 * in[place]);
        }
    }
}

TEST(only_a_challenge_is_answered)
{
    uint8_t bytes[PATH_MESSAGE_BYTES + 1] = {PATH_CHALLENGE, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    assert_false(path_answer(bytes, PATH_MESSAGE_BYTES - 1));
    assert_false(path_answer(bytes, PATH_MESSAGE_BYTES + 1));
    assert_true(path_answer(bytes, PATH_MESSAGE_BYTES));
    assert_memory_equal(bytes, ((uint8_t[]){PATH_RESPONSE, 1, 2, 3, 4, 5, 6, 7, 8, 9}), sizeof bytes);
    assert_false(path_answer(bytes, PATH_MESSAGE_BYTES)); // a response is not
}
