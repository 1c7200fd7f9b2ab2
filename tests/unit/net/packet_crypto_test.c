// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "net/crypto/packet_crypto.h"
#include "test.h"

static const struct session_id ID = {7, 1};

static void ends(struct packet_crypto *one, struct packet_crypto *other)
{
    uint8_t a[PACKET_CRYPTO_KEY_BYTES], b[PACKET_CRYPTO_KEY_BYTES];
    memset(a, 0xa1, sizeof a);
    memset(b, 0xb2, sizeof b);
    packet_crypto_init(one, a, b);
    packet_crypto_init(other, b, a);
}

TEST(an_encrypted_packet_is_decrypted_by_the_other_end)
{
    struct packet_crypto one, other;
    ends(&one, &other);
    uint8_t plain[64] = "a player's name, a line of chat, and what ENet wrote", encrypted[128], opened[64];
    size_t size = packet_crypto_encrypt(&one, (struct session_id){0x1234, 0x5678}, plain, sizeof plain, encrypted);
    assert_int_equal(size, sizeof plain + PACKET_CRYPTO_OVERHEAD_BYTES);
    assert_memory_equal(encrypted, ((uint8_t[]){DATAGRAM_ENCRYPTED, 0x34, 0x12, 0x78, 0x56, 1, 0}),
                        PACKET_CRYPTO_HEADER_BYTES);
    for (size_t i = PACKET_CRYPTO_HEADER_BYTES; i + 8 <= size; i++)
        for (size_t j = 0; j + 8 <= sizeof plain; j++)
            assert_memory_not_equal(encrypted + i, plain + j, 8);
    struct session_id session;
    bool newest;
    assert_true(packet_crypto_claims(encrypted, size, &session));
    assert_int_equal(session.index, 0x1234);
    assert_int_equal(session.generation, 0x5678);
    assert_true(packet_crypto_decrypt(&other, encrypted, size, opened, &newest));
    assert_true(newest);
    assert_memory_equal(opened, plain, sizeof plain);
}

TEST(the_same_bytes_are_never_encrypted_alike)
{
    struct packet_crypto one, other;
    ends(&one, &other);
    uint8_t first[64], second[64], plain[16] = {0};
    packet_crypto_encrypt(&one, ID, plain, sizeof plain, first);
    packet_crypto_encrypt(&one, ID, plain, sizeof plain, second);
    assert_memory_not_equal(first + PACKET_CRYPTO_HEADER_BYTES, second + PACKET_CRYPTO_HEADER_BYTES, sizeof plain);
    packet_crypto_encrypt(&other, ID, plain, sizeof plain, second); // same sequence, other direction
    assert_memory_not_equal(first + PACKET_CRYPTO_HEADER_BYTES, second + PACKET_CRYPTO_HEADER_BYTES, sizeof plain);
}

