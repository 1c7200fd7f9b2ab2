// SPDX-License-Identifier: MIT
//
// The commands about the server: status, say, bots, set, reload, record, drain, shutdown, top, records.
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/ai/ai.h"
#include "game/rules/mode.h"
#include "game/rules/round.h"
#include "game/variant.h"
#include "lifecycle/recording.h"
#include "options/options.h"
#include "records/records_text.h"
#include "sync/player_name.h"

#define KEY_BYTES 80
#define DRAIN_MS  600000 // of a drain if neither the command nor --drain has a time: a match of the default length

static void answer_round(struct command_call *call)
{
    const struct match *match = call->admin->match;
    const struct tick_stats *status = call->admin->status;
    char variants[VARIANT_NAMES_BYTES];
    variant_names(match->world.rules.variants, variants);
    command_call_report(
        call,
        &(struct fields){"match",
                         variants[0] ? "{mode} on {map} with {variants}, {phase}, tick {tick}; {players} players, "
                                       "{bots} bots, up to {players_max}; bots play at skill {bot_skill}"
                                     : "{mode} on {map}, {phase}, tick {tick}; {players} players, {bots} bots, "
                                       "up to {players_max}; bots play at skill {bot_skill}",
                         {{"mode", .text = mode_name((enum mode)match->world.rules.mode)},
                          {"variants", .text = variants},
                          {"map", .text = match->map.name},
                          {"phase", .text = round_state_name(&match->world)},
                          {"tick", .number = match->world.tick},
                          {"players", .number = roster_count(&match->roster, SEAT_PLAYER)},
                          {"bots", .number = roster_count(&match->roster, SEAT_BOT)},
                          {"players_max", .number = match->players_max},
                          {"bot_skill", .text = ai_skill_name((enum skill)match->world.rules.bot_skill)}}});
    command_call_report(call, &(struct fields){"ticks",
                                               "99 of 100 ticks take up to {p99_us} us, the longest took {max_us} us; "
                                               "{overruns} overruns, stood still for {stood_still} ticks; "
                                               "recording {recording}, journal {journal}",
                                               {{"p99_us", .number = (int64_t)status_tick_us(status, 990)},
                                                {"max_us", .number = (int64_t)status->tick_ns_max / 1000},
                                                {"overruns", .number = (int64_t)call->admin->clock->overruns},
                                                {"stood_still", .number = (int64_t)match->statistics.ticks_stood_still},
                                                {"recording", .text = match->recorder ? "on" : "off"},
                                                {"journal", .text = match->journal ? "on" : "off"}}});
    if (match->drain.is_on)
        command_call_report(call,
                            &(struct fields){"drain",
                                             "drains: nobody new may join, and the server ends in {left_s} s at most",
                                             {{"drains", .number = true, .is_flag = true},
                                              {"left_s", .number = (int64_t)(drain_left_ms(match) + 999) / 1000}}});
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
                               "{joins_password} by password ({passwords_untried} of them untried), "
                               "{joins_household_players} by the places of a household; "
                               "{sessions_gave_way} sessions and {browsers_gave_way} browsers gave way; queries "
                               "{queries_household_rate} and "
                               "{queries_rate} by rate; {resets} sessions reset",
                               {{"joins_household_rate", .number = (int64_t)refusals->joins_of_household},
                                {"joins_rate", .number = (int64_t)refusals->joins_of_all},
                                {"joins_full", .number = (int64_t)refusals->denied[DENIAL_FULL]},
                                {"joins_version", .number = (int64_t)refusals->denied[DENIAL_VERSION]},
                                {"joins_banned", .number = (int64_t)refusals->denied[DENIAL_BANNED]},
                                {"joins_password", .number = (int64_t)refusals->denied[DENIAL_PASSWORD]},
                                {"passwords_untried", .number = (int64_t)refusals->passwords_untried},
                                {"joins_household_players", .number = (int64_t)match->statistics.household_denials},
                                {"sessions_gave_way", .number = (int64_t)refusals->gave_way},
                                {"browsers_gave_way", .number = (int64_t)refusals->browsers_gave_way},
                                {"queries_household_rate", .number = (int64_t)refusals->queries_of_household},
                                {"queries_rate", .number = (int64_t)refusals->queries_of_all},
                                {"resets", .number = (int64_t)refusals->resets}}});
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

