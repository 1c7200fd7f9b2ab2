// SPDX-License-Identifier: MIT
#include "nav_graph.h"

#include <string.h>

#include "game/entities/mover.h"
#include "trajectory.h"

#define COST_UNIT_TICKS 4
#define WALK_TICKS      12 ///< from the middle of a cell well into the next
#define RIDE_SAMPLES    24 ///< of a solid's path
#define RIDE_GAP_PX     24 ///< sideways that a jump onto or off a solid may be wide
#define RIDE_UP_PX      24
#define RIDE_DOWN_PX    72
#define RIDE_TICKS      60  ///< getting on or off takes, so that a bot that can get on now does not wait
#define DASH_TICKS      40  ///< that a dash on the way counts more, for it may be needed elsewhere
#define JUMP_TICKS      8   ///< that a jump counts more than a walk
#define DOOR_TICKS      24  ///< that a door on the way counts more
#define NEAR_PX         112 ///< solids farther away cannot matter to a flight

struct draft {
    struct nav_graph *ways;
    const struct map *map;
    struct trajectory_space space;
    struct df_box rides[MAP_SOLID_CAPACITY][RIDE_SAMPLES]; ///< where the solids that are ridden are in time, px
};

static enum df_tile tile_at(const struct draft *draft, int32_t column, int32_t row)
{
    return df_tiles_at(&draft->space.tiles, column, row);
}

static bool is_wall(enum df_tile tile)
{
    return tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK;
}

// A solid that never leaves its place, or not for long.
static bool stays(const struct map_solid *solid)
{
    return solid->kind == MAP_SOLID_CONVEYOR || solid->kind == MAP_SOLID_CRUSHER;
}

static bool is_ride(const struct map_solid *solid)
{
    return solid->path_count > 0 && !solid->slippery && solid->kind != MAP_SOLID_DOOR;
}

// Fills the space with the solids near a box: only those that stay are part of a drawing, and doors as planks, on
// which one can stand and which one can come through.
static void see_solids(struct draft *draft, struct df_box box)
{
    struct trajectory_space *space = &draft->space;
    struct df_box near = {box.x - NEAR_PX, box.y - NEAR_PX, box.w + 2 * NEAR_PX, box.h + 2 * NEAR_PX};
    space->solid_count = space->door_count = 0;
    for (int32_t i = 0; i < draft->map->solid_count; i++) {
        const struct map_solid *solid = &draft->map->solids[i];
        bool door = solid->kind == MAP_SOLID_DOOR;
        if ((!door && !stays(solid)) || !map_overlaps(draft->map, near, solid->box))
            continue;
        if (door && space->door_count < TRAJECTORY_DOOR_CAPACITY)
            space->doors[space->door_count++] = (struct trajectory_door){solid->box, (uint32_t)i};
        if (space->solid_count < TRAJECTORY_SOLID_CAPACITY)
            space->solids[space->solid_count++] = (struct trajectory_solid){
                .box = solid->box, .oneway = door || solid->oneway != 0, .index = (uint32_t)i};
    }
}

static bool can_stand(struct draft *draft, int32_t column, int32_t row)
{
    enum df_tile here = tile_at(draft, column, row), above = tile_at(draft, column, row - 1),
                 below = tile_at(draft, column, row + 1);
    if (is_wall(here) || is_wall(above) || here == DF_TILE_HAZARD)
        return false;
    struct trajectory stands = {.x_sub = column * MAP_EDGE_PX * DF_SUB,
                                .y_sub = ((row + 1) * MAP_EDGE_PX - TUNING.body_h_px) * DF_SUB};
    struct df_box box = trajectory_box(&stands), beneath = {box.x, box.y + box.h, box.w, MAP_EDGE_PX};
    see_solids(draft, box);
    if (trajectory_is_blocked(&draft->space, box))
        return false;
    if (is_wall(below) || below == DF_TILE_ONEWAY)
        return true;
    for (uint32_t i = 0; i < draft->space.solid_count; i++)
        if (map_overlaps(draft->map, draft->space.solids[i].box, beneath))
            return true;
    return false;
}

static void sample_ride(struct draft *draft, uint32_t solid)
{
    const struct map_solid *ride = &draft->map->solids[solid];
    for (uint32_t sample = 0; sample < RIDE_SAMPLES; sample++) {
        int32_t x_sub, y_sub;
        mover_place(draft->map, solid, (uint32_t)((int64_t)ride->period_ticks * sample / RIDE_SAMPLES), &x_sub, &y_sub);
        draft->rides[solid][sample] =
            (struct df_box){df_floor_div(x_sub, DF_SUB), df_floor_div(y_sub, DF_SUB), ride->box.w, ride->box.h};
    }
}

