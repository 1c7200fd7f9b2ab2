// SPDX-License-Identifier: MIT
//
// A tournament on this server: the pairs that play, until one player is left. Two entrants play a match while all
// others look on; who wins it goes on, and who loses is out. The order of the entrants is their seeding: the best two
// can only meet in the final, and the first ones rest in the first round if the places are more than the entrants. The
// tree is an array as of a heap: place 1 is the winner's, and the winner of places 2 k and 2 k + 1 goes to place k.
#ifndef LIFECYCLE_BRACKET_H
#define LIFECYCLE_BRACKET_H

#include "match/match.h"

/// Entrants of a tournament at most.
#define BRACKET_CAPACITY 32
/// Nobody has come to this place yet.
#define BRACKET_OPEN 255
/// Nobody will come: the entrant on the other side goes on without a match.
#define BRACKET_EMPTY 254

struct bracket_entrant {
    struct seat_key key; ///< of the player
    uint32_t name[PLAYER_NAME_BYTES / 4];
};

/// Zero-initialise: no tournament.
struct bracket {
    uint32_t entrant_count; ///< 0: no tournament; else 2 to BRACKET_CAPACITY
    uint32_t size;          ///< places of the first round: a power of two, at least `entrant_count`
    struct bracket_entrant entrants[BRACKET_CAPACITY]; ///< by seeding, the best first
    uint8_t places[2 * BRACKET_CAPACITY];              ///< index of an entrant, BRACKET_OPEN or BRACKET_EMPTY
    int32_t scores[2 * BRACKET_CAPACITY];              ///< of the entrant there, in the match that they lost or won
    uint32_t pairing;   ///< the place that the present match is for; 0: the tournament is over, or there is none
    uint32_t changes;   ///< counts what the next server has to know
    tick seen;          ///< of the last bracket_update()
    bool match_is_over; ///< the present match has been counted
};

/// Draws a tournament. `entrants`: `count`, 2 to BRACKET_CAPACITY, by seeding.
void bracket_draw(struct bracket *bracket, const struct bracket_entrant *entrants, uint32_t count);
/// Ends the tournament without a winner.
void bracket_clear(struct bracket *bracket);
/// Returns the entrant on a side (0 or 1) of a pairing; null: not known yet, or nobody.
const struct bracket_entrant *bracket_side(const struct bracket *bracket, uint32_t pairing, uint32_t side);
/// Returns the entrant who has won; null: nobody yet.
const struct bracket_entrant *bracket_winner(const struct bracket *bracket);
/// Returns whether a pairing was decided, by a match or by the organiser; one with an empty side needs no decision.
bool bracket_is_decided(const struct bracket *bracket, uint32_t pairing);
/// Decides the present pairing for a side, with the scores of both sides, and goes on to the next one.
void bracket_decide(struct bracket *bracket, uint32_t side, const int32_t scores[2]);
/// Returns "Final", "Semi-final", "Quarter-final", "Round of 16" or "Round of 32".
const char *bracket_round_name(uint32_t pairing);

/// Returns whether a player may play now: always, unless a tournament is on and the present match is not theirs. `key`
/// null: nobody knows them.
bool bracket_may_play(const struct bracket *bracket, const struct seat_key *key);
/// Counts the end of the present match, and lets those play who are to. Call between ticks.
void bracket_update(struct bracket *bracket, struct match *match);
/// Says to all who has won a pairing.
void bracket_announce_result(const struct bracket *bracket, uint32_t pairing, struct match *match);

/// Bytes of a tournament as text at most.
#define BRACKET_TEXT_BYTES 8192
/// Writes the tournament as lines for bracket_read_line(): "entrant KEY LOCAL NAME", and of each pairing that a match
/// has decided "pairing PLACE SIDE SCORE SCORE", and "match over" after the present match. No final zero. Returns the
/// bytes; 0: none.
size_t bracket_write(const struct bracket *bracket, char text[BRACKET_TEXT_BYTES]);
/// Reads one of these lines. Returns false if it is none, or does not fit what was read before.
bool bracket_read_line(struct bracket *bracket, const char *line);

#endif
