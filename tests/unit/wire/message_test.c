// SPDX-License-Identifier: MIT
#include "game/map/map_blob.h"
#include "unit.h"
#include "wire/message.h"

#include <stdio.h>
#include <string.h>

static const uint8_t MAP_BYTES[MAP_PART_BYTES_MAX] = {1, 2, 3};

#define SERVER_NAME_OF_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\x7e"

static const struct message MESSAGES[] = {
    /* 0 */ {MESSAGE_JOIN, .as.join = {PROTOCOL_VERSION, {0x6F626F62}, 15, HAT_CROWN, 3, 2, 0x0123456789ABCDEF}},
    /* 1 */ {MESSAGE_READY, .as = {.ready = 70000}},
    /* 2 */ {MESSAGE_INPUT, .as.input = {1, 0, 0, 1, 1, {{{{0xFF}}}}}},
    /* 3 */
    {MESSAGE_INPUT,
     .as.input = {UINT32_MAX, 77, 15, 16, 9, {[3] = {{{2}}}, [4] = {{{2}}}, [15] = {{{0x80}, [3] = {1}}}}}},
    /* 4 */
    {MESSAGE_WELCOME,
     .as.welcome = {20, 9, {MODE_LMS, -3, 36000, 5, 1, 4, 0x4321}, 7, 1, {0xA0, [31] = 0xA1}, {0xD0, [31] = 0xD1}}},
    /* 5 */ {MESSAGE_DENY, .as.deny = DENY_FULL},
    /* 6 */ {MESSAGE_MAP_PART, .as.map_part = {4096, MAP_PART_BYTES_MAX, MAP_BYTES}},
    /* 7 */ {MESSAGE_MAP_PART, .as.map_part = {0, 1, MAP_BYTES}},
    /* 8 */ {MESSAGE_SYSTEM, .as.system = "The server is closing."},
    /* 9 */ {MESSAGE_CHAT_SEND, .as.chat_send = {3, true, "to me"}},
    /* 10 */ {MESSAGE_CHAT_LINE, .as.chat_line = {PLAYER_CAPACITY, CHAT_PRIVATE, "gr\xc3\xbc\xc3\x9f"}},
    /* 11 */ {MESSAGE_VOTE, .as.vote = {2, 1, 900, "map duel?", {{256, "Yes"}, {0, "No"}}}},
    /* 12 */ {MESSAGE_VOTE, .as = {{0}}},
    /* 13 */ {MESSAGE_HATS, .as.hats = {PLAYER_CAPACITY - 2, 2, {HAT_MINER, HATS - 1}}},
    /* 14 */ {MESSAGE_VOUCH, .as.vouch = {1, [MESSAGE_VOUCH_BYTES - 1] = 0xFF}},
    /* 15 */
    {MESSAGE_TRUSTED, .as.trusted = {2, {"abcdefghijklmnopqrstuvwxyz234567", "77777777777777777777777777777777"}}},
    /* 16 */ {MESSAGE_SHOW, .as.show = {0x80, [MESSAGE_VOUCH_BYTES - 1] = 1}},
    /* 17 */ {MESSAGE_TAGS, .as.tags = {PLAYER_CAPACITY - 2, 2, {{1, [7] = 0xFF}, {[3] = 2}}}},
    /* 18 */ {MESSAGE_TAGS, .as.tags = {0, TAGS_CAPACITY, {[TAGS_CAPACITY - 1] = {9}}}},
    /* 19 */
    {MESSAGE_RECORD, .as.record = {1, -RECORD_MEAN_MAX, 1, UINT32_MAX, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, "Ada's"}},
    /* 20 */
    {MESSAGE_RECORD,
     .as.record = {.mean = RECORD_MEAN_MAX, .deviation = RECORD_DEVIATION_MAX, .server_name = SERVER_NAME_OF_64}},
    /* 21 */ {MESSAGE_LEAVE, .as.leave = LOCAL_PLAYERS - 1},
    /* 22 */ {MESSAGE_SEATS, .as.seats = {{{PLAYER_CAPACITY, 0, 1}}, {[1] = DENY_FULL, [3] = DENY_REASONS - 1}}},
};

