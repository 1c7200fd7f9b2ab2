// SPDX-License-Identifier: MIT
#include "friend.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"
#include "base/utf8.h"

#define SUM_BYTES 3

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz234567";
static const char SEED_USE[] = "deadfall friend key", SUM_USE[] = "deadfall friend sum",
                  PAIR_USE[] = "deadfall friends";

_Static_assert(FRIEND_KEY_TEXT_BYTES - 1 == (FRIEND_KEY_BYTES + SUM_BYTES) * 8 / 5, "five bits a letter");

void friend_key_derive(const uint8_t seed[IDENTITY_SEED_BYTES], struct friend_keys *keys)
{
    crypto_generichash(keys->secret, sizeof keys->secret, (const uint8_t *)SEED_USE, sizeof SEED_USE - 1, seed,
                       IDENTITY_SEED_BYTES);
    crypto_scalarmult_base(keys->key, keys->secret);
}

static void write_sum(const uint8_t key[FRIEND_KEY_BYTES], uint8_t sum[SUM_BYTES])
{
    uint8_t hash[crypto_generichash_BYTES];
    crypto_generichash(hash, sizeof hash, key, FRIEND_KEY_BYTES, (const uint8_t *)SUM_USE, sizeof SUM_USE - 1);
    memcpy(sum, hash, SUM_BYTES);
}

void friend_key_write(const uint8_t key[FRIEND_KEY_BYTES], char text[FRIEND_KEY_TEXT_BYTES])
{
    uint8_t bytes[FRIEND_KEY_BYTES + SUM_BYTES];
    memcpy(bytes, key, FRIEND_KEY_BYTES);
    write_sum(key, bytes + FRIEND_KEY_BYTES);
    uint32_t bits = 0, held = 0;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bits = bits << 8 | bytes[i];
        for (held += 8; held >= 5; held -= 5)
            *text++ = LETTERS[bits >> (held - 5) & 31];
    }
    *text = 0;
}

bool friend_key_read(const char *text, uint8_t key[FRIEND_KEY_BYTES])
{
    size_t begin = strncmp(text, FRIEND_KEY_LINK, sizeof FRIEND_KEY_LINK - 1) ? 0 : sizeof FRIEND_KEY_LINK - 1;
    uint8_t bytes[FRIEND_KEY_BYTES + SUM_BYTES], sum[SUM_BYTES], *next = bytes;
    uint32_t bits = 0, held = 0;
    if (strlen(text + begin) != FRIEND_KEY_TEXT_BYTES - 1 || strspn(text + begin, LETTERS) != FRIEND_KEY_TEXT_BYTES - 1)
        return false;
    for (const char *letter = text + begin; *letter; letter++) {
        bits = bits << 5 | (uint32_t)(strchr(LETTERS, *letter) - LETTERS);
        held += 5;
        if (held >= 8)
            *next++ = (uint8_t)(bits >> (held -= 8));
    }
    write_sum(bytes, sum);
    if (memcmp(sum, bytes + FRIEND_KEY_BYTES, SUM_BYTES) != 0)
        return false;
    memcpy(key, bytes, FRIEND_KEY_BYTES);
    return true;
}

