// SPDX-License-Identifier: MIT
#include "admin_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "game/player/player.h"
#include "game/rules/mode.h"
#include "game/rules/round.h"
#include "lifecycle/recording.h"
#include "options/option_value.h"

#define WORD_BYTES      80
#define QUESTION_BEGINS (UINT64_C(1) << 32) // a recording, rather than ends
#define DRAIN_MS        600000 // of a drain if neither the command nor --drain has a time: a match of the default length

// Reads the next word of a line, or the text in "quotes", and returns the rest of the line. The word is empty if there
// is none, or if it is too long.
static const char *take_word(const char *line, char word[WORD_BYTES])
{
    line += strspn(line, " ");
    bool quoted = *line == '"';
    line += quoted;
    size_t length = strcspn(line, quoted ? "\"" : " ");
    snprintf(word, WORD_BYTES, "%.*s", length < WORD_BYTES ? (int)length : 0, line);
    line += length + (quoted && line[length] == '"');
    return line + strspn(line, " ");
}

static void name_of(const struct match *match, const struct peer *peer, char name[PLAYER_NAME_BYTES + 1])
{
    player_name_to_text(match->roster.seats[peer->slot].name, name);
}

// Whether a word names this player: #SLOT, their name in any case, or their key.
static bool is_named(const struct match *match, const struct peer *peer, const char *word)
{
    char name[PLAYER_NAME_BYTES + 1], fingerprint[FINGERPRINT_TEXT_BYTES], number[12];
    name_of(match, peer, name);
    identity_fingerprint(peer->client.identity, fingerprint);
    snprintf(number, sizeof number, "#%u", peer->slot);
    return strcmp(word, number) == 0 || strcasecmp(word, name) == 0 || strcmp(word, fingerprint) == 0;
}

// Two names may differ in case alone, so the exact one wins.
static const struct peer *find_player(const struct match *match, const char *word)
{
    const struct peer *found = NULL;
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY && *word; i++) {
        const struct peer *peer = &match->peers[i];
        char name[PLAYER_NAME_BYTES + 1];
        if (!peer_has_seat(peer) || !is_named(match, peer, word))
            continue;
        name_of(match, peer, name);
        if (strcmp(name, word) == 0)
            return peer;
        found = peer;
    }
    return found;
}

static bool refuse_player(struct command_call *call, const char *word)
{
    if (!*word)
        return command_call_refuse(call, "Who? Give a name (in \"quotes\" if it has blanks), #SLOT, or a key.");
    return command_call_refuse(call, "There is no player \"%s\". status lists the players.", word);
}

static void disconnect(struct match *match, uint32_t peer, const char *why)
{
    struct message message = {.kind = MESSAGE_SYSTEM};
    utf8_clean(message.as.system, sizeof message.as.system, why, strlen(why));
    peer_send(match, peer, &message);
    peer_drop(match, peer, DENY_KICKED);
}

static void answer_round(struct command_call *call)
{
    const struct match *match = call->admin->match;
    const struct tick_stats *status = call->admin->status;
    command_call_report(call, &(struct fields){"match",
                                               "{mode} on {map}, {phase}, tick {tick}; {players} players, {bots} bots, "
                                               "up to {players_max}",
                                               {{"mode", .text = mode_name((enum mode)match->world.rules.mode)},
                                                {"map", .text = match->map.name},
                                                {"phase", .text = round_state_name(&match->world)},
                                                {"tick", .number = match->world.tick},
                                                {"players", .number = roster_count(&match->roster, SEAT_PLAYER)},
                                                {"bots", .number = roster_count(&match->roster, SEAT_BOT)},
                                                {"players_max", .number = match->players_max}}});
    command_call_report(call, &(struct fields){"ticks",
                                               "99 of 100 ticks take up to {p99_us} us, the longest took {max_us} us; "
                                               "{overruns} overruns, stood still for {stood_still} ticks; "
                                               "recording {recording}, journal {journal}",
                                               {{"p99_us", .number = (int64_t)tick_stats_tick_us(status, 990)},
                                                {"max_us", .number = (int64_t)status->tick_ns_max / 1000},
                                                {"overruns", .number = (int64_t)call->admin->clock->overruns},
                                                {"stood_still", .number = (int64_t)match->statistics.ticks_stood_still},
                                                {"recording", .text = match->recorder ? "on" : "off"},
                                                {"journal", .text = match->journal ? "on" : "off"}}});
    if (match->drain.is_on)
        command_call_report(call,
                            &(struct fields){"drain",
                                             "drains: nobody new may join, and the server ends in {left_s} s at most",
                                             {{"left_s", .number = (int64_t)(drain_left_ms(match) + 999) / 1000}}});
}

