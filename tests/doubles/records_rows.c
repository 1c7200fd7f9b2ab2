// SPDX-License-Identifier: MIT
#include "records_rows.h"

#include "sync/player_name.h"
#include "test.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static char folder[64];

static void remove_folder(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        perror(folder);
}

struct records_row records_row(char letter, const char *name, uint32_t kills, uint32_t deaths)
{
    struct records_row row = {.earned = {.stats = {.kills = kills, .deaths = deaths}}, .played_ticks = 1};
    memset(row.key.identity, letter, sizeof row.key.identity);
    player_name_from_text(row.name, name);
    return row;
}

const char *records_path(const char *file)
{
    static char path[128];
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "/tmp/deadfall-records-XXXXXX");
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path;
}

static sqlite3 *open_base(const char *path)
{
    sqlite3 *base;
    assert_int_equal(sqlite3_open(path, &base), SQLITE_OK);
    return base;
}

void records_sql(const char *path, const char *sql)
{
    sqlite3 *base = open_base(path);
    if (sqlite3_exec(base, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(base));
    sqlite3_close(base);
}

long records_number(const char *path, const char *sql)
{
    sqlite3 *base = open_base(path);
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(base, sql, -1, &query, NULL) != SQLITE_OK || sqlite3_step(query) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(base));
    long number = (long)sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(base);
    return number;
}

struct search {
    char letter;
    bool found;
    struct records_player player;
};

static bool compare(void *context, const struct records_player *player)
{
    struct search *search = context;
    search->found = player->key.identity[0] == (uint8_t)search->letter;
    search->player = *player;
    return !search->found;
}

struct records_player records_read(const char *path, char letter)
{
    struct records_file *file;
    struct error error;
    struct search search = {.letter = letter};
    if (records_database_open(&file, path, &error) != RECORDS_DONE)
        fail_msg("%s: %s", path, error.text);
    records_database_all(file, compare, &search);
    records_database_close(file);
    if (!search.found)
        fail_msg("%s: there is no player of the letter %c", path, letter);
    return search.player;
}
