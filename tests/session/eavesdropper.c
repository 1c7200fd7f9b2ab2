// SPDX-License-Identifier: MIT
#include "eavesdropper.h"

#include <string.h>

#include "base/random.h"
#include "virtual_udp.h"

enum {
    ENCRYPTED = 6,
    RESET = 7,
    RESET_BYTES = 21,
    NAME_AT = 1,
    TOKEN_AT = 5,
    NOISE_BYTES_MAX = 60,
    HEARD_IN_A_ROW = 32
};

static uint32_t draw(struct eavesdropper *eavesdropper, uint32_t below)
{
    return (uint32_t)(random_next64(&eavesdropper->random) % below);
}

void eavesdropper_hear(struct eavesdropper *eavesdropper, bool to_server, const uint8_t *bytes, size_t byte_count)
{
    if (!to_server && bytes[0] == RESET && byte_count == RESET_BYTES)
        memcpy(eavesdropper->tokens[eavesdropper->resets_heard++ % EAVESDROPPER_HEARD], bytes + TOKEN_AT,
               sizeof *eavesdropper->tokens);
    if (!to_server && bytes[0] == ENCRYPTED) { // what goes to the server may be its own noise
        memcpy(eavesdropper->name, bytes + NAME_AT, sizeof eavesdropper->name);
        eavesdropper->has_name = true;
    }
    if (!to_server || byte_count > EAVESDROPPER_HEARD_BYTES)
        return;
    // One of a few in a row, so that those of earlier sessions stay.
    size_t at = eavesdropper->datagrams_heard++ / HEARD_IN_A_ROW % EAVESDROPPER_HEARD;
    eavesdropper->datagrams[at].byte_count = byte_count;
    memcpy(eavesdropper->datagrams[at].bytes, bytes, byte_count);
}

static void fill(struct eavesdropper *eavesdropper, uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        bytes[i] = (uint8_t)draw(eavesdropper, 256);
}

// For the client's newest session: with noise in place of the token, or with the token of another session.
static void forge_reset(struct eavesdropper *eavesdropper, const uint8_t *token, size_t byte_count)
{
    uint8_t bytes[RESET_BYTES + 1] = {RESET};
    fill(eavesdropper, bytes + TOKEN_AT, sizeof bytes - TOKEN_AT);
    memcpy(bytes + NAME_AT, eavesdropper->name, sizeof eavesdropper->name);
    if (token)
        memcpy(bytes + TOKEN_AT, token, sizeof *eavesdropper->tokens);
    virtual_udp_send_to(&eavesdropper->client, bytes, byte_count);
    eavesdropper->resets_forged++;
}

// Of the client's newest session or, in its name, of one that nobody has.
static void send_noise(struct eavesdropper *eavesdropper, const struct net_address *from, uint8_t other)
{
    uint8_t bytes[NOISE_BYTES_MAX] = {ENCRYPTED};
    fill(eavesdropper, bytes + TOKEN_AT, sizeof bytes - TOKEN_AT);
    memcpy(bytes + NAME_AT, eavesdropper->name, sizeof eavesdropper->name);
    bytes[NAME_AT + 2] ^= other;
    virtual_udp_send_as(from, bytes, 8 + draw(eavesdropper, sizeof bytes - 8));
}

static void add(struct eavesdropper *eavesdropper)
{
    uint32_t reset = eavesdropper->resets_heard ? draw(eavesdropper, EAVESDROPPER_HEARD) : 0;
    uint32_t old = draw(eavesdropper, EAVESDROPPER_HEARD);
    switch (draw(eavesdropper, 7)) {
    case 0:
        forge_reset(eavesdropper, NULL, RESET_BYTES - 1 + draw(eavesdropper, 3));
        return;
    case 1:
    case 2:
        forge_reset(eavesdropper, eavesdropper->tokens[reset % EAVESDROPPER_HEARD], RESET_BYTES);
        return;
    case 3:
        if (eavesdropper->datagrams[old].byte_count > 0)
            virtual_udp_send_as(&eavesdropper->client, eavesdropper->datagrams[old].bytes,
                                eavesdropper->datagrams[old].byte_count);
        return;
    case 4:
        send_noise(eavesdropper, &eavesdropper->client, 0);
        return;
    case 5:
        send_noise(eavesdropper, &eavesdropper->client, (uint8_t)(1 + draw(eavesdropper, 255)));
        return;
    default:
        send_noise(eavesdropper, &eavesdropper->own, 0);
        return;
    }
}

void eavesdropper_step(struct eavesdropper *eavesdropper)
{
    uint32_t count = 1 + draw(eavesdropper, eavesdropper->per_step);
    for (uint32_t i = 0; i < count && eavesdropper->has_name; i++)
        add(eavesdropper);
}
