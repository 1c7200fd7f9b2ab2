// SPDX-License-Identifier: MIT
#include <sodium.h>
#include <string.h>

#include "net/query.h"
#include "test.h"

#define INFO   "\xFF\xFF\xFF\xFFTSource Engine Query"
#define U      "\xFF\xFF\xFF\xFFU"
#define V      "\xFF\xFF\xFF\xFFV"
#define SECOND 1000000000u

static struct query query;
static uint8_t out[DATAGRAM_BYTES_MAX];
static const struct net_address alice = {{127, 0, 0, 1, 1, 2}, 6}, bob = {{127, 0, 0, 2, 1, 2}, 6};

static size_t ask(const struct net_address *from, uint64_t now_ns, const void *bytes, size_t byte_count)
{
    struct datagram datagram = {*from, now_ns, bytes, byte_count};
    struct datagram_output output = {.bytes = out};
    enum datagram_outcome outcome = query_take(&query, &datagram, &output);
    assert_true(outcome == (output.byte_count ? DATAGRAM_ANSWERED : DATAGRAM_REJECTED));
    return output.byte_count;
}

static void say(enum net_reply_kind kind, const char *text)
{
    query.replies.of[kind].byte_count = (uint16_t)strlen(text);
    memcpy(query.replies.of[kind].bytes, text, strlen(text));
}

static void begin(void)
{
    memset(&query, 0xAA, sizeof query);
    query_init(&query);
    assert_int_equal(query.answered, 0);
    say(NET_REPLY_INFO, "Iinfo");
    say(NET_REPLY_PLAYERS, "Dplayers");
    say(NET_REPLY_RULES, "Erules");
    assert_true(sodium_init() >= 0);
}

EACH_TEST(begin, NULL);

// Asks with the challenge that `from` received at this time.
static size_t ask_again(const struct net_address *from, uint64_t now_ns, const void *head, size_t head_bytes)
{
    uint8_t request[64];
    memcpy(request, head, head_bytes);
    memcpy(request + head_bytes, out + 5, 4);
    return ask(from, now_ns, request, head_bytes + 4);
}

