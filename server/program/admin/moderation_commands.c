// SPDX-License-Identifier: MIT
//
// The commands about players who misbehave: kick, ban, unban, bans.
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "game/player/player.h"

bool command_kick(struct command_call *call)
{
    struct match *match = call->admin->match;
    char word[COMMAND_WORD_BYTES], name[PLAYER_NAME_BYTES + 1], key[FINGERPRINT_TEXT_BYTES], why[SYSTEM_BYTES_MAX + 1];
    const char *reason = command_call_word(call->argument, word);
    uint32_t slot = command_call_player(match, word), peer = slot < PLAYER_CAPACITY ? peer_at_slot(match, slot) : 0;
    if (slot == PLAYER_CAPACITY)
        return command_call_refuse_word(call, word);
    command_call_name(match, slot, name);
    identity_fingerprint(match->peers[peer].client.identity, key);
    snprintf(why, sizeof why, *reason ? "You were kicked: %.150s." : "You were kicked.", reason);
    error_join_periods(why);
    peer_explain(match, peer, why);
    peer_drop_player(match, peer, local_seats_find(&match->peers[peer].seats, slot), DENY_KICKED);
    command_call_report(
        call,
        &(struct fields){
            "kicked",
            "{name} was kicked.",
            {{"name", .text = name}, {"slot", .number = slot}, {"key", .text = key}, {"reason", .text = reason}}});
    return true;
}

// The texts that the answer to a change of the bans points to.
struct ban_texts {
    char target[BAN_TARGET_BYTES], until[BAN_TIME_BYTES], line[120];
};

// The answer to a change of the bans, and why it cannot be kept if so.
static struct fields change_fields(const struct ban_change *change, bool kept, const char *fault,
                                   struct ban_texts *texts)
{
    const char *line = change->lifts                      ? "{target} may join again."
                       : change->ban.until == BAN_FOREVER ? "{target} is banned forever; {kicked} kicked."
                                                          : "{target} is banned until {until}; {kicked} kicked.";
    struct fields fields = {change->lifts ? "unban" : "ban", texts->line, {{"target", .text = texts->target}}};
    size_t count = 1;
    ban_target_text(&change->ban.target, texts->target);
    ban_time_text(change->ban.until, texts->until);
    snprintf(texts->line, sizeof texts->line, "%s%s", line, kept ? "" : " {fault}");
    if (!change->lifts) {
        fields.of[count++] = (struct field){"until", .text = texts->until};
        fields.of[count++] = (struct field){"reason", .text = change->ban.reason};
        fields.of[count++] = (struct field){"kicked", .number = change->kicked};
    }
    fields.of[count++] = (struct field){"kept", .number = kept, .is_flag = true};
    if (!kept)
        fields.of[count] = (struct field){"fault", .text = fault};
    return fields;
}

// The change is in force. The answer comes when it is on the disk.
static bool answer_saved(struct command_call *call, struct ban_change *change)
{
    struct admin_state *admin = call->admin;
    char fault[ADMIN_STATE_ANSWER_BYTES] = "The file of bans is being written.";
    struct ban_texts texts;
    change->number = admin_state_save_bans(admin);
    admin->ban_changes[change->number % ANSWERS_CAPACITY] = *change;
    enum ban_saving saving = admin_state_saved_bans(admin, change->number, fault);
    if (saving == BANS_PENDING && command_call_wait(call, COMMAND_CHANGES_BANS, change->number))
        return true;
    struct fields fields = change_fields(change, saving == BANS_SAVED, fault, &texts);
    command_call_report(call, &fields);
    return true;
}

