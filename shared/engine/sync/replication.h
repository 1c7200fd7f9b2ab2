// SPDX-License-Identifier: MIT
//
// The replication table: one row for each field of a world. It alone drives how a world is written, read, compared,
// hashed, copied and printed, so a new field is one line in one struct and one row in the game's tables
// (game/replication.c). The rows cover every word.
#ifndef SYNC_REPLICATION_H
#define SYNC_REPLICATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world;

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
    const char *name;                       ///< "player", "arrow", ...
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

/// Of the game: all tables in the order of the struct; the head (with the counts) first. They cover struct world
/// completely.
extern const struct replication_table REPLICATION_TABLES[];
/// How many.
extern const uint32_t REPLICATION_TABLE_COUNT;

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
