// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "net/enet/enet_filter.h"
#include "test.h"

#define BYTES(...)                                                                                                     \
    sizeof((const uint8_t[]){__VA_ARGS__}),                                                                            \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

// ENet's header, with and without the time, of peer 0; and commands as ENet 1.3.17 writes them.
#define HEAD         0x80, 0x00, 0x12, 0x34
#define HEAD_STRANGE 0x8f, 0xff, 0x12, 0x34
#define ACK_OF(n)    0x01, 0xff, (n) >> 8, (n)&0xff, (n) >> 8, (n)&0xff, 0x12, 0x34
#define ACK          ACK_OF(2001)
#define PING         0x85, 0xff, 0, 9
#define PINGS        PING, PING, PING, PING, PING, PING, PING, PING
#define CONNECT                                                                                                        \
    0x82, 0xff, 0, 1, 0, 0, 0xff, 0xff, 0, 0, 4, 0xb0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x13,     \
        0x88, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 0, 0, 0, 0
#define VERIFY_CONNECT                                                                                                 \
    0x83, 0xff, 0, 1, 0, 0, 0, 0, 0, 0, 4, 0xb0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x13, 0x88, 0,  \
        0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4
#define RELIABLE(number) 0x86, 0, (number) >> 8, (number)&0xff, 0, 2, 'h', 'i'
#define UNSEQUENCED      0x49, 1, 0, 0, 0, 7, 0, 2, 'h', 'i'
#define BANDWIDTH(in)    0x8a, 0xff, 0, 2, 0, 0, 0, in, 0, 0, 0, 0
#define THROTTLE(scale)  0x8b, 0xff, 0, 2, 0, 0, 0x03, 0xe8, 0, 0, 0, scale, 0, 0, 0, 0

struct row {
    bool of_client, of_server;
    size_t size;
    uint8_t bytes[144];
};

