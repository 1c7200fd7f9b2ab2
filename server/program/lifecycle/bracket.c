// SPDX-License-Identifier: MIT
#include "bracket.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/rules/round.h"
#include "sync/player_name.h"

#define KEY_TEXT_BYTES (2 * IDENTITY_BYTES + 1)

static uint32_t place_on_side(uint32_t pairing, uint32_t side)
{
    return 2 * pairing + side;
}

// Lets an entrant go on to a place, and past all places where nobody else will come.
static void advance(struct bracket *bracket, uint32_t place, uint8_t entrant)
{
    bracket->places[place] = entrant;
    if (place == 1)
        return;
    uint8_t other = bracket->places[place ^ 1];
    if (entrant == BRACKET_EMPTY && other != BRACKET_OPEN)
        advance(bracket, place / 2, other);
    else if (other == BRACKET_EMPTY)
        advance(bracket, place / 2, entrant);
}

// Round after round; 0: the final has been played.
static uint32_t next_pairing(const struct bracket *bracket)
{
    for (uint32_t first = bracket->size / 2; first > 0; first /= 2)
        for (uint32_t pairing = first; pairing < 2 * first; pairing++)
            if (bracket->places[pairing] == BRACKET_OPEN)
                return pairing;
    return 0;
}

// Spreads the seeding over the first round: the tree of half the size, in which each entrant gets the strongest
// opponent that is left for them, as seed and size + 1 - seed.
static void draw(struct bracket *bracket)
{
    uint8_t order[BRACKET_CAPACITY] = {0};
    bracket->size = 2;
    while (bracket->size < bracket->entrant_count)
        bracket->size *= 2;
    memset(bracket->places, BRACKET_OPEN, sizeof bracket->places);
    memset(bracket->scores, 0, sizeof bracket->scores);
    for (uint32_t size = 1; size < bracket->size; size *= 2)
        for (uint32_t i = size; i-- > 0;) {
            uint8_t strong = order[i];
            order[2 * i] = strong;
            order[2 * i + 1] = (uint8_t)(2 * size - 1 - strong);
        }
    for (uint32_t i = 0; i < bracket->size; i++)
        advance(bracket, bracket->size + i, order[i] < bracket->entrant_count ? order[i] : BRACKET_EMPTY);
    bracket->pairing = next_pairing(bracket);
    bracket->match_is_over = true; // the next one is theirs
    bracket->changes++;
}

void bracket_draw(struct bracket *bracket, const struct bracket_entrant *entrants, uint32_t count)
{
    assert(count >= 2 && count <= BRACKET_CAPACITY);
    memcpy(bracket->entrants, entrants, count * sizeof *entrants);
    bracket->entrant_count = count;
    draw(bracket);
}

void bracket_clear(struct bracket *bracket)
{
    bracket->entrant_count = bracket->pairing = 0;
    bracket->changes++;
}

static const struct bracket_entrant *entrant_at(const struct bracket *bracket, uint32_t place)
{
    uint32_t entrant = bracket->places[place];
    return entrant < bracket->entrant_count ? &bracket->entrants[entrant] : NULL;
}

const struct bracket_entrant *bracket_side(const struct bracket *bracket, uint32_t pairing, uint32_t side)
{
    return entrant_at(bracket, place_on_side(pairing, side));
}

const struct bracket_entrant *bracket_winner(const struct bracket *bracket)
{
    return bracket->size > 0 ? entrant_at(bracket, 1) : NULL;
}

bool bracket_is_decided(const struct bracket *bracket, uint32_t pairing)
{
    return entrant_at(bracket, pairing) && bracket_side(bracket, pairing, 0) && bracket_side(bracket, pairing, 1);
}

void bracket_decide(struct bracket *bracket, uint32_t side, const int32_t scores[2])
{
    uint32_t pairing = bracket->pairing;
    assert(pairing > 0 && side < 2);
    for (uint32_t i = 0; i < 2; i++)
        bracket->scores[place_on_side(pairing, i)] = scores[i];
    advance(bracket, pairing, bracket->places[place_on_side(pairing, side)]);
    bracket->pairing = next_pairing(bracket);
    bracket->changes++;
}

const char *bracket_round_name(uint32_t pairing)
{
    return pairing < 2    ? "Final"
           : pairing < 4  ? "Semi-final"
           : pairing < 8  ? "Quarter-final"
           : pairing < 16 ? "Round of 16"
                          : "Round of 32";
}

// Returns the side of a player in the present pairing; 2: they are not in it.
static uint32_t side_of(const struct bracket *bracket, const struct seat_key *key)
{
    uint32_t side = 0;
    while (side < 2 && !roster_key_equal(&bracket_side(bracket, bracket->pairing, side)->key, key))
        side++;
    return side;
}

bool bracket_may_play(const struct bracket *bracket, const struct seat_key *key)
{
    return bracket->pairing == 0 || (key && side_of(bracket, key) < 2);
}

static void name_sides(const struct bracket *bracket, uint32_t pairing, char names[2][PLAYER_NAME_BYTES + 1])
{
    for (uint32_t side = 0; side < 2; side++)
        player_name_to_text(bracket_side(bracket, pairing, side)->name, names[side]);
}

void bracket_announce_result(const struct bracket *bracket, uint32_t pairing, struct match *match)
{
    char text[SYSTEM_BYTES_MAX + 1], names[2][PLAYER_NAME_BYTES + 1];
    uint32_t winner = bracket->places[pairing] == bracket->places[place_on_side(pairing, 1)];
    name_sides(bracket, pairing, names);
    snprintf(text, sizeof text,
             pairing == 1 ? "%s beats %s, %" PRId32 " to %" PRId32 ", and wins the tournament."
                          : "%s beats %s, %" PRId32 " to %" PRId32 ".",
             names[winner], names[!winner], bracket->scores[place_on_side(pairing, winner)],
             bracket->scores[place_on_side(pairing, !winner)]);
    chat_broadcast_system(match, text);
}

