// SPDX-License-Identifier: MIT
#include "sync/world.h"

#include "state.h"

// PROTOCOL.md and deadfall-replay use these names, so they stay when a member is renamed.
#define FIELD_AS REPLICATION_FIELD_AS
#define FIELD    REPLICATION_FIELD
#define TABLE    REPLICATION_TABLE

// Each field of a struct has a row, and it has no padding.
#define WHOLE(rows, type) _Static_assert(sizeof(rows) / sizeof *(rows)*4 == sizeof(type), "each field has a row")

// The head of the world: everything before the first array.
struct head {
    tick tick;
    struct rules rules;
    uint32_t random, rolls;
    struct round round;
    uint32_t player_slots, arrow_slots, solid_count, ball_count, chest_count, switch_count, rubble_slots, broken_words,
        event_count;
};
_Static_assert(sizeof(struct head) == offsetof(struct world, events), "the head ends where the events begin");

static const struct replication_field HEAD[] = {
    FIELD(head, tick, TICK, 32, 2),
    FIELD(head, rules.mode, UNSIGNED, 3, 0),
    FIELD(head, rules.score_limit, SIGNED, 21, 0),
    FIELD(head, rules.time_limit_ticks, UNSIGNED, 32, 0),
    FIELD(head, rules.seed, UNSIGNED, 32, 0),
    FIELD(head, rules.friendly_fire, UNSIGNED, 1, 0),
    FIELD(head, rules.bot_skill, UNSIGNED, 3, 0),
    FIELD(head, rules.variants, UNSIGNED, 16, 0),
    FIELD(head, random, UNSIGNED, 32, 0),
    FIELD(head, rolls, UNSIGNED, 32, 2),
    FIELD(head, round.phase, UNSIGNED, 3, 0),
    FIELD(head, round.since_tick, TICK, 32, 4),
    FIELD(head, round.number, UNSIGNED, 32, 2),
    FIELD(head, round.winner, UNSIGNED, 9, 0),
    FIELD(head, round.winner_team, UNSIGNED, 2, 0),
    FIELD(head, round.matches, UNSIGNED, 32, 2),
    FIELD(head, round.match_since_tick, TICK, 32, 4),
    FIELD(head, round.team_scores[0], SIGNED, 20, 2),
    FIELD(head, round.team_scores[1], SIGNED, 20, 2),
    FIELD_AS("round.closing_ticks", head, round.sudden_death_ticks, UNSIGNED, 12, 2),
    FIELD(head, round.paused, UNSIGNED, 2, 0),
    FIELD(head, round.paused_ticks, UNSIGNED, 32, 2),
    FIELD(head, player_slots, UNSIGNED, 9, 0),
    FIELD(head, arrow_slots, UNSIGNED, 9, 2),
    FIELD(head, solid_count, UNSIGNED, 8, 0),
    FIELD(head, ball_count, UNSIGNED, 5, 0),
    FIELD(head, chest_count, UNSIGNED, 6, 0),
    FIELD(head, switch_count, UNSIGNED, 6, 0),
    FIELD(head, rubble_slots, UNSIGNED, 9, 2),
    FIELD(head, broken_words, UNSIGNED, 12, 0),
    FIELD(head, event_count, UNSIGNED, 32, 4),
};
WHOLE(HEAD, struct head);

static const struct replication_field EVENT[] = {
    FIELD(event, kind, UNSIGNED, 6, 0),    FIELD(event, tick, TICK, 32, 3),        FIELD(event, x, SIGNED, 14, 8),
    FIELD(event, y, SIGNED, 14, 8),        FIELD(event, subject, UNSIGNED, 16, 4), FIELD(event, other, UNSIGNED, 16, 0),
    FIELD(event, detail, UNSIGNED, 16, 6),
};
WHOLE(EVENT, struct event);

