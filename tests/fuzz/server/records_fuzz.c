// SPDX-License-Identifier: MIT
//
// Fuzzes the file of records, as an edit or a bad disk leaves it: by the first byte of the input, any bytes, a damaged
// real file, or a row with any values. What can be opened can be read, written and printed; all else is refused with an
// error. SQLite keeps the file in memory. The file of the rows stays open, since a row that SQLite has written never
// prevents that.
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
enum { NOON = 1700000000, PLAYERS = 12, LISTED = 5, FILE_BYTES_MAX = 1 << 16, NUMBERS = 13 };

// Files of SQLite's memdb with a slash are shared by all connections.
#define FILE_PATH "/records"
#define ROWS_PATH "/rows"

// In a file of SQLite: two numbers that change with each write, by which connections know that they have to read again.
enum { CHANGES_OFFSET = 24, VERSION_OFFSET = 92 };

static sqlite3_file *disk, *rows_disk; // of connections that keep the files in memory
static struct records_file *rows_file;
static sqlite3_stmt *update_row;
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

static void store(sqlite3_file *file, const uint8_t *bytes, sqlite3_int64 byte_count)
{
    require(file->pMethods->xTruncate(file, 0) == SQLITE_OK);
    require(byte_count == 0 || file->pMethods->xWrite(file, bytes, (int)byte_count, 0) == SQLITE_OK);
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

// Makes an empty file, with small pages, so that it will have a tree of them.
static sqlite3_file *make_file(const char *path)
{
    sqlite3 *kept;
    sqlite3_file *file;
    require(sqlite3_open(path, &kept) == SQLITE_OK);
    require(sqlite3_exec(kept, "PRAGMA page_size = 512; VACUUM", NULL, NULL, NULL) == SQLITE_OK);
    require(sqlite3_file_control(kept, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK);
    return file;
}

static void begin_rows(void)
{
    sqlite3 *base;
    struct error error;
    rows_disk = make_file(ROWS_PATH);
    store(rows_disk, real, real_bytes);
    require(records_database_open(&rows_file, ROWS_PATH, &error) == RECORDS_DONE);
    require(sqlite3_open(ROWS_PATH, &base) == SQLITE_OK);
    require(sqlite3_prepare_v2(base,
                               "UPDATE players SET rating = ?1, matches = ?2, wins = ?3, kills = ?4, deaths = ?5, "
                               "squishes = ?6, catches = ?7, shots = ?8, hits = ?9, played_ticks = ?10, first_seen = "
                               "?11, last_seen = ?12, deviation = ?13, name = ?14 WHERE kills = 3",
                               -1, &update_row, NULL) == SQLITE_OK);
}

// Makes a real file.
static void begin(void)
{
    static const struct sqlite3_mem_methods memory = {take, library_heap_free, resize, size_of, round_up, start, stop,
                                                      NULL};
    struct records_row rows[PLAYERS];
    struct records_file *file;
    struct error error;
    require(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK);
    require(sqlite3_config(SQLITE_CONFIG_MALLOC, &memory) == SQLITE_OK);
    require(sqlite3_initialize() == SQLITE_OK && sqlite3_vfs_register(sqlite3_vfs_find("memdb"), 1) == SQLITE_OK);
    disk = make_file(FILE_PATH);
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
    begin_rows();
}

// Gives one player of the real file any name, rating, deviation and counts.
static void store_row(const uint8_t *data, size_t size)
{
    static uint32_t changes;
    uint8_t numbers[NUMBERS][8] = {{0}};
    size_t used = size < sizeof numbers ? size : sizeof numbers;
    memcpy(numbers, data, used);
    memcpy(copy, real, (size_t)real_bytes);
    changes++;
    memcpy(copy + CHANGES_OFFSET, &changes, sizeof changes);
    memcpy(copy + VERSION_OFFSET, &changes, sizeof changes);
    store(rows_disk, copy, real_bytes);
    for (int i = 0; i < NUMBERS; i++) {
        double real_number;
        sqlite3_int64 number;
        memcpy(&real_number, numbers[i], 8);
        memcpy(&number, numbers[i], 8);
        if (i == 0 || i == NUMBERS - 1)
            sqlite3_bind_double(update_row, i + 1, real_number);
        else
            sqlite3_bind_int64(update_row, i + 1, number);
    }
    sqlite3_bind_text(update_row, NUMBERS + 1, (const char *)data + used, (int)(size - used), SQLITE_STATIC);
    sqlite3_step(update_row); // a rating that is no number is refused
    sqlite3_reset(update_row);
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
        store(disk, data + 1, (sqlite3_int64)size - 1);
        break;
    case DAMAGE:
        memcpy(copy, real, (size_t)real_bytes);
        damage(copy, (size_t)real_bytes, data + 1, size - 1);
        store(disk, copy, real_bytes);
        break;
    case ROW:
        store_row(data + 1, size - 1);
        use(rows_file);
        return 0;
    }
    enum records_outcome outcome = records_database_open(&file, FILE_PATH, &error);
    require((outcome == RECORDS_DONE) == (error.text[0] == 0));
    if (outcome == RECORDS_DONE)
        use(file);
    records_database_close(file);
    return 0;
}