bool command_status(struct command_call *call)
{
    const struct match *match = call->admin->match;
    call->only_reads = true;
    answer_round(call);
    answer_sessions(call);
    answer_vote(call);
    for (uint32_t slot = 0; slot < match->players_max; slot++) {
        uint32_t i = peer_at_slot(match, slot);
        const struct peer *peer = &match->peers[i];
        char name[PLAYER_NAME_BYTES + 1], fingerprint[FINGERPRINT_TEXT_BYTES], address[NET_ADDRESS_TEXT_BYTES];
        if (i == MATCH_PEER_CAPACITY)
            continue;
        player_name_to_text(match->roster.seats[slot].name, name);
        identity_fingerprint(peer->client.identity, fingerprint);
        net_address_text(&peer->client.address, address);
        bool loads = peer->state == PEER_LOADING;
        command_call_report(call,
                            &(struct fields){"player",
                                             loads ? "#{slot} \"{name}\" {key} from {address}, {rtt_ms} ms, score "
                                                     "{score}, loading"
                                                   : "#{slot} \"{name}\" {key} from {address}, {rtt_ms} ms, score "
                                                     "{score}",
                                             {{"slot", .number = slot},
                                              {"name", .text = name},
                                              {"key", .text = fingerprint},
                                              {"address", .text = address},
                                              {"rtt_ms", .number = transport_rtt_ms(match->transport, i)},
                                              {"score", .number = match->world.players[slot].score},
                                              {"loading", .number = loads, .is_flag = true}}});
    }
    return true;
}

bool command_say(struct command_call *call)
{
    if (!*call->argument)
        return command_call_refuse(call, "What? Give the text after say.");
    chat_broadcast_system(call->admin->match, call->argument);
    log_event(call->admin->log, LOG_INFO,
              &(struct fields){"say", "the server says: {message}", {{"message", .text = call->argument}}});
    command_call_report(call, &(struct fields){"say", "Sent to everyone.", {{"message", .text = call->argument}}});
    return true;
}

// The answer comes when the files that the options name have been read.
static bool answer_change(struct command_call *call, uint64_t number)
{
    if (number == 0)
        return command_call_refuse(call, "Too many changes wait for the disk. Try again in a moment.");
    struct fields fields;
    enum answer_outcome outcome = option_change_outcome(call->admin, number, &fields);
    if (outcome != ANSWER_OPEN)
        command_call_report(call, &fields);
    else if (!command_call_wait(call, COMMAND_CHANGES_OPTIONS, number))
        command_call_answer(call, "The options change when their files have been read.");
    return outcome == ANSWER_OPEN || outcome == ANSWER_DONE;
}

enum answer_outcome command_changed(const struct admin_state *admin, struct command_question question,
                                    const struct command_caller *caller)
{
    char text[COMMAND_ANSWER_BYTES_MAX];
    struct fields fields;
    enum answer_outcome outcome = option_change_outcome(admin, question.number, &fields);
    if (outcome == ANSWER_OPEN)
        return ANSWER_OPEN;
    log_fields_text(&fields, text, sizeof text);
    caller->answer(caller->context, text, &fields);
    return outcome == ANSWER_DONE ? ANSWER_DONE : ANSWER_FAILED;
}

bool command_bots(struct command_call *call)
{
    return answer_change(call, option_change_set(call->admin, "bots", call->argument));
}

bool command_set(struct command_call *call)
{
    char key[KEY_BYTES];
    size_t length = strcspn(call->argument, " ");
    const char *value = call->argument + length + strspn(call->argument + length, " ");
    snprintf(key, sizeof key, "%.*s", (int)length, call->argument);
    if (!*key || !*value)
        return command_call_refuse(call, "Give an option and its value, as in: set bot-skill hard");
    return answer_change(call, option_change_set(call->admin, key, strcmp(value, "\"\"") == 0 ? "" : value));
}

// The answer comes when the first bytes of the recording, or the last, are on the disk.
bool command_record(struct command_call *call)
{
    struct admin_state *admin = call->admin;
    struct match *match = admin->match;
    char folder[ADMIN_STATE_PATH_BYTES];
    bool on = strcmp(call->argument, "on") == 0;
    if (!on && strcmp(call->argument, "off") != 0)
        return command_call_refuse(call, "Say record on or record off. It is %s now.", match->recorder ? "on" : "off");
    if (on == (match->recorder != NULL))
        return command_call_refuse(call, "It is already %s.", on ? "on" : "off");
    if (on && !admin_state_record_folder(admin, folder))
        return command_call_refuse(
            call, "There is no folder for recordings. Start the server with --record, or without --resume never.");
    if (on && !recording_begin(match, admin->recorder, folder, admin->settings, admin->unix_time()))
        return command_call_refuse(call, "Too many recordings wait for the disk. Try again in a moment.");
    if (!on)
        recording_end(match, false);
    if (!command_call_wait(call, on ? COMMAND_BEGINS_RECORDING : COMMAND_ENDS_RECORDING,
                           recorder_number(admin->recorder)))
        command_call_report(call, &(struct fields){"record",
                                                   on ? "The recording begins." : "The recording ends.",
                                                   {{"recording", .number = on, .is_flag = true}}});
    return true;
}

