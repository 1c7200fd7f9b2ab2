// SPDX-License-Identifier: MIT
#include "input_log.h"

#include <assert.h>
#include <string.h>

#include "range_coder.h"
#include "sync/game.h"

// Initial probabilities that a command follows, which is rare, that it is of the frequent kind, and that a word of a
// name or record is zero.
#define COMMAND_PROBABILITY  256
#define FREQUENT_PROBABILITY 58982
#define ZERO_PROBABILITY     32768

// One walk over the ticks writes and reads. A code_ function ignores its value when reading.
struct coder {
    struct walk command; // of a command: its parts by `range`
    struct range_coder range;
    struct held_inputs held;
    uint16_t model[INPUT_LOG_CHANGES + INPUT_LOG_TOGGLES];
    uint16_t command_model, frequent_model, zero_model;
};

static void held_inputs_of(struct held_inputs *inputs, const struct world *world)
{
    memset(inputs, 0, sizeof *inputs);
    inputs->slots = world->player_slots;
    inputs->paused = world->round.paused;
    for (uint32_t slot = 0; slot < inputs->slots; slot++) {
        const struct player *player = &world->players[slot];
        inputs->there[slot] = player->state != PLAYER_ABSENT;
        inputs->buttons[slot] = (uint8_t)player->buttons;
        inputs->before[slot] = (uint8_t)player->buttons_before;
    }
}

void input_log_clear(struct input_log *log)
{
    for (uint32_t i = 0; i < INPUT_LOG_TICKS; i++)
        log->ticks[i].tick = 0;
}

void input_log_add(struct input_log *log, const struct command *commands, uint32_t command_count,
                   const struct world *world)
{
    assert(command_count <= INPUT_LOG_COMMAND_CAPACITY);
    struct input_log_tick *entry = &log->ticks[world->tick % INPUT_LOG_TICKS];
    entry->tick = world->tick;
    held_inputs_of(&entry->held, world);
    entry->command_count = command_count;
    for (uint32_t i = 0; i < command_count; i++)
        entry->commands[i] = commands[i];
}

bool input_log_holds(const struct input_log *log, tick baseline_tick)
{
    return baseline_tick != 0 && log->ticks[baseline_tick % INPUT_LOG_TICKS].tick == baseline_tick;
}

static void code_number(struct walk *command, uint32_t *value, uint32_t bits)
{
    *value = range_coder_bits(&((struct coder *)command)->range, *value, bits);
}

static void code_words(struct walk *command, uint32_t *words, size_t count)
{
    struct coder *coder = (struct coder *)command;
    for (size_t i = 0; i < count; i++)
        if (!range_coder_bit(&coder->range, &coder->zero_model, words[i] == 0))
            words[i] = range_coder_bits(&coder->range, words[i], 32);
}

static void coder_begin(struct coder *coder)
{
    coder->command = (struct walk){code_number, code_words, false};
    memcpy(coder->model, INPUT_LOG_MODEL, sizeof coder->model);
    coder->command_model = COMMAND_PROBABILITY;
    coder->frequent_model = FREQUENT_PROBABILITY;
    coder->zero_model = ZERO_PROBABILITY;
}

// Applies a command to the held inputs. Returns false if it is impossible.
static bool apply(struct held_inputs *inputs, const struct command *command)
{
    uint32_t slot = command->slot;
    bool joins = command->kind == COMMAND_JOIN;
    if (!game_command_is_possible(command, inputs->there[slot]))
        return false;
    if (command->kind == COMMAND_PAUSE) {
        bool changes = (command->paused == PAUSE_NONE) != (inputs->paused == PAUSE_NONE);
        inputs->paused = command->paused;
        return changes;
    }
    if (!joins && command->kind != COMMAND_LEAVE)
        return true;
    inputs->there[slot] = joins;
    inputs->buttons[slot] = inputs->before[slot] = 0;
    if (joins && inputs->slots <= slot)
        inputs->slots = slot + 1;
    return true;
}

