// SPDX-License-Identifier: MIT
#include "nav_graph_build.h"

#include <string.h>

#include "game/entities/entities.h"
#include "motion_simulation.h"

#define COST_UNIT_TICKS 4
#define WALK_TICKS      12 ///< in which a walk leads from the middle of a cell well into the next
#define RIDE_SAMPLES    24 ///< times of a solid's path that are looked at
#define RIDE_GAP_PX     24 ///< widest jump onto a solid or off it
#define RIDE_UP_PX      24
#define RIDE_DOWN_PX    72
#define RIDE_TICKS      60  ///< cost of getting on or off, so that a bot does not wait for a ride that saves little
#define DASH_TICKS      40  ///< extra cost of a dash, which may be needed elsewhere
#define JUMP_TICKS      8   ///< extra cost of a jump
#define DOOR_TICKS      24  ///< extra cost of a door
#define NEAR_PX         112 ///< solids farther away cannot matter to a motion

struct builder {
    struct nav_graph *graph;
    const struct map *map;
    struct motion_space space;
    struct df_box rides[MAP_SOLID_CAPACITY][RIDE_SAMPLES]; ///< boxes of the ridden solids in time, px
};

static enum df_tile tile_at(const struct builder *builder, int32_t column, int32_t row)
{
    return df_tiles_at(&builder->space.tiles, column, row);
}

static bool is_wall(enum df_tile tile)
{
    return tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK;
}

static bool is_ride(const struct map_solid *solid)
{
    return solid->path_count > 0 && !solid->slippery && solid->kind != MAP_SOLID_DOOR;
}

// Fills the space with the solids near a box: those that stay, and doors, as one-ways, on which a body can stand and
// through which it can go.
static void add_solids(struct builder *builder, struct df_box box)
{
    struct motion_space *space = &builder->space;
    struct df_box near = {box.x - NEAR_PX, box.y - NEAR_PX, box.w + 2 * NEAR_PX, box.h + 2 * NEAR_PX};
    space->solid_count = space->door_count = 0;
    for (int32_t i = 0; i < builder->map->solid_count; i++) {
        const struct map_solid *solid = &builder->map->solids[i];
        bool door = solid->kind == MAP_SOLID_DOOR;
        // Others leave their place, and not for a short time.
        bool stays = solid->kind == MAP_SOLID_CONVEYOR || solid->kind == MAP_SOLID_CRUSHER || map_is_launcher(solid);
        if ((!door && !stays) || !map_overlaps(builder->map, near, solid->box))
            continue;
        if (door && space->door_count < MOTION_DOOR_CAPACITY)
            space->doors[space->door_count++] = (struct motion_door){solid->box, (uint32_t)i};
        if (space->solid_count < MOTION_SOLID_CAPACITY)
            space->solids[space->solid_count++] = (struct motion_solid){
                .now = {.x = solid->box.x,
                        .y = solid->box.y,
                        .w = solid->box.w,
                        .h = solid->box.h,
                        .flags = DF_SOLID_PRESENT | (door || solid->oneway ? DF_SOLID_ONEWAY : 0u)},
                .belt_sub = solid->belt_sub,
                .index = (uint32_t)i};
    }
    motion_simulation_open(space);
}

// The box of a body that stands in a cell.
static struct df_box body_box(int32_t column, int32_t row)
{
    return (struct df_box){column * MAP_EDGE_PX, (row + 1) * MAP_EDGE_PX - TUNING.body_h_px, TUNING.body_w_px,
                           TUNING.body_h_px};
}

static bool can_stand(struct builder *builder, int32_t column, int32_t row)
{
    enum df_tile here = tile_at(builder, column, row), above = tile_at(builder, column, row - 1),
                 below = tile_at(builder, column, row + 1);
    if (is_wall(here) || is_wall(above) || here == DF_TILE_HAZARD)
        return false;
    struct df_box box = body_box(column, row), beneath = {box.x, box.y + box.h, box.w, MAP_EDGE_PX};
    add_solids(builder, box);
    if (motion_simulation_is_blocked(&builder->space, box))
        return false;
    if (is_wall(below) || below == DF_TILE_ONEWAY)
        return true;
    for (uint32_t i = 0; i < builder->space.solid_count; i++)
        if (map_overlaps(builder->map, df_solid_box(&builder->space.solids[i].now), beneath))
            return true;
    return false;
}

