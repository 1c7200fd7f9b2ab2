// SPDX-License-Identifier: MIT
#include "chest.h"

#include "base/random.h"
#include "game/event.h"
#include "game/gift.h"
#include "game/tuning.h"
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

static void take_away(struct step *step, uint32_t chest)
{
    step->world->chests[chest] = away(step->world, step->map, chest);
    step_put_actor(step, actor_of(chest), (struct df_actor){0});
}

void chest_break(struct step *step, uint32_t chest)
{
    tell(step->world, EVENT_BREAK, step_actor_box(step, actor_of(chest)), EVENT_NOBODY, 2);
    take_away(step, chest);
}

void chest_reset(struct step *step)
{
    for (uint32_t chest = 0; chest < step->world->chest_count; chest++) {
        take_away(step, chest);
        step->world->chests[chest].returns_tick = step->world->tick;
    }
}

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

// Draws one of the players who touch the chest, so that no slot has an advantage; PLAYER_CAPACITY if nobody does.
static uint32_t opener(struct step *step, struct df_box box)
{
    uint32_t found = PLAYER_CAPACITY, count = 0;
    for (uint32_t slot = 0; slot < step->world->player_slots; slot++)
        if (is_touched(step, slot, box) && (++count == 1 || random_below(&step->world->random, count) == 0))
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
    *vy += step->tuning->gravity;
    if (*vy > step->tuning->fall_max)
        *vy = step->tuning->fall_max;
    df_actor_move_y(&step->space, (int32_t)actor_of(chest), *vy, land, step);
}

static void lie(struct step *step, uint32_t chest)
{
    fall(step, chest);
    struct df_box box = step_actor_box(step, actor_of(chest));
    uint32_t slot = opener(step, box);
    if (slot != PLAYER_CAPACITY)
        step->world->chests[chest] = (struct chest){.state = CHEST_OPENING, .opener = slot + 1};
    else if (step_is_lost(step, box))
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

// Rolls are numbered, so their order may not be a choice.
static bool is_next(const struct world *world, uint32_t chest)
{
    uint32_t next = 0;
    while (next < world->chest_count && world->chests[next].state != CHEST_OPENING)
        next++;
    return chest == next && chest < world->chest_count;
}

bool chest_open(struct world *world, const struct map *map, uint32_t chest, uint32_t gift)
{
    if (!is_next(world, chest) || gift >= MAP_GIFTS || (map->chests[chest].gifts >> gift & 1) == 0)
        return false;
    struct df_actor *actor = &world->actors[actor_of(chest)];
    uint32_t opener = world->chests[chest].opener, slot = opener ? opener - 1 : EVENT_NOBODY;
    tell(world, EVENT_OPEN, (struct df_box){actor->x, actor->y, actor->w, actor->h}, slot, gift);
    if (slot < PLAYER_CAPACITY && world->players[slot].state == PLAYER_ALIVE)
        GIFT_TABLE[gift].give(world, &world->players[slot]);
    world->chests[chest] = away(world, map, chest);
    *actor = (struct df_actor){0};
    world->rolls++;
    return true;
}

static uint32_t roll_of_seed(uint32_t seed, uint32_t number)
{
    uint32_t state = seed + number;
    return random_next(&state);
}

uint32_t game_roll(struct world *world, const struct map *map, game_dice *dice, void *context, struct command *commands)
{
    uint32_t count = 0;
    for (uint32_t chest = 0; chest < world->chest_count; chest++) {
        if (world->chests[chest].state != CHEST_OPENING)
            continue;
        uint32_t random = dice ? dice(context, world->rolls) : roll_of_seed(world->rules.seed, world->rolls);
        uint32_t gift = chest_draw(&map->chests[chest], random);
        chest_open(world, map, chest, gift);
        if (commands)
            commands[count] = (struct command){.kind = COMMAND_ROLL, .slot = chest, .gift = gift};
        count++;
    }
    return count;
}