static void find_cells(struct draft *draft)
{
    struct nav_graph *ways = draft->ways;
    memset(ways->cells, 0xFF, sizeof ways->cells);
    memset(ways->rides, 0xFF, sizeof ways->rides);
    uint32_t rides = 0;
    for (int32_t i = 0; i < draft->map->solid_count; i++)
        rides += is_ride(&draft->map->solids[i]);
    for (int32_t tile = 0; tile < draft->map->columns * draft->map->rows; tile++)
        if (ways->cell_count + rides < NAV_CELL_CAPACITY &&
            can_stand(draft, tile % draft->map->columns, tile / draft->map->columns)) {
            ways->tiles[ways->cell_count] = (uint16_t)tile;
            ways->cells[tile] = (uint16_t)ways->cell_count++;
        }
    ways->ride_first = ways->cell_count;
    for (int32_t i = 0; i < draft->map->solid_count; i++)
        if (is_ride(&draft->map->solids[i])) {
            sample_ride(draft, (uint32_t)i);
            ways->tiles[ways->cell_count] = (uint16_t)i;
            ways->rides[i] = (uint16_t)ways->cell_count++;
        }
}

static uint16_t cell_in_row(const struct nav_graph *ways, const struct map *map, int32_t x, int32_t row)
{
    bool wraps = map->outside == DF_OUTSIDE_WRAP;
    if (wraps)
        row -= df_floor_div(row, map->rows) * map->rows;
    if (row < 0 || row >= map->rows)
        return NAV_CELL_NONE;
    static const int32_t OFFSETS[] = {0, -4, 4};
    for (uint32_t i = 0; i < 3; i++) {
        int32_t column = df_floor_div(x + OFFSETS[i], MAP_EDGE_PX);
        if (wraps)
            column -= df_floor_div(column, map->columns) * map->columns;
        if (column >= 0 && column < map->columns && ways->cells[row * map->columns + column] != NAV_CELL_NONE)
            return ways->cells[row * map->columns + column];
    }
    return NAV_CELL_NONE;
}

uint16_t nav_graph_cell(const struct nav_graph *ways, const struct map *map, int32_t x, int32_t feet)
{
    int32_t row = df_floor_div(feet - 1, MAP_EDGE_PX);
    uint16_t cell = cell_in_row(ways, map, x, row);
    // A solid's top may lie within a row of tiles; who stands there is in the cell above.
    return cell == NAV_CELL_NONE && feet % MAP_EDGE_PX != 0 ? cell_in_row(ways, map, x, row - 1) : cell;
}

const struct nav_edge *nav_graph_next(const struct nav_graph *ways, uint16_t from, uint16_t to)
{
    const struct nav_edge *best = NULL;
    uint32_t least = NAV_COST_FAR;
    for (uint32_t i = ways->edge_firsts[from]; i < ways->edge_firsts[from + 1]; i++) {
        uint32_t cost = nav_graph_cost(ways, ways->edges[i].to, to) + (uint32_t)ways->edges[i].cost * COST_UNIT_TICKS;
        if (cost >= least)
            continue;
        least = cost;
        best = &ways->edges[i];
    }
    return best;
}

static uint8_t edge_cost(uint32_t ticks)
{
    return (uint8_t)(ticks / COST_UNIT_TICKS + 1 < UINT8_MAX ? ticks / COST_UNIT_TICKS + 1 : UINT8_MAX);
}

static void add_edge(struct nav_graph *ways, uint32_t first, struct nav_edge edge)
{
    for (uint32_t i = first; i < ways->edge_count; i++)
        if (ways->edges[i].to == edge.to) {
            if (edge.cost < ways->edges[i].cost)
                ways->edges[i] = edge;
            return;
        }
    if (ways->edge_count < NAV_EDGE_CAPACITY)
        ways->edges[ways->edge_count++] = edge;
}

