// SPDX-License-Identifier: MIT
#include <string.h>

#include "test.h"
#include "webrtc/stun.h"

#define CHECK_BYTES 100

// Made by another program, with the user name deadfallpassword:abcd.
static const char CHECK[] =
    "\x00\x01\x00\x50\x21\x12\xa4\x42\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x00\x06\x00\x15"
    "\x64\x65\x61\x64\x66\x61\x6c\x6c\x70\x61\x73\x73\x77\x6f\x72\x64\x3a\x61\x62\x63\x64\x00\x00\x00"
    "\x00\x24\x00\x04\x6e\x7f\x1e\xff\x80\x2a\x00\x08\x00\x01\x02\x03\x04\x05\x06\x07\x00\x08\x00\x14"
    "\x23\x29\x64\x38\x14\xb5\xf5\xb0\xd3\x5f\x40\xcc\x71\xe8\x38\x36\x2a\x54\xfc\x23\x80\x28\x00\x04"
    "\xbe\x7b\x11\x2f";
static const char ANSWER_IPV4[] =
    "\x01\x01\x00\x2c\x21\x12\xa4\x42\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x00\x20\x00\x08"
    "\x00\x01\x5b\x7b\xe1\x12\xa6\x45\x00\x08\x00\x14\xe2\xda\x0d\x3c\x49\x9e\x99\xbc\x30\x41\x44\xcd"
    "\x72\x31\x87\x2d\x3b\x51\x52\xaa\x80\x28\x00\x04\xe0\x77\xdc\x7f";
static const char ANSWER_IPV6[] =
    "\x01\x01\x00\x38\x21\x12\xa4\x42\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x00\x20\x00\x14"
    "\x00\x02\x5b\x7b\x01\x13\xa9\xfa\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0b\x00\x08\x00\x14"
    "\xf8\x1d\xbf\x1f\x37\x52\x81\xf6\x4a\x9a\x5c\x99\x70\xc5\xa4\x38\xa1\x38\xab\x0d\x80\x28\x00\x04"
    "\xd2\x8e\x56\xba";
static const struct net_address IPV4 = {{192, 0, 2, 7, 0x7a, 0x69}, ADDRESS_BYTES_IPV4};
static const struct net_address IPV6 = {{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0x7a, 0x69},
                                        ADDRESS_BYTES_MAX};

TEST(a_check_is_answered_with_its_address)
{
    uint8_t answer[STUN_ANSWER_BYTES_MAX];
    assert_int_equal(stun_answer(&IPV4, (const uint8_t *)CHECK, CHECK_BYTES, answer), sizeof ANSWER_IPV4 - 1);
    assert_memory_equal(answer, ANSWER_IPV4, sizeof ANSWER_IPV4 - 1);
    assert_int_equal(stun_answer(&IPV6, (const uint8_t *)CHECK, CHECK_BYTES, answer), sizeof ANSWER_IPV6 - 1);
    assert_memory_equal(answer, ANSWER_IPV6, sizeof ANSWER_IPV6 - 1);
}

// The last 8 bytes are FINGERPRINT, which adds nothing to MESSAGE-INTEGRITY.
TEST(a_check_with_any_wrong_bit_gets_no_answer)
{
    uint8_t check[CHECK_BYTES], answer[STUN_ANSWER_BYTES_MAX];
    for (size_t bit = 0; bit < (CHECK_BYTES - 8) * 8; bit++) {
        memcpy(check, CHECK, CHECK_BYTES);
        check[bit / 8] ^= (uint8_t)(1 << bit % 8);
        bool is_length = bit / 8 == 2 || bit / 8 == 3; // the socket compares it with the datagram's
        if (!is_length && stun_answer(&IPV4, check, CHECK_BYTES, answer) != 0)
            fail_msg("bit %zu", bit);
    }
}

TEST(a_check_that_is_cut_gets_no_answer)
{
    uint8_t answer[STUN_ANSWER_BYTES_MAX];
    for (size_t count = 0; count < CHECK_BYTES - 8; count++)
        assert_int_equal(stun_answer(&IPV4, (const uint8_t *)CHECK, count, answer), 0);
}
