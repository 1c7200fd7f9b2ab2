// SPDX-License-Identifier: MIT
//
// Searches for a quick way through a course and prints it as an input script: the ghost that the game ships beside the
// map. usage: trial_search MAP.tmj CATCHES VARIANTS BEAM [COLUMN,ROW]...
//
// A beam search: in each layer the BEAM best worlds are continued by every action for a tenth of a second, as a person
// could. Worlds are judged by what is left to do and by the way to it through free tiles. The places, if any, are to be
// passed in their order first; they help where the way leads away from the goal. Run by hand after a change of the
// rules or of a map; the golden test of the courses says which need it.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "game/map/tiled/map_file.h"
#include "game/rules/mode.h"
#include "game/trial_world.h"
#include "game/variant.h"
#include "sync/world.h"

#define ACTION_TICKS    6
#define IDLE_TICKS      2 ///< until the player stands there
#define LAYERS_MAX      600
#define PLACES_MAX      32
#define AHEAD_TICKS     60
#define SHOT_TILES      30
#define FAR             100000
#define TASK_COST       4000
#define BEAM_MAX        1500
#define ACTION_CAPACITY 40

// One world of the beam, and what its arrows in the air will still do.
struct node {
    struct world world;
    uint32_t will;   // switches that are on, or will be
    uint32_t places; // passed
    uint32_t buttons;
};

struct step_taken {
    int32_t parent;
    uint32_t action;
};

struct candidate {
    struct step_taken taken;
    int32_t cost;
    uint64_t key;
    uint32_t will, places;
};

static struct map map;
static struct node *beam, *next;
static struct candidate *candidates;
static struct step_taken taken[LAYERS_MAX][BEAM_MAX];
static uint16_t *fields[MAP_SWITCH_CAPACITY + MAP_SPAWN_CAPACITY + PLACES_MAX];
static uint16_t launch_field[MAP_TILE_CAPACITY];
static struct {
    int32_t column, row;
} places[PLACES_MAX];
static uint32_t place_count, action_count, tasks_limit;
static uint32_t actions[ACTION_CAPACITY];
static int32_t walls_passed;     // by an arrow, tiles
static uint32_t target_bits;     // the switches that are targets
#define RELEASE_FIRST (1u << 16) // jump is let go for a tick, so that it counts as pressed

static bool is_free(int32_t column, int32_t row)
{
    if (column < 0 || row < 0 || column >= map.columns || row >= map.rows)
        return false;
    uint8_t tile = map.tiles[row * map.columns + column];
    return tile == DF_TILE_EMPTY || tile == DF_TILE_ONEWAY || tile == DF_TILE_BLOCK;
}

// Fills the distances to all tiles that have the distance 0 already.
static void spread(uint16_t *field)
{
    static int32_t queue[MAP_TILE_CAPACITY];
    int32_t count = map.columns * map.rows, head = 0, tail = 0;
    for (int32_t i = 0; i < count; i++)
        if (field[i] == 0)
            queue[tail++] = i;
    while (head < tail) {
        int32_t at = queue[head++], x = at % map.columns, y = at / map.columns;
        static const int32_t WAYS[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        for (size_t w = 0; w < 4; w++) {
            int32_t column = x + WAYS[w][0], row = y + WAYS[w][1];
            if (!is_free(column, row) || field[row * map.columns + column] != UINT16_MAX)
                continue;
            field[row * map.columns + column] = (uint16_t)(field[at] + 1);
            queue[tail++] = row * map.columns + column;
        }
    }
}

static uint16_t *new_field(void)
{
    uint16_t *field = malloc(MAP_TILE_CAPACITY * sizeof *field);
    memset(field, 0xFF, MAP_TILE_CAPACITY * sizeof *field);
    return field;
}

static void mark(uint16_t *field, int32_t column, int32_t row)
{
    if (is_free(column, row))
        field[row * map.columns + column] = 0;
}

// The tiles from which a straight shot reaches a place.
static void mark_shots(uint16_t *field, int32_t column, int32_t row)
{
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++)
            for (int32_t far = 0, walls = 0; far < SHOT_TILES && walls <= walls_passed; far++) {
                walls += !is_free(column + dx * far, row + dy * far);
                mark(field, column + dx * far, row + dy * far);
            }
}

