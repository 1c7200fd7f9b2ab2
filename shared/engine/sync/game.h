// SPDX-License-Identifier: MIT
//
// What the engine asks of a game, with the functions of world.h. A game is linked, not registered: its struct world is
// copied and compared by value, so the engine is compiled with the game's own "game_state.h", which the include path
// finds (shared/game/seam). No other header of a game is in reach of an engine room.
#ifndef SYNC_GAME_H
#define SYNC_GAME_H

#include "world.h"

// --- commands and rules: the order of their fields is that of the wire and of replays

/// One walk over the fields of a struct writes and reads it: the walker says what is done with a field, the game says
/// which fields there are, in an order that never changes. The first member of a struct that holds what it writes to or
/// reads from.
struct walk {
    /// Writes or reads a number of at most `bits` bits.
    void (*number)(struct walk *walk, uint32_t *value, uint32_t bits);
    /// Writes or reads words of which most are zero.
    void (*words)(struct walk *walk, uint32_t *words, size_t count);
    bool whole; ///< every field, also those that mean nothing in a command of this kind
};

/// Walks a number that the struct has as a signed one.
static inline void game_walk_signed(struct walk *walk, int32_t *value)
{
    uint32_t word = (uint32_t)*value;
    walk->number(walk, &word, 32);
    *value = (int32_t)word;
}

/// Walks the fields of a command after its kind, or, unless the walk is whole, those that count in a command of its
/// kind.
void game_walk_command(struct walk *walk, struct command *command);

/// Returns true if a command can make sense: a player `is_there` in its slot, or not, and its values are in range.
bool game_command_is_possible(const struct command *command, bool is_there);

/// Walks all fields of the rules of a match, each of 32 bits.
void game_walk_rules(struct walk *walk, struct rules *rules);

/// Returns true if every value is in range.
bool game_rules_are_valid(const struct rules *rules);

// --- what a server decides

/// Returns 32 random bits for a roll. `number`: of the roll in its match, from 0.
typedef uint32_t game_dice(void *context, uint32_t number);

/// Decides, and applies, what nobody may foresee. Without dice (NULL) the seed decides: for demonstrations and tests.
/// Fills `commands` (room for GAME_ROLL_CAPACITY, or NULL) with what it did, and returns how many there are.
uint32_t game_roll(struct world *world, const struct map *map, game_dice *dice, void *context,
                   struct command *commands);

/// Where a match stands, for a server that wants to end it.
enum game_stage {
    GAME_WAITS,           ///< nothing counts: nobody would mind
    GAME_PLAYS,           ///< a round is played, or about to begin
    GAME_SHOWS_RESULT,    ///< of a round
    GAME_HAS_SHOWN_RESULT ///< everybody has had the time to read it
};

/// Returns where the match stands.
enum game_stage game_stage(const struct world *world);

/// Returns true in the tick in which a round begins to count.
bool game_round_begins(const struct world *world);

/// Returns what a player keeps when they leave and return.
struct player_record game_record(const struct player *player);

/// Changes what a player keeps as a new round does.
void game_record_new_round(struct player_record *record);

/// Notes the handicap that a player has asked for; one that helps them counts only where that is allowed.
void game_record_handicap(struct player_record *record, uint32_t handicap, bool allows_help);

/// Returns true if two players are in one team, or if there are no teams.
bool game_is_team_mate(const struct world *world, uint32_t slot, uint32_t other);

/// Returns the name of what these rules play, for files and lists.
const char *game_mode_name(const struct rules *rules);

/// Returns the name of a map, of GAME_MAP_NAME_BYTES.
const char *game_map_name(const struct map *map);

// --- what a client does not know

/// Guesses what a person holds, so many ticks after the newest tick in which it is known.
struct player_input game_guess_input(const struct player *player, tick ticks);

/// Returns the bit of rules.variants that a word in a list of servers stands for; 0: none.
uint32_t game_variant(const char *word);

// --- bots

/// Computes what bots know of a map, once; it takes up to 90 ms.
void game_prepare_bots(struct nav_graph *graph, const struct map *map);

/// Sets what each computer player of the server (PLAYER_BOT) holds in the next step, by slot, at the skill of the
/// rules. Servers play them with it and clients predict them with it, so both get the same inputs from the same world.
void game_think_bots(const struct world *world, const struct map *map, const struct nav_graph *graph,
                     struct player_input *inputs);

/// Gives the rules of the next match the bots of the one before.
void game_keep_bots(struct rules *next, const struct rules *before);

/// Lets the skill of the bots follow the score: fills a command that changes the rules, and returns a sentence for the
/// log; NULL: nothing changes.
const char *game_adapt_bots(const struct world *world, struct command *command);

#endif
