// SPDX-License-Identifier: MIT
#include "settings.h"

#include "game/brain.h"

const char *const MODE_NAMES[] = {"ffa", "lms", "teams", "breakout", NULL};
static const char *const SKILL_NAMES[] = {"idle", "random", "easy", "normal", "hard", NULL};
static const char *const RATE_NAMES[] = {"60", "30", "20", NULL};

const uint32_t SNAPSHOT_RATES[] = {60, 30, 20};

#define FIELD(field) .offset = offsetof(struct settings, field)
#define DAY_MS       86400000

static const struct option OPTIONS[] = {
    {"port", OPTION_NUMBER, FIELD(port), "27440", "N", "UDP port; 0: any free", .most = 65535},
    {"bind", OPTION_TEXT, FIELD(bind), "0.0.0.0", "ADDR", "IPv4 or IPv6 address to listen on; 0.0.0.0: all of both"},
    {"map", OPTION_TEXT, FIELD(map), "foundry", "NAME|FILE", "map to play"},
    {"mode", OPTION_CHOICE, FIELD(mode), "ffa", NULL, "what is played", .choices = MODE_NAMES},
    {"max-players", OPTION_NUMBER, FIELD(players_max), "16", "N", "places, bots included", .least = 1,
     .most = PLAYER_CAPACITY},
    {"bots", OPTION_NUMBER, FIELD(bots), "0", "N", "fill up to N players with bots", .most = PLAYER_CAPACITY},
    {"bot-skill", OPTION_CHOICE, FIELD(bot_skill), "normal", NULL, "how well bots play", .choices = SKILL_NAMES},
    {"name", OPTION_TEXT, FIELD(name), "Deadfall", "TEXT", "name of the server"},
    {"snapshot-rate", OPTION_CHOICE, FIELD(snapshot_rate), "60", NULL, "snapshots a second", .choices = RATE_NAMES},
    {"record", OPTION_TEXT, FIELD(record), "off", "DIR|off", "write a replay of the match into a directory"},
    {"state-dir", OPTION_TEXT, FIELD(state_dir), "", "DIR",
     "where the server's key is kept; $STATE_DIRECTORY or ~/.local/state/deadfall without it"},
    {"duration", OPTION_DURATION, FIELD(duration_ms), "0", "TIME", "end after this time; 0: never",
     .most = 30ll * DAY_MS},
    {"score-limit", OPTION_NUMBER, FIELD(score_limit), "20", "N", "points that win a round; 0: none", .most = 10000},
    {"time-limit", OPTION_DURATION, FIELD(time_limit_ms), "10m", "TIME", "length of a round; 0: none", .most = DAY_MS},
    {"seed", OPTION_NUMBER, FIELD(seed), "-1", "N", "of the match's dice; -1: another each time", .least = -1,
     .most = UINT32_MAX},
    {"log-level", OPTION_CHOICE, FIELD(log_level), "info", NULL, "least important lines to write",
     .choices = LOG_LEVEL_NAMES},
    {"log-format", OPTION_CHOICE, FIELD(log_format), "text", NULL, "of the lines on stderr",
     .choices = LOG_FORMAT_NAMES},
};

const struct program SERVER_PROGRAM = {
    .name = "deadfall-server",
    .summary = "Runs a match of Deadfall. Tells on stdout when it is ready; logs go to stderr.",
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof *OPTIONS,
    .configurable = true,
};

const char *settings_fault(const struct settings *settings)
{
    if (settings->mode != MODE_FFA)
        return "this version plays --mode ffa only";
    if (settings->bots > settings->players_max)
        return "--bots is more than --max-players";
    if (!settings->record[0])
        return "--record is a directory, or off";
    return NULL;
}
