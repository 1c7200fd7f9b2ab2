// SPDX-License-Identifier: MIT
#include "server_records.h"

#include <string.h>

#include "base/file.h"

enum { MESSAGE_BYTES = 125, ENTRY_BYTES = FINGERPRINT_LETTERS + MESSAGE_BYTES };

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
