// SPDX-License-Identifier: MIT
//
// The scenario language: a text that declares tiles, solids, actors and balls and then says what happens to them.
// The parser reads untrusted text into a plain struct and says where and why when it cannot (line and column from 1).
// It moves nothing; scenario_run.h does. The language itself is described in deadfall-scenario.6.in.
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stddef.h>

#include "physics/physics.h"
#include "words.h"

/// Longest name of a body, in characters.
#define SCENARIO_NAME_LENGTH 31
/// Most solids (one-ways too), actors and balls, each.
#define SCENARIO_BODY_CAPACITY 256
/// Most statements, declarations too.
#define SCENARIO_STATEMENT_CAPACITY 65536
/// Most tile columns, and most tile rows.
#define SCENARIO_TILES_CAPACITY 512
/// Longest text, in bytes.
#define SCENARIO_TEXT_BYTES_MAX (4 << 20)
/// Farthest a wiggle may reach, px.
#define SCENARIO_WIGGLE_PX_MAX 64

/// What a body is.
enum scenario_kind {
    SCENARIO_SOLID, ///< one-ways too
    SCENARIO_ACTOR,
    SCENARIO_BALL
};

/// What an actor's squish rule answers.
enum scenario_squish {
    SCENARIO_SQUISH_DESTROY,
    SCENARIO_SQUISH_IGNORE,
    SCENARIO_SQUISH_WIGGLE, ///< free within wiggle_x, wiggle_y px, else destroyed
};

/// One declared body: its place in `solids`, `actors` or `balls`, and its name.
struct scenario_body {
    char name[SCENARIO_NAME_LENGTH + 1];
    enum scenario_kind kind;
    int32_t index;
};

/// The squish rule of one actor.
struct scenario_rule {
    enum scenario_squish squish;
    int32_t wiggle_x_px, wiggle_y_px; ///< 0 to SCENARIO_WIGGLE_PX_MAX
};

/// What a statement asks for.
enum scenario_verb {
    SCENARIO_DECLARE, ///< body `body` comes into the world
    SCENARIO_TICK,
    SCENARIO_MOVE_X,
    SCENARIO_MOVE_Y,
    SCENARIO_SHIFT,
    SCENARIO_STEP,
    SCENARIO_BOUNCE,
    SCENARIO_EXPECT,
    SCENARIO_EXPECT_BALL
};

/// The condition at the end of an `expect`.
enum scenario_condition { SCENARIO_ANY, SCENARIO_DEAD, SCENARIO_EMBEDDED, SCENARIO_GROUNDED };

/// One statement. `text` is its part of the source, without comment and outer blanks.
struct scenario_statement {
    enum scenario_verb verb;
    int32_t line, column;
    const char *text;
    size_t text_bytes;
    int32_t body;         ///< index into `bodies`; for shift the first of the group
    int32_t other;        ///< bounce: the solid, index into `bodies`
    int32_t first, count; ///< shift: its solids in `members`
    int32_t values[4];    ///< amounts; expect: x, y, rem_x, rem_y; expect_ball: cx, cy, vx, vy
    bool has_rem;         ///< expect: compare rem too
    enum scenario_condition condition;
};

/// A whole scenario. Bodies lie in the arrays as they begin, without the flag that brings them into the world.
struct scenario {
    struct df_tiles tiles; ///< `broken` is null; the runner has its own
    struct df_solid solids[SCENARIO_BODY_CAPACITY];
    struct df_actor actors[SCENARIO_BODY_CAPACITY];
    struct df_ball balls[SCENARIO_BODY_CAPACITY];
    struct scenario_rule rules[SCENARIO_BODY_CAPACITY]; ///< of each actor
    struct scenario_body bodies[3 * SCENARIO_BODY_CAPACITY];
    int32_t counts[3]; ///< of solids, actors, balls: by enum scenario_kind
    int32_t body_count;
    struct scenario_statement *statements;
    int32_t statement_count;
    int32_t *members; ///< solids of all shifts, one after the other
    int32_t member_count;
    uint8_t *kinds; ///< what tiles.kinds points to
};

/// Reads a scenario. `text` must live as long as the scenario, which the caller gives to scenario_free().
/// Null if the text is malformed; then `error` says why.
struct scenario *scenario_parse(const char *text, size_t text_bytes, struct words_error *error);

/// Frees what scenario_parse() returned (null is fine).
void scenario_free(struct scenario *scenario);

#endif
