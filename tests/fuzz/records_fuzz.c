// SPDX-License-Identifier: MIT
//
// Fuzzes the file of records, as an edit or a bad disk leaves it: by the first byte of the input, any bytes, a damaged
// real file, or a row with any values. What can be opened can be read, written and printed; all else is refused with an
// error. SQLite keeps the file in memory.
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "damage.h"
#include "library_heap.h"
#include "records/records_database.h"
#include "records/records_text.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ANY_BYTES, DAMAGE, ROW, KINDS };
enum { NOON = 1700000000, PLAYERS = 12, LISTED = 5, FILE_BYTES_MAX = 1 << 16, NUMBERS = 12 };

#define FILE_PATH "/records" // files of SQLite's memdb with a slash are shared by all connections

static sqlite3_file *disk;           // of a connection that keeps the file in memory
static uint8_t real[FILE_BYTES_MAX]; // a real file
static uint8_t copy[FILE_BYTES_MAX]; // of it, changed
static sqlite3_int64 real_bytes;
static FILE *csv;

int __wrap_open(const char *path, int flags, ...);

// The file of records is made before SQLite opens it.
int __wrap_open(const char *path, int flags, ...)
{
    (void)path, (void)flags;
    return -1;
}

static void store(const uint8_t *bytes, sqlite3_int64 byte_count)
{
    require(disk->pMethods->xTruncate(disk, 0) == SQLITE_OK);
    require(byte_count == 0 || disk->pMethods->xWrite(disk, bytes, (int)byte_count, 0) == SQLITE_OK);
}

static struct records_row row_of(uint32_t number)
{
    struct records_row row = {.earned = {.stats = {.kills = number, .deaths = 3}, .score = (int32_t)number},
                              .played_ticks = 600,
                              .name = {'A' + number}};
    memset(row.key.identity, (int)number, sizeof row.key.identity);
    return row;
}

// SQLite counts in int.
static void *take(int byte_count)
{
    return library_heap_take((size_t)byte_count);
}

static void *resize(void *bytes, int byte_count)
{
    return library_heap_resize(bytes, (size_t)byte_count);
}

static int size_of(void *bytes)
{
    return (int)library_heap_size(bytes);
}

static int round_up(int byte_count)
{
    return (byte_count + 15) / 16 * 16;
}

static int start(void *context)
{
    (void)context;
    return SQLITE_OK;
}

static void stop(void *context)
{
    (void)context;
}

// Makes a real file, with small pages, so that it has a tree of them.
static void begin(void)
{
    static const struct sqlite3_mem_methods memory = {take, library_heap_free, resize, size_of, round_up, start, stop,
                                                      NULL};
    static sqlite3 *kept;
    struct records_row rows[PLAYERS];
    struct records_file *file;
    struct error error;
    require(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK);
    require(sqlite3_config(SQLITE_CONFIG_MALLOC, &memory) == SQLITE_OK);
    require(sqlite3_initialize() == SQLITE_OK && sqlite3_vfs_register(sqlite3_vfs_find("memdb"), 1) == SQLITE_OK);
    require(sqlite3_open(FILE_PATH, &kept) == SQLITE_OK);
    require(sqlite3_exec(kept, "PRAGMA page_size = 512; VACUUM", NULL, NULL, NULL) == SQLITE_OK);
    require(sqlite3_file_control(kept, "main", SQLITE_FCNTL_FILE_POINTER, &disk) == SQLITE_OK);
    for (uint32_t i = 0; i < PLAYERS; i++)
        rows[i] = row_of(i);
    rows[0].match_rows = PLAYERS / 2;
    require(records_database_open(&file, FILE_PATH, &error) == RECORDS_DONE);
    require(records_database_write(file, rows, PLAYERS, NOON, &error) == RECORDS_DONE);
    records_database_close(file);
    require(disk->pMethods->xFileSize(disk, &real_bytes) == SQLITE_OK && real_bytes <= FILE_BYTES_MAX);
    require(disk->pMethods->xRead(disk, real, (int)real_bytes, 0) == SQLITE_OK);
    csv = fopen("/dev/null", "w");
    require(csv != NULL);
}

