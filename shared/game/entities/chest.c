// SPDX-License-Identifier: MIT
#include "chest.h"

#include "base/random.h"
#include "game/gift.h"
#include "game/tuning.h"
#include "game/valid.h"
#include "sync/game.h"

static uint32_t actor_of(uint32_t chest)
{
    return CHEST_ACTORS + chest;
}

static bool is_touched(const struct step *step, uint32_t slot, struct df_box box)
{
    return step->world->players[slot].state == PLAYER_ALIVE && step_overlaps(step, step_actor_box(step, slot), box);
}

static void tell(struct world *world, enum event_kind kind, struct df_box box, uint32_t subject, uint32_t detail)
{
    event_push(world, kind, box.x + box.w / 2, box.y + box.h / 2, subject, EVENT_NOBODY, detail);
}

static struct chest away(const struct world *world, const struct map *map, uint32_t chest)
{
    int32_t own_ticks = map->chests[chest].respawn_ticks;
    uint32_t ticks = own_ticks > 0 ? (uint32_t)own_ticks : TUNING.chest_respawn_ticks;
    return (struct chest){.state = CHEST_AWAY, .returns_tick = world->tick + ticks};
}

static void remove_closed(struct step *step, uint32_t chest)
{
    step->world->chests[chest] = away(step->world, step->map, chest);
    step_put_actor(step, actor_of(chest), (struct df_actor){0});
}

// --- a chest as an entity

void chest_start(struct world *world, const struct map *map)
{
    world->chest_count = (uint32_t)map->chest_count;
}

void chest_begin_round(struct step *step)
{
    for (uint32_t chest = 0; chest < step->world->chest_count; chest++) {
        remove_closed(step, chest);
        step->world->chests[chest].returns_tick = step->world->tick;
    }
}

void chest_forget(struct world *world, uint32_t reference)
{
    for (uint32_t chest = 0; chest < world->chest_count; chest++)
        if (world->chests[chest].opener == reference)
            world->chests[chest].opener = 0;
}

void chest_break(struct step *step, uint32_t chest)
{
    tell(step->world, EVENT_BREAK, step_actor_box(step, actor_of(chest)), EVENT_NOBODY, 2);
    remove_closed(step, chest);
}

void chest_explode(struct step *step, const struct explosion *explosion)
{
    for (uint32_t chest = 0; chest < step->world->chest_count; chest++)
        if (step->world->chests[chest].state == CHEST_CLOSED &&
            step_explosion_hits(step, explosion, TUNING.bomb_kill_px, step_actor_box(step, actor_of(chest))))
            chest_break(step, chest);
}

struct entity_sight chest_show(const struct world *world, const struct map *map, uint32_t chest)
{
    const struct df_actor *body = &world->actors[actor_of(chest)];
    (void)map;
    if (world->chests[chest].state != CHEST_CLOSED)
        return (struct entity_sight){0};
    return (struct entity_sight){4, {body->x, body->y, body->w, body->h}};
}

bool chest_is_supply(const struct world *world, uint32_t chest)
{
    return world->chests[chest].state == CHEST_CLOSED;
}

bool chest_is_valid(const struct world *world, const struct map *map)
{
    if (world->chest_count != (uint32_t)map->chest_count)
        return false;
    for (uint32_t i = 0; i < world->chest_count; i++) {
        const struct chest *chest = &world->chests[i];
        const struct df_actor *actor = &world->actors[actor_of(i)];
        if (chest->state == CHEST_AWAY) {
            if (chest->vy != 0 || chest->opener != 0 || !valid_is_zero(actor, sizeof *actor))
                return false;
            continue;
        }
        bool opens = chest->state == CHEST_OPENING && valid_reference(world, chest->opener);
        if ((!opens && (chest->state != CHEST_CLOSED || chest->opener != 0)) || chest->returns_tick != 0 ||
            chest->vy < 0 || chest->vy > TUNING.fall_max || (actor->flags & DF_ACTOR_ALIVE) == 0 ||
            !valid_actor(world, map, actor, TUNING.chest_w_px, TUNING.chest_h_px))
            return false;
    }
    return true;
}

// --- the tick

static void land(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space, (void)hit;
    struct step *step = context;
    step->world->chests[(uint32_t)actor - CHEST_ACTORS].vy = 0;
}

