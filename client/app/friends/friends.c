// SPDX-License-Identifier: MIT
#include "friends.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "app/config/preferences.h"

_Static_assert(FRIEND_LIST_MAX == NOTE_EXCHANGE_NOTES_MAX && FRIEND_LIST_MAX <= OPTION_LIST_CAPACITY, "one note each");

bool friend_is_key(const char *text)
{
    uint8_t key[FRIEND_KEY_BYTES];
    return friend_key_read(text, key);
}

bool friend_list_read(const char *text, struct friend_entry *entry)
{
    char key[FRIEND_KEY_TEXT_BYTES];
    size_t length = strcspn(text, "=");
    if (length != FRIEND_KEY_TEXT_BYTES - 1)
        return false;
    memcpy(key, text, length);
    key[length] = 0;
    preferences_read_name(text[length] ? text + length + 1 : "", entry->name, sizeof entry->name);
    return friend_key_read(key, entry->key);
}

uint32_t friend_list_find(const struct option_list *list, const uint8_t key[FRIEND_KEY_BYTES])
{
    struct friend_entry entry;
    uint32_t at = 0;
    while (at < list->count &&
           !(friend_list_read(list->values[at], &entry) && memcmp(entry.key, key, FRIEND_KEY_BYTES) == 0))
        at++;
    return at;
}

bool friend_list_put(struct option_list *list, const struct friend_entry *entry)
{
    char key[FRIEND_KEY_TEXT_BYTES], name[3 * FRIEND_NOTE_PLAYER_BYTES];
    uint32_t at = friend_list_find(list, entry->key);
    if (at >= FRIEND_LIST_MAX)
        return false;
    friend_key_write(entry->key, key);
    preferences_write_name(entry->name, name);
    snprintf(list->values[at], sizeof list->values[at], "%s=%s", key, name);
    list->count += at == list->count;
    return true;
}

bool friend_list_remove(struct option_list *list, const uint8_t key[FRIEND_KEY_BYTES])
{
    uint32_t at = friend_list_find(list, key);
    if (at == list->count)
        return false;
    preferences_remove_at(list, at);
    return true;
}

#define PAGE       "notes"
#define TIMEOUT_S  15
#define SECOND_US  1000000u
#define LIFE_US    (NOTE_EXCHANGE_LIFE_S * SECOND_US)
#define PERIOD_US  (NOTE_EXCHANGE_PERIOD_S * SECOND_US)
#define FAILED_US  (60 * SECOND_US)  // after a directory has not answered
#define REFUSED_US (600 * SECOND_US) // after it has answered that it has no notes
#define GROUP      4u                // notes and names come in groups, so that the number of friends is not seen

// --- from open to close

void friends_open(struct friends *friends, const uint8_t seed[IDENTITY_SEED_BYTES])
{
    char key[FRIEND_KEY_TEXT_BYTES];
    friend_key_derive(seed, &friends->own);
    friend_key_write(friends->own.key, key);
    snprintf(friends->link, sizeof friends->link, "%s%s", FRIEND_KEY_LINK, key);
    friends->has_key = true;
}

static void close_sources(struct friends *friends)
{
    for (uint32_t i = 0; i < friends->source_count; i++)
        download_close(&friends->sources[i].download);
    friends->source_count = 0;
}

void friends_close(struct friends *friends)
{
    close_sources(friends);
    sodium_memzero(&friends->own, sizeof friends->own);
    friends->has_key = false;
}

void friends_set_directories(struct friends *friends, const struct option_list *urls)
{
    char key[FINGERPRINT_TEXT_BYTES];
    struct error error;
    close_sources(friends);
    for (uint32_t i = 0; i < urls->count && friends->source_count < DIRECTORIES_MAX; i++) {
        struct friends_source *source = &friends->sources[friends->source_count];
        *source = (struct friends_source){.next_us = 0};
        if (!directories_parse(urls->values[i], source->url, key) ||
            !download_open(&source->download, NOTE_EXCHANGE_ANSWER_BYTES_MAX, TIMEOUT_S, &error))
            continue;
        strcpy(strrchr(source->url, '/') + 1, PAGE); // which is shorter than servers.json or any list
        friends->source_count++;
    }
}

// --- the list

const struct friend_row *friends_find(const struct friends *friends, const uint8_t key[FRIEND_KEY_BYTES])
{
    for (uint32_t i = 0; i < friends->count; i++)
        if (memcmp(friends->rows[i].entry.key, key, FRIEND_KEY_BYTES) == 0)
            return &friends->rows[i];
    return NULL;
}

static void ask_soon(struct friends *friends)
{
    for (uint32_t i = 0; i < friends->source_count; i++) {
        struct friends_source *source = &friends->sources[i];
        uint64_t again_us = source->begun_us + FRIENDS_AGAIN_US;
        source->next_us = source->next_us < again_us ? source->next_us : again_us;
    }
}

