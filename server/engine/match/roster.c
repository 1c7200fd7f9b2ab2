// SPDX-License-Identifier: MIT
#include "roster.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "sync/game.h"
#include "sync/player_name.h"

static const char *const BOT_NAMES[] = {"Ash",   "Bellows", "Cinder", "Dross",  "Ember", "Flux",  "Grist", "Hob",
                                        "Ingot", "Jib",     "Keel",   "Ladle",  "Mica",  "Nail",  "Oriel", "Pinion",
                                        "Quill", "Rivet",   "Slag",   "Tuyere", "Umber", "Valve", "Wedge", "Zinc"};
#define COLOURS        16 // of struct player
#define BOT_NAME_COUNT (sizeof BOT_NAMES / sizeof *BOT_NAMES)

#define NOBODY DISCONNECTED_PLAYERS_CAPACITY

static uint32_t find_disconnected(const struct disconnected_players *table, const struct seat_key *key)
{
    uint32_t row = 0;
    while (row < NOBODY && (table->rows[row].order == 0 || !roster_key_equal(&table->rows[row].key, key)))
        row++;
    return row;
}

bool roster_disconnected_has(const struct disconnected_players *table, const struct seat_key *key)
{
    return find_disconnected(table, key) != NOBODY;
}

void roster_disconnected_add(struct disconnected_players *table, const struct seat_key *key, uint32_t slot,
                             const struct player_record *record)
{
    uint32_t known = find_disconnected(table, key), earliest = 0;
    for (uint32_t i = 1; i < DISCONNECTED_PLAYERS_CAPACITY; i++)
        if (table->rows[i].order < table->rows[earliest].order)
            earliest = i;
    struct disconnected_player *row = &table->rows[known != NOBODY ? known : earliest];
    *row = (struct disconnected_player){.key = *key, .order = ++table->leave_count, .slot = slot, .record = *record};
}

bool roster_disconnected_take(struct disconnected_players *table, const struct seat_key *key, uint32_t *slot,
                              struct player_record *record)
{
    uint32_t known = find_disconnected(table, key);
    if (known == NOBODY)
        return false;
    struct disconnected_player *row = &table->rows[known];
    *slot = row->slot;
    *record = row->record;
    row->order = 0;
    return true;
}

static bool is_kept(const struct roster *roster, const struct seat_key *key, const uint32_t *name)
{
    char text[PLAYER_NAME_BYTES + 1];
    player_name_to_text(name, text);
    return roster->names.is_kept && roster->names.is_kept(roster->names.context, key, text);
}

// Returns whether somebody in another seat has a name.
static bool is_worn(const struct roster *roster, uint32_t own, const uint32_t *name)
{
    for (uint32_t slot = 0; slot < roster->seat_count; slot++)
        if (slot != own && roster->seats[slot].kind != SEAT_FREE &&
            memcmp(roster->seats[slot].name, name, PLAYER_NAME_BYTES) == 0)
            return true;
    return false;
}

// Makes "Ann 2" of a second "Ann", "Ann 3" of a third. A long name is cut at a whole character.
static void make_unique(const struct roster *roster, uint32_t own, const struct seat_key *key, uint32_t *name)
{
    char text[PLAYER_NAME_BYTES + 1];
    player_name_to_text(name, text);
    for (uint32_t number = 2; is_worn(roster, own, name) || is_kept(roster, key, name); number++) {
        char tail[12], whole[PLAYER_NAME_BYTES + 1];
        size_t room = PLAYER_NAME_BYTES - (size_t)snprintf(tail, sizeof tail, " %u", number);
        snprintf(whole, sizeof whole, "%.*s%s", (int)utf8_fit(text, room), text, tail);
        player_name_from_text(name, whole);
    }
}

static uint32_t find(const struct roster *roster, enum seat_kind kind)
{
    for (uint32_t slot = 0; slot < roster->seat_count; slot++)
        if (roster->seats[slot].kind == kind)
            return slot;
    return ROSTER_FULL;
}

static void seat(struct roster *roster, uint32_t slot, enum seat_kind kind, const struct seat_key *key,
                 const uint32_t *name, uint32_t colour)
{
    struct seat *seat = &roster->seats[slot];
    seat->kind = SEAT_FREE;
    memcpy(seat->name, name, sizeof seat->name);
    memcpy(seat->wanted, name, sizeof seat->wanted);
    make_unique(roster, slot, key, seat->name);
    uint32_t taken = 0, next = 0; // colours: bits, and the first free one from the wanted one on
    for (uint32_t other = 0; other < roster->seat_count; other++)
        if (roster->seats[other].kind != SEAT_FREE)
            taken |= 1u << roster->seats[other].colour;
    while (next < COLOURS && taken >> (colour + next) % COLOURS & 1)
        next++;
    seat->colour = next < COLOURS ? (colour + next) % COLOURS : colour;
    seat->hat = HAT_NONE;
    seat->kind = kind;
    seat->occupant++;
    seat->has_key = key != NULL;
    if (key)
        seat->key = *key;
    seat->record = (struct player_record){0};
}

