// SPDX-License-Identifier: MIT
#include "session_reset.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"

static const char LABEL[] = "deadfall reset";

struct session_grant session_reset_grant(const uint8_t secret_key[32], struct session_id session, uint64_t household)
{
    struct session_grant grant = {.session = session};
    uint8_t text[sizeof LABEL + 12];
    memcpy(text, LABEL, sizeof LABEL);
    little_endian_write(text + sizeof LABEL, session.index, 2);
    little_endian_write(text + sizeof LABEL + 2, session.generation, 2);
    little_endian_write(text + sizeof LABEL + 4, household, 8);
    crypto_generichash(grant.reset_token, sizeof grant.reset_token, text, sizeof text, secret_key, 32);
    return grant;
}

void session_reset_write(const struct session_grant *grant, uint8_t bytes[SESSION_RESET_BYTES])
{
    bytes[0] = DATAGRAM_RESET;
    little_endian_write(bytes + 1, grant->session.index, 2);
    little_endian_write(bytes + 3, grant->session.generation, 2);
    memcpy(bytes + 5, grant->reset_token, SESSION_RESET_TOKEN_BYTES);
}

bool session_reset_claims(const struct session_grant *grant, const uint8_t *bytes, size_t byte_count)
{
    uint8_t expected[SESSION_RESET_BYTES];
    session_reset_write(grant, expected);
    return byte_count == sizeof expected && sodium_memcmp(bytes, expected, sizeof expected) == 0;
}
