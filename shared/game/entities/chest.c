// SPDX-License-Identifier: MIT
#include "chest.h"

#include "base/rng.h"
#include "game/event.h"
#include "game/player/player.h"
#include "game/tuning.h"

static uint32_t actor_of(uint32_t chest)
{
    return CHEST_ACTORS + chest;
}

static bool is_touched(const struct step *step, uint32_t slot, struct df_box box)
{
    return step->world->players[slot].state == PLAYER_ALIVE && step_overlaps(step, step_actor_box(step, slot), box);
}

static void tell(struct step *step, enum event_kind kind, struct df_box box, uint32_t subject, uint32_t detail)
{
    event_push(step->world, kind, box.x + box.w / 2, box.y + box.h / 2, subject, EVENT_NOBODY, detail);
}

static void take_away(struct step *step, uint32_t chest)
{
    int32_t own_ticks = step->map->chests[chest].respawn_ticks;
    uint32_t ticks = own_ticks > 0 ? (uint32_t)own_ticks : TUNING.chest_respawn_ticks;
    step->world->chests[chest] = (struct chest){.state = CHEST_AWAY, .returns_tick = step->world->tick + ticks};
    step_put_actor(step, actor_of(chest), (struct df_actor){0});
}

void chest_break(struct step *step, uint32_t chest)
{
    tell(step, EVENT_BREAK, step_actor_box(step, actor_of(chest)), EVENT_NOBODY, 2);
    take_away(step, chest);
}

void chest_reset(struct step *step)
{
    for (uint32_t chest = 0; chest < step->world->chest_count; chest++) {
        take_away(step, chest);
        step->world->chests[chest].returns_tick = step->world->tick;
    }
}

// Draws one of the gifts that the map allows, by the weights of tuning.c.
static enum map_gift choose(struct step *step, uint32_t allowed)
{
    uint32_t sum = 0, chosen = 0;
    for (uint32_t gift = 0; gift < MAP_GIFTS; gift++) {
        uint32_t weight = (allowed >> gift & 1) * TUNING.gift_weights[gift];
        sum += weight;
        if (weight > 0 && rng_below(&step->world->random, sum) < weight)
            chosen = gift;
    }
    return (enum map_gift)chosen;
}

static void give(struct step *step, uint32_t slot, enum map_gift gift)
{
    struct player *player = &step->world->players[slot];
    switch (gift) {
    case MAP_GIFT_ARROWS:
        player_add_arrows(player, ARROW_NORMAL, TUNING.gift_arrows);
        return;
    case MAP_GIFT_BOMB:
        player_add_arrows(player, ARROW_BOMB, TUNING.gift_arrows);
        return;
    case MAP_GIFT_DRILL:
        player_add_arrows(player, ARROW_DRILL, TUNING.gift_arrows);
        return;
    case MAP_GIFT_SHIELD:
        player->shield = 1;
        return;
    case MAP_GIFT_WINGS:
        player->wings_until = step->world->tick + TUNING.wings_ticks;
        player->flaps = TUNING.wings_flaps;
        return;
    case MAP_GIFTS:
        return;
    }
}

// Draws one of the players who touch the chest, so that no slot has an advantage; PLAYER_CAPACITY if nobody does.
static uint32_t opener(struct step *step, struct df_box box)
{
    uint32_t found = PLAYER_CAPACITY, count = 0;
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (is_touched(step, slot, box) && (++count == 1 || rng_below(&step->world->random, count) == 0))
            found = slot;
    return found;
}

static void land(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space, (void)hit;
    struct step *step = context;
    step->world->chests[(uint32_t)actor - CHEST_ACTORS].vy = 0;
}

static void fall(struct step *step, uint32_t chest)
{
    int32_t *vy = &step->world->chests[chest].vy;
    if (df_actor_ground(&step->space, (int32_t)actor_of(chest)).kind != DF_HIT_NONE) {
        *vy = 0;
        return;
    }
    *vy += TUNING.gravity;
    if (*vy > TUNING.fall_max)
        *vy = TUNING.fall_max;
    df_actor_move_y(&step->space, (int32_t)actor_of(chest), *vy, land, step);
}

static void lie(struct step *step, uint32_t chest)
{
    fall(step, chest);
    struct df_box box = step_actor_box(step, actor_of(chest));
    uint32_t slot = opener(step, box);
    if (slot != PLAYER_CAPACITY) {
        enum map_gift gift = choose(step, step->map->chests[chest].gifts);
        give(step, slot, gift);
        tell(step, EVENT_OPEN, box, slot, gift);
    }
    if (slot != PLAYER_CAPACITY || step_is_lost(step, box))
        take_away(step, chest);
}

static bool is_free(const struct step *step, struct df_box box)
{
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (is_touched(step, slot, box))
            return false;
    return !df_space_blocked(&step->space, box);
}

static void come_back(struct step *step, uint32_t chest)
{
    struct df_box box = map_chest_box(&step->map->chests[chest]);
    if (step->world->tick < step->world->chests[chest].returns_tick || !is_free(step, box))
        return;
    step->world->chests[chest] = (struct chest){.state = CHEST_CLOSED};
    step_put_actor(step, actor_of(chest),
                   (struct df_actor){
                       .x = box.x, .y = box.y, .w = box.w, .h = box.h, .ride = DF_RIDE_STAND, .flags = DF_ACTOR_ALIVE});
    tell(step, EVENT_RETURN, box, EVENT_NOBODY, 1);
}

void chest_step(struct step *step)
{
    for (uint32_t chest = 0; chest < step->world->chest_count; chest++)
        if (step->world->chests[chest].state == CHEST_CLOSED)
            lie(step, chest);
        else
            come_back(step, chest);
}
