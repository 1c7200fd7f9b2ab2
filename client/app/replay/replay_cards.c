// SPDX-License-Identifier: MIT
#include "replay_cards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/text/text.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "game/player/player.h"
#include "replay_viewer.h"
#include "sync/player_name.h"

#define FILE_BYTES_MAX (512u << 20)
#define FORMAT         0x44464301u ///< of the files: "DFC" and a version
#define FRAMES         20          ///< that are drawn before the one that is kept, so that scarves and smoke are there
#define FRAME_US       16667u

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

static void list_players(struct menu_card *card, const struct world *world)
{
    const struct round *round = &world->round;
    card->player_count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        bool won = round->phase == ROUND_MATCH_OVER &&
                   (round->winner_team ? player->team == round->winner_team : round->winner == slot + 1);
        if (player_plays(player))
            rank(card, player, won);
    }
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

static void draw(struct work *work)
{
    struct presenter *presenter = &work->presenter;
    presenter_begin(presenter);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        replay_viewer_advance(&work->viewer, FRAME_US, 0, &presenter->scene.camera);
        replay_viewer_draw(&work->viewer, presenter, &work->canvas, &(struct draw_options){.bare = true});
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
        work->presenter.display = DISPLAY_OPTIONS_DEFAULT;
        work->presenter.display.kill_replays = false;
        replay_viewer_seek(viewer, viewer->last);
        list_players(card, &viewer->playback.world);
        replay_viewer_seek(viewer, viewer->last - (viewer->last - viewer->first) / 3);
        draw(work);
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
    uint8_t *bytes = file_load(path, FILE_BYTES_MAX, &byte_count);
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

static bool is_sound(const struct kept *kept, uint64_t replay)
{
    if (kept->format != FORMAT || kept->replay != replay)
        return false;
    for (uint32_t i = 0; i < MENU_CARD_PLAYERS; i++)
        if (kept->card.players[i].colour > 15 || kept->card.players[i].name[PLAYER_NAME_BYTES])
            return false;
    return true;
}

bool replay_card_read(struct menu_card *card, const char *replay, const char *folder)
{
    char path[FILE_PATH_BYTES];
    size_t byte_count;
    uint64_t hash = hash_of(replay);
    struct kept *kept = hash ? calloc(1, sizeof *kept) : NULL;
    if (!kept)
        return false;
    snprintf(path, sizeof path, "%s/%03x.card", folder, (uint32_t)(hash % REPLAY_CARD_FILES));
    bool good = folder[0] && file_read_regular(path, kept, sizeof *kept, &byte_count) && byte_count == sizeof *kept &&
                is_sound(kept, hash);
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
    made->is_good = replay_card_read(&made->card, made->path, cards->folder);
    atomic_store(&cards->is_done, true);
    return NULL;
}

static const struct replay_cards_entry *find(const struct replay_cards *cards, const char *path)
{
    for (uint32_t i = 0; i < REPLAY_CARDS_CAPACITY; i++)
        if (!strcmp(cards->entries[i].path, path))
            return &cards->entries[i];
    return NULL;
}

static void take(struct replay_cards *cards)
{
    if (!cards->works || !atomic_load(&cards->is_done))
        return;
    pthread_join(cards->thread, NULL);
    cards->works = false;
    cards->entries[cards->next] = cards->made;
    cards->next = (cards->next + 1) % REPLAY_CARDS_CAPACITY;
}

static void want(struct replay_cards *cards, const char *path)
{
    if (cards->works || find(cards, path))
        return;
    utf8_copy(cards->made.path, sizeof cards->made.path, path);
    atomic_store(&cards->is_done, false);
    cards->works = !pthread_create(&cards->thread, NULL, work, cards);
}

void replay_cards_update(struct replay_cards *cards, struct menu *menu)
{
    struct menu_facts *facts = &menu->facts;
    take(cards);
    facts->replay_card = NULL;
    if (!menu->depth)
        return;
    uint32_t focus = menu->focus[menu->depth - 1] - menu->count, first = menu->first[menu->depth - 1];
    if (focus < facts->replay_count) {
        const struct replay_cards_entry *entry = find(cards, facts->replays[focus].path);
        facts->replay_card = entry && entry->is_good ? &entry->card : NULL;
        want(cards, facts->replays[focus].path);
    }
    for (uint32_t i = first; i < first + MENU_ROWS && i < menu_count(menu); i++)
        if (i >= menu->count && i - menu->count < facts->replay_count)
            want(cards, facts->replays[i - menu->count].path);
}

void replay_cards_close(struct replay_cards *cards)
{
    if (cards->works)
        pthread_join(cards->thread, NULL);
    cards->works = false;
}
