// SPDX-License-Identifier: MIT
//
// Tests the program deadfall-map: its exit codes and its output.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#define MAPS SOURCE_ROOT "/shared/maps/"

// One of everything, some of it partly beyond an edge.
#define ZOO SOURCE_ROOT "/tests/unit/tools/zoo.tmj"
#define ZOO_SUMMARY                                                                                                    \
    "zoo: 20 x 12 tiles, spawns 3, solids 8, switches 2, balls 1, chests 1, goals 2, blob 235 bytes, hash "            \
    "8872c3e6995eb2ae\n"

static char output[65536];

// Runs the program with arguments as a shell reads them; keeps its output and returns its exit code.
static int run(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "%s %s", MAP_PROGRAM, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = 0;
    return WEXITSTATUS(pclose(pipe));
}

TEST(exit_codes_follow_sysexits)
{
    static const struct {
        const char *arguments;
        int code;
        const char *says;
    } ROWS[] = {
        /* 0 */ {"--help", 0, "\ncheck FILE "},
        /* 1 */ {"--version", 0, "deadfall-map 0."},
        /* 2 */ {"2>&1", 64, "give check FILE"},
        /* 3 */ {"check 2>&1", 64, "give check FILE"},
        /* 4 */ {"chek a.tmj 2>&1", 64, "give check FILE"},
        /* 5 */ {"check " MAPS "duel.tmj", 0, "duel: 60 x 33 tiles, spawns 10, solids 5, switches 0, balls 0, "},
        /* 6 */ {"check " MAPS "nowhere.tmj 2>&1 >/dev/null", 74, MAPS "nowhere.tmj: cannot be read: No such file"},
        /* 7 */ {"check " MAPS "tiles.tsj 2>&1 >/dev/null", 65, "is not the name of a map; call the file NAME.tmj"},
        /* 8 */
        {"check " MAPS "tiles.png 2>&1 >/dev/null", 65, "tiles.png: is not the name of a map; call the file NAME.tmj"},
        /* 9 */ {"compile " MAPS "duel.tmj /nowhere/out 2>&1", 74, "/nowhere/out: No such file or directory"},
        /* 10 */ {"compile " MAPS "duel.tmj /dev/full 2>&1", 74, "/dev/full: No space left on device"},
        /* 11 */ {"--help 2>&1 >/dev/full", 74, "No space left"},
        /* 12 */ {"check " MAPS "duel.tmj 2>&1 >/dev/full", 74, "No space left"},
        /* 13 */ {"show " MAPS "nowhere.tmj 2>&1", 74, "nowhere.tmj"},
        /* 14 */ {"show " MAPS "README.md 2>&1", 65, "README.md: is not the name of a map"},
        /* 15 */ {"show " MAPS " 2>&1", 74, "is not a regular file"},
        /* 16 */ {"--colour show a.tmj 2>&1", 64, "there is no option --colour"},
        /* 17 */ {"check " ZOO " " ZOO " 2>&1", 64, "give check FILE"},
        /* 18 */ {"compile " ZOO " 2>&1", 64, "give check FILE"},
        /* 19 */ {"check " ZOO " /dev/null 2>&1", 64, "give check FILE"},
        /* 20 */ {"draw " ZOO " /dev/null 2>&1", 64, "give check FILE"},
        /* 21 */ {"show 2>&1", 64, "give check FILE"},
        /* 22 */ {"show " ZOO " " ZOO " 2>&1", 64, "give check FILE"},
        /* 23 */ {"compile " ZOO " /dev/null x 2>&1", 64, "\"x\" is one argument too many"},
        /* 24 */ {"compile " MAPS "tiles.tsj /dev/null 2>&1", 65, "tiles.tsj: "},
        /* 25 */ {"compile " ZOO " /dev/null", 0, ""},
        /* 26 */ {"--help-bash", 0, "if [ \"$COMP_CWORD\" = 1 ]; then _deadfall_words 'check compile show'; else"},
        /* 27 */ {"check " ZOO, 0, ZOO_SUMMARY},
        /* 28 */ {"-- check " ZOO, 0, ZOO_SUMMARY},
        /* 29 */ {"check -- " ZOO, 0, ZOO_SUMMARY},
        /* 30 */ {"show -- " ZOO, 0, ZOO_SUMMARY},
        /* 31 */ {"compile -- " ZOO " /dev/null", 0, ""},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        int code = run(ROWS[i].arguments);
        if (code != ROWS[i].code || !strstr(output, ROWS[i].says)) {
            fail_msg("row %zu exits with %d and says: %s", i, code, output);
        }
    }
}

TEST(everything_in_a_map_has_its_letter)
{
    static const char PICTURE[] = ZOO_SUMMARY "MM..---.CC..........\n"
                                              "........CC..D.....LL\n"
                                              "............D.......\n"
                                              "............D.......\n"
                                              "....................\n"
                                              "...==....o..........\n"
                                              "....................\n"
                                              "................1B22\n"
                                              "................1B22\n"
                                              ".......V............\n"
                                              ">>.<<.PV..$..STU....\n"
                                              "########^^^########>\n"
                                              "# solid  = one-way  B block";
    assert_int_equal(run("show " ZOO), 0);
    assert_memory_equal(output, PICTURE, sizeof PICTURE - 1);
}

TEST(a_compiled_map_shows_the_same_picture)
{
    static char expected[sizeof output];
    char path[] = "/tmp/deadfall_map_XXXXXX", arguments[256];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(run("show " MAPS "foundry.tmj"), 0);
    strcpy(expected, output);
    assert_non_null(strstr(expected, "\n####################^^^###"));
    snprintf(arguments, sizeof arguments, "compile " MAPS "foundry.tmj %s", path);
    assert_int_equal(run(arguments), 0);
    assert_string_equal(output, "");
    snprintf(arguments, sizeof arguments, "show %s", path);
    assert_int_equal(run(arguments), 0);
    assert_string_equal(output, expected);
    snprintf(arguments, sizeof arguments, "check %s", path);
    assert_int_equal(run(arguments), 0);
    assert_non_null(strstr(output, "foundry: "));
    assert_int_equal(truncate(path, 100), 0);
    strcat(arguments, " 2>&1");
    assert_int_equal(run(arguments), 65);
    assert_non_null(strstr(output, "is a damaged compiled map, or one of another version; compile it again\n"));
    unlink(path);
}
