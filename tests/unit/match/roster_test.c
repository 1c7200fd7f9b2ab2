// SPDX-License-Identifier: MIT
#include <string.h>

#include "match/roster.h"
#include "sync/player_name.h"
#include "test.h"

static struct player players[PLAYER_CAPACITY]; // of the world
static struct roster roster;

static void begin(void)
{
    memset(players, 0, sizeof players);
    roster = (struct roster){.seat_count = 4};
}

EACH_TEST(begin, NULL);

static uint32_t reserve_colour(const char *name, uint32_t colour)
{
    uint32_t words[PLAYER_NAME_BYTES / 4];
    player_name_from_text(words, name);
    return roster_reserve(&roster, NULL, words, colour);
}

static uint32_t reserve(const char *name)
{
    return reserve_colour(name, 3);
}

static const char *to_text(const uint32_t *name)
{
    static char text[PLAYER_NAME_BYTES + 1];
    player_name_to_text(name, text);
    return text;
}

TEST(names_are_cleaned)
{
    static const struct {
        const char *given, *shown;
    } rows[] = {
        /* 1 */ {"Ann", "Ann"},
        /* 2 */ {"", "Player"},
        /* 3 */ {"  Ann  B  ", "Ann B"},
        /* 4 */ {"A\nB\tC\x7f", "ABC"},
        /* 5 */ {"Zo\xc3\xab", "Zo\xc3\xab"},
        /* 6 */ {"0123456789abcdef", "0123456789abcdef"},
        /* 7 */ {"0123456789abcd\xe2\x82", "0123456789abcd"}, // a truncated character
        /* 8 */ {"a\xff\xfe\x80z", "az"},                     // no UTF-8
        /* 9 */ {"\xc0\xaf/", "/"},                           // an overlong form
        /* 10 */ {"\xed\xa0\x80x", "x"},                      // half a surrogate
        /* 11 */ {"\342\200\256evil", "evil"},                // right to left
        /* 12 */ {"\xe2\x80\x8b\xef\xbb\xbf", "Player"},      // only invisible characters
        /* 13 */ {"\xf0\x9f\x8f\xb9", "\xf0\x9f\x8f\xb9"},    // a bow
        /* 14 */ {"\xf5\x80\x80\x80x", "x"},                  // beyond Unicode
        /* 15 */ {"a\343\200\200b", "a b"},                   // a wide blank
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        const char *shown = to_text(roster.seats[reserve(rows[i].given)].name);
        if (strcmp(shown, rows[i].shown) != 0)
            fail_msg("row %zu: \"%s\"", i + 1, shown);
    }
}

TEST(no_two_players_have_the_same_name)
{
    roster.seat_count = 16;
    assert_string_equal(to_text(roster.seats[reserve("Ann")].name), "Ann");
    assert_string_equal(to_text(roster.seats[reserve("Ann")].name), "Ann 2");
    assert_string_equal(to_text(roster.seats[reserve("A\nnn")].name), "Ann 3");
    assert_string_equal(to_text(roster.seats[reserve("0123456789abc\xe2\x82\xac")].name), "0123456789abc\xe2\x82\xac");
    assert_string_equal(to_text(roster.seats[reserve("0123456789abc\xe2\x82\xac")].name), "0123456789abc 2");
}

// Applies the commands as the world would, and fails if the world would refuse one.
static uint32_t follow(bool *present, bool *bots)
{
    struct command commands[300];
    uint32_t count = roster_commands(&roster, commands, 300);
    for (uint32_t i = 0; i < count; i++) {
        bool join = commands[i].kind == COMMAND_JOIN;
        assert_true(present[commands[i].slot] != join);
        present[commands[i].slot] = join;
        bots[commands[i].slot] = join && commands[i].bot;
    }
    return count;
}

TEST(each_client_joins_the_world_once)
{
    bool present[PLAYER_CAPACITY] = {0}, bots[PLAYER_CAPACITY] = {0};
    uint32_t slot = reserve("Ann");
    assert_int_equal(follow(present, bots), 0); // still loading
    roster_enter(&roster, slot);
    assert_int_equal(follow(present, bots), 1);
    assert_true(present[slot] && !bots[slot]);
    assert_int_equal(follow(present, bots), 0);
    roster_leave(&roster, slot, players);
    assert_int_equal(reserve("Ben"), slot); // between two ticks
    roster_enter(&roster, slot);
    assert_int_equal(follow(present, bots), 2); // one leaves, the other joins
    assert_true(present[slot]);
}

