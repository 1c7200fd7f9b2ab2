// SPDX-License-Identifier: MIT
#include "agent.h"

#include "game/tuning.h"
#include "nav_graph_build.h"

#define FAR_TICKS       3000  ///< cost where no path is known
#define DEATH_TICKS     20000 ///< cost of dying
#define HARM_TICKS      4000  ///< cost of meeting a danger, less the later
#define WALK_TICKS      9
#define FLEE_TICKS      26  ///< look-ahead in danger
#define IDLE_TICKS      6   ///< extra cost of standing still, and of ending in the air
#define THERE_PX        40  ///< at most this far from it a goal is reached
#define NOWHERE_TICKS   120 ///< extra cost of a motion that ends where it began
#define LEAVE_TICKS     40  ///< cost of getting off a ride
#define TARGET_TICKS    60  ///< by how much the target is better than its place
#define TOLERANCE_TICKS 16  ///< by which a motion may cost more than the graph says
#define EDGES_TRIED     3   ///< of the graph, before other motions
#define WAIT_TICKS      100 ///< from the begin of a fidget to the next
#define FIDGET_TICKS    30  ///< for which a bot does not wait
#define RIDE_NEAR_PX    40
#define WIDE_PX         48

// A motion and what it costs.
struct candidate {
    const struct motion *motion;
    int32_t ticks; ///< to the goal by way of the motion, with the costs above
};

// The search for the best motion.
struct search {
    const struct agent *agent;
    const struct goal *goal;
    struct motion_space *space;
    struct motion_body now;
    uint32_t walk_ticks;
    bool waits;   ///< for a ride, or at the goal: standing still costs nothing extra
    bool fidgets; ///< will not wait now
    struct candidate best;
};

static const struct motion AIR_MOTIONS[] = {
    {.first = -1, .then = -1},
    {.first = 1, .then = 1},
    {0},
    {.then = -1, .first_ticks = 8},
    {.then = 1, .first_ticks = 8},
    {.first = -1, .then = 1, .first_ticks = 9},
    {.first = 1, .then = -1, .first_ticks = 9},
};
static const struct motion DASH_MOTIONS[] = {
    {.dash_tick = 1, .dash_y = -1, .then = -1, .first_ticks = 12},
    {.dash_tick = 1, .dash_y = -1, .then = 1, .first_ticks = 12},
    {.dash_tick = 1, .dash_x = -1, .dash_y = -1, .first = -1, .then = -1},
    {.dash_tick = 1, .dash_x = 1, .dash_y = -1, .first = 1, .then = 1},
    {.dash_tick = 1, .dash_x = -1, .first = -1, .then = -1},
    {.dash_tick = 1, .dash_x = 1, .first = 1, .then = 1},
};
static const struct motion JUMP_MOTIONS[] = {
    {.takeoff = TAKEOFF_JUMP, .then = -1, .first_ticks = 10, .climbs = true},
    {.takeoff = TAKEOFF_JUMP, .then = 1, .first_ticks = 10, .climbs = true},
    {.takeoff = TAKEOFF_JUMP, .first = -1, .then = -1},
    {.takeoff = TAKEOFF_JUMP, .first = 1, .then = 1},
};
// Tried on the ground without a path, to get on a ride or off it, and to flee.
static const struct motion GROUND_MOTIONS[] = {
    {.first = -1, .then = -1},
    {.first = 1, .then = 1},
    {.takeoff = TAKEOFF_JUMP, .first = -1, .then = -1},
    {.takeoff = TAKEOFF_JUMP, .first = 1, .then = 1},
    {.takeoff = TAKEOFF_JUMP, .then = -1, .first_ticks = 12},
    {.takeoff = TAKEOFF_JUMP, .then = 1, .first_ticks = 12},
    {.takeoff = TAKEOFF_DROP},
    {.takeoff = TAKEOFF_JUMP},
};
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static uint16_t cell_of(const struct agent *agent, const struct motion_body *body)
{
    if (agent->graph == NULL)
        return NAV_CELL_NONE;
    if (body->on != 0 && body->on <= (uint32_t)agent->map->solid_count &&
        agent->graph->rides[body->on - 1] != NAV_CELL_NONE)
        return agent->graph->rides[body->on - 1];
    struct df_box box = motion_simulation_box(body);
    return nav_graph_cell(agent->graph, agent->map, box.x + box.w / 2, box.y + box.h);
}

