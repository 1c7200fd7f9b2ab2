// SPDX-License-Identifier: MIT
#include "ban_commands.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "game/player/player.h"

#define WORD_BYTES 80

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

bool ban_commands_kick(struct command_call *call)
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

bool ban_commands_ban(struct command_call *call)
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

bool ban_commands_unban(struct command_call *call)
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

bool ban_commands_bans(struct command_call *call)
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