TEST(bots_fill_free_seats_and_make_room)
{
    bool present[PLAYER_CAPACITY] = {0}, bots[PLAYER_CAPACITY] = {0};
    roster_fill(&roster, 4);
    follow(present, bots);
    assert_int_equal(roster_count(&roster, SEAT_BOT), 4);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t slot = reserve("Ann");
        assert_int_not_equal(slot, ROSTER_FULL);
        roster_fill(&roster, 4);
        follow(present, bots);
        assert_false(present[slot]); // the bot has left, and the client in its seat loads
        roster_enter(&roster, slot);
        follow(present, bots);
        assert_true(present[slot] && !bots[slot]);
    }
    assert_int_equal(reserve("Ann"), ROSTER_FULL);
    roster_leave(&roster, 2, players);
    roster_fill(&roster, 4);
    follow(present, bots);
    assert_true(bots[2]);
    roster_fill(&roster, 2);
    assert_int_equal(roster_count(&roster, SEAT_BOT), 0); // three players are enough
    assert_int_equal(roster_count(&roster, SEAT_RESERVED) + roster_count(&roster, SEAT_PLAYER), 3);
}

TEST(commands_that_do_not_fit_follow_in_the_next_tick)
{
    roster.seat_count = 10;
    struct command commands[3];
    roster_fill(&roster, 10);
    uint32_t shown = 0;
    for (uint32_t round = 0; round < 4; round++)
        shown += roster_commands(&roster, commands, 3);
    assert_int_equal(shown, 10);
    assert_int_equal(roster_commands(&roster, commands, 3), 0);
}

TEST(no_colour_is_used_twice_while_others_are_free)
{
    roster.seat_count = 18;
    uint32_t worn = 0;
    assert_int_equal(roster.seats[reserve_colour("Ann", 15)].colour, 15);
    assert_int_equal(roster.seats[reserve_colour("Ann", 15)].colour, 0); // the next one, wrapping around
    roster_fill(&roster, 16);
    for (uint32_t slot = 0; slot < 16; slot++)
        worn |= 1u << roster.seats[slot].colour;
    assert_int_equal(worn, 0xFFFF);
    for (uint32_t slot = 2; slot < 16; slot++)
        roster.seats[slot].kind = SEAT_PLAYER;
    assert_int_equal(roster.seats[reserve_colour("Ann", 7)].colour,
                     7); // all are in use: the requested one
}

TEST(somebody_gets_the_colour_of_a_bot_and_that_bot_leaves)
{
    roster.seat_count = 8;
    roster_fill(&roster, 4);
    uint32_t slot = reserve_colour("Ann", 2);
    assert_int_equal(roster.seats[slot].colour, 2);
    assert_int_equal(roster_count(&roster, SEAT_BOT), 3);
    roster_fill(&roster, 4);
    assert_int_equal(roster_count(&roster, SEAT_BOT), 3);
    uint32_t worn = 0;
    for (uint32_t i = 0; i < 4; i++)
        worn |= 1u << roster.seats[i].colour;
    assert_int_equal(worn, 0xF);
}

TEST(a_hat_belongs_to_the_player_in_the_seat)
{
    uint8_t hats[PLAYER_CAPACITY] = {0};
    roster.seat_count = 10;
    roster_fill(&roster, 10);
    roster_hats(&roster, hats);
    for (uint32_t slot = 0; slot < 10; slot++)
        assert_int_equal(hats[slot], slot % HATS); // bots: by their seats
    assert_int_equal(hats[10], HAT_NONE);
    roster_fill(&roster, 0);
    uint32_t slot = reserve("Ann");
    roster_hats(&roster, hats);
    assert_int_equal(hats[slot], HAT_NONE); // not that of the bot before her
    roster.seats[slot].hat = HAT_CROWN;
    roster_hats(&roster, hats);
    assert_int_equal(hats[slot], HAT_CROWN);
    roster_leave(&roster, slot, players);
    roster_hats(&roster, hats);
    assert_int_equal(hats[slot], HAT_NONE);
}

static struct seat_key place(uint8_t who, uint32_t local)
{
    return (struct seat_key){.identity = {who}, .local = local};
}

static uint32_t come(uint8_t who, uint32_t local)
{
    struct command commands[300];
    uint32_t name[PLAYER_NAME_BYTES / 4] = {'a'};
    struct seat_key its = place(who, local);
    uint32_t slot = roster_reserve(&roster, &its, name, 3);
    if (slot == ROSTER_FULL)
        return slot;
    roster_enter(&roster, slot);
    uint32_t count = roster_commands(&roster, commands, 300);
    const struct command *join = &commands[count - 1];
    assert_true(count > 0 && join->kind == COMMAND_JOIN && join->slot == slot);
    players[slot] = (struct player){.state = PLAYER_ALIVE, .team = join->record.team, .score = join->record.score};
    return slot;
}