static void prepare(void)
{
    memset(launch_field, 0xFF, sizeof launch_field);
    for (int32_t i = 0; i < map.switch_count; i++) {
        target_bits |= (uint32_t)(map.switches[i].kind == MAP_SWITCH_TARGET) << i;
        struct df_box box = map.switches[i].box;
        fields[i] = new_field();
        for (int32_t row = box.y / 8; row <= (box.y + box.h - 1) / 8; row++)
            for (int32_t column = box.x / 8; column <= (box.x + box.w - 1) / 8; column++)
                mark(fields[i], column, row);
        if (map.switches[i].kind == MAP_SWITCH_TARGET && map.ball_count == 0)
            mark_shots(fields[i], (box.x + box.w / 2) / 8, (box.y + box.h / 2) / 8);
        spread(fields[i]);
    }
    for (int32_t i = 0; i < map.spawn_count; i++) {
        fields[MAP_SWITCH_CAPACITY + i] = new_field();
        mark(fields[MAP_SWITCH_CAPACITY + i], map.spawns[i].x / 8, (map.spawns[i].y - 20) / 8);
        spread(fields[MAP_SWITCH_CAPACITY + i]);
    }
    for (uint32_t i = 0; i < place_count; i++) {
        uint16_t *field = fields[MAP_SWITCH_CAPACITY + MAP_SPAWN_CAPACITY + i] = new_field();
        for (int32_t dy = -1; dy <= 1; dy++)
            for (int32_t dx = -1; dx <= 1; dx++)
                mark(field, places[i].column + dx, places[i].row + dy);
        spread(field);
    }
    for (int32_t i = 0; i < map.solid_count; i++)
        if (map_is_launcher(&map.solids[i])) {
            int32_t dx =
                map.solids[i].kind == MAP_SOLID_LAUNCHER_LEFT ? -1 : map.solids[i].kind == MAP_SOLID_LAUNCHER_RIGHT;
            for (int32_t far = 4; far < 14; far++)
                mark(launch_field, map.solids[i].box.x / 8 + dx * far, map.solids[i].box.y / 8 + (dx == 0) * far);
        }
    spread(launch_field);
    static const uint32_t WAYS[] = {0,
                                    BUTTON_LEFT,
                                    BUTTON_RIGHT,
                                    BUTTON_UP,
                                    BUTTON_DOWN,
                                    BUTTON_LEFT | BUTTON_UP,
                                    BUTTON_RIGHT | BUTTON_UP,
                                    BUTTON_LEFT | BUTTON_DOWN,
                                    BUTTON_RIGHT | BUTTON_DOWN};
    for (size_t w = 0; w < 3; w++) {
        actions[action_count++] = WAYS[w];
        actions[action_count++] = WAYS[w] | BUTTON_JUMP;
        actions[action_count++] = WAYS[w] | BUTTON_JUMP | RELEASE_FIRST;
    }
    actions[action_count++] = BUTTON_DOWN;
    actions[action_count++] = BUTTON_DOWN | BUTTON_JUMP | RELEASE_FIRST;
    for (size_t w = 1; w < 9; w++)
        actions[action_count++] = WAYS[w] | BUTTON_DASH;
    for (size_t w = 0; w < 9; w++)
        actions[action_count++] = WAYS[w] | BUTTON_SHOOT;
}

static uint32_t on_bits(const struct world *world)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < world->switch_count; i++)
        bits |= world->switches[i].on << i;
    return bits;
}

// Returns false when the player is dead. Stops where the course is done.
static bool act(struct world *world, uint32_t before, uint32_t action)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    uint32_t buttons = action & ~RELEASE_FIRST, pressed = buttons & (BUTTON_DASH | BUTTON_SHOOT);
    pressed |= action & RELEASE_FIRST ? BUTTON_JUMP : 0;
    for (int ticks = 0; ticks < ACTION_TICKS && world->round.phase != ROUND_MATCH_OVER; ticks++) {
        inputs[0].buttons = ticks == 0 && (before & pressed) != 0 ? buttons & ~pressed : buttons;
        world_step(world, &map, inputs);
    }
    return world->players[0].state == PLAYER_ALIVE || world->tick < 6;
}