static void find_cells(struct builder *builder)
{
    struct nav_graph *graph = builder->graph;
    memset(graph->cells, 0xFF, sizeof graph->cells);
    memset(graph->rides, 0xFF, sizeof graph->rides);
    uint32_t rides = 0;
    for (int32_t i = 0; i < builder->map->solid_count; i++)
        rides += is_ride(&builder->map->solids[i]);
    for (int32_t tile = 0; tile < builder->map->columns * builder->map->rows; tile++)
        if (graph->cell_count + rides < NAV_CELL_CAPACITY &&
            can_stand(builder, tile % builder->map->columns, tile / builder->map->columns)) {
            graph->tiles[graph->cell_count] = (uint16_t)tile;
            graph->cells[tile] = (uint16_t)graph->cell_count++;
        }
    graph->ride_first = graph->cell_count;
    for (int32_t i = 0; i < builder->map->solid_count; i++) {
        const struct map_solid *ride = &builder->map->solids[i];
        if (!is_ride(ride))
            continue;
        for (uint32_t sample = 0; sample < RIDE_SAMPLES; sample++) {
            uint32_t clock_ticks = (uint32_t)((int64_t)ride->period_ticks * sample / RIDE_SAMPLES);
            int32_t x_sub, y_sub;
            mover_place(builder->map, (uint32_t)i, clock_ticks, &x_sub, &y_sub);
            builder->rides[i][sample] =
                (struct df_box){df_floor_div(x_sub, DF_SUB), df_floor_div(y_sub, DF_SUB), ride->box.w, ride->box.h};
        }
        graph->tiles[graph->cell_count] = (uint16_t)i;
        graph->rides[i] = (uint16_t)graph->cell_count++;
    }
}

static uint16_t cell_in_row(const struct nav_graph *graph, const struct map *map, int32_t x, int32_t row)
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
        if (column >= 0 && column < map->columns && graph->cells[row * map->columns + column] != NAV_CELL_NONE)
            return graph->cells[row * map->columns + column];
    }
    return NAV_CELL_NONE;
}

uint16_t nav_graph_cell(const struct nav_graph *graph, const struct map *map, int32_t x, int32_t feet)
{
    int32_t row = df_floor_div(feet - 1, MAP_EDGE_PX);
    uint16_t cell = cell_in_row(graph, map, x, row);
    // The top of a solid may lie within a row of tiles; a player on it is in the cell above.
    return cell == NAV_CELL_NONE && feet % MAP_EDGE_PX != 0 ? cell_in_row(graph, map, x, row - 1) : cell;
}

const struct nav_edge *nav_graph_next(const struct nav_graph *graph, uint16_t from, uint16_t to)
{
    const struct nav_edge *best = NULL;
    uint32_t least = NAV_COST_FAR;
    for (uint32_t i = graph->edge_firsts[from]; i < graph->edge_firsts[from + 1]; i++) {
        uint32_t cost =
            nav_graph_cost(graph, graph->edges[i].to, to) + (uint32_t)graph->edges[i].cost * COST_UNIT_TICKS;
        if (cost >= least)
            continue;
        least = cost;
        best = &graph->edges[i];
    }
    return best;
}

static uint8_t cost_units(uint32_t ticks)
{
    return (uint8_t)(ticks / COST_UNIT_TICKS + 1 < UINT8_MAX ? ticks / COST_UNIT_TICKS + 1 : UINT8_MAX);
}

static void add_edge(struct nav_graph *graph, uint32_t first, struct nav_edge edge)
{
    for (uint32_t i = first; i < graph->edge_count; i++)
        if (graph->edges[i].to == edge.to) {
            if (edge.cost < graph->edges[i].cost)
                graph->edges[i] = edge;
            return;
        }
    if (graph->edge_count < NAV_EDGE_CAPACITY)
        graph->edges[graph->edge_count++] = edge;
}

