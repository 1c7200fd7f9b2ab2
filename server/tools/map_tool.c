// SPDX-License-Identifier: MIT
//
// deadfall-map: checks, compiles and shows maps. A thin main over the Tiled reader and the map blob.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/map/map.h"
#include "game/map/map_blob.h"
#include "game/map/tiled/map_file.h"
#include "options/options.h"

static struct map map;
static uint8_t blob[MAP_BLOB_BYTES_MAX + 1];

static const char *const COMMANDS[] = {"check", "compile", "show", NULL};

static void print_commands(FILE *out)
{
    fputs("\ncheck FILE             check a map; say what is wrong, where, and how to fix it\n"
          "compile FILE.tmj OUT   write the map as the bytes that the network carries\n"
          "show FILE              draw the map as text\n"
          "FILE is a .tmj or a file that compile has written.\n",
          out);
}

static const struct program PROGRAM = {
    .name = "deadfall-map",
    .summary = "Checks, compiles and shows maps.",
    .operands = "COMMAND FILE [OUT]",
    .operand_capacity = 3,
    .help_more = print_commands,
    .commands = COMMANDS,
};

static int usage_error(const char *text)
{
    fprintf(stderr, "deadfall-map: %s\n", text);
    return EXIT_USAGE;
}

static int io_error(const char *path)
{
    struct error line;
    error_set(&line, "%s: %s", path, strerror(errno));
    fprintf(stderr, "%s\n", line.text);
    return EXIT_IO;
}

static int read_map(const char *path)
{
    struct error error;
    if (map_file_read(path, &map, &error))
        return EXIT_OK;
    fprintf(stderr, "%s\n", error.text);
    return error.code == TILED_FILE ? EXIT_IO : EXIT_DATA;
}

// What is counted and drawn of each list, in this order.
static const struct {
    enum map_list list;
    char letter; // of one that is a point: a place in its first two fields, px; 0: drawn by draw()
    int32_t up_px;
} SHOWN[] = {{MAP_SPAWNS, 'S', 1}, {MAP_SOLIDS, 0, 0},   {MAP_SWITCHES, 0, 0},
             {MAP_BALLS, 'o', 0},  {MAP_CHESTS, '$', 1}, {MAP_GOALS, 0, 0}};
#define SHOWN_COUNT (sizeof SHOWN / sizeof *SHOWN)

static void print_summary(void)
{
    printf("%s: %d x %d tiles, ", map.name, map.columns, map.rows);
    for (size_t i = 0; i < SHOWN_COUNT; i++)
        printf("%s %d, ", MAP_LIST_TABLE[SHOWN[i].list].things, *map_list_count(&map, SHOWN[i].list));
    printf("blob %zu bytes, hash %016" PRIx64 "\n", map_blob_encode(&map, blob, sizeof blob), map_hash(&map));
}

static int check(const char *path)
{
    int status = read_map(path);
    if (status == EXIT_OK)
        print_summary();
    return status;
}

static int compile(const char *path, const char *out_path)
{
    int status = read_map(path);
    if (status != EXIT_OK)
        return status;
    size_t bytes = map_blob_encode(&map, blob, sizeof blob);
    FILE *out = fopen(out_path, "wb");
    if (!out)
        return io_error(out_path);
    bool written = fwrite(blob, 1, bytes, out) == bytes;
    return fclose(out) == 0 && written ? EXIT_OK : io_error(out_path);
}

static void draw_letter(char *picture, int32_t x, int32_t y, char letter)
{
    int32_t column = df_floor_div(x, MAP_EDGE_PX), row = df_floor_div(y, MAP_EDGE_PX);
    if (column >= 0 && column < map.columns && row >= 0 && row < map.rows)
        picture[row * map.columns + column] = letter;
}

static void draw_box(char *picture, struct df_box box, char letter)
{
    for (int32_t y = box.y; y < box.y + box.h; y += MAP_EDGE_PX) {
        for (int32_t x = box.x; x < box.x + box.w; x += MAP_EDGE_PX)
            draw_letter(picture, x, y, letter);
    }
}