static void answer_sessions(struct command_call *call)
{
    const struct match *match = call->admin->match;
    struct net_totals totals;
    transport_totals(match->transport, &totals);
    const struct net_sessions *sessions = &totals.sessions;
    const struct net_refusals *refusals = &totals.refusals;
    command_call_report(call, &(struct fields){"sessions",
                                               "sessions: {playing} playing, {waiting} waiting, {accepted} accepted, "
                                               "{leaving} leaving, of {households} households",
                                               {{"playing", .number = sessions->playing},
                                                {"waiting", .number = sessions->waiting},
                                                {"accepted", .number = sessions->accepted},
                                                {"leaving", .number = sessions->leaving},
                                                {"households", .number = sessions->households}}});
    command_call_report(
        call, &(struct fields){"refused",
                               "refused: joins {joins_household_rate} by the rate of a household, {joins_rate} by the "
                               "rate of all, {joins_full} full, {joins_version} by version, {joins_banned} banned, "
                               "{joins_password} by password, {joins_household_players} by the places of a household; "
                               "{sessions_gave_way} sessions gave way; queries {queries_household_rate} and "
                               "{queries_rate} by rate",
                               {{"joins_household_rate", .number = (int64_t)refusals->joins_of_household},
                                {"joins_rate", .number = (int64_t)refusals->joins_of_all},
                                {"joins_full", .number = (int64_t)refusals->denied[DENIAL_FULL]},
                                {"joins_version", .number = (int64_t)refusals->denied[DENIAL_VERSION]},
                                {"joins_banned", .number = (int64_t)refusals->denied[DENIAL_BANNED]},
                                {"joins_password", .number = (int64_t)refusals->denied[DENIAL_PASSWORD]},
                                {"joins_household_players", .number = (int64_t)match->statistics.household_denials},
                                {"sessions_gave_way", .number = (int64_t)refusals->gave_way},
                                {"queries_household_rate", .number = (int64_t)refusals->queries_of_household},
                                {"queries_rate", .number = (int64_t)refusals->queries_of_all}}});
}

// Shows the open vote, and who has chosen what.
static void answer_vote(struct command_call *call)
{
    const struct match *match = call->admin->match;
    const struct vote *vote = &match->vote;
    if (vote->message.choice_count == 0)
        return;
    command_call_report(call, &(struct fields){"vote",
                                               "vote: {question} asked by {asker}",
                                               {{"question", .text = vote->message.question},
                                                {"asker", .text = vote->asker[0] ? vote->asker : "the server"}}});
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++) {
        uint32_t choice = vote_choice(match, slot);
        char name[PLAYER_NAME_BYTES + 1];
        player_name_to_text(match->roster.seats[slot].name, name);
        if (choice != VOTE_NONE)
            command_call_report(call, &(struct fields){"ballot",
                                                       "  #{slot} \"{name}\" votes {choice}",
                                                       {{"slot", .number = slot},
                                                        {"name", .text = name},
                                                        {"choice", .text = vote->message.choices[choice].text}}});
    }
}

