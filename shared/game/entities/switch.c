// SPDX-License-Identifier: MIT
#include "entities.h"

#include <string.h>

uint32_t switch_channels(const struct world *world, const struct map *map)
{
    uint32_t channels = 0;
    for (uint32_t i = 0; i < world->switch_count; i++)
        if (world->switches[i].on)
            channels |= 1u << (map->switches[i].channel - 1);
    return channels;
}

void switch_start(struct world *world, const struct map *map)
{
    world->switch_count = (uint32_t)map->switch_count;
}

void switch_begin_round(struct step *step)
{
    memset(step->world->switches, 0, step->world->switch_count * sizeof step->world->switches[0]);
}

bool switch_is_valid(const struct world *world, const struct map *map)
{
    if (world->switch_count != (uint32_t)map->switch_count)
        return false;
    for (uint32_t i = 0; i < world->switch_count; i++) {
        const struct switch_state *state = &world->switches[i];
        bool lasts = map->switches[i].kind == MAP_SWITCH_LEVER && map->switches[i].hold_ticks == 0;
        if (state->off_tick != 0 && (!state->on || lasts))
            return false;
    }
    return true;
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

// On until the time for which it holds is over.
static void turn_off_in_time(struct step *step, uint32_t index)
{
    struct switch_state *state = &step->world->switches[index];
    if (step->world->tick < state->off_tick)
        return;
    state->off_tick = 0;
    turn_over(step, index, 0, EVENT_NOBODY);
}

void switch_step(struct step *step)
{
    struct world *world = step->world;
    for (uint32_t i = 0; i < world->switch_count; i++) {
        const struct map_switch *of = &step->map->switches[i];
        struct switch_state *state = &world->switches[i];
        bool by_player = of->kind == MAP_SWITCH_PLATE || of->kind == MAP_SWITCH_FLAG;
        uint32_t arrow = by_player ? ARROW_CAPACITY : arrow_in(step, of->box);
        uint32_t by = by_player                 ? player_on(step, of->box)
                      : arrow != ARROW_CAPACITY ? step_slot_of(world->arrows[arrow].owner)
                                                : EVENT_NOBODY;
        tick off_tick = world->tick + (uint32_t)of->hold_ticks;
        bool hit;
        switch ((enum map_switch_kind)of->kind) {
        case MAP_SWITCH_PLATE:
            state->touched = by != EVENT_NOBODY;
            if (state->touched) {
                state->off_tick = off_tick;
                turn_over(step, i, 1, by);
            } else if (state->on) {
                turn_off_in_time(step, i);
            }
            break;
        case MAP_SWITCH_LEVER:
            hit = arrow != ARROW_CAPACITY && !state->touched;
            state->touched = arrow != ARROW_CAPACITY;
            if (hit) {
                state->off_tick = of->hold_ticks > 0 ? off_tick : 0;
                turn_over(step, i, of->hold_ticks > 0 ? 1 : !state->on, by);
            } else if (state->off_tick != 0) {
                turn_off_in_time(step, i);
            }
            break;
        case MAP_SWITCH_TARGET:
            hit = arrow != ARROW_CAPACITY;
            for (uint32_t ball = 0; !hit && ball < world->ball_count; ball++)
                hit = ball_touches(step, ball, of->box);
            if (hit)
                turn_over(step, i, 1, by);
            break;
        case MAP_SWITCH_FLAG:
            if (by != EVENT_NOBODY)
                turn_over(step, i, 1, by);
            break;
        case MAP_SWITCH_KINDS:
            break;
        }
    }
}
