// SPDX-License-Identifier: MIT
#include "status_json.h"

#include "game/ai/ai.h"
#include "game/entities/entity_list.h"
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

struct figure {
    const char *name;
    uint64_t value;
};

// An object of numbers; the last figure has no name. Null without memory.
static json_t *figures(const struct figure *rows)
{
    json_t *object = json_object();
    for (; rows->name; rows++)
        if (json_object_set_new(object, rows->name, number((int64_t)rows->value)) != 0) {
            json_decref(object);
            return NULL;
        }
    return object;
}

// Also frees the tree. Null if a part is missing. Names are clean UTF-8, so jansson accepts them.
static char *text_of(json_t *root)
{
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    return text;
}

static json_t *players_of(const struct status_snapshot *snapshot)
{
    const struct world *world = &snapshot->world;
    char name[PLAYER_NAME_BYTES + 1];
    json_t *rows = json_array();
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        const struct df_actor *body = &world->actors[slot];
        if (player->state == PLAYER_ABSENT)
            continue;
        player_name_to_text(player->name, name);
        json_array_append_new(rows,
                              json_pack("{s:i, s:s, s:i, s:i, s:i, s:b, s:b, s:[i,i,i,i], s:i, s:i, s:b}", "slot",
                                        (int)slot, "name", name, "score", player->score, "colour", (int)player->colour,
                                        "team", (int)player->team, "bot", (player->flags & PLAYER_BOT) != 0, "alive",
                                        player->state == PLAYER_ALIVE, "box", body->x, body->y, body->w, body->h,
                                        "facing", player->facing, "hat", (int)snapshot->hats[slot], "shield",
                                        player->shield != 0 || world->tick < player->shield_until));
    }
    return rows;
}

static json_t *match_of(const struct status_snapshot *snapshot)
{
    const struct world *world = &snapshot->world;
    // As the players' clock shows it: the time left, or the time passed if there is no limit; 0 before play.
    int64_t passed = (int64_t)world->tick - world->round.since_tick, limit = world->rules.time_limit_ticks;
    int64_t shown = limit ? limit - passed : passed;
    if (world->round.phase != ROUND_PLAYING || shown < 0)
        shown = 0;
    json_t *variants = json_array();
    for (enum variant variant = VARIANT_ENDLESS_ARROWS; variant < VARIANTS; variant++)
        if (variant_is_on(&world->rules, variant))
            json_array_append_new(variants, json_string(VARIANT_TABLE[variant].name));
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:i, s:o}", "map", snapshot->map.name, "mode",
                     mode_name((enum mode)world->rules.mode), "variants", variants, "bot_skill",
                     ai_skill_name((enum skill)world->rules.bot_skill), "phase", round_state_name(world), "tick",
                     number(world->tick), "clock_s", number((shown + TICKS_PER_SECOND - 1) / TICKS_PER_SECOND), "maps",
                     (int)snapshot->maps, "players", players_of(snapshot));
}