enum answer_outcome command_saved(const struct admin_state *admin, struct command_question question,
                                  const struct command_caller *caller)
{
    uint64_t number = question.number;
    const struct ban_change *change = &admin->ban_changes[number % ANSWERS_CAPACITY];
    char fault[ADMIN_STATE_ANSWER_BYTES], text[COMMAND_ANSWER_BYTES_MAX];
    struct ban_texts texts;
    enum ban_saving saving = admin_state_saved_bans(admin, number, fault);
    if (saving == BANS_PENDING)
        return ANSWER_OPEN;
    struct fields fields = change_fields(change, saving == BANS_SAVED, fault, &texts);
    log_fields_text(&fields, text, sizeof text);
    if (change->number == number)
        caller->answer(caller->context, text, &fields);
    else // many came after it
        caller->answer(caller->context, "That is in force.", NULL);
    return ANSWER_DONE;
}

bool command_ban(struct command_call *call)
{
    struct admin_state *admin = call->admin;
    int64_t now = admin->unix_time();
    struct ban_change change = {.ban.until = BAN_FOREVER};
    struct ban *ban = &change.ban;
    struct ban_target range;
    char word[COMMAND_WORD_BYTES], fingerprint[FINGERPRINT_TEXT_BYTES];
    const char *rest = command_call_word(call->argument, word);
    uint32_t slot = command_call_player(admin->match, word); // a name means a key
    if (slot < PLAYER_CAPACITY)
        identity_fingerprint(admin->match->peers[peer_at_slot(admin->match, slot)].client.identity, fingerprint);
    if (!ban_target_parse(slot < PLAYER_CAPACITY ? fingerprint : word, &ban->target))
        return command_call_refuse_word(call, word);
    const struct option_list *admins = &admin->settings->admin_keys, *shared = &admin->settings->household_exempt;
    for (uint32_t i = 0; i < admins->count; i++)
        if (strcmp(admins->values[i], ban->target.key) == 0)
            return command_call_refuse(call, "That is an admin's key. Remove it from --admin-key first.");
    for (uint32_t i = 0; i < shared->count && !ban->target.key[0]; i++)
        if (ban_target_parse(shared->values[i], &range) && ban_target_means(&range, "", &ban->target.addresses))
            return command_call_refuse(call, "Many share that address (--household-exempt). Ban the player, or the "
                                             "address where it is not shared yet, such as at the proxy.");
    const char *reason = command_call_word(rest, word);
    if (!ban_time_parse(word, now, &ban->until))
        reason = rest;
    if (strlen(reason) >= sizeof ban->reason)
        return command_call_refuse(call, "The reason is longer than %zu bytes.", sizeof ban->reason - 1);
    strcpy(ban->reason, reason);
    if (!ban_list_add(&admin->bans, ban, now))
        return command_call_refuse(call, "There are %d bans, and no room for more. Lift one with unban first.",
                                   BAN_LIST_CAPACITY);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) { // those who are banned now, except admins
        const struct peer *other = &admin->match->peers[i];
        const struct ban *found = other->state == PEER_FREE || other->state == PEER_LEAVING
                                      ? NULL
                                      : ban_list_find(&admin->bans, &other->client, now);
        char why[NET_REASON_BYTES];
        if (!found || admin_state_is_admin(admin, &other->client))
            continue;
        ban_list_message(found, why);
        peer_explain(admin->match, i, why);
        peer_drop(admin->match, i, DENY_KICKED);
        change.kicked++;
    }
    return answer_saved(call, &change);
}

bool command_unban(struct command_call *call)
{
    struct ban_change change = {.lifts = true};
    char word[COMMAND_WORD_BYTES], who[BAN_TARGET_BYTES];
    command_call_word(call->argument, word);
    if (!ban_target_parse(word, &change.ban.target))
        return command_call_refuse(call, "Which ban? Give a key, an address, or ADDRESS/BITS; bans lists them.");
    ban_target_text(&change.ban.target, who);
    if (!ban_list_remove(&call->admin->bans, &change.ban.target, call->admin->unix_time()))
        return command_call_refuse(call, "%s is not banned. bans lists who is.", who);
    return answer_saved(call, &change);
}

bool command_bans(struct command_call *call)
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
        command_call_report(call, &(struct fields){"bans", "Nobody is banned.", {{"bans", .number = 0}}});
    return true;
}
