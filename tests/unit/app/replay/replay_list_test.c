// SPDX-License-Identifier: MIT
// Tests the cards of replays: what they show, where they are kept, and that the list gets them one after another.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/menu/screens.h"
#include "app/replay/replay_list.h"
#include "test.h"
#include "test_folder.h"

#define FOUNDRY SOURCE_ROOT "/tests/golden/foundry.dfr"
#define DUEL    SOURCE_ROOT "/tests/golden/duel.dfr"

static struct menu_card card, again;
static struct replay_cards cards;
static struct menu menu;
static struct preferences preferences;

ALL_TESTS(test_folder_make, test_folder_remove);

TEST(a_card_has_a_picture_and_the_best_players_first)
{
    assert_true(replay_list_read_card(&card, FOUNDRY, ""));
    assert_in_range(card.player_count, MENU_CARD_PLAYERS, PLAYER_CAPACITY);
    for (uint32_t i = 1; i < MENU_CARD_PLAYERS; i++) {
        const struct menu_card_player *better = &card.players[i - 1], *player = &card.players[i];
        assert_true(better->won > player->won || (better->won == player->won && better->score >= player->score));
        assert_true(player->name[0]);
    }
    uint32_t changes = 0;
    for (uint32_t i = 1; i < MENU_CARD_WIDTH * MENU_CARD_HEIGHT; i++)
        changes += card.pixels[i] != card.pixels[i - 1];
    assert_in_range(changes, 2000, MENU_CARD_WIDTH * MENU_CARD_HEIGHT);
    assert_true(replay_list_read_card(&again, DUEL, ""));
    assert_memory_not_equal(card.pixels, again.pixels, sizeof card.pixels);
}

TEST(a_card_is_kept_by_the_content_of_its_replay)
{
    test_folder_run("mkdir cards && cp " FOUNDRY " one.dfr");
    const char *one = test_folder_path("one.dfr"), *other = test_folder_path("other.dfr");
    const char *kept = test_folder_path("cards");
    assert_true(replay_list_read_card(&card, one, kept));
    // A kept card is shown as it is: one with a dot in its last pixel proves that it was not made again.
    test_folder_run("for f in cards/*; do "
                    "printf '\\1' | dd of=$f bs=1 seek=$(($(stat -c %s $f) - 8)) conv=notrunc 2>/dev/null; "
                    "done; mv one.dfr other.dfr");
    assert_true(replay_list_read_card(&again, other, kept));
    assert_memory_not_equal(&card, &again, sizeof card);
    // A torn one is made again.
    test_folder_run("for f in cards/*; do truncate -s 100 $f; done");
    assert_true(replay_list_read_card(&again, other, kept));
    assert_memory_equal(&card, &again, sizeof card);
    // Another replay of that name has another card.
    test_folder_run("cp " DUEL " other.dfr");
    assert_true(replay_list_read_card(&again, other, kept));
    assert_memory_not_equal(card.pixels, again.pixels, sizeof card.pixels);
}

TEST(what_is_no_replay_has_no_card)
{
    test_folder_run("echo nothing > bad.dfr");
    assert_false(replay_list_read_card(&card, test_folder_path("bad.dfr"), test_folder_path("")));
    assert_false(replay_list_read_card(&card, "/nowhere.dfr", test_folder_path("")));
    // Kept nowhere where there is no room for it.
    assert_true(replay_list_read_card(&card, DUEL, "/proc/nowhere"));
}

static void add(const char *path)
{
    snprintf(menu.facts.replays[menu.facts.replay_count++].path, sizeof menu.facts.replays[0].path, "%s", path);
}

static void update_until_at_rest(void)
{
    do {
        replay_list_show_card(&cards, &menu);
        sched_yield(); // to the thread that reads them
    } while (cards.works);
}

TEST(the_list_gets_its_cards_one_after_another)
{
    menu.preferences = &preferences;
    cards.folder = "";
    add(FOUNDRY);
    add("/nowhere.dfr");
    add(DUEL);
    menu_open(&menu, &SCREEN_REPLAYS);
    menu_press(&menu, MENU_DOWN);
    menu_fill(&menu);
    replay_list_show_card(&cards, &menu);
    assert_true(cards.works);
    assert_string_equal(cards.made.path, FOUNDRY); // the one with the focus comes first
    assert_null(menu.facts.replay_card);
    update_until_at_rest();
    assert_non_null(menu.facts.replay_card);
    assert_true(replay_list_read_card(&card, FOUNDRY, ""));
    assert_memory_equal(menu.facts.replay_card, &card, sizeof card);
    menu_press(&menu, MENU_DOWN); // to what is no replay
    replay_list_show_card(&cards, &menu);
    assert_null(menu.facts.replay_card);
    assert_false(cards.works);
    menu_press(&menu, MENU_DOWN);
    replay_list_show_card(&cards, &menu);
    assert_non_null(menu.facts.replay_card); // it was made before
    menu_press(&menu, MENU_DOWN);            // to the live matches
    replay_list_show_card(&cards, &menu);
    assert_null(menu.facts.replay_card);
    replay_list_close_cards(&cards);
}