// Gives one player of the real file any name, rating and counts.
static void store_row(const uint8_t *data, size_t size)
{
    static sqlite3 *base;
    sqlite3_stmt *update;
    sqlite3_int64 copy_bytes;
    uint8_t numbers[NUMBERS][8] = {{0}};
    size_t used = size < sizeof numbers ? size : sizeof numbers;
    memcpy(numbers, data, used);
    memcpy(copy, real, (size_t)real_bytes);
    require(base || sqlite3_open(":memory:", &base) == SQLITE_OK);
    require(sqlite3_deserialize(base, "main", copy, real_bytes, FILE_BYTES_MAX, SQLITE_DESERIALIZE_RESIZEABLE) ==
            SQLITE_OK);
    require(sqlite3_prepare_v2(base,
                               "UPDATE players SET rating = ?1, matches = ?2, wins = ?3, kills = ?4, deaths = ?5, "
                               "squishes = ?6, catches = ?7, shots = ?8, hits = ?9, played_ticks = ?10, first_seen = "
                               "?11, last_seen = ?12, name = ?13 WHERE kills = 3",
                               -1, &update, NULL) == SQLITE_OK);
    for (int i = 0; i < NUMBERS; i++) {
        double real_number;
        sqlite3_int64 number;
        memcpy(&real_number, numbers[i], 8);
        memcpy(&number, numbers[i], 8);
        if (i == 0)
            sqlite3_bind_double(update, 1, real_number);
        else
            sqlite3_bind_int64(update, i + 1, number);
    }
    sqlite3_bind_text(update, NUMBERS + 1, (const char *)data + used, (int)(size - used), SQLITE_STATIC);
    sqlite3_step(update); // a rating that is no number is refused
    sqlite3_finalize(update);
    uint8_t *bytes = sqlite3_serialize(base, "main", &copy_bytes, SQLITE_SERIALIZE_NOCOPY);
    store(bytes, copy_bytes);
}

static void require_lines(const char *text)
{
    for (const char *end; (end = strchr(text, '\n')); text = end + 1)
        require(utf8_is_clean(text, (size_t)(end - text)));
    require(!*text);
}

static bool add_row(void *context, const struct records_player *player)
{
    (void)context;
    return records_text_csv_row(csv, player);
}

static void use(struct records_file *file)
{
    struct records_player players[LISTED];
    struct records_row row = row_of(1);
    char text[2048];
    struct error error = {0};
    uint32_t count = records_database_top(file, players, LISTED);
    for (uint32_t i = 0; i < count; i++) {
        records_text_top(&players[i], text);
        require(utf8_is_clean(text, strlen(text)));
    }
    count = records_database_find(file, "B", players, LISTED);
    records_text_players(players, count, text, sizeof text);
    require_lines(text);
    for (uint32_t i = 0; i < count; i++)
        require(utf8_is_clean(players[i].name, strlen(players[i].name)));
    records_database_all(file, add_row, NULL);
    row.match_rows = 1;
    enum records_outcome outcome = records_database_write(file, &row, 1, NOON, &error);
    require((outcome == RECORDS_DONE) == (error.text[0] == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct records_file *file;
    struct error error = {0};
    if (!disk)
        begin();
    if (size == 0)
        return 0;
    switch (data[0] % KINDS) {
    case ANY_BYTES:
        store(data + 1, (sqlite3_int64)size - 1);
        break;
    case DAMAGE:
        memcpy(copy, real, (size_t)real_bytes);
        damage(copy, (size_t)real_bytes, data + 1, size - 1);
        store(copy, real_bytes);
        break;
    case ROW:
        store_row(data + 1, size - 1);
        break;
    }
    enum records_outcome outcome = records_database_open(&file, FILE_PATH, &error);
    require((outcome == RECORDS_DONE) == (error.text[0] == 0));
    if (outcome == RECORDS_DONE)
        use(file);
    records_database_close(file);
    return 0;
}
