// SPDX-License-Identifier: MIT
#include "server_records.h"

#include <string.h>

#include "base/file.h"

enum { MESSAGE_BYTES = 125, ENTRY_BYTES = FINGERPRINT_LETTERS + MESSAGE_BYTES };

// The file of vouches in memory.
struct vouches {
    uint32_t count;
    uint8_t of[SERVER_RECORDS_VOUCHES + 1][VOUCH_BYTES]; // the first place is for the next one
};

void server_records_read(struct server_records *records, const char *path)
{
    uint8_t bytes[SERVER_RECORDS_CAPACITY * ENTRY_BYTES];
    size_t byte_count = 0;
    *records = (struct server_records){0};
    if (*path)
        file_read_regular(path, bytes, sizeof bytes, &byte_count);
    for (size_t at = 0; at + ENTRY_BYTES <= byte_count; at += ENTRY_BYTES) {
        char server[FINGERPRINT_TEXT_BYTES] = "";
        struct message message;
        memcpy(server, bytes + at, FINGERPRINT_LETTERS);
        if (!identity_fingerprint_is_valid(server) || server_records_find(records, server) ||
            !message_decode(&message, bytes + at + FINGERPRINT_LETTERS, MESSAGE_BYTES) ||
            message.kind != MESSAGE_RECORD)
            continue;
        struct server_record *entry = &records->of[records->count++];
        memcpy(entry->server, server, sizeof server);
        entry->record = message.as.record;
    }
}

bool server_records_write(struct server_records *records, const char *path)
{
    uint8_t bytes[SERVER_RECORDS_CAPACITY * ENTRY_BYTES], encoded[MESSAGE_BYTES_MAX];
    for (uint32_t i = 0; i < records->count; i++) {
        struct message message = {.kind = MESSAGE_RECORD, .as.record = records->of[i].record};
        message_encode(&message, encoded);
        memcpy(bytes + i * ENTRY_BYTES, records->of[i].server, FINGERPRINT_LETTERS);
        memcpy(bytes + i * ENTRY_BYTES + FINGERPRINT_LETTERS, encoded, MESSAGE_BYTES);
    }
    records->changed = false;
    return !*path || file_write(path, bytes, (size_t)records->count * ENTRY_BYTES);
}

void server_records_put(struct server_records *records, const char *server, const struct record_message *record)
{
    uint32_t at = 0;
    while (at < records->count && strcmp(records->of[at].server, server) != 0)
        at++;
    if (at == records->count && records->count < SERVER_RECORDS_CAPACITY)
        records->count++;
    if (at == SERVER_RECORDS_CAPACITY)
        at--;
    memmove(records->of + 1, records->of, at * sizeof *records->of);
    memcpy(records->of[0].server, server, FINGERPRINT_TEXT_BYTES);
    records->of[0].record = *record;
    records->changed = true;
}

const struct record_message *server_records_find(const struct server_records *records, const char *server)
{
    for (uint32_t i = 0; i < records->count; i++)
        if (strcmp(records->of[i].server, server) == 0)
            return &records->of[i].record;
    return NULL;
}

// --- vouches

static void load_vouches(const char *path, struct vouches *vouches)
{
    size_t byte_count = 0;
    if (*path)
        file_read_regular(path, vouches->of[1], SERVER_RECORDS_VOUCHES * VOUCH_BYTES, &byte_count);
    vouches->count = (uint32_t)(byte_count / VOUCH_BYTES);
}

static bool is_vouch_of(const uint8_t bytes[VOUCH_BYTES], const char *fingerprint, uint32_t local)
{
    struct vouch vouch;
    return vouch_read(&vouch, bytes, VOUCH_BYTES) && vouch.local == local &&
           strcmp(vouch.fingerprint, fingerprint) == 0;
}

bool server_records_keep_vouch(const char *path, const char *fingerprint, uint32_t local,
                               const uint8_t bytes[VOUCH_BYTES])
{
    struct vouches vouches;
    if (!*path || !is_vouch_of(bytes, fingerprint, local))
        return false;
    load_vouches(path, &vouches);
    uint32_t count = 1;
    memcpy(vouches.of[0], bytes, VOUCH_BYTES);
    for (uint32_t i = 1; i <= vouches.count && count < SERVER_RECORDS_VOUCHES; i++)
        if (!vouch_is_of_same(vouches.of[i], bytes))
            memmove(vouches.of[count++], vouches.of[i], VOUCH_BYTES);
    file_make_folders(path);
    return file_write(path, vouches.of, (size_t)count * VOUCH_BYTES);
}

bool server_records_find_vouch(const char *path, const char *fingerprint, uint32_t local, uint8_t bytes[VOUCH_BYTES])
{
    struct vouches vouches;
    load_vouches(path, &vouches);
    for (uint32_t i = 1; i <= vouches.count; i++)
        if (is_vouch_of(vouches.of[i], fingerprint, local)) {
            memcpy(bytes, vouches.of[i], VOUCH_BYTES);
            return true;
        }
    return false;
}
