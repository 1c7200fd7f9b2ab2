// SPDX-License-Identifier: MIT
#include "replay_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/little_endian.h"
#include "base/platform/disk.h"
#include "base/utf8.h"
#include "game/player/player.h"
#include "replay_viewer.h"
#include "sync/player_name.h"
#include "text/text.h"
#include "wire/message.h"
#include "wire/replay.h"

#define FILE_BYTES_MAX (1u << 30)
#define NAMES_CAPACITY 4000

#define CARD_REPLAY_BYTES_MAX (512u << 20)
#define FORMAT                0x44464301u ///< of the files of cards: "DFC" and a version
#define FRAMES                20          ///< that are drawn before the one that is kept, for scarves and smoke
#define FRAME_US              16667u

// A file that may be a replay.
struct found {
    char path[512];
    time_t time; // when the match began; if `is_end`, when the file was written last
    bool is_end;
};

// A server names a recording MAP-20261123-174500, by when it began in UTC; a further number may follow.
static bool read_time(const char *name, time_t *time)
{
    static const char SHAPE[] = "-dddddddd-dddddd";
    for (; (name = strchr(name, '-')); name++) {
        size_t at = 0;
        struct tm date = {0};
        while (SHAPE[at] && (SHAPE[at] == 'd' ? name[at] >= '0' && name[at] <= '9' : name[at] == '-'))
            at++;
        if (SHAPE[at] || !strptime(name, "-%Y%m%d-%H%M%S", &date))
            continue;
        *time = timegm(&date);
        return true;
    }
    return false;
}

static int newer(const void *a, const void *b)
{
    time_t first = ((const struct found *)a)->time, second = ((const struct found *)b)->time;
    return (second > first) - (second < first);
}

static uint32_t find(struct found *all, const char *folder)
{
    struct disk_list *list = *folder ? disk_list_open(folder) : NULL;
    uint32_t count = 0;
    for (const char *name; count < NAMES_CAPACITY && (name = disk_list_next(list));) {
        size_t length = strlen(name);
        struct disk_facts facts;
        struct found *found = &all[count];
        if (length < 4 || strcmp(name + length - 4, ".dfr") ||
            (size_t)snprintf(found->path, sizeof found->path, "%s/%s", folder, name) >= sizeof found->path ||
            !disk_is_within(folder, found->path) || !disk_look(found->path, &facts) || facts.kind != DISK_FILE ||
            facts.byte_count == 0 || facts.byte_count > FILE_BYTES_MAX)
            continue;
        found->is_end = !read_time(name, &found->time);
        if (found->is_end)
            found->time = (time_t)(facts.modified_ns / (int64_t)CLOCK_SECOND_NS);
        count++;
    }
    disk_list_close(list);
    qsort(all, count, sizeof *all, newer);
    return count;
}

// Returns whether a file begins as a replay of this version does.
static bool begins_well(const char *path)
{
    uint8_t begin[REPLAY_HEADER_BYTES];
    int file = disk_open(path, DISK_READ, 0);
    bool good = file >= 0 && disk_read(file, begin, sizeof begin) == sizeof begin && !memcmp(begin, REPLAY_MAGIC, 4) &&
                little_endian_read(begin + 4, 4) == REPLAY_WORLD_VERSION;
    if (file >= 0)
        disk_close(file);
    return good;
}

// Maps the file, since only its header and its index are read.
static bool look_into(struct replay_reader *reader, const char *path)
{
    struct disk_facts facts;
    int file = disk_open(path, DISK_READ, 0);
    size_t bytes =
        file >= 0 && disk_look_at(file, &facts) && facts.byte_count <= FILE_BYTES_MAX ? (size_t)facts.byte_count : 0;
    const void *content = bytes ? disk_map(file, bytes) : NULL;
    if (file >= 0)
        disk_close(file);
    if (!content)
        return false;
    enum replay_fault fault = replay_reader_open(reader, content, bytes);
    disk_unmap(content, bytes);
    return fault == REPLAY_OK;
}

// Fills in what is within the file. Returns its length, s; 0 if it is not known.
static uint32_t describe(struct menu_replay *replay, struct replay_reader *reader)
{
    replay->is_read = true;
    if (!look_into(reader, replay->path))
        return 0;
    uint32_t seconds = (reader->last_tick - reader->first.tick) / TICKS_PER_SECOND;
    bool has_end = reader->last_tick > reader->first.tick;
    replay->mode = reader->first.rules.mode;
    snprintf(replay->map, sizeof replay->map, "%.*s", MAP_NAME_CAPACITY, reader->map.name);
    if (has_end)
        snprintf(replay->length, sizeof replay->length, "%u:%02u", seconds / 60, seconds % 60);
    else
        snprintf(replay->length, sizeof replay->length, "%s", text_of("unfinished"));
    return has_end ? seconds : 0;
}

