// SPDX-License-Identifier: MIT
#include "steering.h"

#include "game/tuning.h"
#include "threats.h"

#define FAR_TICKS     3000 ///< no way is known
#define DEATH_TICKS   20000
#define HARM_TICKS    4000
#define WALK_TICKS    9
#define FLEE_TICKS    26  ///< looked ahead when something comes
#define IDLE_TICKS    6   ///< that standing counts more than going
#define THERE_PX      40  ///< so near a place is reached
#define VAIN_TICKS    120 ///< that a plan counts more which ends where it began
#define LEAVE_TICKS   40  ///< that it takes to get off a ride
#define PRIZE_TICKS   60  ///< that having it is better than being there
#define PATIENT_TICKS 16  ///< a plan so much worse than hoped for is still good
#define HOPES         3   ///< ways of the map that are tried out

// A plan and what comes of it.
struct choice {
    const struct plan *plan;
    int32_t ticks; ///< to the goal, about, with all that is bad about it
};

// What a choice is made among.
struct choosing {
    const struct mind *mind;
    const struct goal *goal;
    struct trajectory_space space;
    struct trajectory now;
    uint32_t walk_ticks;
    bool waits; ///< where the way goes on with a ride, or is not known, or over, standing is as good as anything
    struct choice best;
};

static const struct plan AIR_PLANS[] = {
    {.first = -1, .then = -1},
    {.first = 1, .then = 1},
    {0},
    {.then = -1, .first_ticks = 8},
    {.then = 1, .first_ticks = 8},
    {.first = -1, .then = 1, .first_ticks = 9},
    {.first = 1, .then = -1, .first_ticks = 9},
};
static const struct plan DASH_PLANS[] = {
    {.dash_tick = 1, .dash_y = -1, .then = -1, .first_ticks = 12},
    {.dash_tick = 1, .dash_y = -1, .then = 1, .first_ticks = 12},
    {.dash_tick = 1, .dash_x = -1, .dash_y = -1, .first = -1, .then = -1},
    {.dash_tick = 1, .dash_x = 1, .dash_y = -1, .first = 1, .then = 1},
    {.dash_tick = 1, .dash_x = -1, .first = -1, .then = -1},
    {.dash_tick = 1, .dash_x = 1, .first = 1, .then = 1},
};
static const struct plan LEAP_PLANS[] = {
    {.leap = LEAP_JUMP, .then = -1, .first_ticks = 10, .climbs = true},
    {.leap = LEAP_JUMP, .then = 1, .first_ticks = 10, .climbs = true},
    {.leap = LEAP_JUMP, .first = -1, .then = -1},
    {.leap = LEAP_JUMP, .first = 1, .then = 1},
};
// What is tried on the ground where no way is known, to get on a lift or off it, or to flee.
static const struct plan GROUND_PLANS[] = {
    {.first = -1, .then = -1},
    {.first = 1, .then = 1},
    {.leap = LEAP_JUMP, .first = -1, .then = -1},
    {.leap = LEAP_JUMP, .first = 1, .then = 1},
    {.leap = LEAP_JUMP, .then = -1, .first_ticks = 12},
    {.leap = LEAP_JUMP, .then = 1, .first_ticks = 12},
    {.leap = LEAP_DROP},
    {.leap = LEAP_JUMP},
};
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static uint16_t cell_of(const struct mind *mind, const struct trajectory *flight)
{
    if (mind->ways == NULL)
        return NAV_CELL_NONE;
    if (flight->on != 0 && flight->on <= (uint32_t)mind->map->solid_count &&
        mind->ways->rides[flight->on - 1] != NAV_CELL_NONE)
        return mind->ways->rides[flight->on - 1];
    struct df_box box = trajectory_box(flight);
    return nav_graph_cell(mind->ways, mind->map, box.x + box.w / 2, box.y + box.h);
}

static int32_t cost_from(const struct choosing *choosing, uint16_t cell)
{
    return nav_graph_cost(choosing->mind->ways, cell, choosing->goal->cell);
}

// A ride leads where it goes, and a plank down to what it is above of now.
static int32_t cost_from_ride(const struct choosing *choosing, uint16_t ride, struct df_box box)
{
    const struct mind *mind = choosing->mind;
    uint16_t beneath = mind_cell_beneath(mind, box.x + box.w / 2, box.y + box.h, MIND_FALL_ROWS);
    int32_t stays = cost_from(choosing, ride);
    if (beneath == NAV_CELL_NONE || mind->map->solids[mind->ways->tiles[ride]].oneway == 0)
        return stays;
    int32_t leaves = cost_from(choosing, beneath) + LEAVE_TICKS;
    return leaves < stays ? leaves : stays;
}

