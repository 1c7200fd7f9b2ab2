// SPDX-License-Identifier: MIT
#include "game_server.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

// Copies a text of letters, digits and these marks; anything else, or a longer one, becomes "".
static void copy_plain(char *target, size_t target_bytes, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr(".:-+_", *at))
            length = target_bytes;
    snprintf(target, target_bytes, "%s", length < target_bytes ? text : "");
}

static bool read(struct game_server *server, const json_t *root)
{
    const json_t *status = json_object_get(root, "status"), *meta = json_object_get(root, "object_meta"), *entry;
    const char *state = json_string_value(json_object_get(status, "state")), *name;
    const char *host_text = json_string_value(json_object_get(status, "address"));
    const char *allocated =
        json_string_value(json_object_get(json_object_get(meta, "annotations"), "agones.dev/last-allocated"));
    json_int_t period =
        json_integer_value(json_object_get(json_object_get(json_object_get(root, "spec"), "health"), "period_seconds"));
    json_int_t port = 0, other;
    size_t row;
    char host[100];
    if (!json_is_object(root))
        return false;
    copy_plain(server->state, sizeof server->state, state ? state : "");
    copy_plain(server->allocated, sizeof server->allocated, allocated ? allocated : "");
    server->health_period = period >= 1 && period <= 3600 ? (uint32_t)period : 0;
    copy_plain(host, sizeof host, host_text ? host_text : "");
    json_array_foreach(json_object_get(status, "ports"), row, entry)
    {
        bool has_port = json_unpack((json_t *)(uintptr_t)entry, "{s:s, s:I}", "name", &name, "port", &other) == 0;
        if (has_port && (port == 0 || strcmp(name, "game") == 0)) // the one called "game", or the first one
            port = other;
    }
    server->address[0] = 0;
    if (host[0] && port > 0 && port <= 65535)
        snprintf(server->address, sizeof server->address, strchr(host, ':') ? "[%s]:%d" : "%s:%d", host, (int)port);
    return true;
}

bool game_server_read(struct game_server *server, const char *text)
{
    json_auto_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    return read(server, root);
}

bool game_server_read_event(struct game_server *server, const char *line)
{
    json_auto_t *root = json_loads(line, 0, NULL);
    return read(server, json_object_get(root, "result"));
}

static uint32_t find(const struct game_server_list *list, const char *text)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->values[i].text, text) == 0)
            return i;
    return NONE;
}

static void write_slot(char text[GAME_SERVER_VALUE_BYTES], uint32_t slot)
{
    snprintf(text, GAME_SERVER_VALUE_BYTES, "slot-%u", slot);
}

// The slot that a value stands for; NONE: it is a reservation.
static uint32_t slot_of(const char *text)
{
    char same[GAME_SERVER_VALUE_BYTES];
    unsigned long slot = strncmp(text, "slot-", 5) == 0 ? strtoul(text + 5, NULL, 10) : PLAYER_CAPACITY;
    if (slot >= PLAYER_CAPACITY)
        return NONE;
    write_slot(same, (uint32_t)slot);
    return strcmp(same, text) == 0 ? (uint32_t)slot : NONE;
}

static void add(struct game_server_list *list, const char *text, uint64_t seen_ms)
{
    if (list->count == PLAYER_CAPACITY || strlen(text) >= GAME_SERVER_VALUE_BYTES || find(list, text) != NONE)
        return;
    struct game_server_value *value = &list->values[list->count++];
    snprintf(value->text, sizeof value->text, "%s", text);
    value->seen_ms = seen_ms;
}