static void assert_messages_equal(const struct message *found, const struct message *expected)
{
    assert_int_equal(found->kind, expected->kind);
    if (expected->kind != MESSAGE_MAP_PART) {
        assert_memory_equal(&found->as, &expected->as, sizeof found->as);
        return;
    }
    assert_int_equal(found->as.map_part.offset, expected->as.map_part.offset);
    assert_int_equal(found->as.map_part.count, expected->as.map_part.count);
    assert_memory_equal(found->as.map_part.bytes, expected->as.map_part.bytes, expected->as.map_part.count);
}

TEST(every_message_is_decoded_as_it_was_encoded)
{
    for (size_t i = 0; i < COUNT_OF(MESSAGES); i++) {
        uint8_t bytes[MESSAGE_BYTES_MAX];
        size_t byte_count = message_encode(&MESSAGES[i], bytes);
        struct message found;
        assert_true(message_decode(&found, bytes, byte_count));
        assert_messages_equal(&found, &MESSAGES[i]);
    }
}

TEST(layouts_equal_those_of_protocol_md)
{
    static const struct {
        size_t message;
        size_t byte_count;
        uint8_t bytes[100];
    } rows[] = {
        /* 1 */ {0, 33, {1,         PROTOCOL_VERSION,
                         0,         0,
                         0,         'b',
                         'o',       'b',
                         'o',       [21] = 15,
                         HAT_CROWN, 3,
                         2,         0xEF,
                         0xCD,      0xAB,
                         0x89,      0x67,
                         0x45,      0x23,
                         0x01}},
        /* 2 */ {1, 5, {2, 0x70, 0x11, 1, 0}},
        /* 3 */ {2, 12, {3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0xF1, 0x0F}},
        /* 4 */ {4, 99, {4,    20,   9,    0,        0,           0,           1,           0xFD,       0xFF,
                         0xFF, 0xFF, 0xA0, 0x8C,     0,           0,           5,           [19] = 1,   4,
                         0x21, 0x43, 7,    [31] = 1, [35] = 0xA0, [66] = 0xA1, [67] = 0xD0, [98] = 0xD1}},
        /* 5 */ {5, 2, {5, DENY_FULL}},
        /* 6 */ {7, 6, {6, 0, 0, 0, 0, 1}},
        /* 7 */ {8, 23, {8,   'T', 'h', 'e', ' ', 's', 'e', 'r', 'v', 'e', 'r', ' ',
                         'i', 's', ' ', 'c', 'l', 'o', 's', 'i', 'n', 'g', '.'}},
        /* 8 */ {9, 8, {9, 1, 3, 't', 'o', ' ', 'm', 'e'}},
        /* 9 */ {10, 10, {10, 0, 1, 2, 'g', 'r', 0xC3, 0xBC, 0xC3, 0x9F}},
        /* 10 */ {11, 26, {11,  2,   1, 0x84, 3, 9,   'm', 'a', 'p', ' ', 'd', 'u', 'e',
                           'l', '?', 0, 1,    3, 'Y', 'e', 's', 0,   0,   2,   'N', 'o'}},
        /* 11 */ {12, 2, {11, 0}},
        /* 12 */ {13, 4, {12, 254, HAT_MINER, HATS - 1}},
        /* 13 */ {17, 18, {16, 254, 1, [9] = 0xFF, [13] = 2}},
        /* 14 */ {21, 2, {18, 3}},
        /* 15 */ {22, 13, {19, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 9}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint8_t bytes[MESSAGE_BYTES_MAX];
        size_t byte_count = message_encode(&MESSAGES[rows[i].message], bytes);
        assert_int_equal(byte_count, rows[i].byte_count);
        assert_memory_equal(bytes, rows[i].bytes, byte_count);
    }
}

TEST(messages_that_no_encoder_writes_are_refused)
{
    static const struct {
        size_t byte_count;
        uint8_t bytes[100];
    } rows[] = {
        /* 1 */ {0, {0}},
        /* 2 */ {1, {0}},                                                      // no such kind
        /* 3 */ {1, {MESSAGE_KINDS}},                                          // nor this one
        /* 4 */ {20, {MESSAGE_SNAPSHOT}},                                      // not here
        /* 5 */ {4, {MESSAGE_READY, 0, 0, 0}},                                 // a byte too few
        /* 6 */ {2, {MESSAGE_DENY, DENY_NONE}},                                // no reason
        /* 7 */ {2, {MESSAGE_DENY, DENY_REASONS}},                             // no such reason
        /* 8 */ {3, {MESSAGE_DENY, DENY_FULL, 0}},                             // a byte too many
        /* 9 */ {12, {MESSAGE_INPUT, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}},        // an input for tick 0
        /* 10 */ {12, {MESSAGE_INPUT, 1, 0, 0, 0, 0, 0, 0, 0, 16, 1, 0}},      // two up to tick 1: one is for tick 0
        /* 11 */ {12, {MESSAGE_INPUT, 2, 0, 0, 0, 0, 0, 0, 0, 16, 1, 32}},     // a filling bit is one
        /* 12 */ {13, {MESSAGE_INPUT, 2, 0, 0, 0, 0, 0, 0, 0, 16, 1, 16}},     // changed to the same buttons
        /* 13 */ {5, {MESSAGE_MAP_PART, 0, 0, 0, 0}},                          // empty
        /* 14 */ {6, {MESSAGE_MAP_PART, 0xFF, 0xFF, 0xFF, 0xFF, 1}},           // beyond any blob
        /* 15 */ {1, {MESSAGE_SYSTEM}},                                        // empty
        /* 16 */ {3, {MESSAGE_SYSTEM, 'a', 0}},                                // a zero byte inside
        /* 17 */ {99, {MESSAGE_WELCOME, 59, [31] = 1}},                        // no such rate
        /* 18 */ {99, {MESSAGE_WELCOME, 60, [6] = MODES, [31] = 1}},           // no such mode
        /* 19 */ {99, {MESSAGE_WELCOME, 60}},                                  // a map of no bytes
        /* 20 */ {99, {MESSAGE_WELCOME, 60, [34] = 0x80}},                     // a map too large
        /* 21 */ {33, {MESSAGE_JOIN, PROTOCOL_VERSION, [21] = 16}},            // no such colour
        /* 22 */ {33, {MESSAGE_JOIN, PROTOCOL_VERSION, [23] = LOCAL_PLAYERS}}, // no such local player
        /* 23 */ {3, {MESSAGE_CHAT_SEND, 0, 0}},                               // an empty line
        /* 24 */ {4, {MESSAGE_CHAT_SEND, 2, 0, 'a'}},                          // to nobody
        /* 25 */ {5, {MESSAGE_CHAT_SEND, 0, 0, 'a', 0}},                       // a zero byte inside
        /* 26 */ {5, {MESSAGE_CHAT_LINE, 1, 1, 0, 'a'}},                       // from a slot beyond the last
        /* 27 */ {5, {MESSAGE_CHAT_LINE, 1, 0, 4, 'a'}},                       // no such flag
        /* 28 */ {3, {MESSAGE_VOTE, 0, 0}},                                    // a byte too many
        /* 29 */ {12, {MESSAGE_VOTE, 1, 0, 0, 0, 1, 'q', 0, 0, 1, 'y'}},       // a single choice
        /* 30 */ {15, {MESSAGE_VOTE, 2, 3, 0, 0, 1, 'q', 0, 0, 1, 'y', 0, 0, 1, 'n'}},    // a choice beyond the last
        /* 31 */ {15, {MESSAGE_VOTE, 2, 0, 0, 0, 1, 0, 0, 0, 1, 'y', 0, 0, 1, 'n'}},      // a zero byte inside
        /* 32 */ {15, {MESSAGE_VOTE, 2, 0, 0, 0, 1, 'q', 1, 1, 1, 'y', 0, 0, 1, 'n'}},    // 257 votes
        /* 33 */ {14, {MESSAGE_VOTE, 2, 0, 0, 0, 0, 0, 0, 1, 'y', 0, 0, 1, 'n'}},         // no question
        /* 34 */ {16, {MESSAGE_VOTE, 2, 0, 0, 0, 1, 'q', 0, 0, 1, 'y', 0, 0, 1, 'n', 0}}, // a byte too many
        /* 35 */ {33, {MESSAGE_JOIN, PROTOCOL_VERSION, [22] = HATS}},                     // no such hat
        /* 36 */ {33, {MESSAGE_JOIN, PROTOCOL_VERSION, [24] = HANDICAPS}},                // no such handicap
        /* 36 */ {2, {MESSAGE_HATS, 0}},                                                  // no players
        /* 37 */ {4, {MESSAGE_HATS, 255, 1, 1}},                                          // a slot beyond the last
        /* 38 */ {4, {MESSAGE_HATS, 0, 1, HATS}},                                         // no such hat
        /* 39 */ {99, {MESSAGE_WELCOME, 60, [20] = SKILLS, [31] = 1}},                    // no such skill of bots
        /* 40 */ {99, {MESSAGE_WELCOME, 60, [22] = 0x80, [31] = 1}},                      // no such variant
        /* 41 */ {2, {MESSAGE_TAGS, 0}},                                                  // no players
        /* 42 */ {9, {MESSAGE_TAGS, 0}},                                                  // part of a tag
        /* 43 */ {18, {MESSAGE_TAGS, 255}},                                               // a slot beyond the last
        /* 44 */ {11, {MESSAGE_INPUT, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}},                     // of no player
        /* 45 */ {4, {MESSAGE_CHAT_SEND, 0, LOCAL_PLAYERS, 'a'}},                         // of no such player
        /* 46 */ {2, {MESSAGE_LEAVE, LOCAL_PLAYERS}},                                     // no such player
        /* 47 */ {13, {MESSAGE_SEATS, [4] = 1, 1}},                                       // a seat beyond the last
        /* 48 */ {13, {MESSAGE_SEATS, [12] = DENY_REASONS}},                              // no such reason
        /* 49 */ {13, {MESSAGE_SEATS, [1] = 1, [3] = DENY_FULL}}, // a seat, and a reason for none
        /* 50 */ {12, {MESSAGE_SEATS}},                           // a byte too few
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct message found;
        if (message_decode(&found, rows[i].bytes, rows[i].byte_count))
            fail_msg("row %zu is accepted", i + 1);
    }
}

TEST(a_record_with_a_number_or_a_name_out_of_range_is_refused)
{
    enum { MEAN = 5, DEVIATION = 9, NAME = 61, BYTES = 125 };
    static const struct {
        uint32_t mean, deviation;
        char name[SERVER_NAME_BYTES_MAX];
        bool good;
    } rows[] = {
        /* 1 */ {0, 1, "Ada", true},
        /* 2 */ {RECORD_MEAN_MAX, RECORD_DEVIATION_MAX, "Ada", true},
        /* 3 */ {RECORD_MEAN_MAX + 1, 1, "Ada", false},
        /* 4 */ {(uint32_t)-RECORD_MEAN_MAX - 1, 1, "Ada", false},
        /* 5 */ {0x80000000, 1, "Ada", false},
        /* 6 */ {0, 0, "Ada", false},
        /* 7 */ {0, RECORD_DEVIATION_MAX + 1, "Ada", false},
        /* 8 */ {0, 1, "", false},
        /* 9 */ {0, 1, "Ada\0m", false},           // something behind its end
        /* 10 */ {0, 1, "\033[2J", false},         // controls a terminal
        /* 11 */ {0, 1, "Ada\xe2\x80\xae", false}, // changes the direction of writing
        /* 12 */ {0, 1, "Ada\xc3", false},         // half a letter
    };
    struct message message = {.kind = MESSAGE_RECORD, .as.record = {.deviation = 1, .server_name = "x"}}, found;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint8_t bytes[MESSAGE_BYTES_MAX];
        assert_int_equal(message_encode(&message, bytes), BYTES);
        for (uint32_t at = 0; at < 4; at++) {
            bytes[MEAN + at] = (uint8_t)(rows[i].mean >> 8 * at);
            bytes[DEVIATION + at] = (uint8_t)(rows[i].deviation >> 8 * at);
        }
        memcpy(bytes + NAME, rows[i].name, SERVER_NAME_BYTES_MAX);
        if (message_decode(&found, bytes, BYTES) != rows[i].good)
            fail_msg("row %zu", i + 1);
        assert_false(message_decode(&found, bytes, BYTES - 1) || message_decode(&found, bytes, BYTES + 1));
    }
}