// Ticks from where a flight ended to the goal.
static int32_t value(const struct choosing *choosing, const struct trajectory *flight)
{
    const struct mind *mind = choosing->mind;
    struct df_box box = trajectory_box(flight);
    int32_t dx = choosing->goal->to.x - (box.x + box.w / 2 - mind->x),
            dy = choosing->goal->to.y - (box.y + box.h / 2 - mind->y);
    int32_t straight = (abs(dx) + 2 * abs(dy)) * DF_SUB / TUNING.run_max;
    uint16_t cell = cell_of(mind, flight);
    if (mind->ways == NULL || choosing->goal->cell == NAV_CELL_NONE)
        return straight;
    if (cell == NAV_CELL_NONE)
        cell = mind_cell(mind, box.x + box.w / 2, box.y + box.h, MIND_FALL_ROWS);
    if (cell == NAV_CELL_NONE)
        return FAR_TICKS + straight;
    int32_t cost = cell < mind->ways->ride_first ? cost_from(choosing, cell) : cost_from_ride(choosing, cell, box);
    if (cost == 0)
        return straight < 60 ? straight : 60;
    return (cost == NAV_COST_FAR ? FAR_TICKS : 30 + cost) + straight / 16;
}

static int32_t outcome(const struct choosing *choosing, const struct trajectory *end)
{
    int32_t ticks = (int32_t)end->ticks + (end->prize_tick != 0 ? -PRIZE_TICKS : value(choosing, end));
    if (end->dead)
        ticks += DEATH_TICKS - (int32_t)end->ticks;
    if (end->harm_tick != 0)
        ticks += HARM_TICKS - 8 * (int32_t)end->harm_tick;
    if (!end->grounded && !end->hangs)
        ticks += IDLE_TICKS;
    return ticks;
}

// It stands or hangs where it did, and not to wait for something that comes by.
static bool is_vain(const struct choosing *choosing, const struct trajectory *end)
{
    const struct trajectory *now = &choosing->now;
    return !choosing->waits && (now->grounded || now->hangs) && (end->grounded || end->hangs) && end->prize_tick == 0 &&
           abs(end->x_sub - now->x_sub) < DF_SUB && abs(end->y_sub - now->y_sub) < DF_SUB;
}

static int32_t attempt(struct choosing *choosing, const struct plan *plan, int32_t handicap)
{
    struct trajectory end = trajectory_follow(&choosing->space, choosing->now, plan, choosing->walk_ticks);
    int32_t ticks = outcome(choosing, &end) + handicap + (is_vain(choosing, &end) ? VAIN_TICKS : 0);
    if (ticks < choosing->best.ticks)
        choosing->best = (struct choice){plan, ticks};
    return ticks;
}

static void attempt_all(struct choosing *choosing, const struct plan *plans, size_t count, int32_t handicap)
{
    for (size_t i = 0; i < count; i++)
        attempt(choosing, &plans[i], handicap);
}

// The best edges out of a cell toward the goal, best first; how many.
static uint32_t hopes(const struct choosing *choosing, uint16_t cell, const struct nav_edge **edges, uint32_t *costs)
{
    const struct nav_graph *ways = choosing->mind->ways;
    uint32_t count = 0;
    for (uint32_t i = ways->edge_firsts[cell]; i < ways->edge_firsts[cell + 1]; i++) {
        uint16_t rest = nav_graph_cost(ways, ways->edges[i].to, choosing->goal->cell);
        if (rest == NAV_COST_FAR)
            continue;
        uint32_t cost = rest + 4u * ways->edges[i].cost;
        uint32_t at = count < HOPES ? count++ : HOPES;
        if (at == HOPES && cost >= costs[--at])
            continue;
        for (; at > 0 && costs[at - 1] > cost; at--) {
            costs[at] = costs[at - 1];
            edges[at] = edges[at - 1];
        }
        costs[at] = cost;
        edges[at] = &ways->edges[i];
    }
    return count;
}

// Follows the map: the best edge that works from exactly here. True if one was found.
static bool follow_map(struct choosing *choosing, uint16_t cell)
{
    const struct nav_edge *edges[HOPES];
    uint32_t costs[HOPES];
    uint32_t count = hopes(choosing, cell, edges, costs);
    for (uint32_t i = 0; i < count; i++) {
        if (edges[i]->plan == NAV_PLAN_RIDE) {
            choosing->waits = true;
            return false;
        }
        const struct plan *plan = &TRAJECTORY_PLANS[edges[i]->plan];
        if (plan->dash_tick > 0 && choosing->now.dashes == 0)
            continue;
        int32_t ticks = attempt(choosing, plan, 0);
        if (ticks <= (int32_t)costs[i] + 30 + PATIENT_TICKS + choosing->goal->to.x / 16)
            return true;
    }
    return false;
}