static void find_motions(struct builder *builder, uint32_t cell, uint32_t first)
{
    struct nav_graph *graph = builder->graph;
    int32_t column = graph->tiles[cell] % builder->map->columns, row = graph->tiles[cell] / builder->map->columns;
    struct df_box box = body_box(column, row);
    struct motion_body start = {
        .player = {.flags = PLAYER_GROUNDED, .facing = 1, .dashes = 1, .fall_cap = TUNING.fall_max},
        .actor = {.x = box.x, .y = box.y, .w = box.w, .h = box.h, .flags = DF_ACTOR_ALIVE}};
    add_solids(builder, box);
    for (uint32_t motion = 0; motion < MOTIONS; motion++) {
        struct motion_body end = motion_simulation_run(&builder->space, start, &MOTION_TABLE[motion], WALK_TICKS);
        if (end.dead || (end.player.flags & PLAYER_GROUNDED) == 0)
            continue;
        box = motion_simulation_box(&end);
        uint16_t to = nav_graph_cell(graph, builder->map, box.x + box.w / 2, box.y + box.h);
        if (to == NAV_CELL_NONE || to == cell)
            continue;
        bool dashes = MOTION_TABLE[motion].dash_tick > 0 && end.ticks >= MOTION_TABLE[motion].dash_tick;
        uint32_t ticks = end.ticks + (dashes ? DASH_TICKS : 0) +
                         (MOTION_TABLE[motion].takeoff == TAKEOFF_JUMP ? JUMP_TICKS : 0) +
                         (end.door != 0 ? DOOR_TICKS : 0);
        add_edge(graph, first,
                 (struct nav_edge){(uint16_t)cell, to, (uint8_t)motion, cost_units(ticks), (uint16_t)end.door});
    }
}

// Returns true if no wall is above the lower of two floors where it is nearest to the higher one. dx, dy: from the
// middle of one top to the other.
static bool is_shaft(const struct builder *builder, struct df_box from, struct df_box to, int32_t dx, int32_t dy)
{
    int32_t left = from.x + from.w / 2 + dx - to.w / 2, right = left + to.w;
    int32_t low = left > from.x ? left : from.x, high = right < from.x + from.w ? right : from.x + from.w;
    int32_t x = low < high ? (low + high) / 2 : dx > 0 ? left + MAP_EDGE_PX / 2 : right - MAP_EDGE_PX / 2;
    for (int32_t y = from.y + MAP_EDGE_PX / 2; y < from.y + dy; y += MAP_EDGE_PX)
        if (is_wall(tile_at(builder, df_floor_div(x, MAP_EDGE_PX), df_floor_div(y, MAP_EDGE_PX))))
            return false;
    return true;
}

// Returns true if a jump leads from one floor to another. Of the boxes count x, w and the top.
static bool is_jump(const struct builder *builder, struct df_box from, struct df_box to)
{
    int32_t dx =
        map_distance(builder->map, 2 * from.x + from.w, 2 * to.x + to.w, 2 * builder->map->columns * MAP_EDGE_PX);
    int32_t dy = map_distance(builder->map, from.y, to.y, builder->map->rows * MAP_EDGE_PX);
    int32_t gap = ((dx < 0 ? -dx : dx) - from.w - to.w) / 2;
    if (gap > RIDE_GAP_PX || dy < -RIDE_UP_PX || dy > RIDE_DOWN_PX)
        return false;
    if (dy > MAP_EDGE_PX && !is_shaft(builder, from, to, dx / 2, dy))
        return false;
    // No wall between the two, at the height of a head on the higher one.
    int32_t side = dx < 0 ? -1 : 1, y = (dy < 0 ? from.y + dy : from.y) - 6;
    int32_t edge = side > 0 ? from.x + from.w - 1 : from.x;
    for (int32_t x = 0; x <= gap + MAP_EDGE_PX; x += MAP_EDGE_PX)
        if (is_wall(tile_at(builder, df_floor_div(edge + side * x, MAP_EDGE_PX), df_floor_div(y, MAP_EDGE_PX))))
            return false;
    return true;
}

static struct df_box floor_of(const struct builder *builder, uint32_t cell, uint32_t sample)
{
    int32_t tile = builder->graph->tiles[cell], columns = builder->map->columns;
    if (cell >= builder->graph->ride_first)
        return builder->rides[tile][sample];
    return (struct df_box){tile % columns * MAP_EDGE_PX, (tile / columns + 1) * MAP_EDGE_PX, MAP_EDGE_PX, MAP_EDGE_PX};
}

// Adds edges from a cell onto solids that come by, or from a solid to all cells that it comes by.
static void find_rides(struct builder *builder, uint32_t from, uint32_t first)
{
    struct nav_graph *graph = builder->graph;
    for (uint32_t to = from < graph->ride_first ? graph->ride_first : 0; to < graph->cell_count; to++) {
        if (to == from)
            continue;
        uint32_t solid = graph->tiles[to >= graph->ride_first ? to : from];
        int32_t period = builder->map->solids[solid].period_ticks;
        uint32_t near = 0;
        for (uint32_t sample = 0; sample < RIDE_SAMPLES; sample++)
            near += is_jump(builder, floor_of(builder, from, sample), floor_of(builder, to, sample));
        if (near > 0)
            add_edge(graph, first,
                     (struct nav_edge){(uint16_t)from, (uint16_t)to, NAV_MOTION_RIDE,
                                       cost_units(RIDE_TICKS + (uint32_t)((int64_t)period * (RIDE_SAMPLES - near) /
                                                                          RIDE_SAMPLES / 2)),
                                       0});
    }
}

