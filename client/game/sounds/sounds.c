// SPDX-License-Identifier: MIT
#include "sounds.h"

#include "game/map/map.h"
#include "window/music.h"

// clang-format off

// A row a sound, a line a layer:
//   wave          from, to Hz   delay, attack, length ms   gain   low-pass from, to Hz
static const struct sound_patch PATCHES[SOUND_SAY_FIRST] = {
    [SOUND_SPAWN] = {"spawn", {
        {WAVE_TRIANGLE, 330,  660,    0,  8, 260, 0.30f,    0,    0},
        {WAVE_SINE,     660, 1320,   60,  8, 320, 0.20f,    0,    0}}},
    [SOUND_JUMP] = {"jump", {
        {WAVE_SQUARE,   210,  520,    0,  3, 130, 0.22f, 2600, 1200}}},
    [SOUND_WALL_JUMP] = {"wall jump", {
        {WAVE_SQUARE,   260,  640,    0,  3, 130, 0.22f, 2600, 1200},
        {WAVE_NOISE,      1,    1,    0,  1,  60, 0.25f, 3000,  600}}},
    [SOUND_LAND] = {"land", {
        {WAVE_SINE,     140,   60,    0,  1, 110, 0.50f,    0,    0},
        {WAVE_NOISE,      1,    1,    0,  1,  70, 0.22f, 1400,  300}}},
    [SOUND_DASH] = {"dash", {
        {WAVE_NOISE,      1,    1,    0, 20, 240, 0.60f,  900, 5200},
        {WAVE_SAW,      420,  120,    0,  4, 180, 0.10f, 1800,  500}}},
    [SOUND_SHOOT] = {"shoot", {
        {WAVE_NOISE,      1,    1,    0,  1,  90, 0.45f, 6000,  900},
        {WAVE_TRIANGLE, 880,  240,    0,  1, 110, 0.35f,    0,    0}}},
    [SOUND_SHOOT_BOMB] = {"shoot bomb", {
        {WAVE_NOISE,      1,    1,    0,  1, 160, 0.45f, 2600,  500},
        {WAVE_SINE,     300,   80,    0,  1, 200, 0.45f,    0,    0}}},
    [SOUND_SHOOT_DRILL] = {"shoot drill", {
        {WAVE_SAW,      180,  900,    0,  4, 220, 0.20f, 3000, 4000},
        {WAVE_NOISE,      1,    1,    0,  1, 120, 0.30f, 6000, 2000}}},
    [SOUND_STICK] = {"stick", {
        {WAVE_TRIANGLE, 320,  180,    0,  1,  90, 0.45f,    0,    0},
        {WAVE_SQUARE,   640,  600,    8,  1, 120, 0.07f, 1800,  700},
        {WAVE_NOISE,      1,    1,    0,  1,  30, 0.40f, 5000, 1500}}},
    [SOUND_PICKUP] = {"pick up", {
        {WAVE_SQUARE,   784,  784,    0,  2,  60, 0.16f, 4000, 3000},
        {WAVE_SQUARE,  1175, 1175,   55,  2, 110, 0.16f, 4000, 2000}}},
    [SOUND_CATCH] = {"catch", {
        {WAVE_SINE,    1320, 1320,    0,  2, 260, 0.35f,    0,    0},
        {WAVE_SINE,    1980, 1980,   45,  2, 300, 0.28f,    0,    0},
        {WAVE_NOISE,      1,    1,    0,  1,  50, 0.30f, 7000, 3000}}},
    [SOUND_DEATH] = {"death", {
        {WAVE_SQUARE,   520,   70,    0,  2, 380, 0.26f, 3200,  400},
        {WAVE_NOISE,      1,    1,    0,  1, 260, 0.40f, 4200,  300}}},
    [SOUND_SQUISH] = {"squish", {
        {WAVE_SINE,     190,   45,    0,  2, 260, 0.55f,    0,    0},
        {WAVE_NOISE,      1,    1,   20,  6, 300, 0.80f, 1300,  160},
        {WAVE_SAW,       90,   38,    0,  2, 200, 0.25f,  700,  200}}},
    [SOUND_STOMP] = {"stomp", {
        {WAVE_SINE,     260,   70,    0,  1, 190, 0.55f,    0,    0},
        {WAVE_SQUARE,   180,  420,   40,  2, 130, 0.18f, 2200, 1200}}},
    [SOUND_OWN_KILL] = {"own kill", {
        {WAVE_TRIANGLE, 523,  523,    0,  3, 140, 0.30f,    0,    0},
        {WAVE_TRIANGLE, 784,  784,   70,  3, 260, 0.30f,    0,    0}}},
    [SOUND_WARN] = {"warning", {
        {WAVE_SQUARE,   988,  988,    0,  2,  70, 0.12f, 2600, 2000},
        {WAVE_SQUARE,   988,  988,  110,  2,  70, 0.12f, 2600, 2000},
        {WAVE_SQUARE,   988,  988,  220,  2,  70, 0.12f, 2600, 2000},
        {WAVE_NOISE,      1,    1,    0, 40, 330, 0.35f,  500,  260}}},
    [SOUND_FALL] = {"fall", {
        {WAVE_SAW,      160,   60,    0, 10, 240, 0.16f,  900,  300},
        {WAVE_NOISE,      1,    1,    0, 60, 260, 0.35f,  500, 1600}}},
    [SOUND_SLAM] = {"slam", {
        {WAVE_SINE,     120,   34,    0,  1, 480, 0.85f,    0,    0},
        {WAVE_NOISE,      1,    1,    0,  1, 220, 0.70f, 2200,  180},
        {WAVE_TRIANGLE, 233,  227,    0,  1, 620, 0.16f,    0,    0},
        {WAVE_TRIANGLE, 587,  583,    0,  1, 420, 0.08f,    0,    0}}},
    [SOUND_BOUNCE] = {"bounce", {
        {WAVE_SINE,     300,  190,    0,  1, 130, 0.50f,    0,    0},
        {WAVE_TRIANGLE, 910,  880,    0,  1, 160, 0.12f,    0,    0}}},
    [SOUND_BREAK] = {"break", {
        {WAVE_NOISE,      1,    1,    0,  1,  70, 0.60f, 5200, 1600},
        {WAVE_NOISE,      1,    1,   60,  1, 150, 0.40f, 2600,  400},
        {WAVE_TRIANGLE, 240,  110,    0,  1,  90, 0.30f,    0,    0}}},
    [SOUND_EXPLOSION] = {"explosion", {
        {WAVE_SINE,     150,   28,    0,  1, 700, 0.95f,    0,    0},
        {WAVE_NOISE,      1,    1,    0,  1, 900, 1.00f, 2800,  110},
        {WAVE_NOISE,      1,    1,    0,  1,  60, 0.60f, 8000, 3000}}},
    [SOUND_LID] = {"lid", {
        {WAVE_SAW,      130,  250,    0, 20, 130, 0.13f,  900, 1700},
        {WAVE_NOISE,      1,    1,    0, 10,  80, 0.20f, 1800, 3200},
        {WAVE_SQUARE,   300,  260,   90,  1,  40, 0.12f, 2400, 1200}}},
    [SOUND_GIFT] = {"chest", {
        {WAVE_TRIANGLE, 523,  523,    0,  3, 140, 0.26f,    0,    0},
        {WAVE_TRIANGLE, 659,  659,   80,  3, 140, 0.26f,    0,    0},
        {WAVE_TRIANGLE, 784,  784,  160,  3, 160, 0.26f,    0,    0},
        {WAVE_TRIANGLE,1047, 1047,  240,  3, 420, 0.26f,    0,    0}}},
    [SOUND_SHIELD] = {"shield", {
        {WAVE_SINE,     740, 1480,    0, 10, 340, 0.28f,    0,    0},
        {WAVE_SINE,     745, 1490,    0, 10, 340, 0.24f,    0,    0}}},
    [SOUND_SWITCH] = {"switch", {
        {WAVE_SQUARE,   420,  300,    0,  1,  40, 0.26f, 3000, 1600},
        {WAVE_NOISE,      1,    1,    0,  1,  30, 0.35f, 6000, 2000},
        {WAVE_SQUARE,   620,  620,   50,  1,  60, 0.16f, 3000, 1600}}},
    [SOUND_RETURN] = {"return", {
        {WAVE_SINE,     220,  440,    0, 30, 180, 0.20f,    0,    0},
        {WAVE_NOISE,      1,    1,   60, 20,  90, 0.22f, 1200, 2400}}},
    [SOUND_DOOR] = {"door", {
        {WAVE_NOISE,      1,    1,    0, 40, 380, 0.50f,  700,  240},
        {WAVE_SAW,       70,  110,    0, 30, 360, 0.14f,  500,  300}}},
    [SOUND_COUNT] = {"count", {
        {WAVE_SQUARE,   440,  440,    0,  3, 180, 0.20f, 2400, 1200}}},
    [SOUND_GO] = {"go", {
        {WAVE_SQUARE,   880,  880,    0,  3, 420, 0.20f, 3600, 1200},
        {WAVE_TRIANGLE, 440,  440,    0,  3, 420, 0.25f,    0,    0}}},
    [SOUND_JOIN] = {"join", {
        {WAVE_SINE,     440,  440,    0,  6, 120, 0.20f,    0,    0},
        {WAVE_SINE,     660,  660,   90,  6, 180, 0.20f,    0,    0}}},
    [SOUND_LEAVE] = {"leave", {
        {WAVE_SINE,     660,  660,    0,  6, 120, 0.20f,    0,    0},
        {WAVE_SINE,     440,  440,   90,  6, 180, 0.20f,    0,    0}}},
    [SOUND_CHAT] = {"chat", {
        {WAVE_SINE,     988,  988,    0,  3,  70, 0.22f,    0,    0},
        {WAVE_SINE,    1319, 1319,   60,  3, 110, 0.18f,    0,    0}}},
    [SOUND_MENU_MOVE] = {"menu move", {
        {WAVE_SQUARE,   520,  520,    0,  1,  45, 0.14f, 2600, 1400}}},
    [SOUND_MENU_SELECT] = {"menu select", {
        {WAVE_SQUARE,   520,  520,    0,  2,  60, 0.16f, 3000, 1800},
        {WAVE_SQUARE,   780,  780,   50,  2, 130, 0.16f, 3000, 1400}}},
    [SOUND_MENU_BACK] = {"menu back", {
        {WAVE_SQUARE,   520,  520,    0,  2,  60, 0.16f, 2600, 1600},
        {WAVE_SQUARE,   390,  390,   50,  2, 120, 0.16f, 2600, 1200}}},

    // Stings are written in A; the mixer moves them to the key of the music.
    [SOUND_STING_DRAW] = {"sting draw", {
        {WAVE_TRIANGLE, 330,  330,    0,  6, 300, 0.28f,    0,    0},
        {WAVE_TRIANGLE, 294,  294,  220,  6, 300, 0.28f,    0,    0},
        {WAVE_TRIANGLE, 220,  220,  440,  6, 900, 0.32f,    0,    0}}},
    [SOUND_STING_ROUND] = {"sting round", {
        {WAVE_SAW,      220,  220,    0,  6, 190, 0.20f, 2600, 1200},
        {WAVE_SAW,      330,  330,  120,  6, 190, 0.20f, 2600, 1200},
        {WAVE_SAW,      440,  440,  240,  8, 900, 0.20f, 3600,  700},
        {WAVE_SQUARE,   660,  660,  240,  8, 800, 0.08f, 3000,  900},
        {WAVE_SINE,     110,  110,  240,  4, 900, 0.40f,    0,    0},
        {WAVE_NOISE,      1,    1,  240,  1, 260, 0.22f, 7000, 1800}}},
    [SOUND_STING_MATCH] = {"sting match", {
        {WAVE_SAW,      220,  220,    0,  6, 200, 0.20f, 2800, 1400},
        {WAVE_SAW,      330,  330,  150,  6, 200, 0.20f, 2800, 1400},
        {WAVE_SAW,      440,  440,  300,  6, 260, 0.20f, 2800, 1400},
        {WAVE_SAW,      495,  495,  450,  6, 200, 0.20f, 2800, 1400},
        {WAVE_SAW,      660,  660,  600, 10,1500, 0.20f, 4200,  700},
        {WAVE_SQUARE,   440,  440,  600, 10,1500, 0.10f, 3000,  700},
        {WAVE_SINE,     110,  110,  600,  4,1500, 0.45f,    0,    0},
        {WAVE_NOISE,      1,    1,  600,  1, 500, 0.25f, 8000, 1500}}},
    [SOUND_STING_LAST] = {"sting last", {
        {WAVE_SINE,     110,   55,    0,  2, 300, 0.70f,    0,    0},
        {WAVE_SINE,     110,   55,  260,  2, 700, 0.70f,    0,    0},
        {WAVE_TRIANGLE, 440,  440,  260, 60, 800, 0.14f,    0,    0},
        {WAVE_TRIANGLE, 466,  440,  260, 60, 800, 0.14f,    0,    0},
        {WAVE_NOISE,      1,    1,    0,  1, 120, 0.25f, 1800,  400},
        {WAVE_NOISE,      1,    1,  260,  1, 160, 0.25f, 1800,  400}}},
    [SOUND_STING_SUDDEN_DEATH] = {"sting sudden death", {
        {WAVE_SINE,      82,   41,    0,  2,1200, 0.80f,    0,    0},
        {WAVE_SAW,      220,  220,    0, 10, 320, 0.20f, 1800, 1200},
        {WAVE_SAW,      311,  311,  300, 10, 320, 0.20f, 1800, 1200},
        {WAVE_SAW,      220,  220,  600, 10, 320, 0.20f, 1800, 1200},
        {WAVE_SAW,      311,  311,  900, 10, 900, 0.20f, 1800,  400},
        {WAVE_SAW,      110,  110,  900, 10, 900, 0.18f, 1200,  300},
        {WAVE_NOISE,      1,    1,    0,  1, 400, 0.35f, 1400,  160}}},
};
// clang-format on