static int32_t distance(const uint16_t *field, const struct world *world)
{
    int32_t column = (world->actors[0].x + 4) / 8, row = (world->actors[0].y + 5) / 8;
    if (column < 0 || row < 0 || column >= map.columns || row >= map.rows)
        return FAR;
    uint16_t tiles = field[row * map.columns + column];
    return tiles == UINT16_MAX ? 300 : tiles * 8;
}

static int32_t to_ball(const struct world *world, const struct map_switch *target)
{
    int32_t best = FAR;
    for (uint32_t i = 0; i < world->ball_count; i++) {
        int32_t x = world->balls[i].cx / DF_SUB, y = world->balls[i].cy / DF_SUB;
        int32_t way = abs(x - world->actors[0].x) + abs(y - world->actors[0].y) +
                      4 * (abs(x - target->box.x - target->box.w / 2) + abs(y - target->box.y - target->box.h / 2));
        best = way < best ? way : best;
    }
    return best;
}

static int32_t to_arrow(const struct world *world)
{
    int32_t best = world->arrow_slots > 0 ? 600 : FAR;
    for (uint32_t i = 0; i < world->arrow_slots; i++) {
        const struct df_actor *body = &world->actors[PLAYER_CAPACITY + i];
        int32_t way = abs(body->x - world->actors[0].x) + abs(body->y - world->actors[0].y);
        if (world->arrows[i].state == ARROW_STUCK && way < best)
            best = way;
    }
    return 100 + best;
}

static bool is_bombs(const struct world *world)
{
    return world->rules.variants >> VARIANT_BOMBS & 1;
}

// What bombs have broken, and will.
static int32_t blasts(const struct world *world)
{
    int32_t sum = 0;
    for (uint32_t i = 0; i < world->broken_words; i++)
        sum += 20 * __builtin_popcount(world->broken[i]);
    for (uint32_t i = 0; i < world->arrow_slots; i++)
        sum += world->arrows[i].burnt_tick != 0 ? 100 : 0;
    return sum;
}

static int32_t cost_of(const struct world *world, uint32_t will, uint32_t passed)
{
    if (passed < place_count)
        return (int32_t)(place_count - passed) * TASK_COST + FAR +
               distance(fields[MAP_SWITCH_CAPACITY + MAP_SPAWN_CAPACITY + passed], world) -
               100 * world->players[0].score;
    int32_t nearest = FAR, left = 0;
    for (uint32_t i = 0; i < world->switch_count; i++) {
        bool target = map.switches[i].kind == MAP_SWITCH_TARGET;
        if ((!target && map.switches[i].kind != MAP_SWITCH_FLAG) || will >> i & 1)
            continue;
        int32_t way = target && map.ball_count > 0 ? to_ball(world, &map.switches[i]) : distance(fields[i], world);
        if (target && map.ball_count == 0 && world->players[0].arrows == 0)
            way += to_arrow(world);
        nearest = way < nearest ? way : nearest;
        left++;
    }
    for (uint32_t slot = 1; slot < world->player_slots; slot++) {
        if (world->players[slot].stats.deaths > 0)
            continue;
        int32_t dx = abs(world->actors[slot].x - world->actors[0].x),
                dy = world->actors[slot].y - 12 - world->actors[0].y;
        for (int32_t i = 0; i < map.spawn_count; i++)
            if (map.spawns[i].team == 2 && abs(map.spawns[i].x - world->actors[slot].x - 4) < 3) {
                int32_t way = distance(fields[MAP_SWITCH_CAPACITY + i], world) + (dx < 12 && dy > 0 ? 0 : 16);
                nearest = way < nearest ? way : nearest;
            }
        int32_t straight = dx + abs(dy) + 40;
        nearest = straight < nearest ? straight : nearest;
        left++;
    }
    int32_t catches = (int32_t)tasks_limit - (int32_t)mode_trial_tasks(&map) - (int32_t)world->players[0].stats.catches;
    if (catches > 0) {
        int32_t way = distance(launch_field, world);
        nearest = way < nearest ? way : nearest;
        left += catches;
    }
    return left * TASK_COST / 4 + nearest - (is_bombs(world) ? blasts(world) : 0);
}