// Falls, and draws one of the players who touch it as its opener, so that no slot has an advantage.
static void lie(struct step *step, uint32_t chest)
{
    struct world *world = step->world;
    int32_t actor = (int32_t)actor_of(chest), *vy = &world->chests[chest].vy;
    if (df_actor_ground(&step->space, actor).kind != DF_HIT_NONE) {
        *vy = 0;
    } else {
        *vy += step->tuning->gravity;
        if (*vy > step->tuning->fall_max)
            *vy = step->tuning->fall_max;
        df_actor_move_y(&step->space, actor, *vy, land, step);
    }
    struct df_box box = step_actor_box(step, actor_of(chest));
    uint32_t opener = 0, count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (is_touched(step, slot, box) && (++count == 1 || random_below(&world->random, count) == 0))
            opener = slot + 1;
    if (opener != 0)
        world->chests[chest] = (struct chest){.state = CHEST_OPENING, .opener = opener};
    else if (step_is_lost(step, box))
        remove_closed(step, chest);
}

// Comes back as soon as nothing is in its place.
static void come_back(struct step *step, uint32_t chest)
{
    struct df_box box = map_chest_box(&step->map->chests[chest]);
    if (step->world->tick < step->world->chests[chest].returns_tick)
        return;
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (is_touched(step, slot, box))
            return;
    if (df_space_blocked(&step->space, box))
        return;
    step->world->chests[chest] = (struct chest){.state = CHEST_CLOSED};
    step_put_actor(step, actor_of(chest),
                   (struct df_actor){
                       .x = box.x, .y = box.y, .w = box.w, .h = box.h, .ride = DF_RIDE_STAND, .flags = DF_ACTOR_ALIVE});
    tell(step->world, EVENT_RETURN, box, EVENT_NOBODY, 1);
}

void chest_step(struct step *step)
{
    for (uint32_t chest = 0; chest < step->world->chest_count; chest++)
        switch ((enum chest_state)step->world->chests[chest].state) {
        case CHEST_AWAY:
            come_back(step, chest);
            break;
        case CHEST_CLOSED:
            lie(step, chest);
            break;
        case CHEST_OPENING: // until the command comes
            break;
        }
}

// --- what is inside

enum map_gift chest_draw(const struct map_chest *chest, uint32_t random)
{
    uint32_t weights[MAP_GIFTS], sum = 0, gift = 0;
    for (uint32_t i = 0; i < MAP_GIFTS; i++)
        sum += weights[i] = (chest->gifts >> i & 1) * GIFT_TABLE[i].weight;
    uint32_t left = (uint32_t)((uint64_t)random * sum >> 32);
    while (gift < MAP_GIFTS - 1 && left >= weights[gift])
        left -= weights[gift++];
    return (enum map_gift)gift;
}

bool chest_open(struct world *world, const struct map *map, uint32_t chest, uint32_t gift)
{
    uint32_t next = 0; // rolls are numbered, so their order may not be a choice
    while (next < world->chest_count && world->chests[next].state != CHEST_OPENING)
        next++;
    if (chest != next || chest >= world->chest_count || gift >= MAP_GIFTS ||
        (map->chests[chest].gifts >> gift & 1) == 0)
        return false;
    struct df_actor *actor = &world->actors[actor_of(chest)];
    uint32_t slot = step_slot_of(world->chests[chest].opener);
    tell(world, EVENT_OPEN, df_actor_box(actor), slot, gift);
    if (slot < PLAYER_CAPACITY && world->players[slot].state == PLAYER_ALIVE)
        gift_give(world, &world->players[slot], (enum map_gift)gift);
    world->chests[chest] = away(world, map, chest);
    *actor = (struct df_actor){0};
    world->rolls++;
    return true;
}

uint32_t game_roll(struct world *world, const struct map *map, game_dice *dice, void *context, struct command *commands)
{
    uint32_t count = 0;
    for (uint32_t chest = 0; chest < world->chest_count; chest++) {
        if (world->chests[chest].state != CHEST_OPENING)
            continue;
        uint32_t state = world->rules.seed + world->rolls;
        uint32_t random = dice ? dice(context, world->rolls) : random_next(&state);
        uint32_t gift = chest_draw(&map->chests[chest], random);
        chest_open(world, map, chest, gift);
        if (commands)
            commands[count] = (struct command){.kind = COMMAND_ROLL, .slot = chest, .gift = gift};
        count++;
    }
    return count;
}
