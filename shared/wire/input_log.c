// SPDX-License-Identifier: MIT
#include "input_log.h"

#include <assert.h>
#include <string.h>

#include "game/tuning.h"
#include "input_log_model.h"
#include "range_coder.h"

// Chances of a command, which hardly ever comes, and of a word of a name or record that is zero.
#define COMMAND_ODDS 64
#define EMPTY_ODDS   32768

/// One walk over the ticks serves both directions; what a code_ function is given counts only when writing.
struct coder {
    struct range_coder range;
    struct held_inputs hands;
    uint16_t odds[INPUT_LOG_CHANGES + INPUT_LOG_FLIPS];
    uint16_t command_odds, empty_odds;
};

static void hands_of(struct held_inputs *hands, const struct world *world)
{
    memset(hands, 0, sizeof *hands);
    hands->slots = world->player_slots;
    hands->paused = world->round.paused;
    for (uint32_t slot = 0; slot < hands->slots; slot++) {
        const struct player *player = &world->players[slot];
        hands->there[slot] = player->state != PLAYER_ABSENT;
        hands->buttons[slot] = (uint8_t)player->buttons;
        hands->before[slot] = (uint8_t)player->buttons_before;
    }
}

void input_log_log_add(struct input_log_log *log, const struct command *commands, uint32_t command_count,
                       const struct world *world)
{
    assert(command_count <= INPUT_LOG_COMMAND_CAPACITY);
    struct input_log *moves = &log->ticks[world->tick % INPUT_LOG_TICKS];
    moves->tick = world->tick;
    hands_of(&moves->hands, world);
    moves->command_count = command_count;
    for (uint32_t i = 0; i < command_count; i++)
        moves->commands[i] = commands[i];
}

bool input_log_log_holds(const struct input_log_log *log, tick baseline_tick)
{
    return baseline_tick != 0 && log->ticks[baseline_tick % INPUT_LOG_TICKS].tick == baseline_tick;
}

static void coder_begin(struct coder *coder)
{
    memcpy(coder->odds, MOVES_ODDS, sizeof coder->odds);
    coder->command_odds = COMMAND_ODDS;
    coder->empty_odds = EMPTY_ODDS;
}

static void code_words(struct range_coder *range, uint16_t *empty_odds, uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!range_coder_bit(range, empty_odds, words[i] == 0))
            words[i] = range_coder_bits(range, words[i], 32);
}

static void code_command(struct range_coder *range, uint16_t *empty_odds, struct command *command)
{
    command->kind = range_coder_bits(range, command->kind, 3);
    command->slot = range_coder_bits(range, command->slot, 8);
    if (command->kind == COMMAND_TEAM)
        command->team = range_coder_bits(range, command->team, 2);
    if (command->kind == COMMAND_PAUSE)
        command->paused = range_coder_bits(range, command->paused, 1);
    if (command->kind == COMMAND_RULES) {
        command->score_limit = (int32_t)range_coder_bits(range, (uint32_t)command->score_limit, 32);
        command->time_limit_ticks = range_coder_bits(range, command->time_limit_ticks, 32);
        command->friendly_fire = range_coder_bits(range, command->friendly_fire, 1);
    }
    if (command->kind != COMMAND_JOIN)
        return;
    command->bot = range_coder_bits(range, command->bot, 1);
    command->colour = range_coder_bits(range, command->colour, 4);
    code_words(range, empty_odds, command->name, PLAYER_NAME_BYTES / 4);
    code_words(range, empty_odds, (uint32_t *)&command->record, PLAYER_RECORD_WORDS);
}

/// False if the command makes no sense.
static bool obey(struct held_inputs *hands, const struct command *command)
{
    uint32_t slot = command->slot;
    bool joins = command->kind == COMMAND_JOIN;
    if (command->kind == COMMAND_RULES)
        return command->score_limit >= 0 && command->score_limit <= TUNING.score_max;
    if (command->kind == COMMAND_PAUSE) {
        hands->paused = !hands->paused;
        return command->paused == hands->paused;
    }
    if (hands->there[slot] == joins || command->kind >= COMMAND_KINDS)
        return false;
    if (command->kind == COMMAND_TEAM)
        return true;
    hands->there[slot] = joins;
    hands->buttons[slot] = hands->before[slot] = 0;
    if (joins && hands->slots <= slot)
        hands->slots = slot + 1;
    return true;
}

