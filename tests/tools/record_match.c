// SPDX-License-Identifier: MIT
//
// Records a match of bots on a random map, for tests that need a replay: record_match OUT.dfr SEED BOTS TICKS [LIE
// [NAME]] From tick LIE on, hashes and keyframes are of worlds in which the first player has one point more. The last
// bot goes and comes every 5 seconds, so that the replay has commands; NAME is its name the first time. LIE may also be
// about the dice: "chosen" a roll is not what the secret says, "withheld" one comes late, "forged" the secret is
// another one, "secret" there is none.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/ai/ai.h"
#include "game/entities/chest.h"
#include "net/crypto/dice.h"
#include "sync/game.h"
#include "sync/player_name.h"
#include "test_map.h"
#include "wire/replay.h"

static struct map map;
static struct world world, recorded;
static struct replay_writer writer;
static struct dice dice;

static bool write_file(void *context, const uint8_t *bytes, size_t byte_count)
{
    return fwrite(bytes, 1, byte_count, context) == byte_count;
}

// The roll of a match that a server lies about.
#define LIE_ROLL 1

static uint32_t roll(void *context, uint32_t number)
{
    bool chosen = strcmp(context, "chosen") == 0 && number == LIE_ROLL;
    return dice_roll(dice.secret, number) ^ (chosen ? 1u << 31 : 0);
}

static bool record(FILE *file, uint32_t seed, uint32_t bots, uint32_t ticks, char *lie, const char *name)
{
    uint32_t lie_tick = *lie >= '0' && *lie <= '9' ? (uint32_t)strtoul(lie, NULL, 10) : UINT32_MAX;
    bool withheld = false;
    static struct player_input inputs[PLAYER_CAPACITY];
    test_map_random(&map, seed, 96, 54);
    world_init(&world, &map, &(struct rules){.mode = MODE_FFA, .seed = seed});
    for (uint32_t slot = 0; slot < bots; slot++) // bot0ë"
        world_command(&world, &map,
                      &(struct command){.slot = slot, .bot = 1, .name = {0x30746F62 + (slot << 24), 0x22ABC3}});
    replay_writer_begin(&writer, write_file, file, &map, &world);
    dice_begin(&dice, (uint8_t[DICE_BYTES]){1}, seed);
    replay_writer_dice(&writer, dice.commitment, NULL);
    for (uint32_t t = 1; t <= ticks; t++) {
        struct command commands[MAP_CHEST_CAPACITY + 1];
        bool waits = strcmp(lie, "withheld") == 0 && world.rolls >= LIE_ROLL && !withheld;
        uint32_t count = waits ? 0 : game_roll(&world, &map, roll, lie, commands);
        for (uint32_t chest = 0; waits && chest < world.chest_count; chest++)
            withheld = withheld || world.chests[chest].state == CHEST_OPENING;
        commands[count] =
            (struct command){.kind = t / 300 % 2 ? COMMAND_LEAVE : COMMAND_JOIN, .slot = bots - 1, .name = {t}};
        if (name && t == 600)
            player_name_from_text(commands[count].name, name);
        count += t % 300 == 0 && world_command(&world, &map, &commands[count]);
        for (uint32_t slot = 0; slot < world.player_slots; slot++)
            inputs[slot] = ai_think(&world, &map, NULL, slot, (enum skill)(1 + slot % (SKILLS - 1)));
        world_step(&world, &map, inputs);
        recorded = world;
        recorded.players[0].score += t >= lie_tick;
        replay_writer_tick(&writer, commands, count, inputs, &recorded);
    }
    dice.secret[0] ^= strcmp(lie, "forged") == 0;
    bool has_secret = strcmp(lie, "secret") != 0;
    return (!has_secret || replay_writer_dice(&writer, dice.commitment, dice.secret)) && replay_writer_end(&writer);
}

int main(int argc, char **argv)
{
    FILE *file = argc >= 5 ? fopen(argv[1], "wb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: record_match OUT.dfr SEED BOTS TICKS [LIE [NAME]]\n");
        return EXIT_FAILURE;
    }
    bool good = record(file, (uint32_t)strtoul(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10),
                       (uint32_t)strtoul(argv[4], NULL, 10), argc > 5 ? argv[5] : "", argc > 6 ? argv[6] : NULL);
    return fclose(file) == 0 && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