static void find_flights(struct draft *draft, uint32_t cell, uint32_t first)
{
    struct nav_graph *ways = draft->ways;
    int32_t column = ways->tiles[cell] % draft->map->columns, row = ways->tiles[cell] / draft->map->columns;
    struct trajectory start = {.x_sub = column * MAP_EDGE_PX * DF_SUB,
                               .y_sub = ((row + 1) * MAP_EDGE_PX - TUNING.body_h_px) * DF_SUB,
                               .facing = 1,
                               .dashes = 1,
                               .grounded = true};
    see_solids(draft, trajectory_box(&start));
    for (uint32_t plan = 0; plan < PLANS; plan++) {
        struct trajectory end = trajectory_follow(&draft->space, start, &TRAJECTORY_PLANS[plan], WALK_TICKS);
        if (end.dead || !end.grounded)
            continue;
        struct df_box box = trajectory_box(&end);
        uint16_t to = nav_graph_cell(ways, draft->map, box.x + box.w / 2, box.y + box.h);
        if (to == NAV_CELL_NONE || to == cell)
            continue;
        bool dashes = TRAJECTORY_PLANS[plan].dash_tick > 0 && end.ticks >= TRAJECTORY_PLANS[plan].dash_tick;
        uint32_t ticks = end.ticks + (dashes ? DASH_TICKS : 0) +
                         (TRAJECTORY_PLANS[plan].leap == LEAP_JUMP ? JUMP_TICKS : 0) + (end.door != 0 ? DOOR_TICKS : 0);
        add_edge(ways, first,
                 (struct nav_edge){(uint16_t)cell, to, (uint8_t)plan, edge_cost(ticks), (uint16_t)end.door});
    }
}

// Whether nothing is above the lower one of two floors, where it is nearest to the higher one; dx, dy: from the middle
// of one's top to the other's.
static bool is_shaft(const struct draft *draft, struct df_box from, struct df_box to, int32_t dx, int32_t dy)
{
    int32_t left = from.x + from.w / 2 + dx - to.w / 2, right = left + to.w;
    int32_t low = left > from.x ? left : from.x, high = right < from.x + from.w ? right : from.x + from.w;
    int32_t x = low < high ? (low + high) / 2 : dx > 0 ? left + MAP_EDGE_PX / 2 : right - MAP_EDGE_PX / 2;
    for (int32_t y = from.y + MAP_EDGE_PX / 2; y < from.y + dy; y += MAP_EDGE_PX)
        if (is_wall(tile_at(draft, df_floor_div(x, MAP_EDGE_PX), df_floor_div(y, MAP_EDGE_PX))))
            return false;
    return true;
}

// Whether a jump leads from one floor to another: x and w of a stretch, y of its top.
static bool is_jump(const struct draft *draft, struct df_box from, struct df_box to)
{
    int32_t dx = map_distance(draft->map, 2 * from.x + from.w, 2 * to.x + to.w, 2 * draft->map->columns * MAP_EDGE_PX);
    int32_t dy = map_distance(draft->map, from.y, to.y, draft->map->rows * MAP_EDGE_PX);
    int32_t gap = ((dx < 0 ? -dx : dx) - from.w - to.w) / 2;
    if (gap > RIDE_GAP_PX || dy < -RIDE_UP_PX || dy > RIDE_DOWN_PX)
        return false;
    if (dy > MAP_EDGE_PX && !is_shaft(draft, from, to, dx / 2, dy))
        return false;
    // Nothing between the two at the height of the higher one's head, seen from its nearer edge.
    int32_t side = dx < 0 ? -1 : 1, y = (dy < 0 ? from.y + dy : from.y) - 6;
    int32_t edge = side > 0 ? from.x + from.w - 1 : from.x;
    for (int32_t x = 0; x <= gap + MAP_EDGE_PX; x += MAP_EDGE_PX)
        if (is_wall(tile_at(draft, df_floor_div(edge + side * x, MAP_EDGE_PX), df_floor_div(y, MAP_EDGE_PX))))
            return false;
    return true;
}

static struct df_box cell_floor(const struct draft *draft, uint32_t cell)
{
    int32_t tile = draft->ways->tiles[cell];
    return (struct df_box){tile % draft->map->columns * MAP_EDGE_PX, (tile / draft->map->columns + 1) * MAP_EDGE_PX,
                           MAP_EDGE_PX, MAP_EDGE_PX};
}

static struct df_box floor_of(const struct draft *draft, uint32_t cell, uint32_t sample)
{
    return cell < draft->ways->ride_first ? cell_floor(draft, cell) : draft->rides[draft->ways->tiles[cell]][sample];
}

// Edges from a cell onto solids that come by, or from a solid to everywhere it comes by.
static void find_rides(struct draft *draft, uint32_t from, uint32_t first)
{
    struct nav_graph *ways = draft->ways;
    for (uint32_t to = from < ways->ride_first ? ways->ride_first : 0; to < ways->cell_count; to++) {
        if (to == from)
            continue;
        uint32_t solid = ways->tiles[to >= ways->ride_first ? to : from];
        int32_t period = draft->map->solids[solid].period_ticks;
        uint32_t near = 0;
        for (uint32_t sample = 0; sample < RIDE_SAMPLES; sample++)
            near += is_jump(draft, floor_of(draft, from, sample), floor_of(draft, to, sample));
        if (near > 0)
            add_edge(ways, first,
                     (struct nav_edge){
                         (uint16_t)from, (uint16_t)to, NAV_PLAN_RIDE,
                         edge_cost(RIDE_TICKS + (uint32_t)((int64_t)period * (RIDE_SAMPLES - near) / RIDE_SAMPLES / 2)),
                         0});
    }
}