static uint64_t key_of(const struct world *world, uint32_t will, uint32_t passed)
{
    const struct player *p = &world->players[0];
    const struct df_actor *a = &world->actors[0];
    uint64_t key = 1469598103934665603u;
    int64_t parts[] = {a->x / 6,
                       a->y / 6,
                       p->vx / 200,
                       p->vy / 200,
                       p->dashes,
                       p->flags & PLAYER_HANGING,
                       will,
                       passed,
                       p->arrows,
                       p->stats.catches,
                       p->score,
                       (p->buttons & BUTTON_JUMP) != 0,
                       map.ball_count > 0 ? world->balls[0].vx / 200 * 1000 + world->balls[0].vy / 200 : 0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        key = (key ^ (uint64_t)parts[i]) * 1099511628211u;
    return key;
}

static int by_cost(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;
    return one->cost != other->cost ? (one->cost > other->cost ? 1 : -1)
                                    : (one->key > other->key) - (one->key < other->key);
}

static void print_way(uint32_t layer, struct step_taken last, tick end)
{
    static uint32_t way[LAYERS_MAX + 1];
    way[layer] = last.action;
    for (int32_t at = last.parent; layer > 0;) {
        layer--;
        way[layer] = taken[layer][at].action;
        at = taken[layer][at].parent;
    }
    static const struct {
        uint32_t button;
        const char *word;
    } WORDS[] = {{BUTTON_LEFT, "left"}, {BUTTON_RIGHT, "right"}, {BUTTON_UP, "up"},      {BUTTON_DOWN, "down"},
                 {BUTTON_JUMP, "jump"}, {BUTTON_DASH, "dash"},   {BUTTON_SHOOT, "shoot"}};
    uint32_t held = 0;
    printf("# done in tick %" PRIu32 "\n", end);
    for (uint32_t i = 0, first = 1 + IDLE_TICKS; first <= end; i++, first += ACTION_TICKS) {
        uint32_t buttons = way[i] & ~RELEASE_FIRST, pressed = buttons & (BUTTON_DASH | BUTTON_SHOOT);
        pressed |= way[i] & RELEASE_FIRST ? BUTTON_JUMP : 0;
        for (uint32_t part = 0; part < 2; part++) {
            uint32_t now = part == 0 && (held & pressed) ? buttons & ~pressed : buttons;
            if (now == held)
                continue;
            printf("%" PRIu32, first + part);
            for (size_t w = 0; w < sizeof WORDS / sizeof *WORDS; w++)
                if (now & WORDS[w].button)
                    printf(" %s", WORDS[w].word);
            printf(now ? "\n" : " -\n");
            held = now;
        }
    }
}

// Continues every world of the beam by every action. Returns how many lived; sets `done` to the first that is done.
static size_t expand(uint32_t count, struct candidate *done, tick *done_tick)
{
    static struct world world, ahead;
    size_t found = 0;
    *done_tick = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t a = 0; a < action_count; a++) {
            struct node *node = &beam[i];
            bool shoots = actions[a] & BUTTON_SHOOT;
            if (shoots && (node->world.players[0].arrows == 0 || (target_bits == 0 && !is_bombs(&node->world))))
                continue;
            if (actions[a] & BUTTON_DASH && node->world.players[0].dashes == 0)
                continue;
            world_copy(&world, &node->world);
            if (!act(&world, node->buttons, actions[a]))
                continue;
            struct candidate *candidate = &candidates[found++];
            *candidate = (struct candidate){
                .taken = {(int32_t)i, actions[a]}, .will = node->will | on_bits(&world), .places = node->places};
            if (world.round.phase == ROUND_MATCH_OVER) {
                if (world.tick < *done_tick) {
                    *done_tick = world.tick;
                    *done = *candidate;
                }
                continue;
            }
            if (shoots && !(node->buttons & BUTTON_SHOOT)) {
                world_copy(&ahead, &world);
                for (uint32_t t = 0; t < AHEAD_TICKS / ACTION_TICKS; t++)
                    act(&ahead, 0, 0);
                candidate->will |= on_bits(&ahead) & target_bits;
                if (candidate->will == node->will && world.ball_count == 0 && !is_bombs(&world)) {
                    found--; // a shot that hits nothing
                    continue;
                }
            }
            if (candidate->places < place_count &&
                distance(fields[MAP_SWITCH_CAPACITY + MAP_SPAWN_CAPACITY + candidate->places], &world) == 0)
                candidate->places++;
            candidate->cost = cost_of(&world, candidate->will, candidate->places);
            candidate->key = key_of(&world, candidate->will, candidate->places);
        }
    return found;
}