TEST(a_query_with_its_challenge_is_answered)
{
    static const struct {
        const char *first, *head;
        size_t first_bytes, head_bytes;
        const char *reply;
    } rows[] = {
        /* 0 */ {INFO, INFO, sizeof INFO, sizeof INFO, "\xFF\xFF\xFF\xFFIinfo"},
        /* 1 */ {INFO "\0\xFF\xFF\xFF\xFF", INFO, sizeof INFO + 4, sizeof INFO, "\xFF\xFF\xFF\xFFIinfo"},
        /* 2 */
        {U "\xFF\xFF\xFF\xFF", U, 9, 5,
         "\xFF\xFF\xFF\xFF"
         "Dplayers"},
        /* 3 */
        {V "\xFF\xFF\xFF\xFF", V, 9, 5,
         "\xFF\xFF\xFF\xFF"
         "Erules"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(ask(&alice, 0, rows[i].first, rows[i].first_bytes), 9);
        assert_memory_equal(out,
                            "\xFF\xFF\xFF\xFF"
                            "A",
                            5);
        assert_int_equal(ask_again(&alice, 0, rows[i].head, rows[i].head_bytes), strlen(rows[i].reply));
        assert_memory_equal(out, rows[i].reply, strlen(rows[i].reply));
    }
    assert_int_equal(query.answered, 4);
}

TEST(a_challenge_is_valid_for_its_address_and_two_epochs)
{
    static const struct {
        const struct net_address *from;
        uint64_t asked_s, brought_s;
        bool answered;
    } rows[] = {
        /* 0 */ {&alice, 0, 0, true},
        /* 1 */ {&bob, 30, 30, false}, // it was sent to another address
        /* 2 */ {&alice, 61, 119, true},
        /* 3 */ {&alice, 121, 181, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(ask(&alice, rows[i].asked_s * SECOND, INFO, sizeof INFO), 9);
        size_t count = ask_again(rows[i].from, rows[i].brought_s * SECOND, INFO, sizeof INFO);
        if ((count == 9 && out[4] == 'A') == rows[i].answered)
            fail_msg("row %zu", i);
    }
}

TEST(a_malformed_query_gets_no_answer)
{
    static const struct {
        const char *bytes;
        size_t byte_count;
    } rows[] = {
        /* 0 */ {INFO, 4},
        /* 1 */ {INFO, 5},
        /* 2 */ {INFO, sizeof INFO - 1},            // its zero is missing
        /* 3 */ {INFO "\0\0\0\0", sizeof INFO + 3}, // a byte short of a challenge
        /* 4 */ {INFO "\0\0\0\0\0\0", sizeof INFO + 5},
        /* 5 */ {U, 5}, // no challenge, and the answer would be no shorter
        /* 6 */ {V "\xFF\xFF\xFF\xFF", 8},
        /* 7 */ {"\xFF\xFF\xFF\xFFW\xFF\xFF\xFF\xFF", 9},
        /* 8 */ {"\xFF\xFF\xFF\xFE" INFO, 40},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool claims = query_claims((const uint8_t *)rows[i].bytes, rows[i].byte_count);
        if (claims && ask(&alice, 0, rows[i].bytes, rows[i].byte_count) != 0)
            fail_msg("row %zu", i);
    }
    assert_true(query_claims((const uint8_t *)INFO, 5));
    assert_false(query_claims((const uint8_t *)INFO, 4));
}

TEST(a_silent_server_does_not_even_send_a_challenge)
{
    query.replies.of[NET_REPLY_INFO].byte_count = 0;
    assert_int_equal(ask(&alice, 0, INFO, sizeof INFO), 0);
}

TEST(answers_to_one_address_are_limited)
{
    unsigned answers = 0;
    assert_int_equal(ask(&alice, 0, INFO, sizeof INFO), 9);
    for (unsigned i = 0; i < 1000; i++) {
        uint8_t challenge[9];
        memcpy(challenge, out, sizeof challenge);
        answers += ask_again(&alice, 0, INFO, sizeof INFO) > 0;
        memcpy(out, challenge, sizeof challenge);
    }
    assert_int_equal(answers, 32);
    assert_int_equal(query.answered, 32);
    assert_int_equal(query.askers.refused_household, 1000 - 32);
    assert_int_equal(ask(&bob, 0, INFO, sizeof INFO), 9);
    assert_true(ask_again(&bob, 0, INFO, sizeof INFO) > 0 && out[4] == 'I');
}

// 5,000 queries a second from addresses that may be forged, for ten seconds. A person who asks twice a second, even
// from one of those addresses, gets every answer, and no answer to a forged sender is larger than its query.
TEST(queries_without_a_challenge_cost_nobody_an_answer)
{
    unsigned answers = 0;
    for (unsigned i = 0; i < 50000; i++) {
        uint64_t now_ns = (uint64_t)i * SECOND / 5000;
        struct net_address from = alice;
        from.bytes[3] = (uint8_t)(i % 200);
        const char *bytes = i % 3 == 0 ? INFO : i % 3 == 1 ? U "\xFF\xFF\xFF\xFF" : V "\1\2\3\4";
        size_t byte_count = i % 3 == 0 ? sizeof INFO : 9;
        assert_in_range(ask(&from, now_ns, bytes, byte_count), 1, byte_count);
        if (i % 2500 == 2499) {
            assert_int_equal(ask(&alice, now_ns, INFO, sizeof INFO), 9);
            answers += ask_again(&alice, now_ns, INFO, sizeof INFO) > 0 && out[4] == 'I';
        }
    }
    assert_int_equal(answers, 20);
}

TEST(every_server_generates_its_own_keys)
{
    static struct query other;
    query_init(&other);
    assert_memory_not_equal(query.key, other.key, sizeof query.key);
    assert_memory_not_equal(query.askers.key, other.askers.key, sizeof query.askers.key);
    assert_memory_not_equal(query.key, query.askers.key, sizeof query.key);
}

#define K "\xFF\xFF\xFF\xFFK"

// A question of a directory, and the tag that it waits for.
static struct query_proof proof;
static uint8_t tag[QUERY_PROOF_TAG_BYTES], server_secret[QUERY_PROOF_KEY_BYTES], question[64];
static const struct net_address asked_at = {{192, 0, 2, 7, 1, 2}, 6};
#define QUESTION_BYTES (sizeof K - 1 + QUERY_PROOF_KEY_BYTES + NET_ADDRESS_PLACE_BYTES)

static void question_a_server(void)
{
    crypto_box_keypair(proof.server, server_secret);
    query.public_key = proof.server;
    query.secret_key = server_secret;
    net_address_write_place(&asked_at, proof.place);
    assert_true(query_proof_ask(&proof, tag));
    memcpy(question, K, sizeof K - 1);
    memcpy(question + sizeof K - 1, proof.asker, sizeof proof.asker);
    memcpy(question + sizeof K - 1 + sizeof proof.asker, proof.place, sizeof proof.place);
}

static bool proves(void)
{
    ask(&alice, SECOND, question, QUESTION_BYTES);
    return ask_again(&alice, SECOND, question, QUESTION_BYTES) > 0;
}

TEST(a_server_proves_itself_only_where_it_knows_to_be)
{
    question_a_server();
    query.replies.own[0] = (struct net_address){{0x20, 0x01, 0x0D, 0xB8, [17] = 7}, ADDRESS_BYTES_MAX};
    query.replies.own[1] = asked_at;
    assert_true(proves()); // nobody has told it yet where it is
    query.replies.own_count = 1;
    assert_false(proves()); // not over this family, as far as it knows
    query.replies.own_count = 2;
    assert_true(proves());
    query.replies.own[1].bytes[5]++; // another port
    assert_false(proves());
    query.replies.own[1] = asked_at;
    query.replies.own[1].bytes[0]++; // somebody else's address
    assert_false(proves());
}

TEST(the_tag_is_of_the_place)
{
    question_a_server();
    question[QUESTION_BYTES - 14]++; // what comes on the way is answered, and not believed
    ask(&alice, SECOND, question, QUESTION_BYTES);
    assert_true(ask_again(&alice, SECOND, question, QUESTION_BYTES) > 0);
    assert_memory_not_equal(out + 5, tag, sizeof tag);
}

TEST(a_server_proves_that_it_has_its_key)
{
    question_a_server();
    assert_int_equal(ask(&alice, SECOND, question, QUESTION_BYTES), 9);
    assert_memory_equal(out,
                        "\xFF\xFF\xFF\xFF"
                        "A",
                        5);
    assert_int_equal(ask_again(&alice, SECOND, question, QUESTION_BYTES), 5 + QUERY_PROOF_TAG_BYTES);
    assert_memory_equal(out,
                        "\xFF\xFF\xFF\xFF"
                        "k",
                        5);
    assert_memory_equal(out + 5, tag, sizeof tag);
    assert_int_equal(ask(&bob, SECOND, question, QUESTION_BYTES + 4), 9);
}

TEST(another_key_gives_another_tag)
{
    uint8_t other_secret[QUERY_PROOF_KEY_BYTES], other_key[QUERY_PROOF_KEY_BYTES];
    question_a_server();
    crypto_box_keypair(other_key, other_secret);
    query.secret_key = other_secret;
    ask(&alice, SECOND, question, QUESTION_BYTES);
    assert_int_equal(ask_again(&alice, SECOND, question, QUESTION_BYTES), 5 + QUERY_PROOF_TAG_BYTES);
    assert_memory_not_equal(out + 5, tag, sizeof tag);
}

TEST(a_question_with_a_bad_key_gets_no_proof)
{
    question_a_server();
    memset(question + sizeof K - 1, 0, QUERY_PROOF_KEY_BYTES);
    assert_int_equal(ask(&alice, SECOND, question, QUESTION_BYTES), 9);
    assert_int_equal(ask_again(&alice, SECOND, question, QUESTION_BYTES), 0);
}

TEST(a_server_without_a_key_proves_nothing)
{
    question_a_server();
    query.secret_key = NULL;
    assert_int_equal(ask(&alice, SECOND, question, QUESTION_BYTES), 0);
}

// They cost a multiplication each, and have a limit of their own: a directory does not use up the browsers' answers.
TEST(proofs_are_limited_apart_from_queries)
{
    uint32_t proofs = 0;
    question_a_server();
    for (uint32_t i = 0; i < 100; i++) {
        ask(&alice, SECOND, question, QUESTION_BYTES);
        proofs += ask_again(&alice, SECOND, question, QUESTION_BYTES) > 0;
    }
    assert_int_equal(proofs, RATE_LIMIT_PROOFS.household.burst);
    ask(&alice, SECOND, INFO, sizeof INFO);
    assert_true(ask_again(&alice, SECOND, INFO, sizeof INFO) > 0);
}