static void find_incoming(struct nav_graph *graph)
{
    memset(graph->incoming_firsts, 0, (graph->cell_count + 1) * sizeof *graph->incoming_firsts);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        graph->incoming_firsts[graph->edges[i].to + 1]++;
    for (uint32_t cell = 0; cell < graph->cell_count; cell++)
        graph->incoming_firsts[cell + 1] += graph->incoming_firsts[cell];
    uint16_t counts[NAV_CELL_CAPACITY] = {0};
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        uint16_t to = graph->edges[i].to;
        graph->incoming[graph->incoming_firsts[to] + counts[to]++] = i;
    }
}

static bool find_regions(struct nav_graph *graph, const struct map *map)
{
    int32_t across = (map->columns + graph->region_edge - 1) / graph->region_edge;
    uint16_t names[MAP_TILE_CAPACITY / 16] = {0};
    graph->region_count = 0;
    for (uint32_t cell = 0; cell < graph->cell_count; cell++) {
        int32_t column = graph->tiles[cell] % map->columns, row = graph->tiles[cell] / map->columns;
        uint16_t *name = &names[row / graph->region_edge * across + column / graph->region_edge];
        if (cell >= graph->ride_first || *name == 0) {
            graph->region_count++;
            if (cell < graph->ride_first)
                *name = (uint16_t)graph->region_count;
        }
        graph->regions[cell] = (uint16_t)((cell < graph->ride_first ? *name : graph->region_count) - 1);
    }
    return graph->region_count * graph->cell_count <= NAV_COST_CAPACITY;
}

static void compute_costs(struct nav_graph *graph, uint32_t place)
{
    uint16_t *costs = &graph->costs[place * graph->cell_count];
    uint32_t head = 0, waiting = 0;
    for (uint32_t cell = 0; cell < graph->cell_count; cell++) {
        costs[cell] = NAV_COST_FAR;
        if (graph->regions[cell] != place)
            continue;
        costs[cell] = 0;
        graph->queued[cell] = 1;
        graph->queue[waiting++] = (uint16_t)cell;
    }
    while (waiting > 0) {
        uint16_t to = graph->queue[head];
        waiting--;
        head = (head + 1) % NAV_CELL_CAPACITY;
        graph->queued[to] = 0;
        for (uint32_t i = graph->incoming_firsts[to]; i < graph->incoming_firsts[to + 1]; i++) {
            const struct nav_edge *edge = &graph->edges[graph->incoming[i]];
            uint32_t cost = costs[to] + (uint32_t)edge->cost * COST_UNIT_TICKS;
            if (cost >= costs[edge->from])
                continue;
            costs[edge->from] = (uint16_t)cost;
            if (graph->queued[edge->from])
                continue;
            graph->queued[edge->from] = 1;
            graph->queue[(head + waiting++) % NAV_CELL_CAPACITY] = edge->from;
        }
    }
}

void nav_graph_build(struct nav_graph *graph, const struct map *map)
{
    struct builder builder;
    builder.graph = graph;
    builder.map = map;
    motion_simulation_clear(&builder.space, map, &TUNING,
                            &(struct df_tiles){.kinds = map->tiles,
                                               .columns = map->columns,
                                               .rows = map->rows,
                                               .edge_px = MAP_EDGE_PX,
                                               .outside = (enum df_outside)map->outside});
    graph->cell_count = graph->edge_count = 0;
    find_cells(&builder);
    for (uint32_t cell = 0; cell < graph->cell_count; cell++) {
        uint32_t first = graph->edge_count;
        graph->edge_firsts[cell] = first;
        if (cell < graph->ride_first)
            find_motions(&builder, cell, first);
        find_rides(&builder, cell, first);
    }
    graph->edge_firsts[graph->cell_count] = graph->edge_count;
    find_incoming(graph);
    memset(graph->queued, 0, graph->cell_count);
    graph->region_edge = 4;
    while (!find_regions(graph, map))
        graph->region_edge *= 2;
    for (uint32_t place = 0; place < graph->region_count; place++)
        compute_costs(graph, place);
}