static bool search(uint32_t width)
{
    uint32_t count = 1;
    tick done_tick;
    struct candidate done;
    for (uint32_t layer = 0; layer < LAYERS_MAX; layer++) {
        size_t found = expand(count, &done, &done_tick);
        if (done_tick != UINT32_MAX) {
            print_way(layer, done.taken, done_tick);
            return true;
        }
        qsort(candidates, found, sizeof *candidates, by_cost);
        static uint64_t seen[1u << 16];
        memset(seen, 0, sizeof seen);
        uint32_t kept = 0;
        for (size_t i = 0; i < found && kept < width; i++) {
            uint32_t slot = (uint32_t)(candidates[i].key >> 20) & 0xFFFF;
            while (seen[slot] != 0 && seen[slot] != candidates[i].key)
                slot = (slot + 1) & 0xFFFF;
            if (seen[slot] == candidates[i].key)
                continue;
            seen[slot] = candidates[i].key;
            struct node *node = &next[kept], *parent = &beam[candidates[i].taken.parent];
            world_copy(&node->world, &parent->world);
            act(&node->world, parent->buttons, candidates[i].taken.action);
            node->will = candidates[i].will;
            node->places = candidates[i].places;
            node->buttons = candidates[i].taken.action & ~RELEASE_FIRST;
            taken[layer][kept++] = candidates[i].taken;
        }
        if (kept == 0)
            return false;
        if (layer % 20 == 0)
            fprintf(stderr, "layer %u: cost %d at %d,%d score %d\n", layer, candidates[0].cost,
                    next[0].world.actors[0].x, next[0].world.actors[0].y, next[0].world.players[0].score);
        struct node *swap = beam;
        beam = next;
        next = swap;
        count = kept;
    }
    return false;
}

int main(int argc, char **argv)
{
    struct error error;
    if (argc < 5 || argc > 5 + PLACES_MAX || !map_file_read(argv[1], &map, &error)) {
        fprintf(stderr, "%s\n",
                argc < 5 ? "usage: trial_search MAP.tmj CATCHES VARIANTS BEAM [COLUMN,ROW]..." : error.text);
        return EXIT_FAILURE;
    }
    uint32_t width = (uint32_t)atoi(argv[4]);
    for (int i = 5; i < argc; i++, place_count++)
        if (sscanf(argv[i], "%d,%d", &places[place_count].column, &places[place_count].row) != 2)
            return EXIT_FAILURE;
    width = width > BEAM_MAX ? BEAM_MAX : width;
    walls_passed = strtoul(argv[3], NULL, 0) >> VARIANT_DRILLS & 1 ? 4 : 0;
    prepare();
    beam = calloc(width, sizeof *beam);
    next = calloc(width, sizeof *next);
    candidates = calloc((size_t)width * ACTION_CAPACITY, sizeof *candidates);
    trial_world_begin(&beam[0].world, &map, (uint32_t)atoi(argv[2]), (uint32_t)strtoul(argv[3], NULL, 0));
    for (uint32_t i = 0; i < IDLE_TICKS; i++)
        world_step(&beam[0].world, &map, (struct player_input[PLAYER_CAPACITY]){{0}});
    tasks_limit = (uint32_t)beam[0].world.rules.score_limit;
    if (search(width))
        return EXIT_SUCCESS;
    fprintf(stderr, "%s: no way found\n", argv[1]);
    return EXIT_FAILURE;
}