static const struct replication_field PLAYER[] = {
    FIELD(player, state, UNSIGNED, 2, 0),
    FIELD(player, generation, UNSIGNED, 32, 0),
    FIELD(player, flags, UNSIGNED, 5, 0),
    FIELD(player, colour, UNSIGNED, 4, 0),
    FIELD(player, team, UNSIGNED, 2, 0),
    FIELD_AS("team_wish", player, team_choice, UNSIGNED, 2, 0),
    FIELD(player, handicap, UNSIGNED, 2, 0),
    FIELD(player, name[0], UNSIGNED, 32, 0),
    FIELD(player, name[1], UNSIGNED, 32, 0),
    FIELD(player, name[2], UNSIGNED, 32, 0),
    FIELD(player, name[3], UNSIGNED, 32, 0),
    FIELD(player, buttons, UNSIGNED, BUTTON_BITS, 0),
    FIELD(player, buttons_before, UNSIGNED, BUTTON_BITS, 0),
    FIELD(player, vx, SIGNED, 14, 8),
    FIELD(player, vy, SIGNED, 14, 9),
    FIELD(player, facing, SIGNED, 2, 0),
    FIELD(player, aim_x, SIGNED, 2, 0),
    FIELD(player, aim_y, SIGNED, 2, 0),
    FIELD(player, coyote_until, TICK, 32, 4),
    FIELD(player, jump_buffered_until, TICK, 32, 4),
    FIELD(player, jump_held_until, TICK, 32, 5),
    FIELD(player, jump_vy, SIGNED, 14, 0),
    FIELD(player, forced_until, TICK, 32, 5),
    FIELD(player, forced_direction, SIGNED, 2, 0),
    FIELD(player, dash_until, TICK, 32, 5),
    FIELD(player, dash_x, SIGNED, 2, 0),
    FIELD(player, dash_y, SIGNED, 2, 0),
    FIELD(player, dash_ready_tick, TICK, 32, 6),
    FIELD(player, dashes, UNSIGNED, 1, 0),
    FIELD(player, fall_cap, SIGNED, 12, 0),
    FIELD(player, shield_until, TICK, 32, 7),
    FIELD(player, respawn_tick, TICK, 32, 7),
    FIELD(player, shoot_ready_tick, TICK, 32, 5),
    FIELD(player, arrows, UNSIGNED, 3, 0),
    FIELD(player, bombs, UNSIGNED, 3, 0),
    FIELD(player, drills, UNSIGNED, 3, 0),
    FIELD(player, shield, UNSIGNED, 1, 0),
    FIELD(player, wings_until, TICK, 32, 0),
    FIELD(player, flaps, UNSIGNED, 2, 0),
    FIELD(player, magnet_until, TICK, 32, 0),
    FIELD(player, shover, UNSIGNED, 9, 0),
    FIELD(player, shoved_tick, TICK, 32, 5),
    FIELD(player, score, SIGNED, 20, 2),
    FIELD_AS("kills", player, stats.kills, UNSIGNED, 32, 2),
    FIELD_AS("deaths", player, stats.deaths, UNSIGNED, 32, 2),
    FIELD_AS("squishes", player, stats.squishes, UNSIGNED, 32, 2),
    FIELD_AS("catches", player, stats.catches, UNSIGNED, 32, 2),
    FIELD_AS("shots", player, stats.shots, UNSIGNED, 32, 2),
    FIELD_AS("hits", player, stats.hits, UNSIGNED, 32, 2),
    FIELD_AS("jumps", player, stats.jumps, UNSIGNED, 32, 2),
    FIELD_AS("wall_shots", player, stats.wall_shots, UNSIGNED, 32, 2),
    FIELD_AS("own_kills", player, stats.own_kills, UNSIGNED, 32, 2),
    FIELD_AS("fallen_px", player, stats.fallen_px, UNSIGNED, 32, 6),
};
WHOLE(PLAYER, struct player);

static const struct replication_field ACTOR[] = {
    FIELD(df_actor, x, SIGNED, 14, 4),        FIELD(df_actor, y, SIGNED, 14, 4),
    FIELD(df_actor, w, UNSIGNED, 6, 0),       FIELD(df_actor, h, UNSIGNED, 6, 0),
    FIELD(df_actor, rem_x, SIGNED, 9, 0),     FIELD(df_actor, rem_y, SIGNED, 9, 0),
    FIELD(df_actor, lift_x, SIGNED, 12, 4),   FIELD(df_actor, lift_y, SIGNED, 11, 4),
    FIELD(df_actor, lift_tick, TICK, 32, 2),  FIELD(df_actor, carried_tick, TICK, 32, 2),
    FIELD(df_actor, carrier, UNSIGNED, 8, 0), FIELD(df_actor, ride, UNSIGNED, 2, 0),
    FIELD(df_actor, flags, UNSIGNED, 3, 0),
};
WHOLE(ACTOR, struct df_actor);

static const struct replication_field ARROW[] = {
    FIELD(arrow, state, UNSIGNED, 2, 0), FIELD(arrow, owner, UNSIGNED, 9, 4),    FIELD(arrow, vx, SIGNED, 14, 0),
    FIELD(arrow, vy, SIGNED, 14, 7),     FIELD(arrow, stuck_in, UNSIGNED, 8, 0), FIELD(arrow, since_tick, TICK, 32, 3),
    FIELD(arrow, kind, UNSIGNED, 2, 0),  FIELD(arrow, spent, UNSIGNED, 1, 0),    FIELD(arrow, burnt_tick, TICK, 32, 6),
};
WHOLE(ARROW, struct arrow);