static int began_later(const void *a, const void *b)
{
    int64_t first = ((const struct menu_replay *)a)->unix_s, second = ((const struct menu_replay *)b)->unix_s;
    return (second > first) - (second < first);
}

void replay_list_read(struct menu_facts *facts, const char *folder)
{
    struct found *all = calloc(NAMES_CAPACITY, sizeof *all);
    struct replay_reader *reader = calloc(1, sizeof *reader);
    uint32_t count = all && reader ? find(all, folder) : 0;
    facts->replay_count = 0;
    for (uint32_t i = 0; i < count && facts->replay_count < MENU_REPLAY_CAPACITY; i++)
        if (begins_well(all[i].path)) {
            struct menu_replay *replay = &facts->replays[facts->replay_count++];
            *replay = (struct menu_replay){.unix_s = all[i].time};
            snprintf(replay->path, sizeof replay->path, "%s", all[i].path);
            if (all[i].is_end) // without a date in its name it began earlier than it was written, by its length
                replay->unix_s -= describe(replay, reader);
            clock_date_local(replay->unix_s, "%Y-%m-%d %H:%M", replay->name, sizeof replay->name);
        }
    qsort(facts->replays, facts->replay_count, sizeof *facts->replays, began_later);
    free(reader);
    free(all);
}

void replay_list_look(struct menu_facts *facts, uint32_t first, uint32_t count)
{
    struct replay_reader *reader = NULL;
    for (uint32_t i = first; i < first + count && i < facts->replay_count; i++) {
        if (facts->replays[i].is_read)
            continue;
        reader = reader ? reader : calloc(1, sizeof *reader);
        if (reader)
            describe(&facts->replays[i], reader);
    }
    free(reader);
}

// --- cards

// A card on the disk. Read only by the machine that has written it.
struct kept {
    uint32_t format;
    uint64_t replay; ///< hash of the content
    struct menu_card card;
};

// Everything that is needed to make a card. Large.
struct work {
    struct replay_viewer viewer;
    struct presenter presenter;
    struct canvas canvas;
};

// Adds a player to the best ones, if they are among them.
static void rank(struct menu_card *card, const struct player *player, bool won)
{
    uint32_t at = card->player_count < MENU_CARD_PLAYERS ? card->player_count : MENU_CARD_PLAYERS;
    struct menu_card_player one;
    memset(&one, 0, sizeof one); // with the bytes between its fields, since cards are kept
    one.colour = player->colour;
    one.score = player->score;
    one.won = won;
    player_name_to_text(player->name, one.name);
    card->player_count++;
    for (; at > 0 && (card->players[at - 1].won < won ||
                      (card->players[at - 1].won == won && card->players[at - 1].score < one.score));
         at--)
        if (at < MENU_CARD_PLAYERS)
            card->players[at] = card->players[at - 1];
    if (at < MENU_CARD_PLAYERS)
        card->players[at] = one;
}

// Each pixel of the card is the mean of a square of the canvas.
static void shrink(struct menu_card *card, const struct canvas *canvas)
{
    int32_t columns = canvas_columns(canvas), size = columns / MENU_CARD_WIDTH;
    for (int32_t y = 0; y < MENU_CARD_HEIGHT; y++)
        for (int32_t x = 0; x < MENU_CARD_WIDTH; x++) {
            uint32_t red = 0, green = 0, blue = 0, count = (uint32_t)(size * size);
            for (int32_t i = 0; i < size * size; i++) {
                argb pixel = canvas->pixels[(y * size + i / size) * columns + x * size + i % size];
                red += pixel >> 16 & 255;
                green += pixel >> 8 & 255;
                blue += pixel & 255;
            }
            card->pixels[y * MENU_CARD_WIDTH + x] = RGB(red / count << 16 | green / count << 8 | blue / count);
        }
}

// The picture is of when two thirds are over: by then most matches are in full swing.
static bool make(struct menu_card *card, const char *replay)
{
    struct work *work = calloc(1, sizeof *work);
    struct error error;
    bool good = work && replay_viewer_open(&work->viewer, replay, &error);
    if (good) {
        struct replay_viewer *viewer = &work->viewer;
        struct presenter *presenter = &work->presenter;
        presenter->display = DISPLAY_OPTIONS_DEFAULT;
        presenter->display.kill_replays = false;
        replay_viewer_seek(viewer, viewer->last);
        const struct world *world = &viewer->playback.world;
        const struct round *round = &world->round;
        card->player_count = 0;
        for (uint32_t slot = 0; slot < world->player_slots; slot++) {
            const struct player *player = &world->players[slot];
            bool won = round->phase == ROUND_MATCH_OVER &&
                       (round->winner_team ? player->team == round->winner_team : round->winner == slot + 1);
            if (player_plays(player))
                rank(card, player, won);
        }
        replay_viewer_seek(viewer, viewer->last - (viewer->last - viewer->first) / 3);
        presenter_begin(presenter);
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            replay_viewer_advance(viewer, FRAME_US, 0, &presenter->scene.camera);
            replay_viewer_draw(viewer, presenter, &work->canvas, &(struct draw_options){.bare = true});
        }
        shrink(card, &work->canvas);
        good = viewer->fault == REPLAY_OK;
        replay_viewer_close(viewer);
    }
    free(work);
    return good;
}

