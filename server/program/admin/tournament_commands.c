// SPDX-License-Identifier: MIT
//
// The commands about tournaments: bracket, tournament.
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lifecycle/rotation.h"
#include "sync/player_name.h"

static void name_side(const struct bracket *bracket, uint32_t pairing, uint32_t side, char name[PLAYER_NAME_BYTES + 1])
{
    const struct bracket_entrant *entrant = bracket_side(bracket, pairing, side);
    snprintf(name, PLAYER_NAME_BYTES + 1, "?");
    if (entrant)
        player_name_to_text(entrant->name, name);
}

static void report_pairing(struct command_call *call, uint32_t pairing)
{
    const struct bracket *bracket = &call->admin->bracket;
    char first[PLAYER_NAME_BYTES + 1], second[PLAYER_NAME_BYTES + 1];
    bool decided = bracket_is_decided(bracket, pairing), is_now = pairing == bracket->pairing;
    uint32_t winner = bracket->places[pairing] == bracket->places[2 * pairing + 1];
    name_side(bracket, pairing, 0, first);
    name_side(bracket, pairing, 1, second);
    command_call_report(
        call, &(struct fields){"pairing",
                               decided  ? "{round}: {first} {first_score}, {second} {second_score}; {winner} goes on"
                               : is_now ? "{round}: {first} plays {second} now"
                                        : "{round}: {first} plays {second}",
                               {{"round", .text = bracket_round_name(pairing)},
                                {"first", .text = first},
                                {"second", .text = second},
                                {"first_score", .number = bracket->scores[2 * pairing]},
                                {"second_score", .number = bracket->scores[2 * pairing + 1]},
                                {"winner", .text = !decided ? ""
                                                   : winner ? second
                                                            : first},
                                {"now", .number = is_now, .is_flag = true}}});
}

// The chat has room for one round.
static void report_bracket(struct command_call *call)
{
    const struct bracket *bracket = &call->admin->bracket;
    bool in_chat = call->caller->peer != COMMAND_CALLER_OUTSIDE;
    for (uint32_t first = bracket->size / 2; first > 0; first /= 2) {
        bool is_present = bracket->pairing >= first && bracket->pairing < 2 * first;
        for (uint32_t pairing = first; pairing < 2 * first; pairing++) {
            bool is_played =
                bracket->places[2 * pairing] != BRACKET_EMPTY && bracket->places[2 * pairing + 1] != BRACKET_EMPTY;
            if (is_played && (!in_chat || is_present || (bracket->pairing == 0 && first == 1)))
                report_pairing(call, pairing);
        }
    }
}

bool command_bracket(struct command_call *call)
{
    if (call->admin->bracket.entrant_count == 0)
        command_call_report(call, &(struct fields){"bracket", "There is no tournament.", {{"players", .number = 0}}});
    else
        report_bracket(call);
    return true;
}

// Reads the entrants, by seeding. Returns how many; 0 after it has refused the call.
static uint32_t read_entrants(struct command_call *call, const char *words,
                              struct bracket_entrant entrants[BRACKET_CAPACITY])
{
    uint32_t count = 0;
    char word[COMMAND_WORD_BYTES];
    const struct match *match = call->admin->match;
    while (*words) {
        words = command_call_word(words, word);
        uint32_t slot = command_call_player(match, word);
        if (slot == PLAYER_CAPACITY)
            return command_call_refuse_word(call, word);
        if (count == BRACKET_CAPACITY)
            return command_call_refuse(call, "A tournament has at most %d players.", BRACKET_CAPACITY);
        const struct seat *seat = &match->roster.seats[slot];
        for (uint32_t i = 0; i < count; i++)
            if (roster_key_equal(&entrants[i].key, &seat->key))
                return command_call_refuse(call, "\"%s\" is in the list twice.", word);
        entrants[count].key = seat->key;
        memcpy(entrants[count++].name, seat->name, sizeof seat->name);
    }
    if (count < 2)
        command_call_refuse(call, "Name at least two players, the best first: tournament start Ann Ben.");
    return count < 2 ? 0 : count;
}

static bool start(struct command_call *call, const char *words)
{
    struct admin_state *admin = call->admin;
    struct bracket_entrant entrants[BRACKET_CAPACITY];
    if (mode_of(&admin->match->world)->teams)
        return command_call_refuse(call, "A tournament is played in ffa or lms. Change the mode first.");
    if (admin->match->bots > 0)
        return command_call_refuse(call, "Bots would play in it. Say set bots 0 first.");
    uint32_t count = read_entrants(call, words, entrants);
    if (count == 0)
        return false;
    bracket_draw(&admin->bracket, entrants, count);
    rotation_restart(admin->rotation, admin->match);
    report_bracket(call);
    return true;
}

// Decides the present pairing without a match, such as when a player has not come.
static bool win(struct command_call *call, const char *word)
{
    struct bracket *bracket = &call->admin->bracket;
    uint32_t pairing = bracket->pairing;
    char name[PLAYER_NAME_BYTES + 1], wanted[COMMAND_WORD_BYTES];
    command_call_word(word, wanted);
    for (uint32_t side = 0; pairing > 0 && side < 2; side++) {
        name_side(bracket, pairing, side, name);
        if (strcmp(name, wanted) != 0)
            continue;
        bracket_decide(bracket, side, (int32_t[2]){0, 0});
        bracket_announce_result(bracket, pairing, call->admin->match);
        rotation_restart(call->admin->rotation, call->admin->match);
        report_pairing(call, pairing);
        return true;
    }
    return command_call_refuse(call, pairing > 0 ? "Who of the two who play now?" : "There is no tournament.");
}

bool command_tournament(struct command_call *call)
{
    char word[COMMAND_WORD_BYTES];
    const char *rest = command_call_word(call->argument, word);
    if (strcmp(word, "start") == 0)
        return start(call, rest);
    if (strcmp(word, "win") == 0)
        return win(call, rest);
    if (strcmp(word, "end") != 0 || *rest)
        return command_call_refuse(call,
                                   "Say tournament start and the players, tournament win and who, or tournament end.");
    if (call->admin->bracket.entrant_count == 0)
        return command_call_refuse(call, "There is no tournament.");
    bracket_clear(&call->admin->bracket);
    chat_broadcast_system(call->admin->match, "The tournament is over. Everybody may /play.");
    command_call_report(call, &(struct fields){"bracket", "The tournament is over.", {{"players", .number = 0}}});
    return true;
}
