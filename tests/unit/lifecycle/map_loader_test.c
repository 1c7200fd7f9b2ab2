// SPDX-License-Identifier: MIT
//
// Tests which maps can be opened for a match, and why others cannot.
#include "lifecycle/map_loader.h"
#include "test.h"

#include <string.h>

#define MAPS SOURCE_ROOT "/shared/maps/"

TEST(a_map_is_opened_by_name_or_file_for_a_mode_that_it_suits)
{
    static const struct {
        const char *name;
        enum mode mode;
        const char *says; // null: it is opened
    } rows[] = {
        /* 0 */ {"duel", MODE_FFA, NULL},
        /* 1 */ {MAPS "duel.tmj", MODE_LMS, NULL},
        /* 2 */ {"breakout", MODE_BREAKOUT, NULL},
        /* 3 */
        {"nowhere", MODE_FFA,
         "there is no map \"nowhere\" in $DEADFALL_MAP_DIR or among the game's own; give the name of a map or a file"},
        /* 4 */ {"/no/where.tmj", MODE_FFA, "/no/where.tmj: cannot be read: No such file or directory"},
        /* 5 */ {MAPS "tiles.tsj", MODE_FFA, MAPS "tiles.tsj: is not the name of a map; call the file NAME.tmj"},
        /* 6 */ {MAPS "duel.tmj", MODE_BREAKOUT, MAPS "duel.tmj: "},
    };
    static struct map map;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error = {0};
        bool opened = map_loader_read(rows[i].name, rows[i].mode, &map, &error);
        if (opened != !rows[i].says || (rows[i].says && strncmp(error.text, rows[i].says, strlen(rows[i].says)) != 0))
            fail_msg("row %zu: %s", i, opened ? map.name : error.text);
        assert_true(!opened || map.columns > 0);
    }
}