static const struct row rows[] = {
    /*  0 */ {true, true, BYTES(HEAD, ACK)},
    /*  1 */ {true, true, BYTES(HEAD, PING)},
    /*  2 */ {false, false, BYTES(HEAD_STRANGE, CONNECT)}, // nobody shakes hands
    /*  3 */ {false, false, BYTES(HEAD, VERIFY_CONNECT)},
    /*  4 */ {true, true, BYTES(HEAD, RELIABLE(1001))},
    /*  5 */ {false, false, BYTES(0x00, 0x00, UNSEQUENCED)}, // travels beside ENet
    /*  6 */ {true, true, BYTES(HEAD, ACK, RELIABLE(1001), PING)},
    /*  7 */ {true, true, BYTES(HEAD, BANDWIDTH(0))},
    /*  8 */ {true, true, BYTES(HEAD, THROTTLE(32))},
    /*  9 */ {true, true, BYTES(HEAD, 0x84, 0xff, 0, 3, 0, 0, 0, 4)},       // a disconnection that wants an answer
    /* 10 */ {true, true, BYTES(0x00, 0x00, 0x44, 0xff, 0, 1, 0, 0, 0, 4)}, // one that does not
                                                                            // Lengths.
    /* 11 */ {false, false, 0, {0}},
    /* 12 */ {false, false, BYTES(0)},
    /* 13 */ {false, false, BYTES(0, 0)},
    /* 14 */ {false, false, BYTES(HEAD)},
    /* 15 */ {false, false, BYTES(HEAD, 0x85, 0xff, 0)},
    /* 16 */ {false, false, BYTES(HEAD, ACK, 0)},
    /* 17 */ {false, false, BYTES(HEAD, 0x86, 0, 0x03, 0xe9, 0, 3, 'h', 'i')}, // one byte more than there is
    /* 18 */ {false, false, BYTES(HEAD, 0x86, 0, 0x03, 0xe9, 0, 1, 'h', 'i')},
    // Connections.
    /* 19 */ {false, false, BYTES(HEAD_STRANGE, CONNECT, PING)},
    /* 20 */ {false, false, BYTES(HEAD_STRANGE, PING, CONNECT)},
    /* 21 */ {false, false, BYTES(HEAD, CONNECT)},
    /* 22 */ {false, false, BYTES(HEAD_STRANGE, RELIABLE(1001))},
    // Sequence numbers that run ahead, and old ones that are repeated; 1000 was the last.
    /* 23 */ {true, true, BYTES(HEAD, RELIABLE(1064))},
    /* 24 */ {false, true, BYTES(HEAD, RELIABLE(1065))},
    /* 25 */ {true, true, BYTES(HEAD, RELIABLE(1000))},
    /* 26 */ {true, true, BYTES(HEAD, RELIABLE(990))},
    /* 27 */ {false, true, BYTES(HEAD, RELIABLE(29000))},
    // Commands that our own ENet never sends.
    /* 28 */ {false, false, BYTES(0xc0, 0x00, 0x12, 0x34, PING)},         // compressed
    /* 29 */ {false, false, BYTES(HEAD, 0x07, 0, 0, 1, 0, 1, 0, 1, 'x')}, // unreliable
    /* 30 */ {false, false, BYTES(HEAD, 0x86, 0, 0x03, 0xe9, 0, 0)},      // empty
    /* 31 */ {false, false, BYTES(0, 0, 0x49, 1, 0, 0, 0, 7, 0, 0)},      // empty
                                                                          /* 32 */
    {false, false, BYTES(HEAD, 0x88, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 'x')},
    /* 33 */
    {false, false, BYTES(HEAD, 0x8c, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 'x')},
    /* 34 */ {false, false, BYTES(HEAD, 0x86, 2, 0x03, 0xe9, 0, 2, 'h', 'i')},    // no such channel
    /* 35 */ {false, false, BYTES(HEAD, 0x86, 0xff, 0x03, 0xe9, 0, 2, 'h', 'i')}, // a channel that carries no messages
    /* 36 */ {false, false, BYTES(HEAD, 0x85, 0, 0, 9)},                          // not on the channel of the peer
    /* 37 */ {false, false, BYTES(HEAD, 0x06, 0, 0x03, 0xe9, 0, 2, 'h', 'i')},    // reliable, but without the flag
    /* 38 */ {false, false, BYTES(HEAD, 0xc9, 1, 0, 0, 0, 7, 0, 2, 'h', 'i')},    // wants an answer
    /* 39 */ {false, false, BYTES(HEAD, 0x80, 0xff, 0, 0)},                       // no such kind
    /* 40 */ {false, false, BYTES(HEAD, 0x8d, 0xff, 0, 0)},
    /* 41 */ {false, false, BYTES(HEAD, 0x8f, 0xff, 0, 0)},
    /* 42 */ {false, false, BYTES(HEAD, BANDWIDTH(1))},
    /* 43 */ {false, false, BYTES(HEAD, THROTTLE(31))},
    /* 44 */ {false, false, BYTES(HEAD, 0x01, 2, 0, 1, 0, 1, 0x12, 0x34)}, // acknowledges a channel that does not exist
    // Acknowledgements that ENet would have to send: as many as allowed, and one too many.
    /* 45 */ {true, true, BYTES(HEAD, PINGS, PINGS, PINGS, PINGS)},
    /* 46 */ {false, false, BYTES(HEAD, PINGS, PINGS, PINGS, PINGS, PING)},
    /* 47 */ {false, false, BYTES(HEAD_STRANGE, PING, PING)}, // without a peer
    // Acknowledgements of what was never sent, also behind one that may pass.
    /* 48 */ {true, true, BYTES(HEAD, ACK_OF(2010))},
    /* 49 */ {false, false, BYTES(HEAD, ACK_OF(2011))},
    /* 50 */ {false, false, BYTES(HEAD, ACK, PING, ACK_OF(40000), PING)},
    // Another peer, and another session of ENet.
    /* 51 */ {false, false, BYTES(0x80, 0x01, 0x12, 0x34, PING)},
    /* 52 */ {false, false, BYTES(0x90, 0x00, 0x12, 0x34, PING)},
};

// Numbers up to 2000 have been acknowledged, up to 2010 are in flight, and the others were never sent.
static enum enet_filter_sent sent(const void *context, uint8_t channel, uint16_t number)
{
    assert_null(context);
    assert_true(channel < ENET_FILTER_CHANNELS || channel == 0xff);
    return number <= 2000 ? ENET_FILTER_ACKNOWLEDGED : number <= 2010 ? ENET_FILTER_IN_FLIGHT : ENET_FILTER_NEVER_SENT;
}

static bool accepts(const uint8_t *bytes, size_t byte_count, enum enet_filter_side side,
                    const uint16_t reliable[ENET_FILTER_CHANNELS])
{
    uint8_t copy[ENET_FILTER_MTU + 100] = {0};
    struct enet_filter_peer peer = {.side = side, .received = {reliable[0], reliable[1]}, .sent = sent};
    assert_true(byte_count <= sizeof copy);
    memcpy(copy, bytes, byte_count);
    size_t left = byte_count;
    bool passes = enet_filter_accepts(&peer, copy, &left);
    if (passes && (left != byte_count || memcmp(copy, bytes, byte_count) != 0))
        fail_msg("%zu of %zu bytes are left", left, byte_count);
    return passes;
}