static void find_edges(struct draft *draft)
{
    struct nav_graph *ways = draft->ways;
    for (uint32_t cell = 0; cell < ways->cell_count; cell++) {
        uint32_t first = ways->edge_count;
        ways->edge_firsts[cell] = first;
        if (cell < ways->ride_first)
            find_flights(draft, cell, first);
        find_rides(draft, cell, first);
    }
    ways->edge_firsts[ways->cell_count] = ways->edge_count;
}

static void turn_edges(struct nav_graph *ways)
{
    for (uint32_t i = 0; i < ways->edge_count; i++)
        ways->back_firsts[ways->edges[i].to + 1]++;
    for (uint32_t cell = 0; cell < ways->cell_count; cell++)
        ways->back_firsts[cell + 1] += ways->back_firsts[cell];
    // Filled from the end of each stretch, so that the firsts are right when all are in.
    for (uint32_t i = 0; i < ways->edge_count; i++)
        ways->queue[ways->edges[i].to] = 0;
    for (uint32_t i = 0; i < ways->edge_count; i++) {
        uint16_t to = ways->edges[i].to;
        ways->backs[ways->back_firsts[to] + ways->queue[to]++] = i;
    }
}

static bool group(struct nav_graph *ways, const struct map *map)
{
    int32_t across = (map->columns + ways->place_edge - 1) / ways->place_edge;
    uint16_t names[MAP_TILE_CAPACITY / 16] = {0};
    ways->place_count = 0;
    for (uint32_t cell = 0; cell < ways->cell_count; cell++) {
        int32_t column = ways->tiles[cell] % map->columns, row = ways->tiles[cell] / map->columns;
        uint16_t *name = &names[row / ways->place_edge * across + column / ways->place_edge];
        if (cell >= ways->ride_first || *name == 0) {
            ways->place_count++;
            if (cell < ways->ride_first)
                *name = (uint16_t)ways->place_count;
        }
        ways->places[cell] = (uint16_t)((cell < ways->ride_first ? *name : ways->place_count) - 1);
    }
    return ways->place_count * ways->cell_count <= NAV_COST_CAPACITY;
}

static void measure(struct nav_graph *ways, uint32_t place)
{
    uint16_t *costs = &ways->costs[place * ways->cell_count];
    uint32_t head = 0, waiting = 0;
    memset(ways->queued, 0, sizeof ways->queued);
    for (uint32_t cell = 0; cell < ways->cell_count; cell++) {
        costs[cell] = NAV_COST_FAR;
        if (ways->places[cell] != place)
            continue;
        costs[cell] = 0;
        ways->queued[cell] = 1;
        ways->queue[waiting++] = (uint16_t)cell;
    }
    while (waiting > 0) {
        uint16_t to = ways->queue[head];
        waiting--;
        head = (head + 1) % NAV_CELL_CAPACITY;
        ways->queued[to] = 0;
        for (uint32_t i = ways->back_firsts[to]; i < ways->back_firsts[to + 1]; i++) {
            const struct nav_edge *edge = &ways->edges[ways->backs[i]];
            uint32_t cost = costs[to] + (uint32_t)edge->cost * COST_UNIT_TICKS;
            if (cost >= costs[edge->from])
                continue;
            costs[edge->from] = (uint16_t)cost;
            if (ways->queued[edge->from])
                continue;
            ways->queued[edge->from] = 1;
            ways->queue[(head + waiting++) % NAV_CELL_CAPACITY] = edge->from;
        }
    }
}

void nav_graph_build(struct nav_graph *ways, const struct map *map)
{
    struct draft draft = {.ways = ways,
                          .map = map,
                          .space = {.map = map,
                                    .tiles = {.kinds = map->tiles,
                                              .columns = map->columns,
                                              .rows = map->rows,
                                              .edge_px = MAP_EDGE_PX,
                                              .outside = (enum df_outside)map->outside}}};
    memset(ways, 0, sizeof *ways);
    find_cells(&draft);
    find_edges(&draft);
    turn_edges(ways);
    ways->place_edge = 4;
    while (!group(ways, map))
        ways->place_edge *= 2;
    for (uint32_t place = 0; place < ways->place_count; place++)
        measure(ways, place);
}
