// SPDX-License-Identifier: MIT
#include "roll_check.h"

#include <stdio.h>
#include <string.h>

#include "game/entities/chest.h"
#include "game/gift.h"
#include "game/map/map.h"
#include "net/crypto/dice.h"

_Static_assert(REPLAY_DICE_BYTES == DICE_BYTES, "a replay holds a secret of the dice");

enum roll_check_proof roll_check_proof(const struct replay_reader *reader)
{
    uint8_t commitment[DICE_BYTES];
    if (!reader->has_commitment)
        return ROLL_CHECK_NO_DICE;
    if (!reader->has_secret)
        return ROLL_CHECK_NO_SECRET;
    if (!dice_commit(commitment, reader->secret))
        return ROLL_CHECK_NO_SODIUM;
    return memcmp(commitment, reader->commitment, DICE_BYTES) == 0 ? ROLL_CHECK_PROVEN : ROLL_CHECK_FORGED;
}

void roll_check_begin(struct roll_check *check, struct playback *playback)
{
    struct replay_reader *reader = &playback->reader;
    while (replay_reader_next(reader) == REPLAY_OK)
        ;
    *check = (struct roll_check){.proof = roll_check_proof(reader)};
    memcpy(check->secret, reader->secret, sizeof check->secret);
    playback_open(playback, reader->bytes, reader->byte_count);
}

enum replay_fault roll_check_next(struct roll_check *check, struct playback *playback)
{
    const struct world *world = &playback->world;
    check->number = world->rolls;
    check->waiting = 0;
    for (uint32_t i = 0; i < world->chest_count; i++)
        check->waiting += world->chests[i].state == CHEST_OPENING;
    return playback_next(playback);
}

static const char *gift_name(uint32_t gift)
{
    return gift < MAP_GIFTS ? GIFT_TABLE[gift].report : "nothing";
}

bool roll_check_differs(struct roll_check *check, const struct playback *playback, char *text, size_t text_bytes)
{
    const struct replay_reader *reader = &playback->reader;
    uint32_t count = 0;
    for (uint32_t i = 0; i < reader->command_count; i++) {
        const struct command *command = &reader->commands[i];
        if (command->kind != COMMAND_ROLL)
            continue;
        uint32_t number = check->number + count++;
        check->rolls++;
        if (check->proof != ROLL_CHECK_PROVEN || command->slot >= (uint32_t)reader->map.chest_count)
            continue;
        uint32_t gift = chest_draw(&reader->map.chests[command->slot], dice_roll(check->secret, number));
        if (gift == command->gift)
            continue;
        snprintf(text, text_bytes, "roll %u gives %s from chest %u; the secret says %s", number + 1,
                 gift_name(command->gift), command->slot, gift_name(gift));
        return true;
    }
    // While the match stands still, its chests may wait.
    if (count == check->waiting || (count == 0 && playback->world.round.paused))
        return false;
    snprintf(text, text_bytes, "%u chests were touched, but %u rolled", check->waiting, count);
    return true;
}

const char *roll_check_text(enum roll_check_proof proof)
{
    switch (proof) {
    case ROLL_CHECK_NO_DICE:
        return "unproven: the replay has no commitment to the dice";
    case ROLL_CHECK_NO_SECRET:
        return "unproven: the recording ended before the match did, so it has no secret of the dice";
    case ROLL_CHECK_NO_SODIUM:
        return "unproven: this build has no libsodium to compute them";
    case ROLL_CHECK_FORGED:
        return "unproven: the secret of the dice is not the one that the server committed itself to";
    case ROLL_CHECK_PROVEN:
        return "proven by the secret of the dice";
    }
    return "";
}