TEST(a_returning_player_gets_their_seat_and_record)
{
    struct command commands[4];
    roster.seat_count = 3;
    assert_int_equal(come(1, 0), 0);
    assert_int_equal(come(2, 0), 1);
    players[0] = (struct player){.state = PLAYER_ALIVE, .team = 2, .score = 7, .stats.kills = 8, .stats.deaths = 9};
    struct seat_key first = place(1, 0), other = place(1, 1);
    assert_int_equal(roster_find(&roster, &first), 0);
    assert_int_equal(roster_find(&roster, &other), ROSTER_FULL);
    roster_leave(&roster, 0, players);
    assert_int_equal(roster_find(&roster, &first), ROSTER_FULL);
    assert_true(roster.seats[0].has_key);
    roster_fill(&roster, 3); // bots in both free seats
    assert_false(roster.seats[0].has_key);
    roster_commands(&roster, commands, 4);
    assert_int_equal(come(1, 1), 0); // another player at the same machine is a different player
    assert_int_equal(players[0].score, 0);
    assert_int_equal(come(1, 0), 2); // the player's own seat is taken: another one
    assert_int_equal(players[2].score, 7);
    assert_int_equal(players[2].team, 2);
    roster_leave(&roster, 2, players);
    assert_int_equal(come(3, 0), 2);
    assert_int_equal(players[2].score, 0);
    assert_int_equal(come(1, 0), ROSTER_FULL); // a refused attempt does not lose the record
    roster_leave(&roster, 2, players);
    roster_new_round(&roster);
    assert_int_equal(come(1, 0), 2);
    assert_int_equal(players[2].score, 0); // from the previous round
    assert_int_equal(players[2].team, 2);
}

TEST(a_player_who_drops_out_while_returning_loses_nothing)
{
    roster.seat_count = 2;
    uint32_t name[PLAYER_NAME_BYTES / 4] = {'a'};
    struct seat_key first = place(1, 0);
    come(1, 0);
    players[0].score = 7;
    roster_leave(&roster, 0, players);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(roster_reserve(&roster, &first, name, 3), 0);
        roster_leave(&roster, 0, players);
    }
    players[0] = (struct player){0};
    come(1, 0);
    assert_int_equal(players[0].score, 7);
}

TEST(when_the_table_is_full_the_oldest_player_is_forgotten)
{
    roster.seat_count = 1;
    for (uint32_t i = 0; i <= DISCONNECTED_PLAYERS_CAPACITY; i++) {
        come((uint8_t)(i % 256), i / 256);
        players[0].score = 1 + (int32_t)i;
        roster_leave(&roster, 0, players);
    }
    come(1, 0);
    assert_int_equal(players[0].score, 2);
    roster_leave(&roster, 0, players);
    come(0, 0);
    assert_int_equal(players[0].score, 0);
}

TEST(the_seats_of_bots_have_their_own_names_colours_and_hats)
{
    char before[PLAYER_NAME_BYTES + 1] = "";
    roster.seat_count = 30;
    roster_fill(&roster, 1);
    uint32_t slot = reserve("Bellows");
    assert_int_equal(slot, 1);
    assert_string_equal(to_text(roster.seats[1].name), "Bellows");
    roster_leave(&roster, 1, players);
    roster_fill(&roster, 30);
    for (slot = 0; slot < 24; slot++) { // in alphabetical order
        assert_true(strcmp(before, to_text(roster.seats[slot].name)) < 0);
        strcpy(before, to_text(roster.seats[slot].name));
    }
    for (slot = 0; slot < 30; slot++)
        assert_int_equal(roster.seats[slot].colour, slot % 16);
    assert_string_equal(to_text(roster.seats[0].name), "Ash");
    assert_string_equal(to_text(roster.seats[24].name), "Ash 2");
    assert_int_equal(reserve_colour("Ash", 0), 0); // in the place of the bot of that name
    assert_string_equal(to_text(roster.seats[0].name), "Ash");
    roster_fill(&roster, 11); // bots leave from the last seat on
    assert_int_equal(roster_count(&roster, SEAT_BOT), 10);
    assert_int_equal(roster.seats[10].kind, SEAT_BOT);
    assert_int_equal(roster.seats[11].kind, SEAT_FREE);
}

