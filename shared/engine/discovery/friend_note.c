// SPDX-License-Identifier: MIT
#include "friend_note.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"
#include "base/utf8.h"

#define NONCE_BYTES crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
#define TAG_BYTES   crypto_aead_xchacha20poly1305_ietf_ABYTES
#define PLAIN_BYTES (NOTE_EXCHANGE_BYTES - NONCE_BYTES - TAG_BYTES)

enum { FORMAT_AT = 0, PLAYS_AT = 1, TIME_AT = 2, PLAYER_AT = 10, SERVER_AT = 26, LINK_AT = 74, FORMAT = 1 };

_Static_assert(SERVER_AT - PLAYER_AT == FRIEND_NOTE_PLAYER_BYTES - 1 &&
                   LINK_AT - SERVER_AT == FRIEND_NOTE_SERVER_BYTES - 1 &&
                   PLAIN_BYTES - LINK_AT == FRIEND_NOTE_LINK_BYTES - 1,
               "texts lie behind each other, without their final zero");

uint64_t friend_note_step(int64_t unix_s)
{
    return (uint64_t)(unix_s / FRIEND_NOTE_STEP_S);
}

uint64_t friend_note_step_beside(int64_t unix_s)
{
    return friend_note_step(unix_s) + (unix_s % FRIEND_NOTE_STEP_S < FRIEND_NOTE_STEP_S / 2 ? UINT64_MAX : 1);
}

static void derive(const struct friend_note_place *place, const char *use, uint8_t *bytes, size_t byte_count)
{
    uint8_t step[8];
    crypto_generichash_state hash;
    little_endian_write(step, place->step, sizeof step);
    crypto_generichash_init(&hash, place->pair, FRIEND_KEY_BYTES, byte_count);
    crypto_generichash_update(&hash, (const uint8_t *)use, strlen(use));
    crypto_generichash_update(&hash, place->author, FRIEND_KEY_BYTES);
    crypto_generichash_update(&hash, step, sizeof step);
    crypto_generichash_final(&hash, bytes, byte_count);
}

void friend_note_name(const struct friend_note_place *place, uint8_t name[NOTE_EXCHANGE_NAME_BYTES])
{
    derive(place, "name", name, NOTE_EXCHANGE_NAME_BYTES);
}

void friend_note_encrypt(const struct friend_note *note, const struct friend_note_place *place, struct note *encrypted)
{
    uint8_t plain[PLAIN_BYTES] = {[FORMAT_AT] = FORMAT, [PLAYS_AT] = note->plays}, key[32];
    little_endian_write(plain + TIME_AT, note->time_ms, 8);
    memcpy(plain + PLAYER_AT, note->player, strnlen(note->player, FRIEND_NOTE_PLAYER_BYTES - 1));
    memcpy(plain + SERVER_AT, note->server, strnlen(note->server, FRIEND_NOTE_SERVER_BYTES - 1));
    memcpy(plain + LINK_AT, note->link, strnlen(note->link, FRIEND_NOTE_LINK_BYTES - 1));
    friend_note_name(place, encrypted->name);
    derive(place, "content", key, sizeof key);
    randombytes_buf(encrypted->bytes, NONCE_BYTES);
    crypto_aead_xchacha20poly1305_ietf_encrypt(encrypted->bytes + NONCE_BYTES, NULL, plain, sizeof plain,
                                               encrypted->name, sizeof encrypted->name, NULL, encrypted->bytes, key);
    sodium_memzero(key, sizeof key);
}

// Takes a text that fills its place with zeros. False if something is behind a zero.
static bool take_text(char *text, const uint8_t *bytes, size_t byte_count)
{
    size_t length = strnlen((const char *)bytes, byte_count);
    memcpy(text, bytes, length);
    text[length] = 0;
    return sodium_is_zero(bytes + length, byte_count - length);
}

static bool is_address(const char *text)
{
    for (; *text; text++)
        if (*text <= ' ' || *text > '~')
            return false;
    return true;
}

bool friend_note_decrypt(struct friend_note *note, const struct friend_note_place *place, const struct note *encrypted)
{
    uint8_t plain[PLAIN_BYTES], key[32];
    derive(place, "content", key, sizeof key);
    int result = crypto_aead_xchacha20poly1305_ietf_decrypt(plain, NULL, NULL, encrypted->bytes + NONCE_BYTES,
                                                            PLAIN_BYTES + TAG_BYTES, encrypted->name,
                                                            sizeof encrypted->name, encrypted->bytes, key);
    sodium_memzero(key, sizeof key);
    if (result != 0 || plain[FORMAT_AT] != FORMAT || plain[PLAYS_AT] > 1)
        return false;
    note->plays = plain[PLAYS_AT];
    note->time_ms = little_endian_read(plain + TIME_AT, 8);
    return take_text(note->player, plain + PLAYER_AT, FRIEND_NOTE_PLAYER_BYTES - 1) &&
           take_text(note->server, plain + SERVER_AT, FRIEND_NOTE_SERVER_BYTES - 1) &&
           take_text(note->link, plain + LINK_AT, FRIEND_NOTE_LINK_BYTES - 1) &&
           utf8_is_clean(note->player, strlen(note->player)) && utf8_is_clean(note->server, strlen(note->server)) &&
           is_address(note->link);
}