TEST(a_text_longer_than_its_limit_is_refused)
{
    static const struct {
        uint8_t head[4];
        size_t head_bytes, bytes_max;
    } rows[] = {
        /* 1 */ {{MESSAGE_SYSTEM}, 1, SYSTEM_BYTES_MAX},
        /* 2 */ {{MESSAGE_CHAT_SEND}, 3, CHAT_SEND_BYTES_MAX},
        /* 3 */ {{MESSAGE_CHAT_LINE}, 4, CHAT_LINE_BYTES_MAX},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint8_t bytes[256];
        memset(bytes, 'a', sizeof bytes);
        memcpy(bytes, rows[i].head, rows[i].head_bytes);
        struct message found;
        assert_true(message_decode(&found, bytes, rows[i].head_bytes + rows[i].bytes_max));
        assert_false(message_decode(&found, bytes, rows[i].head_bytes + rows[i].bytes_max + 1));
    }
}

// Writes a text of `byte_count` bytes with its length before it. Returns what follows.
static uint8_t *put_short_text(uint8_t *to, size_t byte_count)
{
    *to++ = (uint8_t)byte_count;
    memset(to, 'a', byte_count);
    return to + byte_count;
}

TEST(the_texts_of_a_vote_have_their_limits)
{
    static const struct {
        size_t question_bytes, choice_bytes;
        bool good;
    } rows[] = {
        /* 1 */ {1, 1, true},
        /* 2 */ {VOTE_QUESTION_BYTES_MAX, VOTE_CHOICE_BYTES_MAX, true},
        /* 3 */ {VOTE_QUESTION_BYTES_MAX + 1, 1, false},
        /* 4 */ {1, VOTE_CHOICE_BYTES_MAX + 1, false},
        /* 5 */ {1, 0, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t last = 0; last < VOTE_CHOICE_CAPACITY; last++) { // the choice with this length
            uint8_t bytes[MESSAGE_BYTES_MAX] = {MESSAGE_VOTE, VOTE_CHOICE_CAPACITY};
            uint8_t *end = put_short_text(bytes + 5, rows[i].question_bytes);
            for (size_t choice = 0; choice < VOTE_CHOICE_CAPACITY; choice++)
                end = put_short_text(end + 2, choice == last ? rows[i].choice_bytes : 1);
            struct message found;
            if (message_decode(&found, bytes, (size_t)(end - bytes)) != rows[i].good)
                fail_msg("row %zu, choice %zu", i + 1, last);
            if (rows[i].good)
                assert_int_equal(strlen(found.as.vote.choices[last].text), rows[i].choice_bytes);
        }
    }
}

