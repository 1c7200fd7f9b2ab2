// SPDX-License-Identifier: MIT
#include "replay_cards.h"

#include <string.h>

#include "base/utf8.h"

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