// Such seats are full of things that would change each answer.
TEST(seats_beyond_the_count_do_not_exist)
{
    static struct world world;
    static const uint32_t seat_count = 4;
    struct command commands[8];
    struct replay_seat seats[PLAYER_CAPACITY];
    uint8_t hats[PLAYER_CAPACITY];
    struct seat_key ada = place(1, 0), zed = place(9, 0);
    struct seat beyond = {.kind = SEAT_PLAYER,
                          .occupant = 1,
                          .colour = 3,
                          .hat = HAT_TOP,
                          .has_key = true,
                          .key = zed,
                          .record = {.score = 5}};
    player_name_from_text(beyond.name, "Ann");
    roster.seat_count = seat_count;
    roster.seats[seat_count] = beyond;
    assert_true(roster_is_shown(&roster));
    assert_int_equal(roster_find(&roster, &zed), ROSTER_FULL);
    assert_int_equal(roster_count(&roster, SEAT_PLAYER), 0);
    uint32_t slot = reserve("Ann");
    assert_string_equal(to_text(roster.seats[slot].name), "Ann");
    assert_int_equal(roster.seats[slot].colour, 3);
    assert_int_equal(roster_seats(&roster, seats), 0);
    roster_hats(&roster, hats);
    assert_int_equal(hats[seat_count], HAT_NONE);
    roster_fill(&roster, 9);
    assert_int_equal(roster_count(&roster, SEAT_BOT), 3);
    assert_int_equal(roster_commands(&roster, commands, 8), 3);
    roster_new_round(&roster);
    roster_new_match(&roster);
    world.players[seat_count].state = PLAYER_ALIVE;
    memcpy(seats[0].identity, ada.identity, sizeof ada.identity);
    seats[0].slot = seat_count;
    roster_restore(&roster, &world, seats, 1);
    roster_fill(&roster, 0);
    assert_memory_equal(&roster.seats[seat_count], &beyond, sizeof beyond);
    roster.seats[seat_count].kind = SEAT_FREE;
    for (uint32_t i = 0; i < 3; i++)
        assert_true(reserve("Ben") < seat_count);
    assert_int_equal(reserve("Cy"), ROSTER_FULL);
    roster.seats[seat_count].kind = SEAT_BOT;
    assert_int_equal(reserve("Cy"), ROSTER_FULL);
    roster_disconnected_add(&roster.disconnected, &zed, seat_count, &(struct player_record){.score = 8});
    roster_leave(&roster, 2, players);
    assert_int_equal(come(9, 0), 2); // their seat is gone, their points are not
    assert_int_equal(players[2].score, 8);
}

TEST(a_player_replaces_another_within_the_capacity_of_one_command)
{
    roster.seat_count = 2;
    struct command command;
    assert_true(roster_is_shown(&roster));
    uint32_t slot = reserve("Ann");
    assert_true(roster_is_shown(&roster)); // still loading
    roster_enter(&roster, slot);
    assert_false(roster_is_shown(&roster));
    assert_int_equal(roster_commands(&roster, &command, 1), 1);
    assert_true(roster_is_shown(&roster));
    roster_leave(&roster, slot, players);
    assert_false(roster_is_shown(&roster));
    roster_enter(&roster, reserve("Ben"));
    assert_int_equal(roster_commands(&roster, &command, 1), 1);
    assert_int_equal(command.kind, COMMAND_LEAVE);
    assert_false(roster_is_shown(&roster));
    assert_int_equal(roster_commands(&roster, &command, 1), 1);
    assert_int_equal(command.kind, COMMAND_JOIN);
    assert_string_equal(to_text(command.name), "Ben");
    assert_true(roster_is_shown(&roster));
}

TEST(a_round_that_begins_while_a_player_loads_clears_their_points)
{
    roster.seat_count = 2;
    uint32_t name[PLAYER_NAME_BYTES / 4] = {'a'};
    struct seat_key first = place(1, 0);
    struct command command;
    come(1, 0);
    players[0].score = 7;
    players[0].team = 2;
    roster_leave(&roster, 0, players);
    assert_int_equal(roster_commands(&roster, &command, 1), 1);
    assert_int_equal(roster_reserve(&roster, &first, name, 3), 0);
    roster_new_round(&roster);
    roster_enter(&roster, 0);
    assert_int_equal(roster_commands(&roster, &command, 1), 1);
    assert_int_equal(command.record.score, 0);
    assert_int_equal(command.record.team, 2);
}