bool admin_commands_status(struct command_call *call)
{
    const struct match *match = call->admin->match;
    call->only_reads = true;
    answer_round(call);
    answer_sessions(call);
    answer_vote(call);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        const struct peer *peer = &match->peers[i];
        char name[PLAYER_NAME_BYTES + 1], fingerprint[FINGERPRINT_TEXT_BYTES];
        if (!peer_has_seat(peer))
            continue;
        name_of(match, peer, name);
        identity_fingerprint(peer->client.identity, fingerprint);
        bool loads = peer->state == PEER_LOADING;
        command_call_report(call,
                            &(struct fields){"player",
                                             loads ? "#{slot} \"{name}\" {key} from {address}, {rtt_ms} ms, score "
                                                     "{score}, loading"
                                                   : "#{slot} \"{name}\" {key} from {address}, {rtt_ms} ms, score "
                                                     "{score}",
                                             {{"slot", .number = peer->slot},
                                              {"name", .text = name},
                                              {"key", .text = fingerprint},
                                              {"address", .text = peer->client.address},
                                              {"rtt_ms", .number = transport_rtt_ms(match->transport, i)},
                                              {"score", .number = match->world.players[peer->slot].score},
                                              {"loading", .number = loads, .is_flag = true}}});
    }
    return true;
}

bool admin_commands_say(struct command_call *call)
{
    if (!*call->argument)
        return command_call_refuse(call, "What? Give the text after say.");
    chat_broadcast_system(call->admin->match, call->argument);
    log_write(call->admin->log, LOG_INFO, "the server says: %s", call->argument);
    command_call_answer(call, "Sent to everyone.");
    return true;
}

bool admin_commands_kick(struct command_call *call)
{
    struct match *match = call->admin->match;
    char word[WORD_BYTES], name[PLAYER_NAME_BYTES + 1], key[FINGERPRINT_TEXT_BYTES], why[SYSTEM_BYTES_MAX + 1];
    const char *reason = take_word(call->argument, word);
    const struct peer *peer = find_player(match, word);
    if (!peer)
        return refuse_player(call, word);
    uint32_t slot = peer->slot;
    name_of(match, peer, name);
    identity_fingerprint(peer->client.identity, key);
    snprintf(why, sizeof why, "You were kicked%s%.150s.", *reason ? ": " : "", reason);
    disconnect(match, (uint32_t)(peer - match->peers), why);
    command_call_report(
        call,
        &(struct fields){
            "kicked",
            "{name} was kicked.",
            {{"name", .text = name}, {"slot", .number = slot}, {"key", .text = key}, {"reason", .text = reason}}});
    return true;
}

// Disconnects the players who are banned now, except admins. Returns how many.
static uint32_t disconnect_banned(struct admin_state *admin)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        const struct peer *peer = &admin->match->peers[i];
        const struct ban *ban = peer->state == PEER_FREE || peer->state == PEER_LEAVING
                                    ? NULL
                                    : ban_list_find(&admin->bans, &peer->client, admin->unix_time());
        char why[NET_REASON_BYTES];
        if (!ban || admin_state_is_admin(admin, &peer->client))
            continue;
        ban_list_message(ban, why);
        disconnect(admin->match, i, why);
        count++;
    }
    return count;
}

// The name of a player means their key.
static bool find_target(struct command_call *call, const char *word, struct ban_target *target)
{
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    const struct peer *peer = find_player(call->admin->match, word);
    if (!peer)
        return ban_target_parse(word, target) || refuse_player(call, word);
    identity_fingerprint(peer->client.identity, fingerprint);
    return ban_target_parse(fingerprint, target);
}

static bool names_admin(const struct admin_state *admin, const struct ban_target *target)
{
    for (uint32_t i = 0; i < admin->settings->admin_keys.count; i++)
        if (strcmp(admin->settings->admin_keys.values[i], target->key) == 0)
            return true;
    return false;
}

// Whether many people share an address, such as that of a proxy: a ban of it would hit all of them.
static bool is_shared(const struct admin_state *admin, const struct ban_target *target)
{
    const struct option_list *exempt = &admin->settings->household_exempt;
    struct ban_target range;
    for (uint32_t i = 0; i < exempt->count && !target->key[0]; i++)
        if (ban_target_parse(exempt->values[i], &range) && ban_target_means(&range, "", target))
            return true;
    return false;
}