TEST(only_commands_that_our_own_enet_sends_pass)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint16_t reliable[ENET_FILTER_CHANNELS] = {1000, 0};
        if (accepts(rows[i].bytes, rows[i].size, ENET_FILTER_OF_CLIENT, reliable) != rows[i].of_client)
            fail_msg("row %zu from a client", i);
        if (accepts(rows[i].bytes, rows[i].size, ENET_FILTER_OF_SERVER, reliable) != rows[i].of_server)
            fail_msg("row %zu from a server", i);
    }
}

TEST(acknowledgements_that_come_again_are_cut_out)
{
    static const struct row given[] = {
        /* 0 */ {true, true, BYTES(HEAD, ACK_OF(2000))},
        /* 1 */ {true, true, BYTES(HEAD, ACK_OF(2000), PING)},
        /* 2 */ {true, true, BYTES(HEAD, ACK, ACK_OF(7), ACK_OF(1999), RELIABLE(1001), ACK_OF(2000))},
        /* 3 */ {false, false, BYTES(HEAD, ACK_OF(2000), ACK_OF(2011))},
    };
    static const struct row kept[] = {
        /* 0 */ {true, true, 0, {0}},
        /* 1 */ {true, true, BYTES(HEAD, PING)},
        /* 2 */ {true, true, BYTES(HEAD, ACK, RELIABLE(1001))},
        /* 3 */ {false, false, 0, {0}},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct enet_filter_peer peer = {.side = ENET_FILTER_OF_CLIENT, .received = {1000}, .sent = sent};
        struct row row = given[i];
        if (enet_filter_accepts(&peer, row.bytes, &row.size) != given[i].of_client ||
            (given[i].of_client && (row.size != kept[i].size || memcmp(row.bytes, kept[i].bytes, row.size) != 0)))
            fail_msg("row %zu", i);
    }
}

TEST(a_datagram_holds_at_most_32_commands)
{
    static const struct row commands[] = {
        {true, true, BYTES(ACK)},
        {true, true, BYTES(RELIABLE(1))},
        {true, true, BYTES(PING)},
    };
    uint16_t reliable[ENET_FILTER_CHANNELS] = {0};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        uint8_t bytes[1000] = {HEAD};
        size_t size = 4;
        for (int count = 1; count <= 33; count++) {
            memcpy(bytes + size, commands[i].bytes, commands[i].size);
            size += commands[i].size;
            assert_int_equal(accepts(bytes, size, ENET_FILTER_OF_CLIENT, reliable), count <= 32);
        }
    }
}

TEST(a_reliable_number_is_checked_per_channel_and_at_the_wrap)
{
    static const struct {
        uint16_t last, number;
        bool passes;
    } numbers[] = {
        /* 0 */ {0xfff0, 0xfff1, true}, /* 1 */ {0xfff0, 0x0030, true},  /* 2 */ {0xfff0, 0x0031, false},
        /* 3 */ {0x0002, 0xfff0, true}, /* 4 */ {0x0000, 0x7fff, false},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint8_t bytes[] = {HEAD, 0x86, 1, (uint8_t)(numbers[i].number >> 8), (uint8_t)numbers[i].number, 0, 1, 7};
        uint16_t reliable[ENET_FILTER_CHANNELS] = {30000, numbers[i].last};
        if (accepts(bytes, sizeof bytes, ENET_FILTER_OF_CLIENT, reliable) != numbers[i].passes)
            fail_msg("row %zu", i);
    }
}

TEST(a_payload_has_a_largest_size)
{
    static uint8_t bytes[4 + 6 + ENET_FILTER_PAYLOAD_BYTES_MAX + 1] = {HEAD, 0x86, 1, 0, 1};
    uint16_t reliable[ENET_FILTER_CHANNELS] = {0};
    for (size_t payload = ENET_FILTER_PAYLOAD_BYTES_MAX; payload <= ENET_FILTER_PAYLOAD_BYTES_MAX + 1; payload++) {
        bytes[8] = (uint8_t)(payload >> 8);
        bytes[9] = (uint8_t)payload;
        assert_int_equal(accepts(bytes, 10 + payload, ENET_FILTER_OF_CLIENT, reliable),
                         payload == ENET_FILTER_PAYLOAD_BYTES_MAX);
    }
}

// The bytes of a command that may vary; all others are always the same.
TEST(fixed_fields_of_commands_are_checked)
{
    static const struct {
        const char *free; // one letter per byte; x may be anything
        struct row row;
    } commands[] = {
        {"..xx........", {true, true, BYTES(HEAD, BANDWIDTH(0))}},
        {"..xx............", {true, true, BYTES(HEAD, THROTTLE(32))}},
        {"..xx", {true, true, BYTES(HEAD, PING)}},
    };
    uint16_t reliable[ENET_FILTER_CHANNELS] = {0};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        assert_int_equal(strlen(commands[i].free), commands[i].row.size - 4);
        for (size_t at = 0; at < strlen(commands[i].free); at++) {
            struct row row = commands[i].row;
            row.bytes[4 + at] ^= 1;
            if (accepts(row.bytes, row.size, ENET_FILTER_OF_CLIENT, reliable) != (commands[i].free[at] == 'x'))
                fail_msg("command %zu, byte %zu", i, at);
        }
    }
}