static char solid_letter(const struct map_solid *solid)
{
    static const char LETTERS[MAP_SOLID_KINDS] = {
        [MAP_SOLID_MOVER] = 'M',          [MAP_SOLID_CRUSHER] = 'C',      [MAP_SOLID_DOOR] = 'D',
        [MAP_SOLID_LIFT] = 'L',           [MAP_SOLID_CONVEYOR] = '>',     [MAP_SOLID_LAUNCHER_LEFT] = '{',
        [MAP_SOLID_LAUNCHER_RIGHT] = '}', [MAP_SOLID_LAUNCHER_DOWN] = 'v'};
    if (solid->kind == MAP_SOLID_MOVER && solid->oneway)
        return '-';
    return solid->kind == MAP_SOLID_CONVEYOR && solid->belt_sub < 0 ? '<' : LETTERS[solid->kind];
}

static void draw(char *picture)
{
    static const char TILES[DF_TILE_KINDS] = ".#=B^";
    static const char SWITCHES[MAP_SWITCH_KINDS] = {
        [MAP_SWITCH_PLATE] = 'P', [MAP_SWITCH_LEVER] = 'V', [MAP_SWITCH_TARGET] = '@', [MAP_SWITCH_FLAG] = 'F'};
    for (int32_t i = 0; i < map.columns * map.rows; i++) {
        picture[i] = TILES[map.tiles[i]];
        for (int32_t k = 0; k < map.goal_count && map.tiles[i] == DF_TILE_BLOCK; k++)
            if (map_goal_has(&map.goals[k], i % map.columns, i / map.columns))
                picture[i] = (char)('0' + map.goals[k].team);
    }
    for (int32_t i = 0; i < map.solid_count; i++)
        draw_box(picture, map.solids[i].box, solid_letter(&map.solids[i]));
    for (int32_t i = 0; i < map.switch_count; i++)
        draw_box(picture, map.switches[i].box, SWITCHES[map.switches[i].kind]);
    for (size_t n = 1; n <= SHOWN_COUNT; n++) {
        size_t row = n % SHOWN_COUNT; // spawns, the first, are drawn last, above all
        enum map_list list = SHOWN[row].list;
        for (int32_t i = 0; SHOWN[row].letter && i < *map_list_count(&map, list); i++) {
            const int32_t *at = (const int32_t *)map_list_words(&map, list) + (size_t)i * MAP_LIST_TABLE[list].words;
            char letter = list == MAP_SPAWNS ? (char)('S' + map.spawns[i].team) : SHOWN[row].letter;
            draw_letter(picture, at[0], at[1] - SHOWN[row].up_px, letter);
        }
    }
}

static int show(const char *path)
{
    int status = read_map(path);
    if (status != EXIT_OK)
        return status;
    static char picture[MAP_TILE_CAPACITY];
    draw(picture);
    print_summary();
    for (int32_t row = 0; row < map.rows; row++)
        printf("%.*s\n", (int)map.columns, picture + row * map.columns);
    puts("# solid  = one-way  B block (1, 2: of a team's goal)  ^ hazard  M mover  - one-way mover  C crusher  D door\n"
         "L lift  > < conveyor  P plate  V lever  @ target  F flag  { } v launcher  o ball  $ chest  S spawn (T, U: of "
         "a team)");
    return EXIT_OK;
}

static int run(const char *const *operands, size_t operand_count)
{
    const char *command = operand_count > 0 ? operands[0] : "";
    if (operand_count == 2 && !strcmp(command, "check"))
        return check(operands[1]);
    if (operand_count == 3 && !strcmp(command, "compile"))
        return compile(operands[1], operands[2]);
    if (operand_count == 2 && !strcmp(command, "show"))
        return show(operands[1]);
    return usage_error("give check FILE, compile FILE.tmj OUT or show FILE; see --help");
}

int main(int argc, char **argv)
{
    struct options_result result;
    switch (options_read(&PROGRAM, NULL, argc, argv, getenv, stdout, &result)) {
    case OPTIONS_DONE:
        return EXIT_OK;
    case OPTIONS_WRONG:
        return usage_error(result.error.text), result.error.code;
    case OPTIONS_RUN:
        break;
    }
    int status = run(result.operands, result.operand_count);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    return io_error("standard output");
}