TEST(numbers_at_their_limits_are_accepted)
{
    static const struct {
        size_t byte_count;
        uint8_t bytes[100];
    } rows[] = {
        /* 1 */ {2, {MESSAGE_DENY, DENY_NONE + 1}},
        /* 2 */ {2, {MESSAGE_DENY, DENY_REASONS - 1}},
        /* 3 */ {12, {MESSAGE_INPUT, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}}, // the first tick
                                                                        /* 4 */
        {99, {MESSAGE_WELCOME, 60, [6] = MODES - 1, [19] = 1, [20] = SKILLS - 1, [21] = 0xFF, [22] = 0x7F, [31] = 1}},
        /* 5 */ {99, {MESSAGE_WELCOME, 30, [31] = 1}},
        /* 6 */ {99, {MESSAGE_WELCOME, 20, [31] = 1}},
        /* 7 */
        {33,
         {MESSAGE_JOIN, PROTOCOL_VERSION, [21] = 15, [22] = HATS - 1, [23] = LOCAL_PLAYERS - 1, [24] = HANDICAPS - 1}},
        /* 8 */ {5, {MESSAGE_CHAT_LINE, 0, 1, CHAT_FLAGS, 'a'}},
        /* 9 */ {15, {MESSAGE_VOTE, 2, 2, 0xFF, 0xFF, 1, 'q', 0, 1, 1, 'y', 0, 1, 1, 'n'}},
        /* 10 */ {3, {MESSAGE_HATS, 255, HATS - 1}},
        /* 11 */ {13, {MESSAGE_SEATS, 0, 1, [11] = 1, [12] = 0}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct message found;
        if (!message_decode(&found, rows[i].bytes, rows[i].byte_count))
            fail_msg("row %zu is refused", i + 1);
    }
    static uint8_t part[5 + MAP_PART_BYTES_MAX + 1] = {MESSAGE_MAP_PART};
    struct message found;
    for (uint32_t offset = MAP_BLOB_BYTES_MAX - 3; offset <= MAP_BLOB_BYTES_MAX - 1; offset++) {
        for (size_t at = 0; at < 4; at++)
            part[1 + at] = (uint8_t)(offset >> 8 * at);
        assert_int_equal(message_decode(&found, part, 5 + 2), offset <= MAP_BLOB_BYTES_MAX - 2);
    }
    memset(part + 1, 0, 4);
    assert_true(message_decode(&found, part, 5 + MAP_PART_BYTES_MAX));
    assert_false(message_decode(&found, part, 5 + MAP_PART_BYTES_MAX + 1));
}

TEST(a_join_of_another_version_is_read_up_to_its_version)
{
    uint8_t bytes[] = {MESSAGE_JOIN, 99, 0, 0, 0, 1, 2, 3};
    struct message found;
    for (size_t byte_count = 0; byte_count <= sizeof bytes; byte_count++)
        assert_int_equal(message_decode(&found, bytes, byte_count), byte_count >= 5);
    assert_int_equal(found.as.join.protocol, 99);
    assert_int_equal(found.as.join.name[0], 0);
}

TEST(a_server_s_text_that_is_not_clean_is_refused)
{
    static const char *const rows[] = {
        /* 0 */ "\x1B[2J",           "\n",           "\x7F",         "\302\2332J", "\2332J",
        /* 5 */ "\xE2\x80\xAE",      "\xE2\x80\xA8", "\xE2\x80\x8B", "\xC0\xAF",   "a\xE2\x82",
        /* 10 */ "\xF3\xA0\x81\x81",
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct message texts[] = {{MESSAGE_SYSTEM, .as.system = ""},
                                  {.kind = MESSAGE_CHAT_LINE},
                                  {MESSAGE_VOTE, .as.vote = {2, .question = "q", .choices = {{0, "y"}, {0, "n"}}}},
                                  {MESSAGE_VOTE, .as.vote = {2, .question = "q", .choices = {{0, "y"}, {0, "n"}}}}};
        char *const fields[] = {texts[0].as.system, texts[1].as.chat_line.text, texts[2].as.vote.question,
                                texts[3].as.vote.choices[1].text};
        for (size_t k = 0; k < COUNT_OF(texts); k++) {
            uint8_t bytes[MESSAGE_BYTES_MAX];
            struct message found;
            strcpy(fields[k], "gr\xC3\xBC\xC3\x9F");
            assert_true(message_decode(&found, bytes, message_encode(&texts[k], bytes)));
            strcat(fields[k], rows[i]);
            if (message_decode(&found, bytes, message_encode(&texts[k], bytes)))
                fail_msg("row %zu is accepted in text %zu", i, k);
        }
    }
}

TEST(no_truncation_is_accepted)
{
    for (size_t i = 0; i < COUNT_OF(MESSAGES); i++) {
        if (MESSAGES[i].kind == MESSAGE_SYSTEM || MESSAGES[i].kind == MESSAGE_MAP_PART ||
            MESSAGES[i].kind == MESSAGE_CHAT_SEND || MESSAGES[i].kind == MESSAGE_CHAT_LINE ||
            MESSAGES[i].kind == MESSAGE_HATS || MESSAGES[i].kind == MESSAGE_TAGS)
            continue; // their length is that of the message
        uint8_t bytes[MESSAGE_BYTES_MAX];
        size_t byte_count = message_encode(&MESSAGES[i], bytes);
        struct message found;
        for (size_t cut = 0; cut < byte_count; cut++)
            assert_false(message_decode(&found, bytes, cut));
        bytes[byte_count] = 0;
        assert_false(message_decode(&found, bytes, byte_count + 1));
    }
}

TEST(an_accepted_message_is_encoded_to_the_same_bytes)
{
    uint64_t random = 7;
    uint32_t accepted = 0;
    for (int turn = 0; turn < 200000; turn++) {
        uint8_t bytes[MESSAGE_BYTES_MAX], again[MESSAGE_BYTES_MAX];
        size_t byte_count = message_encode(&MESSAGES[next_random(&random) % COUNT_OF(MESSAGES)], bytes);
        for (uint32_t flips = next_random(&random) % 4; flips > 0; flips--)
            bytes[next_random(&random) % byte_count] ^= (uint8_t)(1u << next_random(&random) % 8);
        struct message found;
        if (!message_decode(&found, bytes, byte_count))
            continue;
        if (found.kind == MESSAGE_JOIN && found.as.join.protocol != PROTOCOL_VERSION)
            continue;
        accepted++;
        assert_int_equal(message_encode(&found, again), byte_count);
        assert_memory_equal(again, bytes, byte_count);
    }
    assert_true(accepted > 1000);
}

TEST(every_reason_has_a_text)
{
    assert_string_equal(message_deny_text(DENY_NONE), "");
    for (int reason = DENY_NONE + 1; reason < DENY_REASONS; reason++)
        assert_true(strlen(message_deny_text((enum deny_reason)reason)) > 10);
    assert_string_equal(message_deny_text((enum deny_reason)1000), "");
}