// Answers with a line about a change of the bans, and why it cannot be kept if so. The line leaves room for two values.
static bool answer_saved(struct command_call *call, const struct fields *fields)
{
    char answer[ADMIN_STATE_ANSWER_BYTES], line[200];
    struct fields all = *fields;
    size_t count = 0;
    bool kept = admin_state_save_bans(call->admin, answer);
    while (all.of[count].name)
        count++;
    snprintf(line, sizeof line, "%s%s", fields->line, kept ? "" : " {fault}");
    all.line = line;
    all.of[count++] = (struct field){"kept", .number = kept, .is_flag = true};
    if (!kept)
        all.of[count] = (struct field){"fault", .text = answer};
    command_call_report(call, &all);
    return true;
}

bool admin_commands_ban(struct command_call *call)
{
    struct admin_state *admin = call->admin;
    int64_t now = admin->unix_time();
    struct ban ban = {.until = BAN_FOREVER};
    char word[WORD_BYTES], who[BAN_TARGET_BYTES], until[BAN_TIME_BYTES];
    const char *rest = take_word(call->argument, word);
    if (!find_target(call, word, &ban.target))
        return false;
    if (ban.target.key[0] && names_admin(admin, &ban.target))
        return command_call_refuse(call, "That is an admin's key. Remove it from --admin-key first.");
    if (is_shared(admin, &ban.target))
        return command_call_refuse(call, "Many share that address (--household-exempt). Ban the player, or the address "
                                         "where it is not shared yet, such as at the proxy.");
    const char *reason = take_word(rest, word);
    if (!ban_time_parse(word, now, &ban.until))
        reason = rest;
    if (strlen(reason) >= sizeof ban.reason)
        return command_call_refuse(call, "The reason is longer than %zu bytes.", sizeof ban.reason - 1);
    strcpy(ban.reason, reason);
    if (!ban_list_add(&admin->bans, &ban, now))
        return command_call_refuse(call, "There are %d bans, and no room for more. Lift one with unban first.",
                                   BAN_LIST_CAPACITY);
    ban_target_text(&ban.target, who);
    ban_time_text(ban.until, until);
    uint32_t kicked = disconnect_banned(admin);
    return answer_saved(call, &(struct fields){"ban",
                                               ban.until == BAN_FOREVER ? "{target} is banned forever; {kicked} kicked."
                                                                        : "{target} is banned until {until}; {kicked} "
                                                                          "kicked.",
                                               {{"target", .text = who},
                                                {"until", .text = until},
                                                {"reason", .text = reason},
                                                {"kicked", .number = kicked}}});
}

bool admin_commands_unban(struct command_call *call)
{
    struct ban_target target;
    char word[WORD_BYTES], who[BAN_TARGET_BYTES];
    take_word(call->argument, word);
    if (!ban_target_parse(word, &target))
        return command_call_refuse(call, "Which ban? Give a key, an address, or ADDRESS/BITS; bans lists them.");
    ban_target_text(&target, who);
    if (!ban_list_remove(&call->admin->bans, &target, call->admin->unix_time()))
        return command_call_refuse(call, "%s is not banned. bans lists who is.", who);
    return answer_saved(call, &(struct fields){"unban", "{target} may join again.", {{"target", .text = who}}});
}

bool admin_commands_bans(struct command_call *call)
{
    const struct ban_list *bans = &call->admin->bans;
    int64_t now = call->admin->unix_time();
    uint32_t count = 0;
    call->only_reads = true;
    for (uint32_t i = 0; i < bans->count; i++) {
        char who[BAN_TARGET_BYTES], until[BAN_TIME_BYTES];
        if (bans->rows[i].until <= now)
            continue;
        ban_target_text(&bans->rows[i].target, who);
        ban_time_text(bans->rows[i].until, until);
        command_call_report(
            call, &(struct fields){
                      "ban",
                      "{target} {until} {reason}",
                      {{"target", .text = who}, {"until", .text = until}, {"reason", .text = bans->rows[i].reason}}});
        count++;
    }
    if (count == 0)
        command_call_answer(call, "Nobody is banned.");
    return true;
}

static bool set(struct command_call *call, const char *key, const char *value)
{
    char answer[ADMIN_STATE_ANSWER_BYTES];
    bool done = admin_state_set(call->admin, key, value, answer);
    command_call_report(
        call, &(struct fields){
                  "set", "{result}", {{"key", .text = key}, {"value", .text = value}, {"result", .text = answer}}});
    return done;
}

