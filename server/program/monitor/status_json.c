// SPDX-License-Identifier: MIT
#include "status_json.h"

#include "game/ai/ai.h"
#include "game/rules/mode.h"
#include "game/rules/round.h"
#include "game/variant.h"
#include "sync/player_name.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *number(int64_t value)
{
    return json_integer((json_int_t)value);
}

// Also frees the tree. Null if a part is missing. Names are clean UTF-8, so jansson accepts them.
static char *text_of(json_t *root)
{
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    return text;
}

static json_t *name_of(const struct player *player)
{
    char name[PLAYER_NAME_BYTES + 1];
    player_name_to_text(player->name, name);
    return json_string(name);
}

static json_t *player_row(const struct status_snapshot *snapshot, uint32_t slot)
{
    const struct world *world = &snapshot->world;
    const struct player *player = &world->players[slot];
    const struct df_actor *body = &world->actors[slot];
    return json_pack("{s:i, s:o, s:i, s:i, s:i, s:b, s:b, s:[i,i,i,i], s:i, s:i, s:b}", "slot", (int)slot, "name",
                     name_of(player), "score", player->score, "colour", (int)player->colour, "team", (int)player->team,
                     "bot", (player->flags & PLAYER_BOT) != 0, "alive", player->state == PLAYER_ALIVE, "box", body->x,
                     body->y, body->w, body->h, "facing", player->facing, "hat", (int)snapshot->hats[slot], "shield",
                     player->shield != 0 || world->tick < player->shield_until);
}

static json_t *players_of(const struct status_snapshot *snapshot)
{
    const struct world *world = &snapshot->world;
    json_t *rows = json_array();
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (world->players[slot].state != PLAYER_ABSENT)
            json_array_append_new(rows, player_row(snapshot, slot));
    return rows;
}

// As the players' clock shows it: the time left, or the time passed if there is no limit; 0 before play.
static int64_t clock_s(const struct world *world)
{
    int64_t passed = (int64_t)world->tick - world->round.since_tick, limit = world->rules.time_limit_ticks;
    int64_t ticks = limit ? limit - passed : passed;
    if (world->round.phase != ROUND_PLAYING || ticks < 0)
        return 0;
    return (ticks + TICKS_PER_SECOND - 1) / TICKS_PER_SECOND;
}

static json_t *variants_of(const struct world *world)
{
    json_t *names = json_array();
    for (enum variant variant = VARIANT_ENDLESS_ARROWS; variant < VARIANTS; variant++)
        if (variant_is_on(&world->rules, variant))
            json_array_append_new(names, json_string(VARIANT_TABLE[variant].name));
    return names;
}

static json_t *match_of(const struct status_snapshot *snapshot)
{
    const struct world *world = &snapshot->world;
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:i, s:o}", "map", snapshot->map.name, "mode",
                     mode_name((enum mode)world->rules.mode), "variants", variants_of(world), "bot_skill",
                     ai_skill_name((enum skill)world->rules.bot_skill), "phase", round_state_name(world), "tick",
                     number(world->tick), "clock_s", number(clock_s(world)), "maps", (int)snapshot->maps, "players",
                     players_of(snapshot));
}

static json_t *tick_durations(const struct tick_stats *status)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "mean_us",
                     number((int64_t)(status->ticks ? status->tick_ns_total / status->ticks / 1000 : 0)), "p99_us",
                     number((int64_t)tick_stats_tick_us(status, 990)), "p999_us",
                     number((int64_t)tick_stats_tick_us(status, 999)), "max_us",
                     number((int64_t)status->tick_ns_max / 1000));
}

static json_t *sessions_of(const struct net_sessions *sessions)
{
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "accepted", (int)sessions->accepted, "waiting",
                     (int)sessions->waiting, "playing", (int)sessions->playing, "leaving", (int)sessions->leaving,
                     "households", (int)sessions->households, "webrtc", (int)sessions->webrtc);
}

static json_t *webrtc_of(const struct webrtc_health *webrtc)
{
    return json_pack("{s:s, s:i, s:o}", "certificate", webrtc->fingerprint, "starts", (int)webrtc->starts, "dropped",
                     number((int64_t)webrtc->dropped));
}

