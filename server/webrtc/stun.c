// SPDX-License-Identifier: MIT
#include "stun.h"

#include <assert.h>
#include <gnutls/crypto.h>
#include <string.h>

#include "base/hash.h"

#define HEAD_BYTES        20
#define FIELD_HEAD_BYTES  4
#define INTEGRITY_BYTES   20
#define FINGERPRINT_BYTES 4
#define FINGERPRINT_XOR   0x5354554eu
#define PASSWORD_BYTES    256
#define FIELDS_MAX        32

enum { BINDING_REQUEST = 0x0001, BINDING_SUCCESS = 0x0101 };
enum { USERNAME = 0x0006, MESSAGE_INTEGRITY = 0x0008, XOR_MAPPED_ADDRESS = 0x0020, FINGERPRINT = 0x8028 };
enum { FAMILY_IPV4 = 1, FAMILY_IPV6 = 2 };

// What matters of a check.
struct check {
    const uint8_t *user_name;
    size_t password_bytes; // our half of it, which is the password as well
    size_t integrity_at;   // where MESSAGE-INTEGRITY begins; 0: it has none
};

static uint16_t read_16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static void write_16(uint8_t *bytes, size_t number)
{
    bytes[0] = (uint8_t)(number >> 8);
    bytes[1] = (uint8_t)number;
}

// Reads the fields up to MESSAGE-INTEGRITY: what follows it is not authentic.
static bool read_fields(struct check *check, const uint8_t *bytes, size_t byte_count)
{
    size_t at = HEAD_BYTES;
    for (unsigned fields = 0; at + FIELD_HEAD_BYTES <= byte_count && fields < FIELDS_MAX; fields++) {
        uint16_t kind = read_16(bytes + at);
        size_t value_bytes = read_16(bytes + at + 2);
        const uint8_t *value = bytes + at + FIELD_HEAD_BYTES;
        if (value_bytes > byte_count - at - FIELD_HEAD_BYTES)
            return false;
        if (kind == USERNAME) {
            const uint8_t *colon = memchr(value, ':', value_bytes);
            check->user_name = value;
            check->password_bytes = colon ? (size_t)(colon - value) : 0;
        } else if (kind == MESSAGE_INTEGRITY && value_bytes == INTEGRITY_BYTES) {
            check->integrity_at = at;
            break;
        }
        at += FIELD_HEAD_BYTES + ((value_bytes + 3) & ~(size_t)3);
    }
    return check->integrity_at > 0 && check->password_bytes > 0 && check->password_bytes <= PASSWORD_BYTES;
}

// The length in the head counts MESSAGE-INTEGRITY while its code is computed, and nothing behind it.
static bool authenticate(const struct check *check, const uint8_t *bytes, size_t end, uint8_t code[INTEGRITY_BYTES])
{
    uint8_t copy[1500];
    if (end > sizeof copy)
        return false;
    memcpy(copy, bytes, end);
    write_16(copy + 2, end + FIELD_HEAD_BYTES + INTEGRITY_BYTES - HEAD_BYTES);
    return gnutls_hmac_fast(GNUTLS_MAC_SHA1, check->user_name, check->password_bytes, copy, end, code) == 0;
}

static size_t add_field(uint8_t *answer, size_t at, uint16_t kind, size_t value_bytes)
{
    write_16(answer + at, kind);
    write_16(answer + at + 2, value_bytes);
    return at + FIELD_HEAD_BYTES + value_bytes;
}

// The address is masked with the magic cookie and the transaction, which stand in the head.
static size_t add_address(uint8_t *answer, size_t at, const struct net_address *from)
{
    bool is_ipv4 = from->byte_count == ADDRESS_BYTES_IPV4;
    size_t host_bytes = is_ipv4 ? 4 : 16;
    uint8_t *value = answer + at + FIELD_HEAD_BYTES;
    value[0] = 0;
    value[1] = is_ipv4 ? FAMILY_IPV4 : FAMILY_IPV6;
    for (size_t i = 0; i < 2; i++)
        value[2 + i] = from->bytes[host_bytes + i] ^ answer[4 + i];
    for (size_t i = 0; i < host_bytes; i++)
        value[4 + i] = from->bytes[i] ^ answer[4 + i];
    return add_field(answer, at, XOR_MAPPED_ADDRESS, 4 + host_bytes);
}

size_t stun_answer(const struct net_address *from, const uint8_t *check, size_t byte_count,
                   uint8_t answer[STUN_ANSWER_BYTES_MAX])
{
    struct check found = {0};
    uint8_t code[INTEGRITY_BYTES];
    if (byte_count < HEAD_BYTES || read_16(check) != BINDING_REQUEST || !read_fields(&found, check, byte_count) ||
        !authenticate(&found, check, found.integrity_at, code) ||
        gnutls_memcmp(code, check + found.integrity_at + FIELD_HEAD_BYTES, sizeof code) != 0)
        return 0;
    memcpy(answer, check, HEAD_BYTES);
    write_16(answer, BINDING_SUCCESS);
    size_t at = add_address(answer, HEAD_BYTES, from);
    if (!authenticate(&found, answer, at, answer + at + FIELD_HEAD_BYTES))
        return 0;
    at = add_field(answer, at, MESSAGE_INTEGRITY, INTEGRITY_BYTES);
    write_16(answer + 2, at + FIELD_HEAD_BYTES + FINGERPRINT_BYTES - HEAD_BYTES);
    uint32_t sum = hash_crc32(answer, at) ^ FINGERPRINT_XOR;
    write_16(answer + at + FIELD_HEAD_BYTES, sum >> 16);
    write_16(answer + at + FIELD_HEAD_BYTES + 2, sum & 0xffff);
    at = add_field(answer, at, FINGERPRINT, FINGERPRINT_BYTES);
    assert(at <= STUN_ANSWER_BYTES_MAX);
    return at <= byte_count ? at : 0;
}