// Writes or reads whether another command follows, and the command. When writing, null ends the commands.
static bool code_next_command(struct coder *coder, struct command *command)
{
    if (!range_coder_bit(&coder->range, &coder->command_model, command != NULL))
        return false;
    struct range_coder *range = &coder->range;
    if (range_coder_bit(range, &coder->frequent_model, command->kind == GAME_COMMAND_FREQUENT)) {
        command->kind = GAME_COMMAND_FREQUENT;
    } else {
        command->kind = range_coder_bits(range, command->kind, 3);
        if (command->kind == GAME_COMMAND_FREQUENT)
            range->failed = true; // there is one way to write it
    }
    game_walk_command(&coder->command, command);
    if (!apply(&coder->held, command))
        range->failed = true;
    return !range->failed;
}

// Writes or reads the buttons that players press or release. `buttons` is null when reading.
static void code_buttons(struct coder *coder, const uint8_t *buttons)
{
    struct held_inputs *inputs = &coder->held;
    for (uint32_t slot = 0; slot < inputs->slots; slot++) {
        if (!inputs->there[slot])
            continue;
        uint32_t held = inputs->buttons[slot], wanted = buttons ? held ^ buttons[slot] : 0, toggles = 0;
        uint16_t *model = &coder->model[input_log_change_context(held, inputs->before[slot])];
        bool changes = range_coder_bit(&coder->range, model, wanted != 0);
        for (uint32_t button = 0; changes && button < BUTTON_BITS; button++) {
            model = &coder->model[input_log_toggle_context(button, held, toggles)];
            toggles |= (uint32_t)range_coder_bit(&coder->range, model, wanted >> button & 1) << button;
        }
        inputs->buttons[slot] ^= (uint8_t)toggles;
        inputs->before[slot] = (uint8_t)held;
    }
}

size_t input_log_encode(const struct input_log *log, tick baseline_tick, tick until, uint8_t *bytes, size_t capacity)
{
    assert(input_log_holds(log, baseline_tick) && until - baseline_tick < INPUT_LOG_TICKS);
    struct coder coder = {.range = range_coder_writer(bytes, capacity)};
    coder_begin(&coder);
    coder.held = log->ticks[baseline_tick % INPUT_LOG_TICKS].held;
    for (tick now = baseline_tick; now != until; now++) {
        const struct input_log_tick *entry = &log->ticks[(now + 1) % INPUT_LOG_TICKS];
        for (uint32_t i = 0; i < entry->command_count; i++) {
            struct command command = entry->commands[i];
            code_next_command(&coder, &command);
        }
        code_next_command(&coder, NULL);
        code_buttons(&coder, entry->held.buttons);
    }
    return range_coder_finish(&coder.range);
}

// Reads a tick, and executes it if the world is not beyond that.
static void read_tick(struct coder *coder, const struct input_log_target *target, bool is_new)
{
    struct player_input inputs[PLAYER_CAPACITY];
    struct command command = {0};
    for (uint32_t i = 0; code_next_command(coder, &command); i++) {
        if (i == INPUT_LOG_COMMAND_CAPACITY || (is_new && !world_command(target->world, target->map, &command)))
            coder->range.failed = true;
        command = (struct command){0};
    }
    code_buttons(coder, NULL);
    if (!is_new || coder->range.failed)
        return;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        inputs[slot].buttons = coder->held.buttons[slot];
    world_step(target->world, target->map, inputs);
    if (target->events)
        event_log_add(target->events, target->world);
    struct world *kept = target->between ? &target->between[target->world->tick % INPUT_LOG_TICKS] : target->world;
    if (kept != target->world)
        world_copy(kept, target->world);
}

bool input_log_decode(struct input_log_target target, const struct world *baseline, tick until, const uint8_t *bytes,
                      size_t byte_count)
{
    if (until - baseline->tick >= INPUT_LOG_TICKS || until - target.world->tick > until - baseline->tick)
        return false;
    struct coder coder = {.range = range_coder_reader(bytes, byte_count)};
    coder_begin(&coder);
    held_inputs_of(&coder.held, baseline);
    for (tick now = baseline->tick; now != until && !coder.range.failed; now++)
        read_tick(&coder, &target, now == target.world->tick);
    return range_coder_read_all(&coder.range);
}
