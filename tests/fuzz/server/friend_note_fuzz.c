// SPDX-License-Identifier: MIT
//
// Fuzzes what players and directories exchange about friends, by the first byte of the input: a request to the notes of
// a directory, whose answer has nothing that was not asked for; an answer of a directory; a note of a friend, whose
// encryption is left out; and the key of a friend, as text.
#include <sodium.h>
#include <string.h>

#include "base/utf8.h"
#include "directory/notes.h"
#include "discovery/friend.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __wrap_crypto_aead_xchacha20poly1305_ietf_decrypt(uint8_t *plain, unsigned long long *plain_bytes, uint8_t *secret,
                                                      const uint8_t *encrypted, unsigned long long encrypted_bytes,
                                                      const uint8_t *more, unsigned long long more_bytes,
                                                      const uint8_t *nonce, const uint8_t *key);

static struct notes *notes;
static struct note_answer answer;

int __wrap_crypto_aead_xchacha20poly1305_ietf_decrypt(uint8_t *plain, unsigned long long *plain_bytes, uint8_t *secret,
                                                      const uint8_t *encrypted, unsigned long long encrypted_bytes,
                                                      const uint8_t *more, unsigned long long more_bytes,
                                                      const uint8_t *nonce, const uint8_t *key)
{
    (void)plain_bytes, (void)secret, (void)more, (void)more_bytes, (void)nonce, (void)key;
    memcpy(plain, encrypted, (size_t)encrypted_bytes - crypto_aead_xchacha20poly1305_ietf_ABYTES);
    return 0;
}

// Two minutes pass between two inputs, so each finds no notes.
static void request(const uint8_t *data, size_t size)
{
    static const struct household_rules RULES = {.players_max = 4};
    static uint64_t now_ns = 1;
    static struct note_request read;
    notes = notes ? notes : notes_open(&RULES);
    require(notes != NULL);
    now_ns += UINT64_C(120000000000);
    struct notes_question question = {{{198, 51, 100, 1}, ADDRESS_BYTES_IPV4}, data, size};
    enum notes_outcome outcome = notes_exchange(notes, &question, now_ns, &answer);
    require(outcome == (friend_notes_read_request(&read, data, size) ? NOTES_ANSWERED : NOTES_MALFORMED));
    for (uint32_t i = 0; outcome == NOTES_ANSWERED && i < answer.count; i++) {
        bool was_left = false;
        for (uint32_t k = 0; k < read.note_count; k++)
            was_left |= memcmp(&read.notes[k], &answer.notes[i], sizeof *answer.notes) == 0;
        require(was_left);
    }
}

static void read_answer(const uint8_t *data, size_t size)
{
    static uint8_t bytes[NOTE_EXCHANGE_ANSWER_BYTES_MAX];
    if (friend_notes_read_answer(&answer, data, size))
        require(friend_notes_write_answer(&answer, bytes) == size && memcmp(bytes, data, size) == 0);
}

static void open_note(const uint8_t *data, size_t size)
{
    static const uint8_t PAIR[FRIEND_KEY_BYTES], AUTHOR[FRIEND_KEY_BYTES];
    struct friend_note note;
    struct note encrypted = {.bytes = {0}};
    size_t room = sizeof encrypted.bytes - crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
    memcpy(encrypted.bytes + crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, data, size < room ? size : room);
    if (!friend_note_decrypt(&note, &(struct friend_note_place){PAIR, AUTHOR, 1}, &encrypted))
        return;
    require(utf8_is_clean(note.player, strlen(note.player)) && strlen(note.player) < sizeof note.player);
    require(utf8_is_clean(note.server, strlen(note.server)) && strlen(note.server) < sizeof note.server);
    require(!strpbrk(note.link, " \t\r\n") && strlen(note.link) < sizeof note.link);
}

static void read_key(const uint8_t *data, size_t size)
{
    char text[128], again[FRIEND_KEY_TEXT_BYTES];
    uint8_t key[FRIEND_KEY_BYTES];
    size = size < sizeof text - 1 ? size : sizeof text - 1;
    memcpy(text, data, size);
    text[size] = 0;
    if (!friend_key_read(text, key))
        return;
    friend_key_write(key, again);
    require(strcmp(text + strlen(text) - strlen(again), again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const PARTS[])(const uint8_t *, size_t) = {request, read_answer, open_note, read_key};
    if (size > 0)
        PARTS[data[0] % 4](data + 1, size - 1);
    return 0;
}