TEST(each_command_has_its_flags)
{
    static const struct {
        uint8_t first, other; // the bytes with the kind that pass
        struct row row;
    } commands[] = {
        {0x01, 0x01, {true, true, BYTES(HEAD, ACK)}},
        {0x84, 0x44, {true, true, BYTES(HEAD, 0x84, 0xff, 0, 3, 0, 0, 0, 4)}},
        {0x85, 0x85, {true, true, BYTES(HEAD, PING)}},
        {0x86, 0x86, {true, true, BYTES(HEAD, RELIABLE(1))}},
        {0x8a, 0x8a, {true, true, BYTES(HEAD, BANDWIDTH(0))}},
        {0x8b, 0x8b, {true, true, BYTES(HEAD, THROTTLE(32))}},
    };
    uint16_t reliable[ENET_FILTER_CHANNELS] = {0};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        for (unsigned flags = 0; flags < 16; flags++) {
            struct row row = commands[i].row;
            uint8_t byte = (uint8_t)(flags << 4 | (commands[i].first & 0x0f));
            row.bytes[4] = byte;
            if (accepts(row.bytes, row.size, ENET_FILTER_OF_CLIENT, reliable) !=
                (byte == commands[i].first || byte == commands[i].other))
                fail_msg("command %zu, flags %x", i, flags);
        }
    }
}

TEST(no_command_may_be_cut)
{
    static const struct row whole[] = {
        {true, true, BYTES(HEAD, ACK)},          {true, true, BYTES(HEAD, 0x84, 0xff, 0, 3, 0, 0, 0, 4)},
        {true, true, BYTES(HEAD, PING)},         {true, true, BYTES(HEAD, RELIABLE(1))},
        {true, true, BYTES(HEAD, BANDWIDTH(0))}, {true, true, BYTES(HEAD, THROTTLE(32))},
    };
    uint16_t reliable[ENET_FILTER_CHANNELS] = {0};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        enum enet_filter_side side = whole[i].of_client ? ENET_FILTER_OF_CLIENT : ENET_FILTER_OF_SERVER;
        assert_true(accepts(whole[i].bytes, whole[i].size, side, reliable));
        for (size_t size = 0; size < whole[i].size; size++)
            if (accepts(whole[i].bytes, size, side, reliable))
                fail_msg("command %zu, %zu bytes", i, size);
    }
}

TEST(time_stamps_are_read_from_header_and_acknowledgement)
{
    static const struct {
        size_t size;
        uint8_t bytes[16];
        int sent_ms, acknowledged_ms; // -1: none
    } given[] = {
        {BYTES(HEAD, ACK), 0x1234, 0x1234},
        {BYTES(0x80, 0x00, 0xab, 0xcd, ACK), 0xabcd, 0x1234},
        {BYTES(0x00, 0x00, ACK), -1, 0x1234},
        {BYTES(HEAD, PING), 0x1234, -1},
        {BYTES(0x00, 0x00, 0x44, 0xff, 0, 1, 0, 0, 0, 4), -1, -1},
        {BYTES(0x80, 0x00, 0x12), -1, -1},
        {BYTES(0x80), -1, -1},
        {BYTES(HEAD, 0x01, 0xff, 7, 0xd1, 7, 0xd1, 0x12), 0x1234, -1},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        uint16_t sent_ms, acknowledged_ms;
        bool is_sent = enet_filter_sent_ms(given[i].bytes, given[i].size, &sent_ms);
        bool acknowledges = enet_filter_acknowledged_ms(given[i].bytes, given[i].size, &acknowledged_ms);
        if ((is_sent ? sent_ms : -1) != given[i].sent_ms ||
            (acknowledges ? acknowledged_ms : -1) != given[i].acknowledged_ms)
            fail_msg("row %zu", i);
    }
}

TEST(a_header_names_no_peer_and_no_session)
{
    uint16_t reliable[ENET_FILTER_CHANNELS] = {0};
    for (unsigned bit = 0; bit < 16; bit++) {
        uint8_t bytes[] = {HEAD, PING};
        bytes[bit < 8 ? 1 : 0] ^= (uint8_t)(1u << bit % 8);
        for (int side = ENET_FILTER_OF_CLIENT; side <= ENET_FILTER_OF_SERVER; side++)
            if (accepts(bytes, sizeof bytes, (enum enet_filter_side)side, reliable))
                fail_msg("bit %u", bit); // without its time, the ping is cut
    }
}