static int32_t cost_from(const struct search *search, uint16_t cell)
{
    return nav_graph_cost(search->agent->graph, cell, search->goal->cell);
}

// A ride leads where it goes, and a one-way ride also down to what is below it now.
static int32_t cost_from_ride(const struct search *search, uint16_t ride, struct df_box box)
{
    const struct agent *agent = search->agent;
    uint16_t beneath = agent_cell_below(agent, box.x + box.w / 2, box.y + box.h, AGENT_FALL_ROWS);
    int32_t stays = cost_from(search, ride);
    if (beneath == NAV_CELL_NONE || agent->map->solids[agent->graph->tiles[ride]].oneway == 0)
        return stays;
    int32_t leaves = cost_from(search, beneath) + LEAVE_TICKS;
    return leaves < stays ? leaves : stays;
}

// Ticks from where a body is to the goal.
static int32_t ticks_to_goal(const struct search *search, const struct motion_body *body)
{
    const struct agent *agent = search->agent;
    struct df_box box = motion_simulation_box(body);
    struct vector went = agent_offset(agent, box.x + box.w / 2, box.y + box.h / 2);
    int32_t dx = search->goal->to.x - went.x, dy = search->goal->to.y - went.y;
    int32_t straight = (abs(dx) + 2 * abs(dy)) * DF_SUB / agent->tuning->run_max;
    uint16_t cell = cell_of(agent, body);
    if (agent->graph == NULL || search->goal->cell == NAV_CELL_NONE)
        return straight;
    if (cell == NAV_CELL_NONE)
        cell = agent_cell(agent, box.x + box.w / 2, box.y + box.h, AGENT_FALL_ROWS);
    if (cell == NAV_CELL_NONE)
        return FAR_TICKS + straight;
    int32_t cost = cell < agent->graph->ride_first ? cost_from(search, cell) : cost_from_ride(search, cell, box);
    if (cost == 0)
        return straight < 60 ? straight : 60;
    return (cost == NAV_COST_FAR ? FAR_TICKS : 30 + cost) + straight / 16;
}

// Has the body a dash left for this tick? The button may still be held.
static bool can_dash(const struct search *search)
{
    const struct player *player = &search->now.player;
    return player->dashes > 0 && search->now.now + 1 >= player->dash_ready_tick;
}

static int32_t try_motion(struct search *search, const struct motion *motion, int32_t extra_ticks)
{
    const struct motion_body *now = &search->now;
    struct motion_body end = motion_simulation_run(search->space, *now, motion, search->walk_ticks);
    int32_t ticks = (int32_t)end.ticks + extra_ticks;
    ticks += end.target_tick != 0 ? -TARGET_TICKS : ticks_to_goal(search, &end);
    if (end.dead)
        ticks += DEATH_TICKS - (int32_t)end.ticks;
    if (end.harm_tick != 0)
        ticks += HARM_TICKS - 8 * (int32_t)end.harm_tick;
    if (!motion_simulation_rests(&end))
        ticks += IDLE_TICKS;
    else if (motion_simulation_rests(now) && !search->waits && end.target_tick == 0 && end.actor.x == now->actor.x &&
             end.actor.y == now->actor.y)
        ticks += NOWHERE_TICKS; // stands or hangs where it did before
    if (ticks < search->best.ticks)
        search->best = (struct candidate){motion, ticks};
    return ticks;
}

static void try_motions(struct search *search, const struct motion *motions, size_t count, int32_t extra_ticks)
{
    for (size_t i = 0; i < count; i++)
        try_motion(search, &motions[i], extra_ticks);
}

