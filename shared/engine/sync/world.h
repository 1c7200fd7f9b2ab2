// SPDX-License-Identifier: MIT
//
// What can be done with a world. The game has the rules, so it begins, moves and checks one. The engine copies, hashes,
// compares, writes and reads any, by the game's replication tables alone: one row for each field, which together cover
// every word. So a new field is one line in one struct and one row.
#ifndef SYNC_WORLD_H
#define SYNC_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game_state.h"

// --- by the game

/// Begins a match on a valid map: tick 0, no players, solids at their positions.
void world_init(struct world *world, const struct map *map, const struct rules *rules);

/// Begins a match at another tick: a match that follows another continues its ticks.
void world_begin(struct world *world, const struct map *map, const struct rules *rules, tick first_tick);

/// Moves the match by one tick. `inputs` has PLAYER_CAPACITY entries; those of absent players are ignored.
/// Pure: the same world, map and inputs give the same world on every machine.
void world_step(struct world *world, const struct map *map, const struct player_input *inputs);

/// Applies a command. Returns false, and changes nothing, if it is not possible (slot out of range, taken, or empty).
bool world_command(struct world *world, const struct map *map, const struct command *command);

/// Returns true if a decoded world cannot make world_step read or write out of bounds: every count, index and size is
/// possible on this map. Decoders call it before anything else sees the world.
bool world_validate(const struct world *world, const struct map *map);

// --- its tables

/// How the change of a field is best encoded.
enum field_kind {
    REPLICATION_UNSIGNED, ///< at most `bits` bits
    REPLICATION_SIGNED,   ///< two's complement in `bits` bits
    REPLICATION_TICK,     ///< a tick of the world, usually near the present one; 0: never
};

/// One replicated field of an element.
struct replication_field {
    const char *name;     ///< as in the struct
    uint32_t offset;      ///< bytes from the start of the element, a multiple of 4
    enum field_kind kind; ///< how it behaves
    uint32_t bits;        ///< that hold every legal value, 1 to 32
    uint32_t delta_bits;  ///< that hold nearly every change of it as a signed difference; 0: send it whole
};

/// One array of equal elements in the world (the head of the world is an array of one).
struct replication_table {
    const char *name;                       ///< of one element: "player"
    const struct replication_field *fields; ///< in the order of the struct, without a gap
    uint32_t field_count;
    uint32_t element_bytes; ///< sizeof one element, = 4 * field_count
    uint32_t world_offset;  ///< bytes from the start of struct world to element 0
    uint32_t capacity;      ///< elements in the array
    uint32_t count_offset;  ///< bytes from the start of struct world to the count in use; of the head: UINT32_MAX (one)
};

/// The row of a member of a struct, with another name, or its own.
#define REPLICATION_FIELD_AS(name, type, member, kind, bits, delta)                                                    \
    {                                                                                                                  \
        name, offsetof(struct type, member), REPLICATION_##kind, bits, delta                                           \
    }
#define REPLICATION_FIELD(type, member, kind, bits, delta)                                                             \
    REPLICATION_FIELD_AS(#member, type, member, kind, bits, delta)

/// The table of an array in struct world that begins at `first`, with its capacity and the member that counts it.
#define REPLICATION_TABLE(label, rows, type, first, most, count)                                                       \
    {                                                                                                                  \
        .name = label, .fields = rows, .field_count = sizeof(rows) / sizeof((rows)[0]), .element_bytes = sizeof(type), \
        .world_offset = offsetof(struct world, first), .capacity = most, .count_offset = offsetof(struct world, count) \
    }
/// The first table: what comes before the first array.
#define REPLICATION_HEAD(rows, type)                                                                                   \
    {                                                                                                                  \
        "head", rows, sizeof(rows) / sizeof((rows)[0]), sizeof(type), 0, 1, UINT32_MAX                                 \
    }

/// All tables in the order of the struct; the head (with the counts) first. They cover struct world completely.
extern const struct replication_table REPLICATION_TABLES[];
/// How many.
extern const uint32_t REPLICATION_TABLE_COUNT;

// --- by the engine

/// Copies what is in use, and clears what only the target had in use: to save and to restore.
void world_copy(struct world *target, const struct world *source);

/// Returns the 64-bit hash of what is in use, the same on every machine (base/hash.h says how).
uint64_t world_hash(const struct world *world);

/// Returns how many elements of a table are in use in a world, never more than its capacity.
uint32_t replication_table_used(const struct replication_table *table, const struct world *world);

/// Returns the words of a table's first element in a world; element e begins at word e * field_count.
uint32_t *replication_table_words(const struct replication_table *table, struct world *world);
/// Returns the same, to read.
const uint32_t *replication_table_words_const(const struct replication_table *table, const struct world *world);

/// Returns true if the field's bits can hold the value.
bool replication_field_fits(const struct replication_field *field, uint32_t value);

/// Writes the first difference of two worlds ("player 3 vx: 12, expected 14") into `text`, which may be NULL.
/// Returns false if they are equal.
bool replication_difference(const struct world *found, const struct world *expected, char *text, size_t text_bytes);

#endif