// To the middle of its cell, from where the map's plans begin.
static void attempt_middle(struct choosing *choosing)
{
    int32_t x = trajectory_box(&choosing->now).x,
            off = x - df_floor_div(x + MAP_EDGE_PX / 2, MAP_EDGE_PX) * MAP_EDGE_PX;
    if (abs(off) >= 2)
        attempt(choosing, &TRAJECTORY_PLANS[off > 0 ? PLAN_LEFT : PLAN_RIGHT], 0);
}

static void choose_on_ground(struct choosing *choosing)
{
    const struct mind *mind = choosing->mind;
    if (threats_are_near(mind, &choosing->space)) {
        choosing->walk_ticks = FLEE_TICKS;
        attempt_all(choosing, GROUND_PLANS, COUNT(GROUND_PLANS), 0);
        if (choosing->now.dashes > 0)
            attempt_all(choosing, DASH_PLANS + 4, 2, 0);
        return;
    }
    uint16_t cell = cell_of(mind, &choosing->now);
    bool known = mind->ways != NULL && cell != NAV_CELL_NONE && choosing->goal->cell != NAV_CELL_NONE;
    bool leads = known && nav_graph_cost(mind->ways, cell, choosing->goal->cell) != 0;
    bool rides = known && cell >= mind->ways->ride_first;
    struct spot to = choosing->goal->to;
    choosing->waits = rides || (!leads && choosing->goal->prize.box.w == 0 && abs(to.x) + abs(to.y) < THERE_PX);
    if (leads && !rides && follow_map(choosing, cell))
        return;
    attempt_all(choosing, GROUND_PLANS, COUNT(GROUND_PLANS), 0);
    attempt(choosing, &TRAJECTORY_PLANS[PLAN_STAY], IDLE_TICKS - WALK_TICKS);
    if (known)
        attempt_middle(choosing);
}

static void choose_in_air(struct choosing *choosing)
{
    const struct trajectory *now = &choosing->now;
    attempt_all(choosing, AIR_PLANS, COUNT(AIR_PLANS), 0);
    if (now->vy > -TUNING.apex_speed && !mind_pressed(choosing->mind, BUTTON_JUMP)) {
        struct df_box box = trajectory_box(now);
        box.x -= 3;
        box.w += 6;
        if (now->hangs || trajectory_is_blocked(&choosing->space, box))
            attempt_all(choosing, LEAP_PLANS, COUNT(LEAP_PLANS), 0);
    }
    // A dash is kept for where nothing else leads on.
    bool leads_on = choosing->best.ticks <= value(choosing, now) + PATIENT_TICKS;
    if (!leads_on && now->dashes > 0 && now->dash_ticks == 0 && !mind_pressed(choosing->mind, BUTTON_DASH) &&
        now->vy > -256)
        attempt_all(choosing, DASH_PLANS, COUNT(DASH_PLANS), PATIENT_TICKS);
}

// Whoever walks without moving stands before something that the map does not know, such as a lid: over it.
static bool is_held_up(const struct mind *mind, uint32_t buttons)
{
    uint32_t sides = BUTTON_LEFT | BUTTON_RIGHT, side = buttons & sides;
    return side != 0 && side == (mind->player->buttons & sides) && mind->player->vx == 0 &&
           !mind_pressed(mind, BUTTON_JUMP);
}

uint32_t steering_buttons(const struct mind *mind, struct goal goal)
{
    struct choosing choosing = {.mind = mind,
                                .goal = &goal,
                                .now = trajectory_from(mind->world, mind->slot),
                                .walk_ticks = WALK_TICKS,
                                .best = {&TRAJECTORY_PLANS[PLAN_STAY], INT32_MAX}};
    threats_see(mind, &choosing.space);
    choosing.space.prize = goal.prize;
    if (choosing.now.grounded)
        choose_on_ground(&choosing);
    else
        choose_in_air(&choosing);
    uint32_t buttons = trajectory_plan_buttons(choosing.best.plan);
    if (mind_pressed(mind, BUTTON_JUMP) && (buttons & BUTTON_JUMP) != 0 && choosing.now.grounded)
        buttons &= ~(uint32_t)(BUTTON_JUMP | BUTTON_DOWN); // let go first
    if (choosing.now.grounded && is_held_up(mind, buttons))
        buttons |= BUTTON_JUMP;
    if (mind->player->vy < 0 && !choosing.now.hangs)
        buttons |= mind->player->buttons & BUTTON_JUMP;
    return buttons;
}
