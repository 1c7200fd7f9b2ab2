// SPDX-License-Identifier: MIT
//
// All commands that people give a running server, in the order in which help lists them: ROW(NAME, ARGUMENTS, HELP,
// RIGHT). PLAYER: only callers in the match; ANYONE; ADMIN. commands.h declares a function for each, commands.c makes
// its table of them, and deadfall-admin completes their names.
#ifndef ADMIN_COMMAND_LIST_H
#define ADMIN_COMMAND_LIST_H

// clang-format off
#define COMMAND_LIST(ROW) \
    ROW(help, "[COMMAND]", "lists the commands, or explains one", ANYONE) \
    ROW(top, "[N]", "lists the best players by rating", ANYONE) \
    ROW(team, "blue|orange|auto", "changes your team; auto picks the smaller one", PLAYER) \
    ROW(spectate, "", "leaves the match to watch it", PLAYER) \
    ROW(play, "", "returns to the match", PLAYER) \
    ROW(w, "NAME TEXT", "whispers: only that player reads it", PLAYER) \
    ROW(vote, "map NAME|mode NAME|variants NAME|restart|kick NAME|NUMBER", \
        "starts a vote, or votes in the open one", PLAYER) \
    ROW(yes, "", "votes yes, or for the first choice", PLAYER) \
    ROW(no, "", "votes no, or for the second choice", PLAYER) \
    ROW(map, "NAME|FILE", "starts a match on another map", ADMIN) \
    ROW(mode, "ffa|lms|teams|breakout [MAP]", \
        "starts a match in another mode, and on another map if one is given", ADMIN) \
    ROW(variants, "NAME|-NAME|none ...", "starts the match again, with variants added or removed", ADMIN) \
    ROW(bracket, "", "shows the pairs of the tournament", ANYONE) \
    ROW(tournament, "start PLAYER PLAYER ...|win PLAYER|end", \
        "lets players, the best first, meet in pairs until one is left; decides the present match; ends it", ADMIN) \
    ROW(restart, "[match|server]", \
        "starts the match again, or the server, with the program and options as they are now", ADMIN) \
    ROW(pause, "[alone]", "pauses the match; alone: until somebody else is there", ADMIN) \
    ROW(resume, "", "resumes the match", ADMIN) \
    ROW(status, "", "shows the state of the server and its players", ADMIN) \
    ROW(say, "TEXT", "sends a message to everyone", ADMIN) \
    ROW(kick, "PLAYER [REASON]", "disconnects a player, who may come back", ADMIN) \
    ROW(ban, "PLAYER|KEY|ADDRESS[/BITS] [TIME] [REASON]", "bans a player for 30m, 12h, 7d, 2w or forever", ADMIN) \
    ROW(unban, "KEY|ADDRESS[/BITS]", "lifts a ban", ADMIN) \
    ROW(bans, "", "lists the bans", ADMIN) \
    ROW(bots, "N", "fills up to N players with bots", ADMIN) \
    ROW(set, "KEY VALUE", "sets an option that may change while the server runs; \"\" is an empty value", ADMIN) \
    ROW(records, "player NAME|KEY|export", "shows a player's record, or writes all players to a CSV file", ADMIN) \
    ROW(record, "on|off", "starts or ends a replay of the match", ADMIN) \
    ROW(reload, "", "reads the options again, as SIGHUP does", ADMIN) \
    ROW(drain, "[TIME|off]", "lets nobody new join, and ends the server after the round, at most after TIME", ADMIN) \
    ROW(shutdown, "", "ends the server; the next one can continue the match", ADMIN)
// clang-format on

#endif
