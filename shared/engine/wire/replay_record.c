// SPDX-License-Identifier: MIT
#include "replay_record.h"

#include <string.h>

#include "sync/game.h"

static void walk_word(struct walk *game, uint32_t *value, uint32_t bits)
{
    (void)bits;
    bits_walk((struct bit_walk *)game, value, 32);
}

void replay_record_walk_rules(struct bit_walk *walk, struct rules *rules)
{
    struct bit_walk words = *walk;
    words.game.number = walk_word;
    game_walk_rules(&words.game, rules);
}

// A number that may be small takes few bits.
static void walk_small(struct walk *game, uint32_t *value, uint32_t bits)
{
    if (bits == 32)
        bits_walk((struct bit_walk *)game, value, 32);
    else
        bits_walk_number((struct bit_walk *)game, value);
}

static void walk_command(struct bit_walk *walk, struct command *command)
{
    struct bit_walk whole = *walk;
    whole.game.number = walk_small;
    whole.game.whole = true;
    bits_walk_number(walk, &command->kind);
    game_walk_command(&whole.game, command);
}

// How many inputs have changed, and each with the number of slots since the one before.
static void walk_inputs(struct bit_walk *walk, struct player_input *held, const struct player_input *inputs)
{
    uint32_t changes = 0, slot = 0;
    for (uint32_t i = 0; i < PLAYER_CAPACITY && inputs; i++)
        changes += inputs[i].buttons != held[i].buttons;
    bits_walk_number(walk, &changes);
    for (; changes > 0; changes--, slot++) {
        uint32_t passed = 0;
        while (inputs && inputs[slot + passed].buttons == held[slot + passed].buttons)
            passed++;
        bits_walk_number(walk, &passed);
        if (passed >= PLAYER_CAPACITY - slot || (walk->reader && walk->reader->failed)) {
            bits_fail(walk->reader);
            return;
        }
        slot += passed;
        uint32_t buttons = inputs ? inputs[slot].buttons : 0;
        bits_walk(walk, &buttons, BUTTON_BITS);
        held[slot].buttons = buttons;
    }
}

bool replay_record_walk_tick(struct bit_walk *walk, struct replay_tick *record)
{
    bits_walk_bool(walk, &record->has_keyframe, 1);
    bits_walk_bool(walk, &record->has_hash, 1);
    bits_walk_number(walk, &record->command_count);
    if (!bits_check(walk, record->command_count <= REPLAY_COMMAND_CAPACITY))
        return false;
    for (uint32_t i = 0; i < record->command_count; i++) {
        struct command command = {0};
        if (walk->writer)
            command = record->commands[i];
        walk_command(walk, &command);
        if (walk->reader)
            record->commands_read[i] = command;
    }
    if (record->has_keyframe) // a reader may begin here
        memset(record->held, 0, PLAYER_CAPACITY * sizeof *record->held);
    walk_inputs(walk, record->held, record->inputs);
    if (record->has_hash)
        bits_walk_64(walk, &record->hash);
    return true;
}

bool replay_record_walk_seats(struct bit_walk *walk, struct replay_seat *seats, uint32_t *count)
{
    uint32_t slot_min = 0;
    bits_walk(walk, count, 16);
    if (!bits_check(walk, *count <= PLAYER_CAPACITY))
        return false;
    for (uint32_t i = 0; i < *count; i++) {
        bits_walk(walk, &seats[i].slot, 8);
        bits_walk(walk, &seats[i].local, 8);
        bits_walk_bytes(walk, seats[i].identity, REPLAY_IDENTITY_BYTES);
        if (!bits_check(walk, seats[i].slot >= slot_min))
            return false;
        slot_min = seats[i].slot + 1;
    }
    return true;
}

bool replay_record_walk_hats(struct bit_walk *walk, uint8_t *hats)
{
    const uint8_t *bytes = hats;
    size_t count = PLAYER_CAPACITY;
    while (count > 1 && hats[count - 1] == HAT_NONE)
        count--;
    bits_walk_rest(walk, &bytes, &count);
    if (!bits_check(walk, count >= 1 && count <= PLAYER_CAPACITY && message_hats_are_valid(bytes, count)))
        return false;
    memmove(hats, bytes, count); // onto itself when writing
    memset(hats + count, HAT_NONE, PLAYER_CAPACITY - count);
    return true;
}

bool replay_record_walk_dice(struct bit_walk *walk, struct replay_dice *dice)
{
    uint8_t both[2 * REPLAY_DICE_BYTES];
    const uint8_t *bytes = both;
    size_t byte_count = dice->has_secret ? sizeof both : REPLAY_DICE_BYTES;
    memcpy(both, dice->commitment, REPLAY_DICE_BYTES);
    memcpy(both + REPLAY_DICE_BYTES, dice->secret, REPLAY_DICE_BYTES);
    bits_walk_rest(walk, &bytes, &byte_count);
    dice->has_secret = byte_count == sizeof both;
    if (!bits_check(walk, dice->has_secret || byte_count == REPLAY_DICE_BYTES))
        return false;
    memcpy(dice->commitment, bytes, REPLAY_DICE_BYTES);
    if (dice->has_secret)
        memcpy(dice->secret, bytes + REPLAY_DICE_BYTES, REPLAY_DICE_BYTES);
    return true;
}

void replay_record_walk_keyframe(struct bit_walk *walk, struct replay_keyframe *keyframe)
{
    bits_walk(walk, &keyframe->tick, 32);
    bits_walk_64(walk, &keyframe->offset);
}

void replay_record_walk_index_end(struct bit_walk *walk, struct replay_index_end *end)
{
    bits_walk(walk, &end->count, 32);
    bits_walk(walk, &end->last_tick, 32);
    bits_walk_64(walk, &end->offset);
}