// Lists the best edges from a cell toward the goal, the best first. Returns how many.
static uint32_t best_edges(const struct search *search, uint16_t cell, const struct nav_edge **edges, uint32_t *costs)
{
    const struct nav_graph *graph = search->agent->graph;
    uint32_t count = 0;
    for (uint32_t i = graph->edge_firsts[cell]; i < graph->edge_firsts[cell + 1]; i++) {
        uint16_t rest = nav_graph_cost(graph, graph->edges[i].to, search->goal->cell);
        if (rest == NAV_COST_FAR)
            continue;
        uint32_t cost = rest + 4u * graph->edges[i].cost;
        uint32_t at = count < EDGES_TRIED ? count++ : EDGES_TRIED;
        if (at == EDGES_TRIED && cost >= costs[--at])
            continue;
        for (; at > 0 && costs[at - 1] > cost; at--) {
            costs[at] = costs[at - 1];
            edges[at] = edges[at - 1];
        }
        costs[at] = cost;
        edges[at] = &graph->edges[i];
    }
    return count;
}

// Whether a ride comes, so that somebody who walks about would miss it: it is near, or goes up and down here.
static bool is_coming(const struct agent *agent, uint16_t ride)
{
    if (ride < agent->graph->ride_first)
        return false;
    const struct map_solid *lift = &agent->map->solids[agent->graph->tiles[ride]];
    const struct df_solid *solid = &agent->world->solids[agent->graph->tiles[ride]];
    struct vector to = agent_offset(agent, solid->x + solid->w / 2, solid->y + TUNING.body_h_px / 2);
    bool climbs = false;
    for (int32_t i = 1; i < lift->path_count; i++)
        climbs |= agent->map->points[lift->path_first + i].y != agent->map->points[lift->path_first].y;
    return abs(to.x) < solid->w / 2 + RIDE_NEAR_PX && (climbs || abs(to.y) < RIDE_NEAR_PX);
}

// Tries the edges of the path, and waits where it goes on with a ride. Returns true if an edge works from exactly here.
static bool follow_graph(struct search *search, uint16_t cell)
{
    const struct nav_edge *edges[EDGES_TRIED];
    uint32_t costs[EDGES_TRIED];
    uint32_t count = best_edges(search, cell, edges, costs);
    for (uint32_t i = 0; i < count; i++) {
        if (edges[i]->motion == NAV_MOTION_RIDE) {
            search->waits = !search->fidgets || is_coming(search->agent, edges[i]->to);
            return false;
        }
        const struct motion *motion = &MOTION_TABLE[edges[i]->motion];
        if (motion->dash_tick > 0 && !can_dash(search))
            continue;
        int32_t ticks = try_motion(search, motion, 0);
        if (ticks <= (int32_t)costs[i] + 30 + TOLERANCE_TICKS + search->goal->to.x / 16)
            return true;
    }
    return false;
}

