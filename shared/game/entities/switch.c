// SPDX-License-Identifier: MIT
#include "entities.h"

#include <string.h>

#include "game/event.h"

uint32_t switch_channels(const struct world *world, const struct map *map)
{
    uint32_t channels = 0;
    for (uint32_t i = 0; i < world->switch_count; i++)
        if (world->switches[i].on)
            channels |= 1u << (map->switches[i].channel - 1);
    return channels;
}

void switch_reset(struct world *world)
{
    memset(world->switches, 0, world->switch_count * sizeof world->switches[0]);
}

// The first living player in the plate or on it; EVENT_NOBODY if there is none.
static uint32_t player_on(const struct step *step, struct df_box plate)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++) {
        struct df_box box = step_actor_box(step, slot);
        box.h++;
        if (step->world->players[slot].state == PLAYER_ALIVE && step_overlaps(step, plate, box))
            return slot;
    }
    return EVENT_NOBODY;
}

// The first arrow in the lever that flew in this tick; ARROW_CAPACITY if there is none.
static uint32_t arrow_in(const struct step *step, struct df_box lever)
{
    const struct world *world = step->world;
    for (uint32_t i = 0; i < world->arrow_slots; i++) {
        const struct arrow *arrow = &world->arrows[i];
        bool flew = arrow->state == ARROW_FLYING || (arrow->state == ARROW_STUCK && arrow->since_tick == world->tick);
        if (flew && step_overlaps(step, lever, step_actor_box(step, PLAYER_CAPACITY + i)))
            return i;
    }
    return ARROW_CAPACITY;
}

static void turn_over(struct step *step, uint32_t index, uint32_t on, uint32_t by)
{
    struct switch_state *state = &step->world->switches[index];
    if (state->on == on)
        return;
    struct df_box box = step->map->switches[index].box;
    state->on = on;
    event_push(step->world, EVENT_SWITCH, box.x + box.w / 2, box.y + box.h / 2, by, EVENT_NOBODY, 2 * index + on);
}

static void plate_step(struct step *step, uint32_t index)
{
    struct switch_state *state = &step->world->switches[index];
    const struct map_switch *plate = &step->map->switches[index];
    uint32_t by = player_on(step, plate->box);
    state->touched = by != EVENT_NOBODY;
    if (state->touched) {
        state->off_tick = step->world->tick + (uint32_t)plate->hold_ticks;
        turn_over(step, index, 1, by);
    } else if (state->on && step->world->tick >= state->off_tick) {
        state->off_tick = 0;
        turn_over(step, index, 0, EVENT_NOBODY);
    }
}

static void lever_step(struct step *step, uint32_t index)
{
    const struct world *world = step->world;
    struct switch_state *state = &step->world->switches[index];
    const struct map_switch *lever = &step->map->switches[index];
    uint32_t arrow = arrow_in(step, lever->box);
    bool hit = arrow != ARROW_CAPACITY && !state->touched;
    state->touched = arrow != ARROW_CAPACITY;
    if (hit) {
        uint32_t owner = world->arrows[arrow].owner;
        state->off_tick = lever->hold_ticks > 0 ? world->tick + (uint32_t)lever->hold_ticks : 0;
        turn_over(step, index, lever->hold_ticks > 0 ? 1 : !state->on, owner != 0 ? owner - 1 : EVENT_NOBODY);
    } else if (state->off_tick != 0 && world->tick >= state->off_tick) {
        state->off_tick = 0;
        turn_over(step, index, 0, EVENT_NOBODY);
    }
}

static bool ball_in(const struct step *step, struct df_box target)
{
    for (uint32_t ball = 0; ball < step->world->ball_count; ball++)
        if (ball_touches(step, ball, target))
            return true;
    return false;
}

static void target_step(struct step *step, uint32_t index)
{
    struct df_box box = step->map->switches[index].box;
    uint32_t arrow = arrow_in(step, box);
    if (arrow != ARROW_CAPACITY)
        turn_over(step, index, 1, step_slot_of(step->world->arrows[arrow].owner));
    else if (ball_in(step, box))
        turn_over(step, index, 1, EVENT_NOBODY);
}

static void flag_step(struct step *step, uint32_t index)
{
    uint32_t by = player_on(step, step->map->switches[index].box);
    if (by != EVENT_NOBODY)
        turn_over(step, index, 1, by);
}

void switch_step(struct step *step)
{
    for (uint32_t i = 0; i < step->world->switch_count; i++) {
        switch ((enum map_switch_kind)step->map->switches[i].kind) {
        case MAP_SWITCH_PLATE:
            plate_step(step, i);
            break;
        case MAP_SWITCH_LEVER:
            lever_step(step, i);
            break;
        case MAP_SWITCH_TARGET:
            target_step(step, i);
            break;
        case MAP_SWITCH_FLAG:
            flag_step(step, i);
            break;
        case MAP_SWITCH_KINDS:
            break;
        }
    }
}