/// Whether another command comes; if so, it.
static bool code_next_command(struct coder *coder, bool comes, struct command *command)
{
    if (!range_coder_bit(&coder->range, &coder->command_odds, comes))
        return false;
    code_command(&coder->range, &coder->empty_odds, command);
    if (!obey(&coder->hands, command))
        coder->range.failed = true;
    return !coder->range.failed;
}

static uint32_t code_flips(struct coder *coder, uint32_t held, uint32_t wanted)
{
    uint32_t flips = 0;
    for (uint32_t button = 0; button < BUTTON_BITS; button++) {
        uint16_t *odds = &coder->odds[input_log_flip_context(button, held, flips)];
        flips |= (uint32_t)range_coder_bit(&coder->range, odds, wanted >> button & 1) << button;
    }
    return flips;
}

static void code_buttons(struct coder *coder, const uint8_t *buttons)
{
    struct held_inputs *hands = &coder->hands;
    for (uint32_t slot = 0; slot < hands->slots; slot++) {
        if (!hands->there[slot])
            continue;
        uint32_t held = hands->buttons[slot], wanted = buttons ? held ^ buttons[slot] : 0;
        uint16_t *odds = &coder->odds[input_log_change_context(held, hands->before[slot])];
        if (range_coder_bit(&coder->range, odds, wanted != 0))
            hands->buttons[slot] ^= (uint8_t)code_flips(coder, held, wanted);
        hands->before[slot] = (uint8_t)held;
    }
}

static void write_tick(struct coder *coder, const struct input_log *moves)
{
    for (uint32_t i = 0; i < moves->command_count; i++) {
        struct command command = moves->commands[i];
        code_next_command(coder, true, &command);
    }
    code_next_command(coder, false, NULL);
    code_buttons(coder, moves->hands.buttons);
}

size_t input_log_encode(const struct input_log_log *log, tick baseline_tick, tick until, uint8_t *bytes,
                        size_t capacity)
{
    assert(input_log_log_holds(log, baseline_tick) && until - baseline_tick < INPUT_LOG_TICKS);
    struct coder coder = {.range = range_coder_writer(bytes, capacity)};
    coder_begin(&coder);
    coder.hands = log->ticks[baseline_tick % INPUT_LOG_TICKS].hands;
    for (tick now = baseline_tick; now != until; now++)
        write_tick(&coder, &log->ticks[(now + 1) % INPUT_LOG_TICKS]);
    return range_coder_finish(&coder.range);
}

/// Reads the commands of a tick; does those, too, if the world has not been stepped so far.
static void read_commands(struct coder *coder, struct world *world, const struct map *map, bool news)
{
    struct command command = {0};
    for (uint32_t i = 0; code_next_command(coder, false, &command); i++) {
        if (i == INPUT_LOG_COMMAND_CAPACITY || (news && !world_command(world, map, &command)))
            coder->range.failed = true;
        command = (struct command){0};
    }
}

static void read_tick(struct coder *coder, struct world *world, const struct map *map, bool news)
{
    struct player_input inputs[PLAYER_CAPACITY];
    read_commands(coder, world, map, news);
    code_buttons(coder, NULL);
    if (!news || coder->range.failed)
        return;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        inputs[slot].buttons = coder->hands.buttons[slot];
    world_step(world, map, inputs);
}

bool input_log_decode(struct world *world, const struct map *map, const struct world *baseline, tick until,
                      const uint8_t *bytes, size_t byte_count)
{
    if (until - baseline->tick >= INPUT_LOG_TICKS || until - world->tick > until - baseline->tick)
        return false;
    struct coder coder = {.range = range_coder_reader(bytes, byte_count)};
    coder_begin(&coder);
    hands_of(&coder.hands, baseline);
    for (tick now = baseline->tick; now != until && !coder.range.failed; now++)
        read_tick(&coder, world, map, now == world->tick);
    return range_coder_read_all(&coder.range);
}