uint32_t roster_find(const struct roster *roster, const struct seat_key *key)
{
    for (uint32_t slot = 0; slot < roster->seat_count; slot++) {
        const struct seat *seat = &roster->seats[slot];
        bool client = seat->kind == SEAT_RESERVED || seat->kind == SEAT_PLAYER;
        if (client && seat->has_key && roster_key_equal(&seat->key, key))
            return slot;
    }
    return ROSTER_FULL;
}

uint32_t roster_reserve(struct roster *roster, const struct seat_key *key, const uint32_t *name, uint32_t colour)
{
    uint32_t slot = ROSTER_FULL;
    struct player_record record = {0};
    for (uint32_t i = 0; i < roster->seat_count; i++) // a bot with that colour leaves; another one may come
        if (roster->seats[i].kind == SEAT_BOT && roster->seats[i].colour == colour)
            roster->seats[i].kind = SEAT_FREE;
    bool back = key && roster_disconnected_take(&roster->disconnected, key, &slot, &record);
    if (!back || slot >= roster->seat_count ||
        (roster->seats[slot].kind != SEAT_FREE && roster->seats[slot].kind != SEAT_BOT))
        slot = find(roster, SEAT_FREE);
    if (slot == ROSTER_FULL)
        slot = find(roster, SEAT_BOT);
    if (slot == ROSTER_FULL) {
        if (back)
            roster_disconnected_add(&roster->disconnected, key, 0, &record);
        return ROSTER_FULL;
    }
    char text[PLAYER_NAME_BYTES + 1];
    uint32_t shown[PLAYER_NAME_BYTES / 4];
    player_name_to_text(name, text);
    player_name_from_text(shown, *text ? text : "Player"); // clean
    seat(roster, slot, SEAT_RESERVED, key, shown, colour);
    roster->seats[slot].record = record;
    return slot;
}

bool roster_name_is_kept(const struct roster *roster, uint32_t slot)
{
    const struct seat *seat = &roster->seats[slot];
    return is_kept(roster, seat->has_key ? &seat->key : NULL, seat->wanted);
}

bool roster_rename(struct roster *roster, uint32_t slot, const struct player *players)
{
    struct seat *seat = &roster->seats[slot];
    const struct seat_key *key = seat->has_key ? &seat->key : NULL;
    bool is_own = !is_kept(roster, key, seat->wanted) && is_kept(roster, NULL, seat->wanted);
    if (!is_kept(roster, key, seat->name) && !is_own)
        return false;
    uint32_t name[PLAYER_NAME_BYTES / 4];
    memcpy(name, seat->wanted, sizeof name);
    make_unique(roster, slot, key, name);
    if (memcmp(name, seat->name, sizeof name) == 0)
        return false;
    memcpy(seat->name, name, sizeof name);
    if (seat->occupant_shown == seat->occupant)
        seat->record = game_record(&players[slot]);
    seat->occupant++;
    return true;
}

void roster_enter(struct roster *roster, uint32_t slot)
{
    struct seat *seat = &roster->seats[slot];
    assert(slot < roster->seat_count && (seat->kind == SEAT_RESERVED || seat->kind == SEAT_PLAYER));
    seat->kind = SEAT_PLAYER;
}

void roster_leave(struct roster *roster, uint32_t slot, const struct player *players)
{
    assert(slot < roster->seat_count);
    struct seat *seat = &roster->seats[slot];
    bool shown = seat->occupant_shown == seat->occupant;
    struct player_record record = shown ? game_record(&players[slot]) : seat->record;
    if (seat->has_key)
        roster_disconnected_add(&roster->disconnected, &seat->key, slot, &record);
    seat->kind = SEAT_FREE;
}

void roster_new_round(struct roster *roster)
{
    for (uint32_t slot = 0; slot < roster->seat_count; slot++)
        game_record_new_round(&roster->seats[slot].record);
    for (uint32_t i = 0; i < DISCONNECTED_PLAYERS_CAPACITY; i++)
        game_record_new_round(&roster->disconnected.rows[i].record);
}

