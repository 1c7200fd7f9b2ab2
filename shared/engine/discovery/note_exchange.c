// SPDX-License-Identifier: MIT
#include "note_exchange.h"

#include <string.h>

#define REQUEST_HEAD_BYTES 6
#define ANSWER_HEAD_BYTES  5

static const uint8_t MAGIC[4] = {'D', 'F', 'N', '1'};

_Static_assert(sizeof(struct note) == NOTE_EXCHANGE_NAME_BYTES + NOTE_EXCHANGE_BYTES, "notes have no gaps");

size_t note_exchange_write_request(const struct note_request *request, uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX])
{
    size_t notes = request->note_count * sizeof *request->notes, names = request->name_count * sizeof *request->names;
    memcpy(bytes, MAGIC, sizeof MAGIC);
    bytes[4] = (uint8_t)request->note_count;
    bytes[5] = (uint8_t)request->name_count;
    memcpy(bytes + REQUEST_HEAD_BYTES, request->notes, notes);
    memcpy(bytes + REQUEST_HEAD_BYTES + notes, request->names, names);
    return REQUEST_HEAD_BYTES + notes + names;
}

bool note_exchange_read_request(struct note_request *request, const uint8_t *bytes, size_t byte_count)
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

size_t note_exchange_write_answer(const struct note_answer *answer, uint8_t bytes[NOTE_EXCHANGE_ANSWER_BYTES_MAX])
{
    size_t notes = answer->count * sizeof *answer->notes;
    memcpy(bytes, MAGIC, sizeof MAGIC);
    bytes[4] = (uint8_t)answer->count;
    memcpy(bytes + ANSWER_HEAD_BYTES, answer->notes, notes);
    return ANSWER_HEAD_BYTES + notes;
}

bool note_exchange_read_answer(struct note_answer *answer, const uint8_t *bytes, size_t byte_count)
{
    if (byte_count < ANSWER_HEAD_BYTES || memcmp(bytes, MAGIC, sizeof MAGIC) != 0 ||
        bytes[4] > NOTE_EXCHANGE_NAMES_MAX || byte_count != ANSWER_HEAD_BYTES + bytes[4] * sizeof *answer->notes)
        return false;
    answer->count = bytes[4];
    memcpy(answer->notes, bytes + ANSWER_HEAD_BYTES, answer->count * sizeof *answer->notes);
    return true;
}