TEST(a_changed_or_truncated_packet_is_refused)
{
    struct packet_crypto one, other, before;
    ends(&one, &other);
    uint8_t plain[5] = "hello", encrypted[64], opened[64];
    bool newest;
    size_t size = packet_crypto_encrypt(&one, ID, plain, sizeof plain, encrypted);
    before = other;
    for (size_t bit = 8; bit < size * 8; bit++) { // packet_crypto_claims checks the kind
        encrypted[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(packet_crypto_decrypt(&other, encrypted, size, opened, &newest));
        encrypted[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t cut = 0; cut < size; cut++)
        assert_false(packet_crypto_decrypt(&other, encrypted, cut, opened, &newest));
    // Not the bit that makes the sequence 0 and the four that make it too high, but the cuts that leave header and tag.
    assert_int_equal(other.forged, (size - 1) * 8 - 5 + 4);
    before.forged = other.forged;
    assert_memory_equal(&before, &other, sizeof other);
    assert_true(packet_crypto_decrypt(&other, encrypted, size, opened, &newest));
}

TEST(only_an_encrypted_packet_with_contents_claims_a_session)
{
    static const struct {
        uint8_t kind;
        size_t size;
        bool claims;
    } rows[] = {
        /* 0 */ {DATAGRAM_ENCRYPTED, 24, true},
        /* 1 */ {DATAGRAM_ENCRYPTED, 23, false}, // nothing encrypted
        /* 2 */ {DATAGRAM_ENCRYPTED, 0, false},
        /* 3 */ {DATAGRAM_JOIN, 24, false},
        /* 4 */ {0, 24, false},
        /* 5 */ {0xff, 24, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t bytes[24] = {rows[i].kind};
        struct session_id session;
        if (packet_crypto_claims(bytes, rows[i].size, &session) != rows[i].claims)
            fail_msg("row %zu", i);
    }
}

TEST(each_sequence_is_accepted_once_and_none_too_old)
{
    enum { PHASE = PACKET_CRYPTO_PHASE };
    static const struct {
        uint64_t sequence;
        bool taken, newest;
    } rows[] = {
        /*  0 */ {0, false, false}, // never sent
        /*  1 */ {1, true, true},
        /*  2 */ {1, false, false},
        /*  3 */ {3, true, true},
        /*  4 */ {2, true, false},
        /*  5 */ {2, false, false},
        /*  6 */ {258, true, true},
        /*  7 */ {2, false, false}, // 256 behind: out of the window
        /*  8 */ {3, false, false}, // inside, but received before
        /*  9 */ {4, true, false},
        /* 10 */ {4, false, false},
        /* 11 */ {PHASE, true, true}, // under the second key
        /* 12 */ {PHASE - 1, true, false},
        /* 13 */ {PHASE - 1, false, false},
        /* 14 */ {PHASE + 254, true, true},
        /* 15 */ {PHASE - 2, false, false},
        /* 16 */ {PHASE - 1, false, false}, // the last one inside
        /* 17 */ {PHASE + 255, true, true},
        /* 18 */ {PHASE, false, false},
        /* 19 */ {PHASE + 1, true, false},
        /* 20 */ {5 * PHASE, false, false}, // four phases are lost
        /* 21 */ {5 * PHASE - 1, true, true},
        /* 22 */ {5 * PHASE + 10, true, true},
        /* 23 */ {5 * PHASE - 200, true, false},
        /* 24 */ {8 * PHASE, true, true},
        /* 25 */ {8 * PHASE - 3, true, false}, // of a phase from which nothing came before
        /* 26 */ {8 * PHASE - 3, false, false},
        /* 27 */ {64 * PHASE - 1, false, false},
    };
    static uint8_t sent[66 * PHASE][PACKET_CRYPTO_OVERHEAD_BYTES + 1];
    struct packet_crypto one, other;
    ends(&one, &other);
    for (uint64_t i = 1; i < sizeof sent / sizeof *sent; i++)
        packet_crypto_encrypt(&one, ID, &(uint8_t){1}, 1, sent[i]);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t opened;
        bool newest = false;
        bool taken = packet_crypto_decrypt(&other, sent[rows[i].sequence], sizeof *sent, &opened, &newest);
        if (taken != rows[i].taken || newest != rows[i].newest)
            fail_msg("row %zu", i);
    }
    for (uint64_t i = 9 * PHASE; i < sizeof sent / sizeof *sent; i += 300) { // past where the low 16 bits begin again
        uint8_t opened;
        bool newest;
        assert_true(packet_crypto_decrypt(&other, sent[i], sizeof *sent, &opened, &newest) && newest);
        assert_true(packet_crypto_decrypt(&other, sent[i - 255], sizeof *sent, &opened, &newest) && !newest);
    }
}

// Whether any bytes of an end are the key of a datagram.
static bool opens(const struct packet_crypto *end, const uint8_t *datagram, size_t byte_count)
{
    const uint8_t *bytes = (const uint8_t *)end;
    for (size_t i = 0; i + PACKET_CRYPTO_KEY_BYTES <= sizeof *end; i++) {
        struct packet_crypto thief;
        uint8_t opened[64];
        bool newest;
        packet_crypto_init(&thief, bytes + i, bytes + i);
        thief.newest = (uint64_t)(datagram[5] | datagram[6] << 8) - 1;
        if (packet_crypto_decrypt(&thief, datagram, byte_count, opened, &newest))
            return true;
    }
    return false;
}

TEST(what_is_stolen_from_memory_opens_nothing_of_an_earlier_phase)
{
    struct packet_crypto one, other;
    ends(&one, &other);
    uint8_t plain = 1, recorded[64], opened[64];
    bool newest;
    size_t size = packet_crypto_encrypt(&one, ID, &plain, 1, recorded);
    assert_true(packet_crypto_decrypt(&other, recorded, size, opened, &newest));
    assert_true(opens(&one, recorded, size) && opens(&other, recorded, size)); // the thief comes at once
    for (uint64_t sequence = 2; sequence < PACKET_CRYPTO_PHASE + PACKET_CRYPTO_WINDOW; sequence++) {
        uint8_t encrypted[64];
        assert_true(opens(&other, recorded, size)); // late ones may still come
        assert_int_equal(opens(&one, recorded, size), sequence <= PACKET_CRYPTO_PHASE);
        packet_crypto_encrypt(&one, ID, &plain, 1, encrypted);
        assert_true(packet_crypto_decrypt(&other, encrypted, size, opened, &newest));
    }
    assert_false(opens(&one, recorded, size) || opens(&other, recorded, size));
}

TEST(the_nearest_sequence_with_the_low_bits_is_chosen)
{
    static const struct {
        uint64_t newest;
        uint16_t low;
        uint64_t sequence;
    } rows[] = {
        /*  0 */ {0, 1, 1},
        /*  1 */ {0, 0xffff, 0xffff}, // nothing lies before the first
        /*  2 */ {5, 3, 3},
        /*  3 */ {0xffff, 0, 0x10000},
        /*  4 */ {0xfff0, 5, 0x10005},
        /*  5 */ {0x10005, 0xfff0, 0xfff0},
        /*  6 */ {0x300000005u, 0xfff0, 0x2fffffff0u},
        /*  7 */ {0x300000005u, 6, 0x300000006u},
        /*  8 */ {UINT64_MAX, 0, 0xffffffffffff0000u}, // there is none after the last
        /*  9 */ {UINT64_MAX, 0xffff, UINT64_MAX},
        /* 10 */ {UINT64_MAX - 1, 0xffff, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (packet_crypto_sequence_expand(rows[i].newest, rows[i].low) != rows[i].sequence)
            fail_msg("row %zu", i);
}

TEST(a_key_works_up_to_its_last_sequence)
{
    struct packet_crypto one, other;
    ends(&one, &other);
    uint8_t plain = 1, encrypted[64], opened[64];
    bool newest;
    one.sent = other.newest = PACKET_CRYPTO_SENT_MAX - 2;
    for (int i = 0; i < 2; i++) {
        size_t size = packet_crypto_encrypt(&one, ID, &plain, 1, encrypted);
        assert_true(packet_crypto_decrypt(&other, encrypted, size, opened, &newest));
        assert_false(packet_crypto_decrypt(&other, encrypted, size, opened, &newest));
    }
    assert_int_equal(packet_crypto_encrypt(&one, ID, &plain, 1, encrypted), 0);
    assert_int_equal(packet_crypto_encrypt(&one, ID, &plain, 1, encrypted), 0);
}

TEST(a_key_is_given_up_after_too_many_forgeries)
{
    struct packet_crypto one, other;
    ends(&one, &other);
    uint8_t plain = 1, encrypted[64], opened[64];
    bool newest;
    size_t size = packet_crypto_encrypt(&one, ID, &plain, 1, encrypted);
    other.forged = PACKET_CRYPTO_FORGED_MAX - 2;
    assert_true(packet_crypto_decrypt(&other, encrypted, size, opened, &newest));
    assert_false(packet_crypto_decrypt(&other, encrypted, size, opened, &newest)); // replayed, not forged
    for (int i = 0; i < 2; i++) {
        size = packet_crypto_encrypt(&one, ID, &plain, 1, encrypted);
        encrypted[size - 1] ^= 1;
        assert_false(packet_crypto_decrypt(&other, encrypted, size, opened, &newest));
        encrypted[size - 1] ^= 1;
        assert_int_equal(packet_crypto_decrypt(&other, encrypted, size, opened, &newest), i == 0);
    }
}
