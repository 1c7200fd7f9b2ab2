// SPDX-License-Identifier: MIT
//
// The vector of draft-irtf-cfrg-cpace, appendix B.3, for CPACE-RISTR255-SHA512.
#include <sodium.h>
#include <string.h>

#include "net/crypto/cpace.h"
#include "test.h"

static const uint8_t session[] = {0x7e, 0x4b, 0x47, 0x91, 0xd6, 0xa8, 0xef, 0x01,
                                  0x9b, 0x93, 0x6c, 0x79, 0xfb, 0x7f, 0x2c, 0x57};
static const struct cpace vector = {
    .password = {"Password", 8},
    .channel = {"oc\vB_responder\vA_initiator", 26},
    .session = {session, sizeof session},
    .initiator = {"ADa", 3},
    .responder = {"ADb", 3},
};
static const char SECRET_A[] = "da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4ff0976d08",
                  SECRET_B[] = "d2316b454718c35362d83d69df6320f38578ed5984651435e2949762d900b80d",
                  SHARE_A[] = "d40fb265a7abeaee7939d91a585fe59f7053f982c296ec413c624c669308f87a",
                  SHARE_B[] = "08bcf6e9777a9c313a3db6daa510f2d398403319c2341bd506a92e672eb7e307",
                  KEY[] = "4c5469a16b2364c4b944ebc1a79e51d1674ad47db26e8718154f59faebfaa52d"
                          "8346f30aa58377117eb20d527f2cbc5c76381f7fd372e89df8239f87f2e02ed1";

static void from_hex(uint8_t *bytes, size_t byte_count, const char *hex)
{
    size_t count;
    assert_int_equal(sodium_hex2bin(bytes, byte_count, hex, strlen(hex), NULL, &count, NULL), 0);
    assert_int_equal(count, byte_count);
}

struct sides {
    uint8_t secret_a[32], secret_b[32], share_a[32], share_b[32], key[64];
};

static struct sides draft(void)
{
    struct sides sides;
    from_hex(sides.secret_a, 32, SECRET_A);
    from_hex(sides.secret_b, 32, SECRET_B);
    from_hex(sides.share_a, 32, SHARE_A);
    from_hex(sides.share_b, 32, SHARE_B);
    from_hex(sides.key, 64, KEY);
    return sides;
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

ALL_TESTS(begin_all, NULL);

TEST(both_sides_compute_the_shares_and_key_of_the_draft)
{
    struct sides sides = draft();
    struct cpace_shares shares = {sides.share_a, sides.share_b};
    uint8_t share[32], key[64];
    cpace_share(&vector, sides.secret_a, share);
    assert_memory_equal(share, sides.share_a, sizeof share);
    cpace_share(&vector, sides.secret_b, share);
    assert_memory_equal(share, sides.share_b, sizeof share);
    assert_true(cpace_key(&vector, &shares, sides.secret_a, sides.share_b, key));
    assert_memory_equal(key, sides.key, sizeof key);
    assert_true(cpace_key(&vector, &shares, sides.secret_b, sides.share_a, key));
    assert_memory_equal(key, sides.key, sizeof key);
}

TEST(another_password_server_or_session_gives_another_key)
{
    struct sides sides = draft();
    struct cpace others[] = {vector, vector, vector, vector};
    others[0].password.bytes = "Passwort";
    others[1].password.byte_count = 7;
    others[2].channel.byte_count--;
    others[3].session.byte_count--;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        uint8_t share[32], key[64];
        cpace_share(&others[i], sides.secret_b, share);
        struct cpace_shares shares = {sides.share_a, share};
        assert_memory_not_equal(share, sides.share_b, sizeof share);
        assert_true(cpace_key(&vector, &shares, sides.secret_a, share, key));
        uint8_t other[64];
        assert_true(cpace_key(&others[i], &shares, sides.secret_b, sides.share_a, other));
        assert_memory_not_equal(key, other, sizeof key);
    }
}

TEST(a_share_that_is_no_element_or_the_neutral_one_is_refused)
{
    struct sides sides = draft();
    uint8_t bad[3][32] = {{0}}, key[64];
    memset(bad[1], 0xff, 32);
    memcpy(bad[2], sides.share_a, 32);
    bad[2][0] ^= 1; // negative: no encoding of an element
    for (size_t i = 0; i < 3; i++)
        assert_false(cpace_key(&vector, &(struct cpace_shares){bad[i], sides.share_b}, sides.secret_b, bad[i], key));
}

TEST(a_long_password_fits)
{
    struct sides sides = draft();
    struct cpace cpace = vector;
    char password[CPACE_TEXT_MAX];
    uint8_t shares[3][32];
    memset(password, 'x', sizeof password);
    for (uint8_t i = 0; i < 3; i++) {
        cpace.password = (struct cpace_text){password, sizeof password - i * 13u};
        cpace_share(&cpace, sides.secret_a, shares[i]);
    }
    assert_memory_not_equal(shares[0], shares[1], 32);
    assert_memory_not_equal(shares[1], shares[2], 32);
}