char *status_json_status(const struct status_snapshot *snapshot, const struct status_server *server)
{
    const struct tick_stats *ticks = &snapshot->status;
    const struct net_totals *net = &snapshot->net;
    const struct net_refusals *refusals = &net->refusals;
    const struct webrtc_health *webrtc = &snapshot->health.webrtc;
    struct announcer_row rows[ANNOUNCER_ROWS_MAX];
    uint32_t count = announcer_read(server->announcer, rows);
    json_t *stores = json_object(), *announcements = json_array();
    for (size_t i = 0; i < STORES; i++) {
        const struct store_health *store = &snapshot->health.stores[i];
        if (store->wanted)
            json_object_set_new(stores, STATUS_SNAPSHOT_STORE_NAMES[i],
                                json_pack("{s:b, s:o, s:o}", "up", store->up, "failures",
                                          number((int64_t)store->failures), "success_s", number(store->success_s)));
    }
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(announcements,
                              json_pack("{s:s, s:s, s:s, s:s, s:s}", "directory", rows[i].directory, "family",
                                        rows[i].ipv6 ? "ipv6" : "ipv4", "state", ANNOUNCER_STATE_NAMES[rows[i].state],
                                        "address", rows[i].address, "text", rows[i].said.text));
    json_t *tick_duration =
        figures((struct figure[]){{"mean_us", ticks->ticks ? ticks->tick_ns_total / ticks->ticks / 1000 : 0},
                                  {"p99_us", status_tick_us(ticks, 990)},
                                  {"p999_us", status_tick_us(ticks, 999)},
                                  {"max_us", ticks->tick_ns_max / 1000},
                                  {NULL, 0}});
    json_t *network = figures((struct figure[]){{"bytes_in", net->bytes_in},
                                                {"bytes_out", net->bytes_out},
                                                {"packets_in", net->packets_in},
                                                {"packets_out", net->packets_out},
                                                {"rejected", net->rejected},
                                                {NULL, 0}});
    json_t *sessions = figures((struct figure[]){{"accepted", net->sessions.accepted},
                                                 {"waiting", net->sessions.waiting},
                                                 {"playing", net->sessions.playing},
                                                 {"leaving", net->sessions.leaving},
                                                 {"households", net->sessions.households},
                                                 {"webrtc", net->sessions.webrtc},
                                                 {NULL, 0}});
    json_t *refused = figures((struct figure[]){{"joins_household_rate", refusals->joins_of_household},
                                                {"joins_rate", refusals->joins_of_all},
                                                {"joins_full", refusals->denied[DENIAL_FULL]},
                                                {"joins_version", refusals->denied[DENIAL_VERSION]},
                                                {"joins_banned", refusals->denied[DENIAL_BANNED]},
                                                {"joins_password", refusals->denied[DENIAL_PASSWORD]},
                                                {"passwords_untried", refusals->passwords_untried},
                                                {"password_waits", refusals->password_waits},
                                                {"joins_household_players", snapshot->statistics.household_denials},
                                                {"sessions_gave_way", refusals->gave_way},
                                                {"browsers_gave_way", refusals->browsers_gave_way},
                                                {"queries_household_rate", refusals->queries_of_household},
                                                {"queries_rate", refusals->queries_of_all},
                                                {"resets", refusals->resets},
                                                {NULL, 0}});
    return text_of(json_pack(
        "{s:s, s:s, s:i, s:i, s:s, s:i, s:i, s:i, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:s, s:i, s:o, s:o}, s:o, "
        "s:o, "
        "s:o, s:o}",
        "name", snapshot->name, "version", DEADFALL_VERSION, "protocol", (int)PROTOCOL_VERSION, "port",
        (int)server->port, "key", server->fingerprint, "players", (int)snapshot->players, "bots", (int)snapshot->bots,
        "players_max", (int)snapshot->players_max, "drains", snapshot->drains, "asleep", snapshot->health.asleep,
        "stores", stores, "overruns", number((int64_t)snapshot->overruns), "ticks_stood_still",
        number((int64_t)snapshot->statistics.ticks_stood_still), "tick_duration", tick_duration, "network", network,
        "sessions", sessions, "webrtc", "certificate", webrtc->fingerprint, "starts", (int)webrtc->starts, "dropped",
        number((int64_t)webrtc->dropped), "refused", number((int64_t)webrtc->refused), "refused", refused,
        "announcements", announcements, "page",
        server->page ? json_pack("{s:b}", "live", server->page_has_live) : json_null(), "match", match_of(snapshot)));
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
    json_t *switches = json_array(), *goals = json_array();
    for (int32_t i = 0; i < map->switch_count; i++) {
        const struct df_box *box = &map->switches[i].box;
        bool is_lever = map->switches[i].kind == MAP_SWITCH_LEVER || map->switches[i].kind == MAP_SWITCH_TARGET;
        json_array_append_new(switches, json_pack("[i,i,i,i,i]", box->x, box->y, box->w, box->h, (int)is_lever));
    }
    for (int32_t i = 0; i < map->goal_count; i++) { // in tiles, with the team that defends it
        const struct map_goal *goal = &map->goals[i];
        json_array_append_new(
            goals, json_pack("[i,i,i,i,i]", goal->column, goal->row, goal->columns, goal->rows, (int)goal->team));
    }
    json_t *root = json_pack("{s:i, s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:s#}", "maps", (int)snapshot->maps, "name",
                             map->name, "theme", (int)map->theme, "columns", map->columns, "rows", map->rows, "edge",
                             MAP_EDGE_PX, "switches", switches, "goals", goals, "tiles", tiles, (int)count);
    free(tiles);
    return text_of(root);
}

// The lists of a frame, as they are being written.
struct frame_lists {
    json_t *frame, *list;
};

static void begin_list(void *state, const char *name)
{
    struct frame_lists *lists = state;
    lists->list = json_array();
    json_object_set_new(lists->frame, name, lists->list);
}

static void add_sight(void *state, const struct entity_sight *sight)
{
    struct frame_lists *lists = state;
    json_t *numbers = json_array();
    for (uint32_t i = 0; i < sight->count; i++)
        json_array_append_new(numbers, number(sight->numbers[i]));
    json_array_append_new(lists->list, numbers);
}

char *status_json_frame(const struct status_snapshot *snapshot)
{
    const struct world *world = &snapshot->world;
    json_t *frame = json_object(), *switches = json_array(), *broken = json_array();
    json_object_set_new(frame, "match", match_of(snapshot));
    struct frame_lists lists = {.frame = frame};
    entity_list_show(world, &snapshot->map, &(struct entity_viewer){&lists, begin_list, add_sight});
    for (uint32_t i = 0; i < world->switch_count; i++)
        json_array_append_new(switches, json_boolean(world->switches[i].on));
    for (uint32_t word = 0; word < world->broken_words; word++)
        for (uint32_t bits = world->broken[word]; bits; bits &= bits - 1)
            json_array_append_new(broken, number((int64_t)word * 32 + __builtin_ctz(bits)));
    json_object_set_new(frame, "switches", switches);
    json_object_set_new(frame, "broken", broken);
    return text_of(frame);
}