void roster_restore(struct roster *roster, const struct world *world, const struct replay_seat *seats,
                    uint32_t seat_count)
{
    for (uint32_t slot = 0; slot < roster->seat_count; slot++) {
        const struct player *player = &world->players[slot];
        struct seat *seat = &roster->seats[slot];
        if (player->state == PLAYER_ABSENT)
            continue;
        *seat = (struct seat){.kind = player->flags & PLAYER_BOT ? SEAT_BOT : SEAT_PLAYER,
                              .occupant = 1,
                              .occupant_shown = 1,
                              .colour = player->colour};
        memcpy(seat->name, player->name, sizeof seat->name);
        memcpy(seat->wanted, player->name, sizeof seat->wanted);
    }
    for (uint32_t i = 0; i < seat_count; i++) {
        struct seat *seat = seats[i].slot < roster->seat_count ? &roster->seats[seats[i].slot] : NULL;
        if (!seat || seat->kind != SEAT_PLAYER)
            continue;
        seat->has_key = true;
        seat->key.local = seats[i].local;
        memcpy(seat->key.identity, seats[i].identity, sizeof seat->key.identity);
    }
}

void roster_new_match(struct roster *roster)
{
    roster_new_round(roster);
    for (uint32_t slot = 0; slot < roster->seat_count; slot++)
        roster->seats[slot].occupant_shown = 0;
}

uint32_t roster_seats(const struct roster *roster, struct replay_seat *seats)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < roster->seat_count; slot++) {
        const struct seat *seat = &roster->seats[slot];
        if ((seat->kind != SEAT_PLAYER && seat->kind != SEAT_RESERVED) || !seat->has_key)
            continue;
        seats[count] = (struct replay_seat){.slot = slot, .local = seat->key.local};
        memcpy(seats[count++].identity, seat->key.identity, sizeof seat->key.identity);
    }
    return count;
}

void roster_hats(const struct roster *roster, uint8_t *hats)
{
    memset(hats, HAT_NONE, PLAYER_CAPACITY);
    for (uint32_t slot = 0; slot < roster->seat_count; slot++)
        if (roster->seats[slot].kind != SEAT_FREE)
            hats[slot] = roster->seats[slot].hat;
}

uint32_t roster_count(const struct roster *roster, enum seat_kind kind)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < roster->seat_count; slot++)
        count += roster->seats[slot].kind == kind;
    return count;
}

void roster_fill(struct roster *roster, uint32_t fill_to)
{
    uint32_t taken = roster->seat_count - roster_count(roster, SEAT_FREE);
    for (; taken < fill_to && taken < roster->seat_count; taken++) {
        uint32_t slot = find(roster, SEAT_FREE), name[PLAYER_NAME_BYTES / 4];
        player_name_from_text(name, BOT_NAMES[slot % BOT_NAME_COUNT]);
        seat(roster, slot, SEAT_BOT, NULL, name, slot % COLOURS);
        roster->seats[slot].hat = (uint8_t)(slot % HATS);
    }
    for (uint32_t slot = roster->seat_count; slot-- > 0 && taken > fill_to;) {
        if (roster->seats[slot].kind == SEAT_BOT) {
            roster->seats[slot].kind = SEAT_FREE;
            taken--;
        }
    }
}

static bool plays(const struct seat *seat)
{
    return seat->kind == SEAT_BOT || seat->kind == SEAT_PLAYER;
}

bool roster_is_shown(const struct roster *roster)
{
    for (uint32_t slot = 0; slot < roster->seat_count; slot++) {
        const struct seat *seat = &roster->seats[slot];
        if (seat->occupant_shown != (plays(seat) ? seat->occupant : 0))
            return false;
    }
    return true;
}

uint32_t roster_commands(struct roster *roster, struct command *commands, uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < roster->seat_count && count < capacity; slot++) {
        struct seat *seat = &roster->seats[slot];
        if (seat->occupant_shown != 0 && (!plays(seat) || seat->occupant_shown != seat->occupant)) {
            commands[count++] = (struct command){.kind = COMMAND_LEAVE, .slot = slot};
            seat->occupant_shown = 0;
        }
        if (plays(seat) && seat->occupant_shown == 0 && count < capacity) {
            commands[count] = (struct command){.kind = COMMAND_JOIN,
                                               .slot = slot,
                                               .bot = seat->kind == SEAT_BOT,
                                               .colour = seat->colour,
                                               .record = seat->record};
            memcpy(commands[count++].name, seat->name, sizeof seat->name);
            seat->occupant_shown = seat->occupant;
        }
    }
    return count;
}