void friends_set_list(struct friends *friends, const struct option_list *list)
{
    struct friend_row rows[FRIEND_LIST_MAX];
    struct friend_entry entry;
    uint32_t count = 0;
    for (uint32_t i = 0; friends->has_key && i < list->count && count < FRIEND_LIST_MAX; i++) {
        if (!friend_list_read(list->values[i], &entry))
            continue;
        struct friend_row *row = &rows[count++];
        const struct friend_row *before = friends_find(friends, entry.key);
        *row = before ? *before : (struct friend_row){.is_online = false};
        row->entry = entry;
        friend_key_write(entry.key, row->key_text);
        row->is_possible = friend_key_pair(&friends->own, entry.key, row->pair) &&
                           memcmp(friends->own.key, entry.key, FRIEND_KEY_BYTES) != 0;
    }
    memcpy(friends->rows, rows, count * sizeof *rows);
    friends->count = count;
    friends->changes++;
    ask_soon(friends);
}

// --- notes

size_t friends_write_request(struct friends *friends, struct friends_time time,
                             uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX])
{
    struct note_request request;
    struct friend_note note = {.plays = friends->self.plays};
    uint64_t step = friend_note_step(time.unix_s), unix_ms = (uint64_t)time.unix_s * 1000;
    friends->time_ms = unix_ms > friends->time_ms ? unix_ms : friends->time_ms + 1;
    note.time_ms = friends->time_ms;
    memcpy(note.player, friends->self.player, sizeof note.player);
    memcpy(note.server, friends->self.server, sizeof note.server);
    memcpy(note.link, friends->self.link, sizeof note.link);
    randombytes_buf(&request, sizeof request); // what is not set below
    request.note_count = (friends->count + GROUP - 1) / GROUP * GROUP;
    request.name_count = 2 * request.note_count;
    for (uint32_t i = 0; i < friends->count; i++) {
        const struct friend_row *row = &friends->rows[i];
        if (!row->is_possible)
            continue;
        struct friend_note_place theirs = {row->pair, row->entry.key, step}, own = {row->pair, friends->own.key, step};
        friend_note_encrypt(&note, &own, &request.notes[i]);
        friend_note_name(&theirs, request.names[2 * i]);
        theirs.step = friend_note_step_beside(time.unix_s);
        friend_note_name(&theirs, request.names[2 * i + 1]);
    }
    return friend_notes_write_request(&request, bytes);
}

static void take_of(struct friends *friends, struct friend_row *row, const struct note_answer *answer,
                    struct friends_time time)
{
    uint64_t steps[] = {friend_note_step(time.unix_s), friend_note_step_beside(time.unix_s)};
    uint8_t name[NOTE_EXCHANGE_NAME_BYTES];
    struct friend_note note;
    for (uint32_t i = 0; i < 2; i++) {
        struct friend_note_place place = {row->pair, row->entry.key, steps[i]};
        friend_note_name(&place, name);
        for (uint32_t k = 0; k < answer->count; k++) {
            if (memcmp(answer->notes[k].name, name, sizeof name) != 0 ||
                !friend_note_decrypt(&note, &place, &answer->notes[k]) || note.time_ms <= row->note.time_ms)
                continue;
            row->note = note;
            row->heard_us = time.now_us;
            if (!row->is_online && row->was_asked)
                memcpy(friends->arrived, note.player, sizeof friends->arrived);
            row->is_online = true;
        }
    }
    row->was_asked = true;
}

bool friends_take_answer(struct friends *friends, const uint8_t *bytes, size_t byte_count, struct friends_time time)
{
    struct note_answer answer;
    if (!friend_notes_read_answer(&answer, bytes, byte_count))
        return false;
    for (uint32_t i = 0; i < friends->count; i++)
        if (friends->rows[i].is_possible)
            take_of(friends, &friends->rows[i], &answer, time);
    friends->changes++;
    return true;
}

static void step_source(struct friends *friends, struct friends_source *source, struct friends_time time)
{
    uint8_t bytes[NOTE_EXCHANGE_REQUEST_BYTES_MAX];
    struct error error;
    if (!source->download.runs && time.now_us >= source->next_us) {
        source->begun_us = time.now_us;
        source->next_us = time.now_us + PERIOD_US;
        download_post(&source->download, source->url, bytes, friends_write_request(friends, time, bytes));
    }
    switch (download_step(&source->download, &error)) {
    case DOWNLOAD_IDLE:
    case DOWNLOAD_RUNS:
        break;
    case DOWNLOAD_DONE:
        if (source->download.status != 200 ||
            !friends_take_answer(friends, source->download.bytes, source->download.byte_count, time))
            source->next_us = time.now_us + (source->download.status == 429 ? FAILED_US : REFUSED_US);
        break;
    case DOWNLOAD_FAILED:
        source->next_us = time.now_us + FAILED_US;
        break;
    }
}

void friends_step(struct friends *friends, const struct friends_self *self, struct friends_time time)
{
    bool was_on = friends->is_on;
    friends->is_on = self && friends->has_key;
    if (friends->is_on && (!was_on || memcmp(&friends->self, self, sizeof *self) != 0)) {
        friends->self = *self;
        ask_soon(friends);
    }
    for (uint32_t i = 0; i < friends->source_count && friends->is_on && friends->count; i++)
        step_source(friends, &friends->sources[i], time);
    friends->online = 0;
    for (uint32_t i = 0; i < friends->count; i++) {
        struct friend_row *row = &friends->rows[i];
        bool is_fresh = friends->is_on && time.now_us - row->heard_us < LIFE_US;
        friends->changes += row->is_online && !is_fresh;
        row->is_online &= is_fresh;
        friends->online += row->is_online;
    }
}