bool friend_key_pair(const struct friend_keys *own, const uint8_t theirs[FRIEND_KEY_BYTES],
                     uint8_t pair[FRIEND_KEY_BYTES])
{
    uint8_t product[crypto_scalarmult_BYTES];
    if (crypto_scalarmult(product, own->secret, theirs) != 0)
        return false;
    bool is_first = memcmp(own->key, theirs, FRIEND_KEY_BYTES) < 0;
    crypto_generichash_state hash;
    crypto_generichash_init(&hash, (const uint8_t *)PAIR_USE, sizeof PAIR_USE - 1, FRIEND_KEY_BYTES);
    crypto_generichash_update(&hash, product, sizeof product);
    crypto_generichash_update(&hash, is_first ? own->key : theirs, FRIEND_KEY_BYTES);
    crypto_generichash_update(&hash, is_first ? theirs : own->key, FRIEND_KEY_BYTES);
    crypto_generichash_final(&hash, pair, FRIEND_KEY_BYTES);
    sodium_memzero(product, sizeof product);
    return true;
}

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
    bool good = take_text(note->player, plain + PLAYER_AT, FRIEND_NOTE_PLAYER_BYTES - 1) &&
                take_text(note->server, plain + SERVER_AT, FRIEND_NOTE_SERVER_BYTES - 1) &&
                take_text(note->link, plain + LINK_AT, FRIEND_NOTE_LINK_BYTES - 1) &&
                utf8_is_clean(note->player, strlen(note->player)) && utf8_is_clean(note->server, strlen(note->server));
    for (const char *at = note->link; good && *at; at++)
        good = *at > ' ' && *at <= '~';
    return good;
}

#define REQUEST_HEAD_BYTES 6
#define ANSWER_HEAD_BYTES  5

static const uint8_t MAGIC[4] = {'D', 'F', 'N', '1'};

_Static_assert(sizeof(struct note) == NOTE_EXCHANGE_NAME_BYTES + NOTE_EXCHANGE_BYTES, "notes have no gaps");

size_t friend_notes_write_request(const struct note_request *request, uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX])
{
    size_t notes = request->note_count * sizeof *request->notes, names = request->name_count * sizeof *request->names;
    memcpy(bytes, MAGIC, sizeof MAGIC);
    bytes[4] = (uint8_t)request->note_count;
    bytes[5] = (uint8_t)request->name_count;
    memcpy(bytes + REQUEST_HEAD_BYTES, request->notes, notes);
    memcpy(bytes + REQUEST_HEAD_BYTES + notes, request->names, names);
    return REQUEST_HEAD_BYTES + notes + names;
}

bool friend_notes_read_request(struct note_request *request, const uint8_t *bytes, size_t byte_count)
{
    if (byte_count < REQUEST_HEAD_BYTES || memcmp(bytes, MAGIC, sizeof MAGIC) != 0 ||
        bytes[4] > NOTE_EXCHANGE_NOTES_MAX || bytes[5] > NOTE_EXCHANGE_NAMES_MAX)
        return false;
    size_t notes = bytes[4] * sizeof *request->notes, names = bytes[5] * sizeof *request->names;
    if (byte_count != REQUEST_HEAD_BYTES + notes + names)
        return false;
    request->note_count = bytes[4];
    request->name_count = bytes[5];
    memcpy(request->notes, bytes + REQUEST_HEAD_BYTES, notes);
    memcpy(request->names, bytes + REQUEST_HEAD_BYTES + notes, names);
    return true;
}

size_t friend_notes_write_answer(const struct note_answer *answer, uint8_t bytes[NOTE_EXCHANGE_ANSWER_BYTES_MAX])
{
    size_t notes = answer->count * sizeof *answer->notes;
    memcpy(bytes, MAGIC, sizeof MAGIC);
    bytes[4] = (uint8_t)answer->count;
    memcpy(bytes + ANSWER_HEAD_BYTES, answer->notes, notes);
    return ANSWER_HEAD_BYTES + notes;
}

bool friend_notes_read_answer(struct note_answer *answer, const uint8_t *bytes, size_t byte_count)
{
    if (byte_count < ANSWER_HEAD_BYTES || memcmp(bytes, MAGIC, sizeof MAGIC) != 0 ||
        bytes[4] > NOTE_EXCHANGE_NAMES_MAX || byte_count != ANSWER_HEAD_BYTES + bytes[4] * sizeof *answer->notes)
        return false;
    answer->count = bytes[4];
    memcpy(answer->notes, bytes + ANSWER_HEAD_BYTES, answer->count * sizeof *answer->notes);
    return true;
}