static json_t *refused(const struct status_snapshot *snapshot)
{
    const struct net_refusals *refusals = &snapshot->net.refusals;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "joins_household_rate",
        number((int64_t)refusals->joins_of_household), "joins_rate", number((int64_t)refusals->joins_of_all),
        "joins_full", number((int64_t)refusals->denied[DENIAL_FULL]), "joins_version",
        number((int64_t)refusals->denied[DENIAL_VERSION]), "joins_banned",
        number((int64_t)refusals->denied[DENIAL_BANNED]), "joins_password",
        number((int64_t)refusals->denied[DENIAL_PASSWORD]), "joins_household_players",
        number((int64_t)snapshot->statistics.household_denials), "sessions_gave_way",
        number((int64_t)refusals->gave_way), "queries_household_rate", number((int64_t)refusals->queries_of_household),
        "queries_rate", number((int64_t)refusals->queries_of_all), "resets", number((int64_t)refusals->resets));
}

static json_t *traffic(const struct net_totals *net)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "bytes_in", number((int64_t)net->bytes_in), "bytes_out",
                     number((int64_t)net->bytes_out), "packets_in", number((int64_t)net->packets_in), "packets_out",
                     number((int64_t)net->packets_out), "rejected", number((int64_t)net->rejected));
}

static json_t *stores_of(const struct server_health *health)
{
    json_t *stores = json_object();
    for (size_t i = 0; i < STORES; i++)
        if (health->stores[i].wanted)
            json_object_set_new(stores, STATUS_SNAPSHOT_STORE_NAMES[i],
                                json_pack("{s:b, s:o, s:o}", "up", health->stores[i].up, "failures",
                                          number((int64_t)health->stores[i].failures), "success_s",
                                          number(health->stores[i].success_s)));
    return stores;
}

static json_t *announcements_of(struct announcer *announcer)
{
    struct announcer_row rows[ANNOUNCER_ROWS_MAX];
    uint32_t count = announcer_read(announcer, rows);
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "directory", rows[i].directory, "family",
                                        rows[i].ipv6 ? "ipv6" : "ipv4", "state", ANNOUNCER_STATE_NAMES[rows[i].state],
                                        "address", rows[i].address, "text", rows[i].said.text));
    return list;
}

static json_t *page_of(const struct status_server *server)
{
    return server->page ? json_pack("{s:b}", "live", server->page_has_live) : json_null();
}

char *status_json_status(const struct status_snapshot *snapshot, const struct status_server *server)
{
    return text_of(json_pack(
        "{s:s, s:s, s:i, s:i, s:s, s:i, s:i, s:i, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "name", snapshot->name, "version", DEADFALL_VERSION, "protocol", (int)PROTOCOL_VERSION, "port",
        (int)server->port, "key", server->fingerprint, "players", (int)snapshot->players, "bots", (int)snapshot->bots,
        "players_max", (int)snapshot->players_max, "drains", snapshot->drains, "asleep", snapshot->health.asleep,
        "stores", stores_of(&snapshot->health), "overruns", number((int64_t)snapshot->overruns), "ticks_stood_still",
        number((int64_t)snapshot->statistics.ticks_stood_still), "tick_duration", tick_durations(&snapshot->status),
        "network", traffic(&snapshot->net), "sessions", sessions_of(&snapshot->net.sessions), "webrtc",
        webrtc_of(&snapshot->health.webrtc), "refused", refused(snapshot), "announcements",
        announcements_of(server->announcer), "page", page_of(server), "match", match_of(snapshot)));
}

static json_t *switch_boxes(const struct map *map)
{
    json_t *rows = json_array();
    for (int32_t i = 0; i < map->switch_count; i++) {
        const struct df_box *box = &map->switches[i].box;
        json_array_append_new(
            rows, json_pack("[i,i,i,i,i]", box->x, box->y, box->w, box->h,
                            map->switches[i].kind == MAP_SWITCH_LEVER || map->switches[i].kind == MAP_SWITCH_TARGET));
    }
    return rows;
}