static void choose_on_ground(struct search *search)
{
    const struct agent *agent = search->agent;
    if (threats_are_near(agent, search->space)) {
        search->walk_ticks = FLEE_TICKS;
        try_motions(search, GROUND_MOTIONS, COUNT(GROUND_MOTIONS), 0);
        if (can_dash(search))
            try_motions(search, DASH_MOTIONS + 4, 2, 0);
        return;
    }
    uint16_t cell = cell_of(agent, &search->now);
    bool known = agent->graph != NULL && cell != NAV_CELL_NONE && search->goal->cell != NAV_CELL_NONE;
    bool leads = known && nav_graph_cost(agent->graph, cell, search->goal->cell) != 0;
    bool rides = known && cell >= agent->graph->ride_first;
    struct vector to = search->goal->to;
    bool is_there = !leads && search->goal->target.box.w == 0 && abs(to.x) + abs(to.y) < THERE_PX;
    search->fidgets = (agent->decision_tick + agent->slot * 37) % WAIT_TICKS < FIDGET_TICKS;
    search->waits = (rides || is_there) && !search->fidgets;
    if (leads && !rides && follow_graph(search, cell))
        return;
    try_motions(search, GROUND_MOTIONS, COUNT(GROUND_MOTIONS), 0);
    // On a small ride a bot stands. On a wide one, what it waits for may never come near: walking about leads to where
    // it can get off.
    bool is_on_wide_ride = agent->graph != NULL && agent->cell != NAV_CELL_NONE &&
                           agent->cell >= agent->graph->ride_first &&
                           agent->world->solids[agent->graph->tiles[agent->cell]].w > WIDE_PX;
    try_motion(search, &MOTION_TABLE[MOTION_STAY],
               IDLE_TICKS - WALK_TICKS + (is_on_wide_ride && search->fidgets ? NOWHERE_TICKS : 0));
    // The motions of the graph begin in the middle of the cell.
    int32_t x = motion_simulation_box(&search->now).x;
    int32_t off = x - df_floor_div(x + MAP_EDGE_PX / 2, MAP_EDGE_PX) * MAP_EDGE_PX;
    if (known && abs(off) >= 2)
        try_motion(search, &MOTION_TABLE[off > 0 ? MOTION_LEFT : MOTION_RIGHT], 0);
}

static void choose_in_air(struct search *search)
{
    const struct motion_body *now = &search->now;
    bool is_hanging = (now->player.flags & PLAYER_HANGING) != 0;
    try_motions(search, AIR_MOTIONS, COUNT(AIR_MOTIONS), 0);
    if (now->player.vy > -search->agent->tuning->apex_speed && !agent_holds(search->agent, BUTTON_JUMP)) {
        struct df_box box = motion_simulation_box(now);
        box.x -= 3;
        box.w += 6;
        if (is_hanging || motion_simulation_is_blocked(search->space, box))
            try_motions(search, JUMP_MOTIONS, COUNT(JUMP_MOTIONS), 0);
    }
    // The dash is kept for where nothing else leads on.
    bool leads_on = search->best.ticks <= ticks_to_goal(search, now) + TOLERANCE_TICKS;
    if (!leads_on && agent_can_dash(search->agent) && now->player.vy > -256)
        try_motions(search, DASH_MOTIONS, COUNT(DASH_MOTIONS), TOLERANCE_TICKS);
}

uint32_t motion_choice_buttons(const struct agent *agent, struct goal goal)
{
    struct motion_space space;
    struct search search = {.agent = agent,
                            .space = &space,
                            .goal = &goal,
                            .now = motion_simulation_start(agent->world, agent->slot),
                            .walk_ticks = WALK_TICKS,
                            .best = {&MOTION_TABLE[MOTION_STAY], INT32_MAX}};
    bool grounded = (agent->player->flags & PLAYER_GROUNDED) != 0;
    threats_see(agent, &space);
    space.target = goal.target;
    if (grounded)
        choose_on_ground(&search);
    else
        choose_in_air(&search);
    uint32_t buttons = motion_simulation_buttons(search.best.motion);
    if (agent_holds(agent, BUTTON_JUMP) && (buttons & BUTTON_JUMP) != 0 && grounded)
        buttons &= ~(uint32_t)(BUTTON_JUMP | BUTTON_DOWN); // a held jump does not jump again
    // A bot that walks without moving stands before something that the graph does not know, such as a lid; it jumps.
    uint32_t sides = BUTTON_LEFT | BUTTON_RIGHT, side = buttons & sides;
    if (grounded && side != 0 && side == (agent->player->buttons & sides) && agent->player->vx == 0 &&
        !agent_holds(agent, BUTTON_JUMP))
        buttons |= BUTTON_JUMP;
    if (agent->player->vy < 0 && (agent->player->flags & PLAYER_HANGING) == 0)
        buttons |= agent->player->buttons & BUTTON_JUMP;
    return buttons;
}