// As Americans say it. "_" is a short silence.
static const struct speech_line LINES[SOUNDS - SOUND_SAY_FIRST] = {
    [SOUND_SAY_THREE - SOUND_SAY_FIRST] = {"three", "TH R IY:"},
    [SOUND_SAY_TWO - SOUND_SAY_FIRST] = {"two", "T UW:"},
    [SOUND_SAY_ONE - SOUND_SAY_FIRST] = {"one", "W AH: N"},
    [SOUND_SAY_FIGHT - SOUND_SAY_FIRST] = {"fight", "F AA: IH T"},
    [SOUND_SAY_ROUND - SOUND_SAY_FIRST] = {"round", "R AE: UH N D"},
    [SOUND_SAY_DRAW - SOUND_SAY_FIRST] = {"draw", "D R AO:"},
    [SOUND_SAY_WINNER - SOUND_SAY_FIRST] = {"winner", "W IH: N ER"},
    [SOUND_SAY_YOU_WIN - SOUND_SAY_FIRST] = {"you win", "Y UW W IH: N"},
    [SOUND_SAY_MATCH_POINT - SOUND_SAY_FIRST] = {"match point", "M AE: T SH P AO: IH N T"},
    [SOUND_SAY_LAST_ONE - SOUND_SAY_FIRST] = {"last one", "L AE: S T W AH: N"},
    [SOUND_SAY_LAST_TWO - SOUND_SAY_FIRST] = {"last two", "L AE: S T _ T UW:"},
    [SOUND_SAY_SUDDEN_DEATH - SOUND_SAY_FIRST] = {"sudden death", "S AH: D AH N _ D EH: TH"},
    [SOUND_SAY_TEN_SECONDS - SOUND_SAY_FIRST] = {"ten seconds", "T EH: N S EH: K AH N D Z"},
};