bool admin_commands_bots(struct command_call *call)
{
    return set(call, "bots", call->argument);
}

bool admin_commands_set(struct command_call *call)
{
    char key[WORD_BYTES];
    const char *value = take_word(call->argument, key);
    if (!*key || !*value)
        return command_call_refuse(call, "Give an option and its value, as in: set bot-skill hard");
    return set(call, key, strcmp(value, "\"\"") == 0 ? "" : value);
}

static bool begin_recording(struct command_call *call)
{
    struct admin_state *admin = call->admin;
    char folder[ADMIN_STATE_PATH_BYTES];
    if (!admin_state_record_folder(admin, folder))
        return command_call_refuse(
            call, "There is no folder for recordings. Start the server with --record, or without --resume never.");
    if (!recording_begin(admin->match, admin->recorder, folder, admin->unix_time()))
        return command_call_refuse(call, "Too many recordings wait for the disk. Try again in a moment.");
    recording_retain(admin->match, admin->settings, admin->unix_time());
    return true;
}

// The answer comes when the first bytes of the recording, or the last, are on the disk.
bool admin_commands_record(struct command_call *call)
{
    struct match *match = call->admin->match;
    bool on = strcmp(call->argument, "on") == 0;
    if (!on && strcmp(call->argument, "off") != 0)
        return command_call_refuse(call, "Say record on or record off. It is %s now.", match->recorder ? "on" : "off");
    if (on == (match->recorder != NULL))
        return command_call_refuse(call, "It is already %s.", on ? "on" : "off");
    if (!on)
        recording_end(match, false);
    else if (!begin_recording(call))
        return false;
    if (!command_call_wait(call, COMMAND_QUESTION_RECORDING | (on ? QUESTION_BEGINS : 0) |
                                     recorder_number(call->admin->recorder)))
        command_call_answer(call, on ? "The recording begins." : "The recording ends.");
    return true;
}

bool admin_commands_recorded(const struct admin_state *admin, uint64_t question, char text[RECORDS_ANSWER_BYTES],
                             bool *done)
{
    uint32_t number = (uint32_t)question;
    bool begins = question & QUESTION_BEGINS;
    struct disk_report report = recorder_report(admin->recorder, number);
    *done = report.state != DISK_FAILED;
    if (!*done)
        snprintf(text, RECORDS_ANSWER_BYTES, "cannot record into %.500s: %s", report.path, report.fault);
    else
        snprintf(text, RECORDS_ANSWER_BYTES, "%s %.500s", begins ? "recording to" : "recorded to", report.path);
    if (!*done && begins && admin->match->recorder && recorder_number(admin->recorder) == number)
        recording_end(admin->match, false);
    return report.state >= (begins ? DISK_SAFE : DISK_DONE);
}

bool admin_commands_reload(struct command_call *call)
{
    char answer[ADMIN_STATE_ANSWER_BYTES];
    bool done = admin_state_reload(call->admin, answer);
    command_call_answer(call, "%s", answer);
    return done;
}

bool admin_commands_drain(struct command_call *call)
{
    struct match *match = call->admin->match;
    int64_t limit_ms = call->admin->settings->drain_ms ? call->admin->settings->drain_ms : DRAIN_MS;
    if (strcmp(call->argument, "off") == 0) {
        if (!drain_cancel(match))
            return command_call_refuse(call, "The server does not drain.");
        command_call_answer(call, "Everybody may join again.");
        return true;
    }
    if (*call->argument && (!option_value_duration(call->argument, &limit_ms) || limit_ms > DRAIN_MS_MAX))
        return command_call_refuse(call, "How long at most? Say drain 90s, drain 10m or drain off; up to a day.");
    drain_begin(match, (uint64_t)limit_ms);
    command_call_report(call,
                        &(struct fields){"drain",
                                         "Nobody new may join. The server ends after the round, in {left_s} s at most.",
                                         {{"left_s", .number = (limit_ms + 999) / 1000}}});
    return true;
}

bool admin_commands_shutdown(struct command_call *call)
{
    call->admin->ends = true;
    command_call_answer(call, "The server is shutting down.");
    return true;
}