static const struct replication_field SOLID[] = {
    FIELD(df_solid, x, SIGNED, 14, 4),      FIELD(df_solid, y, SIGNED, 14, 4),    FIELD(df_solid, w, UNSIGNED, 12, 0),
    FIELD(df_solid, h, UNSIGNED, 12, 0),    FIELD(df_solid, rem_x, SIGNED, 9, 0), FIELD(df_solid, rem_y, SIGNED, 9, 0),
    FIELD(df_solid, flags, UNSIGNED, 2, 0),
};
WHOLE(SOLID, struct df_solid);

static const struct replication_field CRUSHER[] = {
    FIELD(crusher, state, UNSIGNED, 3, 0),        FIELD(crusher, since_tick, TICK, 32, 3),
    FIELD(crusher, fallen, SIGNED, 21, 12),       FIELD(crusher, vy, SIGNED, 12, 8),
    FIELD(crusher, clock_ticks, UNSIGNED, 16, 2),
};
WHOLE(CRUSHER, struct crusher);

static const struct replication_field BALL[] = {
    FIELD(df_ball, cx, SIGNED, 22, 12), FIELD(df_ball, cy, SIGNED, 22, 12), FIELD(df_ball, radius_px, UNSIGNED, 6, 0),
    FIELD(df_ball, vx, SIGNED, 16, 0),  FIELD(df_ball, vy, SIGNED, 16, 0),  FIELD(df_ball, flags, UNSIGNED, 2, 0),
};
WHOLE(BALL, struct df_ball);

static const struct replication_field BALL_HIT[] = {
    FIELD(ball_hit, by, UNSIGNED, 9, 0),
    FIELD(ball_hit, since_tick, TICK, 32, 3),
};
WHOLE(BALL_HIT, struct ball_hit);

static const struct replication_field CHEST[] = {
    FIELD(chest, state, UNSIGNED, 2, 0),
    FIELD(chest, vy, SIGNED, 12, 8),
    FIELD(chest, returns_tick, TICK, 32, 0),
    FIELD(chest, opener, UNSIGNED, 9, 0),
};
WHOLE(CHEST, struct chest);

static const struct replication_field SWITCH[] = {
    FIELD(switch_state, on, UNSIGNED, 1, 0),
    FIELD(switch_state, touched, UNSIGNED, 1, 0),
    FIELD(switch_state, off_tick, TICK, 32, 3),
};
WHOLE(SWITCH, struct switch_state);

static const struct replication_field RUBBLE[] = {
    FIELD(rubble, tile, UNSIGNED, 17, 0),
    FIELD(rubble, return_tick, TICK, 32, 0),
};
WHOLE(RUBBLE, struct rubble);

static const struct replication_field BROKEN[] = {{"word", 0, REPLICATION_UNSIGNED, 32, 0}};

const struct replication_table REPLICATION_TABLES[] = {
    REPLICATION_HEAD(HEAD, struct head),
    TABLE("event", EVENT, struct event, events, EVENT_CAPACITY, event_count),
    TABLE("player", PLAYER, struct player, players, PLAYER_CAPACITY, player_slots),
    TABLE("body", ACTOR, struct df_actor, actors, PLAYER_CAPACITY, player_slots),
    TABLE("arrow_body", ACTOR, struct df_actor, actors[PLAYER_CAPACITY], ARROW_CAPACITY, arrow_slots),
    TABLE("chest_body", ACTOR, struct df_actor, actors[CHEST_ACTORS], MAP_CHEST_CAPACITY, chest_count),
    TABLE("arrow", ARROW, struct arrow, arrows, ARROW_CAPACITY, arrow_slots),
    TABLE("solid", SOLID, struct df_solid, solids, SOLID_CAPACITY, solid_count),
    TABLE("crusher", CRUSHER, struct crusher, crushers, SOLID_CAPACITY, solid_count),
    TABLE("switch", SWITCH, struct switch_state, switches, MAP_SWITCH_CAPACITY, switch_count),
    TABLE("ball", BALL, struct df_ball, balls, MAP_BALL_CAPACITY, ball_count),
    TABLE("ball_hit", BALL_HIT, struct ball_hit, ball_hits, MAP_BALL_CAPACITY, ball_count),
    TABLE("chest", CHEST, struct chest, chests, MAP_CHEST_CAPACITY, chest_count),
    TABLE("broken", BROKEN, uint32_t, broken, MAP_TILE_CAPACITY / 32, broken_words),
    TABLE("rubble", RUBBLE, struct rubble, rubble, RUBBLE_CAPACITY, rubble_slots),
};

const uint32_t REPLICATION_TABLE_COUNT = sizeof REPLICATION_TABLES / sizeof REPLICATION_TABLES[0];