// A theme: its ambience (struct ambience_row), and what its music plays (struct music_row).
// clang-format off
static const struct theme_sound THEMES[MAP_THEMES] = {
    [MAP_THEME_FOUNDRY] = {1,
        { 73.4f, {{0, 7, 15}, {-4, 3, 12}, {-2, 5, 14}, {0, 7, 10}}, 6000, WAVE_SAW,      0.10f,
         420, 0.16f, 260, WAVE_TRIANGLE,  750, 5, 587.3f, 0.07f, 260},
        {48, 16, WAVE_SAW, WAVE_SAW, WAVE_SQUARE, 1400,
         "0.......0..0....", "0.1.2.1.0.2.1.2.", "3...4.5...4.3...",
         "x.x.x.x.x.x.x.xx", "x.....x.x.......", "....x.......x..x", 2.29f, 1.27f}},
    [MAP_THEME_CLOCKWORK] = {2,
        { 98.0f, {{0, 7, 12}, {3, 7, 15}, {-2, 5, 10}, {0, 8, 12}}, 4000, WAVE_TRIANGLE, 0.14f,
         900, 0.05f, 400, WAVE_SQUARE,    500, 1, 1568.0f, 0.018f, 25},
        {24, 12, WAVE_TRIANGLE, WAVE_TRIANGLE, WAVE_SQUARE, 2400,
         "0.....3.....", "012345543210", "5..4..3.4.5.",
         "x.xx.xx.xx.x", "x.....x.....", "...x.....x.x", 2.26f, 1.30f}},
    [MAP_THEME_SKYLINE] = {3,
        {130.8f, {{0, 4, 11}, {-3, 4, 9}, {5, 9, 12}, {-5, 2, 7}}, 5000, WAVE_TRIANGLE,  0.14f,
         1200, 0.12f, 700, WAVE_SINE,     625, 4, 1046.5f, 0.06f, 420},
        {32, 16, WAVE_TRIANGLE, WAVE_TRIANGLE, WAVE_TRIANGLE, 3000,
         "0.....0...3.....", "0.2.4.2.3.5.4.2.", "5...4...3.4.....",
         "..x...x...x...x.", "x.........x.....", "....x.......x...", 2.16f, 1.46f}},
    [MAP_THEME_BREAKOUT] = {4,
        { 55.0f, {{0, 12, 19}, {-4, 8, 15}, {3, 10, 19}, {-2, 10, 17}}, 4000, WAVE_SQUARE, 0.07f,
         520, 0.03f, 300, WAVE_SAW,       250, 2, 440.0f, 0.03f, 110},
        {32, 16, WAVE_SQUARE, WAVE_SAW, WAVE_SAW, 2600,
         "0.00.00.0.00.03.", "0123210332101234", "3.3.4.5.5.4.3.4.",
         "..x...x...x...x.", "x...x...x...x...", "....x.......x...", 1.33f, 0.91f}},
    [MAP_THEME_SNOW] = {5,
        {110.0f, {{0, 7, 14}, {-4, 5, 12}, {3, 10, 14}, {-2, 5, 12}}, 7000, WAVE_SINE,    0.15f,
         800, 0.22f, 520, WAVE_SINE,     1100, 3, 1760.0f, 0.05f, 600},
        {48, 16, WAVE_TRIANGLE, WAVE_TRIANGLE, WAVE_TRIANGLE, 3600,
         "0.......0.......", "3..5..4..3..5.4.", "5.....4...3.....",
         "x...x.x.x...x.x.", "x.......x.x.....", "....x.......x...", 2.21f, 1.48f}},
    [MAP_THEME_DESERT] = {6,
        { 82.4f, {{0, 7, 12}, {1, 8, 13}, {0, 7, 16}, {-2, 5, 10}}, 6000, WAVE_SAW,      0.08f,
         500, 0.18f, 380, WAVE_TRIANGLE,  375, 4, 329.6f, 0.08f, 180},
        {48, 12, WAVE_SAW, WAVE_TRIANGLE, WAVE_SAW, 1700,
         "0..0..0.0...", "0.1.2.3.2.1.", "3.43..5.4.3.",
         "x.xx.xx.x.xx", "x.....x.x...", "...x.....x..", 2.13f, 1.29f}},
};
// clang-format on

const struct sound_set SOUND_SET = {.patches = PATCHES,
                                    .first_sting = SOUND_STING_FIRST,
                                    .first_line = SOUND_SAY_FIRST,
                                    .first_patient_line = SOUND_SAY_ROUND,
                                    .count = SOUNDS,
                                    .sting_hz = 110,
                                    .lines = LINES,
                                    .themes = THEMES,
                                    .theme_count = MAP_THEMES};