// Returns the hash of a file; 0 if it cannot be read.
static uint64_t hash_of(const char *path)
{
    size_t byte_count;
    uint8_t *bytes = file_load(path, CARD_REPLAY_BYTES_MAX, &byte_count);
    struct hash hash = hash_begin();
    uint32_t end[2] = {0, (uint32_t)byte_count};
    if (!bytes)
        return 0;
    hash_words(&hash, (const uint32_t *)(const void *)bytes, byte_count / 4);
    memcpy(end, bytes + byte_count / 4 * 4, byte_count % 4);
    hash_words(&hash, end, 2);
    free(bytes);
    return hash_end(&hash);
}

bool replay_list_read_card(struct menu_card *card, const char *replay, const char *folder)
{
    char path[FILE_PATH_BYTES];
    size_t byte_count;
    uint64_t hash = hash_of(replay);
    struct kept *kept = hash ? calloc(1, sizeof *kept) : NULL;
    if (!kept)
        return false;
    snprintf(path, sizeof path, "%s/%03x.card", folder, (uint32_t)(hash % REPLAY_CARD_FILES));
    bool good = folder[0] && file_read_regular(path, kept, sizeof *kept, &byte_count) && byte_count == sizeof *kept &&
                kept->format == FORMAT && kept->replay == hash;
    for (uint32_t i = 0; i < MENU_CARD_PLAYERS; i++)
        good &= kept->card.players[i].colour <= 15 && !kept->card.players[i].name[PLAYER_NAME_BYTES];
    if (!good) {
        memset(kept, 0, sizeof *kept);
        kept->format = FORMAT;
        kept->replay = hash;
        good = make(&kept->card, replay);
        if (good && folder[0]) {
            file_make_folders(path);
            (void)file_write(path, kept, sizeof *kept); // without a file it is made again next time
        }
    }
    *card = kept->card;
    free(kept);
    return good;
}

static void *work(void *context)
{
    struct replay_cards *cards = context;
    struct replay_cards_entry *made = &cards->made;
    made->is_good = replay_list_read_card(&made->card, made->path, cards->folder);
    atomic_store(&cards->is_done, true);
    return NULL;
}

static const struct replay_cards_entry *find_card(const struct replay_cards *cards, const char *path)
{
    for (uint32_t i = 0; i < REPLAY_CARDS_CAPACITY; i++)
        if (!strcmp(cards->entries[i].path, path))
            return &cards->entries[i];
    return NULL;
}

static void want(struct replay_cards *cards, const char *path)
{
    if (cards->works || find_card(cards, path))
        return;
    utf8_copy(cards->made.path, sizeof cards->made.path, path);
    atomic_store(&cards->is_done, false);
    cards->works = !pthread_create(&cards->thread, NULL, work, cards);
}

void replay_list_show_card(struct replay_cards *cards, struct menu *menu)
{
    struct menu_facts *facts = &menu->facts;
    if (cards->works && atomic_load(&cards->is_done)) {
        pthread_join(cards->thread, NULL);
        cards->works = false;
        cards->entries[cards->next] = cards->made;
        cards->next = (cards->next + 1) % REPLAY_CARDS_CAPACITY;
    }
    facts->replay_card = NULL;
    if (!menu->depth)
        return;
    uint32_t focus = menu->focus[menu->depth - 1] - menu->count, first = menu->first[menu->depth - 1];
    if (focus < facts->replay_count) {
        const struct replay_cards_entry *entry = find_card(cards, facts->replays[focus].path);
        facts->replay_card = entry && entry->is_good ? &entry->card : NULL;
        want(cards, facts->replays[focus].path);
    }
    for (uint32_t i = first; i < first + MENU_ROWS && i < menu_count(menu); i++)
        if (i >= menu->count && i - menu->count < facts->replay_count)
            want(cards, facts->replays[i - menu->count].path);
}

void replay_list_close_cards(struct replay_cards *cards)
{
    if (cards->works)
        pthread_join(cards->thread, NULL);
    cards->works = false;
}
