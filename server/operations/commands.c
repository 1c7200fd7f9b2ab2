// SPDX-License-Identifier: MIT
#include "commands.h"

#include <stdio.h>
#include <string.h>

struct words {
    struct match *match;
    uint32_t peer;
    const char *argument; // all after the name, "" if nothing
};

struct row {
    const char *name, *arguments, *help;
    void (*run)(const struct words *words);
};

static void help(const struct words *words);
static void team(const struct words *words);
static void spectate(const struct words *words);
static void play(const struct words *words);

static const struct row ROWS[] = {
    {"help", "", "lists the commands", help},
    {"team", "blue|orange|auto", "changes sides; auto takes the smaller one", team},
    {"spectate", "", "leaves the arena and watches", spectate},
    {"play", "", "comes back to play", play},
};
#define ROW_COUNT (sizeof ROWS / sizeof *ROWS)

static void help(const struct words *words)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        char text[TALK_BYTES_MAX];
        const struct row *row = &ROWS[i];
        snprintf(text, sizeof text, "/%s%s%s: %s", row->name, *row->arguments ? " " : "", row->arguments, row->help);
        talk_tell(words->match, words->peer, text);
    }
}

static void wish(const struct words *words, enum team_wish side)
{
    const struct peer *peer = &words->match->peers[words->peer];
    const struct command command = {.kind = COMMAND_TEAM, .slot = peer->slot, .team = side};
    if (peer->state != PEER_PLAYING)
        talk_tell(words->match, words->peer, "You are not in the match yet. Try again in a second.");
    else if (!match_order(words->match, &command))
        talk_tell(words->match, words->peer, "Too many ask at once. Try again.");
}

static void team(const struct words *words)
{
    static const struct {
        const char *name;
        enum team_wish side;
    } sides[] = {{"auto", TEAM_AUTO}, {"blue", TEAM_ONE}, {"orange", TEAM_TWO}, {"red", TEAM_TWO}};
    uint32_t mode = words->match->world.rules.mode;
    bool has_teams = mode == MODE_TEAMS || mode == MODE_BREAKOUT;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        if (strcmp(words->argument, sides[i].name) != 0)
            continue;
        if (has_teams || sides[i].side == TEAM_AUTO)
            wish(words, sides[i].side);
        else
            talk_tell(words->match, words->peer, "There are no teams in this mode.");
        return;
    }
    talk_tell(words->match, words->peer, "Which side? Say /team blue, /team orange or /team auto.");
}

static void spectate(const struct words *words)
{
    wish(words, TEAM_SPECTATE);
}

static void play(const struct words *words)
{
    wish(words, TEAM_AUTO);
}

void commands_run(struct match *match, uint32_t peer, const char *line)
{
    size_t length = strcspn(line, " ");
    const struct words words = {match, peer, line[length] ? line + length + 1 : ""};
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (strlen(ROWS[i].name) != length || memcmp(ROWS[i].name, line, length) != 0)
            continue;
        if (!*ROWS[i].arguments && *words.argument)
            talk_tell(match, peer, "That command takes no argument. /help lists the commands.");
        else
            ROWS[i].run(&words);
        return;
    }
    talk_tell(match, peer, "There is no such command. /help lists them.");
}

static void take(void *context, uint32_t peer, const char *line)
{
    commands_run(*(struct match **)context, peer, line);
}

struct talk_listener commands_listener(struct match **match)
{
    return (struct talk_listener){take, match};
}
