// SPDX-License-Identifier: MIT
//
// Makes shared/game/input_model.c: bots play two minutes on each map, and each context's chance is counted.
//     input_log_train MAP.tmj... > shared/game/input_model.c
#include <stdio.h>
#include <stdlib.h>

#include "game/ai/ai.h"
#include "game/input.h"
#include "game/map/tiled/map_file.h"
#include "sync/game.h"
#include "sync/world.h"
#include "wire/range_coder.h"

enum { TICKS = 7200, PLAYERS = 16, CONTEXTS = INPUT_LOG_CHANGES + INPUT_LOG_TOGGLES };

static struct map map;
static struct world world;
static uint32_t ones[CONTEXTS], all[CONTEXTS];

static void count(uint32_t context, bool bit)
{
    ones[context] += bit;
    all[context]++;
}

static void count_player(const struct player *player, uint32_t buttons)
{
    uint32_t toggles = player->buttons ^ buttons;
    count(input_log_change_context(player->buttons, player->buttons_before), toggles != 0);
    for (uint32_t button = 0; toggles != 0 && button < BUTTON_BITS; button++)
        count(input_log_toggle_context(button, player->buttons, toggles & ((1u << button) - 1)), toggles >> button & 1);
}

static void play(void)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    world_init(&world, &map, &(struct rules){.mode = MODE_FFA, .seed = 7});
    for (uint32_t slot = 0; slot < PLAYERS; slot++)
        world_command(&world, &map, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1});
    for (uint32_t t = 0; t < TICKS; t++) {
        for (uint32_t slot = 0; slot < PLAYERS; slot++) {
            inputs[slot] = ai_think(&world, &map, NULL, slot, (enum skill)(SKILL_EASY + slot % 2));
            if (t > 0)
                count_player(&world.players[slot], inputs[slot].buttons);
        }
        game_roll(&world, &map, NULL, NULL, NULL);
        world_step(&world, &map, inputs);
    }
}

// As counted, with a few imagined counts of one in eight, and never surer than bots entitle to: people play as well.
static uint32_t probability(uint32_t context)
{
    uint32_t least = RANGE_CODER_ONE / 64, most = RANGE_CODER_ONE - least;
    uint32_t counted = (uint32_t)((ones[context] + 2ull) * RANGE_CODER_ONE / (all[context] + 16));
    return counted < least ? least : counted > most ? most : counted;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct error error;
        if (!map_file_read(argv[i], &map, &error)) {
            fprintf(stderr, "input_log_train: %s\n", error.text);
            return EXIT_FAILURE;
        }
        play();
    }
    printf("// SPDX-License-Identifier: MIT\n// Made by tests/tools/input_log_train.c; not to be edited.\n"
           "#include \"input.h\"\n\nconst uint16_t INPUT_LOG_MODEL[INPUT_LOG_CHANGES + INPUT_LOG_TOGGLES] = {");
    for (uint32_t context = 0; context < CONTEXTS; context++)
        printf("%s%u,", context % 8 ? " " : "\n    ", probability(context));
    printf("\n};\n");
    return EXIT_SUCCESS;
}