// The match counts if one of the two has won it.
static void count_match(struct bracket *bracket, struct match *match)
{
    uint32_t pairing = bracket->pairing, winner = 2;
    int32_t scores[2] = {0};
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++) {
        const struct seat *seat = &match->roster.seats[slot];
        uint32_t side = seat->kind == SEAT_PLAYER && seat->has_key ? side_of(bracket, &seat->key) : 2;
        if (side == 2)
            continue;
        scores[side] = match->world.players[slot].score;
        if (match->world.round.winner == slot + 1)
            winner = side;
    }
    if (winner == 2) {
        chat_broadcast_system(match, "Nobody has won. The two play again.");
        return;
    }
    bracket_decide(bracket, winner, scores);
    bracket_announce_result(bracket, pairing, match);
}

void bracket_update(struct bracket *bracket, struct match *match)
{
    tick since;
    char text[SYSTEM_BYTES_MAX + 1], names[2][PLAYER_NAME_BYTES + 1];
    bool over = round_match_is_over(&match->world, &since);
    if (bracket->pairing == 0 || bracket->seen == match->world.tick)
        return;
    bracket->seen = match->world.tick;
    if (over && !bracket->match_is_over) {
        count_match(bracket, match);
    } else if (!over && bracket->match_is_over) {
        name_sides(bracket, bracket->pairing, names);
        snprintf(text, sizeof text, "%s: %s plays %s.", bracket_round_name(bracket->pairing), names[0], names[1]);
        chat_broadcast_system(match, text);
    }
    bracket->changes += over != bracket->match_is_over;
    bracket->match_is_over = over;
    for (uint32_t slot = 0; slot < match->roster.seat_count && !over; slot++) { // who joins plays at first
        const struct seat *seat = &match->roster.seats[slot];
        bool plays = bracket_may_play(bracket, seat->has_key ? &seat->key : NULL);
        bool looks_on = match->world.players[slot].state == PLAYER_SPECTATOR;
        if (seat->kind == SEAT_PLAYER && seat->occupant_shown == seat->occupant && plays == looks_on)
            match_enqueue_command(
                match,
                &(struct command){.kind = COMMAND_TEAM, .slot = slot, .team = plays ? TEAM_AUTO : TEAM_SPECTATE});
    }
}

size_t bracket_write(const struct bracket *bracket, char text[BRACKET_TEXT_BYTES])
{
    size_t used = 0;
    for (uint32_t i = 0; i < bracket->entrant_count; i++) {
        char key[KEY_TEXT_BYTES], name[PLAYER_NAME_BYTES + 1];
        const struct bracket_entrant *entrant = &bracket->entrants[i];
        player_name_to_text(entrant->name, name);
        sodium_bin2hex(key, sizeof key, entrant->key.identity, IDENTITY_BYTES);
        used += (size_t)snprintf(text + used, BRACKET_TEXT_BYTES - used, "entrant %s %" PRIu32 " %s\n", key,
                                 entrant->key.local, name);
    }
    for (uint32_t first = bracket->entrant_count > 0 ? bracket->size / 2 : 0; first > 0; first /= 2)
        for (uint32_t pairing = first; pairing < 2 * first; pairing++)
            if (bracket_is_decided(bracket, pairing))
                used += (size_t)snprintf(
                    text + used, BRACKET_TEXT_BYTES - used, "pairing %" PRIu32 " %d %" PRId32 " %" PRId32 "\n", pairing,
                    bracket->places[pairing] == bracket->places[place_on_side(pairing, 1)],
                    bracket->scores[place_on_side(pairing, 0)], bracket->scores[place_on_side(pairing, 1)]);
    if (used > 0 && bracket->match_is_over)
        used += (size_t)snprintf(text + used, BRACKET_TEXT_BYTES - used, "match over\n");
    return used;
}

static bool read_entrant(struct bracket *bracket, const char *line)
{
    char key[KEY_TEXT_BYTES];
    int key_end = 0, begin = 0;
    size_t length;
    struct bracket_entrant *entrant = &bracket->entrants[bracket->entrant_count];
    if (bracket->entrant_count == BRACKET_CAPACITY ||
        sscanf(line, "entrant %64s%n %" SCNu32 " %n", key, &key_end, &entrant->key.local, &begin) != 2 || begin == 0 ||
        line[key_end] != ' ' || entrant->key.local >= LOCAL_PLAYERS ||
        sodium_hex2bin(entrant->key.identity, IDENTITY_BYTES, key, strlen(key), NULL, &length, NULL) != 0 ||
        length != IDENTITY_BYTES)
        return false;
    player_name_from_text(entrant->name, line + begin);
    bracket->entrant_count++;
    if (bracket->entrant_count >= 2)
        draw(bracket);
    bracket->match_is_over = false;
    return true;
}

bool bracket_read_line(struct bracket *bracket, const char *line)
{
    uint32_t pairing, side;
    int32_t scores[2];
    if (strcmp(line, "match over") == 0) {
        bracket->match_is_over = true;
        return bracket->entrant_count > 0;
    }
    if (sscanf(line, "pairing %" SCNu32 " %" SCNu32 " %" SCNd32 " %" SCNd32, &pairing, &side, &scores[0], &scores[1]) !=
        4)
        return read_entrant(bracket, line);
    if (pairing == 0 || pairing != bracket->pairing || side > 1)
        return false;
    bracket_decide(bracket, side, scores);
    return true;
}