bool game_server_list_read(struct game_server_list *list, const char *text, uint64_t now_ms)
{
    json_auto_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *values = json_object_get(root, "values"), *value;
    const char *capacity = json_string_value(json_object_get(root, "capacity"));
    size_t row;
    if (!capacity || !json_is_array(values))
        return false;
    struct game_server_list before = *list;
    list->known = true;
    list->capacity = (uint32_t)strtoul(capacity, NULL, 10);
    list->count = 0;
    json_array_foreach(values, row, value)
    {
        const char *one = json_string_value(value);
        uint32_t old = one ? find(&before, one) : NONE;
        if (one)
            add(list, one, old != NONE ? before.values[old].seen_ms : now_ms);
    }
    return true;
}

// The reservation that was seen first; NONE: there is none.
static uint32_t oldest_reservation(const struct game_server_list *list)
{
    uint32_t oldest = NONE;
    for (uint32_t i = 0; i < list->count; i++)
        if (slot_of(list->values[i].text) == NONE &&
            (oldest == NONE || list->values[i].seen_ms < list->values[oldest].seen_ms))
            oldest = i;
    return oldest;
}

void game_server_list_observe(struct game_server_list *list, const bool *plays)
{
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        list->arrivals += plays[slot] && !list->plays[slot];
    memcpy(list->plays, plays, sizeof list->plays);
    if (list->known && oldest_reservation(list) == NONE)
        list->arrivals = 0;
}

static bool was_removed(const struct game_server_list *list, const char *text, uint64_t now_ms)
{
    for (uint32_t i = 0; i < GAME_SERVER_REMOVED_CAPACITY; i++)
        if (now_ms - list->removed[i].seen_ms < GAME_SERVER_REMOVED_MS && strcmp(list->removed[i].text, text) == 0)
            return true;
    return false;
}

bool game_server_list_next(const struct game_server_list *list, const struct game_server_wanted *wanted,
                           uint64_t now_ms, struct game_server_change *change)
{
    // First what is no longer true, because a full list accepts no more values.
    uint32_t oldest = oldest_reservation(list), wrong = NONE, players = 0;
    if (oldest != NONE &&
        (wanted->drains || list->arrivals > 0 || now_ms - list->values[oldest].seen_ms >= GAME_SERVER_VISIT_MS))
        wrong = oldest;
    for (uint32_t i = list->count; i-- > 0;) {
        const char *text = list->values[i].text;
        uint32_t slot = slot_of(text);
        if (slot == NONE ? was_removed(list, text, now_ms) : !wanted->plays[slot])
            wrong = i;
    }
    if (wrong != NONE) {
        change->kind = GAME_SERVER_REMOVE;
        snprintf(change->value, sizeof change->value, "%s", list->values[wrong].text);
        return true;
    }
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        players += wanted->plays[slot];
    change->capacity = wanted->drains ? players : wanted->players_max;
    change->kind = GAME_SERVER_CAPACITY;
    if (change->capacity != list->capacity)
        return true;
    change->kind = GAME_SERVER_ADD;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        write_slot(change->value, slot);
        if (wanted->plays[slot] && find(list, change->value) == NONE)
            return true;
    }
    return false;
}

void game_server_list_apply(struct game_server_list *list, const struct game_server_change *change, uint64_t now_ms)
{
    switch (change->kind) {
    case GAME_SERVER_ADD:
        add(list, change->value, now_ms);
        break;
    case GAME_SERVER_REMOVE:
        if (slot_of(change->value) == NONE && !was_removed(list, change->value, now_ms)) {
            struct game_server_value *removed = &list->removed[list->removals++ % GAME_SERVER_REMOVED_CAPACITY];
            list->arrivals -= list->arrivals > 0;
            snprintf(removed->text, sizeof removed->text, "%s", change->value);
            removed->seen_ms = now_ms;
        }
        uint32_t row = find(list, change->value);
        if (row != NONE)
            memmove(&list->values[row], &list->values[row + 1], (--list->count - row) * sizeof *list->values);
        if (oldest_reservation(list) == NONE)
            list->arrivals = 0;
        break;
    case GAME_SERVER_CAPACITY:
        list->capacity = change->capacity;
        break;
    }
}