// In tiles, with the team that defends the goal.
static json_t *goals_of(const struct map *map)
{
    json_t *rows = json_array();
    for (int32_t i = 0; i < map->goal_count; i++) {
        const struct map_goal *goal = &map->goals[i];
        json_array_append_new(
            rows, json_pack("[i,i,i,i,i]", goal->column, goal->row, goal->columns, goal->rows, (int)goal->team));
    }
    return rows;
}

char *status_json_map(const struct status_snapshot *snapshot)
{
    const struct map *map = &snapshot->map;
    size_t count = (size_t)map->columns * (size_t)map->rows;
    char *tiles = malloc(count);
    if (!tiles)
        return NULL;
    for (size_t i = 0; i < count; i++)
        tiles[i] = (char)('0' + map->tiles[i]);
    json_t *root =
        json_pack("{s:i, s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:s#}", "maps", (int)snapshot->maps, "name", map->name,
                  "theme", (int)map->theme, "columns", map->columns, "rows", map->rows, "edge", MAP_EDGE_PX, "switches",
                  switch_boxes(map), "goals", goals_of(map), "tiles", tiles, (int)count);
    free(tiles);
    return text_of(root);
}

// How the page draws a solid.
enum { SCENE_MACHINE, SCENE_PLANK, SCENE_CRUSHER, SCENE_WALL };

static int kind_of_solid(const struct status_snapshot *snapshot, uint32_t i)
{
    if (i >= (uint32_t)snapshot->map.solid_count)
        return SCENE_WALL;
    if (snapshot->map.solids[i].kind == MAP_SOLID_CRUSHER)
        return SCENE_CRUSHER;
    return snapshot->map.solids[i].oneway ? SCENE_PLANK : SCENE_MACHINE;
}

static json_t *solids_of(const struct status_snapshot *snapshot)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < snapshot->world.solid_count; i++) {
        const struct df_solid *solid = &snapshot->world.solids[i];
        if (solid->flags & DF_SOLID_PRESENT)
            json_array_append_new(
                rows, json_pack("[i,i,i,i,i]", solid->x, solid->y, solid->w, solid->h, kind_of_solid(snapshot, i)));
    }
    return rows;
}

static json_t *chests_of(const struct world *world)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < world->chest_count; i++) {
        const struct df_actor *body = &world->actors[CHEST_ACTORS + i];
        if (world->chests[i].state == CHEST_CLOSED)
            json_array_append_new(rows, json_pack("[i,i,i,i]", body->x, body->y, body->w, body->h));
    }
    return rows;
}

// Whether each switch of the map is on.
static json_t *switches_of(const struct world *world)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < world->switch_count; i++)
        json_array_append_new(rows, json_boolean(world->switches[i].on));
    return rows;
}

static json_t *arrows_of(const struct world *world)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < world->arrow_slots; i++) {
        const struct df_actor *body = &world->actors[PLAYER_CAPACITY + i];
        const struct arrow *arrow = &world->arrows[i];
        if (arrow->state != ARROW_ABSENT)
            json_array_append_new(rows, json_pack("[i,i,i,i,i]", body->x + body->w / 2, body->y + body->h / 2,
                                                  arrow->vx, arrow->vy, (int)arrow->kind));
    }
    return rows;
}

static json_t *balls_of(const struct world *world)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < world->ball_count; i++) {
        const struct df_ball *ball = &world->balls[i];
        json_array_append_new(rows, json_pack("[i,i,i]", ball->cx / DF_SUB, ball->cy / DF_SUB, ball->radius_px));
    }
    return rows;
}

static json_t *broken_of(const struct world *world)
{
    json_t *rows = json_array();
    for (uint32_t word = 0; word < world->broken_words; word++)
        for (uint32_t bits = world->broken[word]; bits; bits &= bits - 1)
            json_array_append_new(rows, number((int64_t)word * 32 + __builtin_ctz(bits)));
    return rows;
}

char *status_json_frame(const struct status_snapshot *snapshot)
{
    const struct world *world = &snapshot->world;
    return text_of(json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "match", match_of(snapshot), "solids",
                             solids_of(snapshot), "arrows", arrows_of(world), "balls", balls_of(world), "chests",
                             chests_of(world), "switches", switches_of(world), "broken", broken_of(world)));
}