enum answer_outcome command_recorded(const struct admin_state *admin, struct command_question question,
                                     const struct command_caller *caller)
{
    char text[COMMAND_ANSWER_BYTES_MAX];
    uint32_t number = (uint32_t)question.number;
    bool begins = question.subject == COMMAND_BEGINS_RECORDING;
    struct disk_report report = recorder_report(admin->recorder, number);
    if (report.state < (begins ? DISK_SAFE : DISK_DONE))
        return ANSWER_OPEN;
    bool done = report.state != DISK_FAILED;
    if (!done)
        snprintf(text, sizeof text, "cannot record into %.400s: %.200s", report.path, report.fault);
    else
        snprintf(text, sizeof text, "%s %.500s", begins ? "recording to" : "recorded to", report.path);
    if (!done && begins && admin->match->recorder && recorder_number(admin->recorder) == number)
        recording_end(admin->match, false);
    caller->answer(
        caller->context, text,
        &(struct fields){
            "record", "", {{"file", .text = report.path}, {"recording", .number = done && begins, .is_flag = true}}});
    return done ? ANSWER_DONE : ANSWER_FAILED;
}

bool command_reload(struct command_call *call)
{
    return answer_change(call, option_change_reload(call->admin));
}

bool command_drain(struct command_call *call)
{
    struct match *match = call->admin->match;
    int64_t limit_ms = call->admin->settings->drain_ms ? call->admin->settings->drain_ms : DRAIN_MS;
    if (strcmp(call->argument, "off") == 0) {
        if (!drain_cancel(match))
            return command_call_refuse(call, "The server does not drain.");
        command_call_report(
            call,
            &(struct fields){"drain", "Everybody may join again.", {{"drains", .number = false, .is_flag = true}}});
        return true;
    }
    if (*call->argument && (!option_value_duration(call->argument, &limit_ms) || limit_ms > DRAIN_MS_MAX))
        return command_call_refuse(call, "How long at most? Say drain 90s, drain 10m or drain off; up to a day.");
    drain_begin(match, (uint64_t)limit_ms);
    command_call_report(
        call,
        &(struct fields){"drain",
                         "Nobody new may join. The server ends after the round, in {left_s} s at most.",
                         {{"drains", .number = true, .is_flag = true}, {"left_s", .number = (limit_ms + 999) / 1000}}});
    return true;
}

bool command_shutdown(struct command_call *call)
{
    call->admin->ends = true;
    command_call_report(call, &(struct fields){"shutdown", "The server is shutting down.", {{0}}});
    return true;
}

// One line of chat for each player; more than ten would scroll away.
bool command_top(struct command_call *call)
{
    enum { USUAL = 5, MOST = 10 };
    struct records_player players[MOST];
    char *end;
    long count = *call->argument ? strtol(call->argument, &end, 10) : USUAL;
    if (*call->argument && (*end || count < 1 || count > MOST))
        return command_call_refuse(call, "How many? Say /top, or /top and a number from 1 to 10.");
    uint32_t found = records_top(call->admin->records, (uint32_t)count, players);
    for (uint32_t i = 0; i < found; i++) {
        char line[RECORDS_LINE_BYTES], key[FINGERPRINT_TEXT_BYTES];
        struct fields fields = records_text_fields(&players[i], key);
        records_text_top(&players[i], line);
        command_call_report_text(call, line, &fields);
    }
    if (found == 0)
        command_call_report(call, &(struct fields){"top",
                                                   call->admin->records ? "Nobody has finished a match here yet."
                                                                        : "This server keeps no records.",
                                                   {{"players", .number = 0}}});
    return true;
}

static bool ask(struct command_call *call, uint64_t question)
{
    if (!call->admin->records)
        return command_call_refuse(call, "This server keeps no records.");
    if (question == 0 || !command_call_wait(call, COMMAND_ASKS_RECORDS, question))
        return command_call_refuse(call, "Too many questions at once. Try again.");
    return true;
}

bool command_records(struct command_call *call)
{
    static const char player[] = "player ";
    const char *name = call->argument + strlen(player);
    char file[64], path[ADMIN_STATE_PATH_BYTES];
    if (strcmp(call->argument, "export") == 0) { // into a file of its own, so that none is overwritten
        snprintf(file, sizeof file, "players-%" PRId64 ".csv", call->admin->unix_time());
        if (!admin_state_find(call->admin, file, path))
            return command_call_refuse(call, "There is no folder for the file. Start the server with --state-dir.");
        return ask(call, records_export_csv(call->admin->records, path));
    }
    call->only_reads = true;
    if (strncmp(call->argument, player, strlen(player)) == 0 && *name)
        return ask(call, records_player(call->admin->records, name));
    return command_call_refuse(call, "Say records player and a name or key, or records export.");
}