TEST(a_restored_roster_has_bots_players_and_the_keys_of_players)
{
    static struct world world;
    struct seat_key ada = place(1, 2);
    struct replay_seat seats[3] = {{.slot = 0}, {.slot = 1}, {.slot = 2, .local = 2}}; // a bot, nobody, a player
    memcpy(seats[2].identity, ada.identity, sizeof ada.identity);
    world = (struct world){.players = {[0] = {.state = PLAYER_ALIVE, .flags = PLAYER_BOT, .colour = 5},
                                       [2] = {.state = PLAYER_DEAD, .colour = 6, .name = {'A'}}}};
    roster_restore(&roster, &world, seats, 3);
    assert_int_equal(roster.seats[0].kind, SEAT_BOT);
    assert_false(roster.seats[0].has_key);
    assert_int_equal(roster.seats[1].kind, SEAT_FREE);
    assert_int_equal(roster.seats[2].kind, SEAT_PLAYER);
    assert_int_equal(roster.seats[3].kind, SEAT_FREE);
    assert_int_equal(roster.seats[0].colour, 5);
    assert_int_equal(roster.seats[2].colour, 6);
    assert_string_equal(to_text(roster.seats[2].name), "A");
    assert_int_equal(roster_find(&roster, &ada), 2);
    assert_true(roster_is_shown(&roster)); // they are in the world already
    struct seat_key nobody = place(0, 0);
    assert_int_equal(roster_find(&roster, &nobody), ROSTER_FULL);
    assert_int_equal(roster_seats(&roster, seats), 1);
    assert_int_equal(seats[0].slot, 2);
    assert_int_equal(seats[0].local, 2);
    assert_memory_equal(seats[0].identity, ada.identity, sizeof ada.identity);
    struct command command;
    roster_new_match(&roster);
    assert_false(roster_is_shown(&roster));
    assert_int_equal(roster_commands(&roster, &command, 1), 1);
    assert_int_equal(command.kind, COMMAND_JOIN);
    assert_int_equal(command.slot, 0);
    assert_true(command.bot);
    assert_int_equal(command.colour, 5);
}

static const char *kept_name; // for player 1

static bool keeps(void *context, const struct seat_key *key, const char *name)
{
    (void)context;
    return strcmp(name, kept_name) == 0 && !(key && key->identity[0] == 1);
}

static uint32_t come_as(uint8_t who, const char *name)
{
    uint32_t words[PLAYER_NAME_BYTES / 4];
    struct seat_key its = place(who, 0);
    player_name_from_text(words, name);
    uint32_t slot = roster_reserve(&roster, &its, words, 3);
    roster_enter(&roster, slot);
    return slot;
}

TEST(a_kept_name_is_given_to_nobody_else)
{
    kept_name = "Ash";
    roster.seat_count = 9;
    roster.names.is_kept = keeps;
    uint32_t other = come_as(2, "Ash"), owner = come_as(1, "Ash");
    assert_string_equal(to_text(roster.seats[other].name), "Ash 2");
    assert_string_equal(to_text(roster.seats[owner].name), "Ash");
    assert_true(roster_name_is_kept(&roster, other) && !roster_name_is_kept(&roster, owner));
    roster_fill(&roster, 9);
    for (uint32_t slot = 2; slot < 9; slot++)
        assert_string_not_equal(to_text(roster.seats[slot].name), "Ash");
    roster_leave(&roster, owner, players);
    assert_string_equal(to_text(roster.seats[reserve("Ash")].name), "Ash 3"); // without a key
}

// It becomes known only when the owner is here, who had to take another one.
TEST(a_name_goes_to_the_one_it_is_kept_for)
{
    struct command commands[9];
    kept_name = "nobody";
    roster.seat_count = 4;
    roster.names.is_kept = keeps;
    uint32_t other = come_as(2, "Ann"), owner = come_as(1, "Ann"), third = come_as(3, "Bob");
    assert_int_equal(roster_commands(&roster, commands, 9), 3);
    players[other] = (struct player){.state = PLAYER_ALIVE, .score = 7};
    kept_name = "Ann";
    assert_false(roster_rename(&roster, owner, players)); // while somebody has it
    assert_true(roster_rename(&roster, other, players));
    assert_true(roster_rename(&roster, owner, players));
    assert_false(roster_rename(&roster, third, players) || roster_rename(&roster, other, players) ||
                 roster_rename(&roster, owner, players));
    assert_string_equal(to_text(roster.seats[owner].name), "Ann");
    assert_string_equal(to_text(roster.seats[other].name), "Ann 3"); // the owner still had "Ann 2"
    assert_int_equal(roster_commands(&roster, commands, 9), 4);      // both leave and join, with what they have
    assert_int_equal(commands[0].kind, COMMAND_LEAVE);
    assert_int_equal(commands[1].kind, COMMAND_JOIN);
    assert_int_equal(commands[1].record.score, 7);
    assert_string_equal(to_text(commands[1].name), "Ann 3");
}
