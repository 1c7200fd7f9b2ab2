// SPDX-License-Identifier: MIT
#include "rotation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "game/player/player.h"
#include "game/rules/mode.h"
#include "game/rules/round.h"
#include "game/tuning.h"
#include "map_open.h"

#define MARGIN_TICKS                                                                                                   \
    60u // from the end of the vote on the next map to the change, and from the change to the end of the pause

struct rules rotation_rules(const struct settings *settings, enum mode mode, uint32_t seed)
{
    return (struct rules){
        .mode = mode,
        .score_limit = settings->score_limit >= 0 ? (int32_t)settings->score_limit : mode_play(mode)->score_limit,
        .friendly_fire = settings->friendly_fire,
        .bot_skill = settings->bot_skill,
        .time_limit_ticks = (uint32_t)(settings->time_limit_ms * TICKS_PER_SECOND / 1000),
        .seed = seed,
    };
}

static void find_list_index(struct rotation *rotation)
{
    const struct option_list *list = &rotation->settings->rotation;
    for (uint32_t i = list->count; i-- > 0;)
        if (strcmp(list->values[i], rotation->map_name) == 0)
            rotation->list_index = i;
}

void rotation_init(struct rotation *rotation, const struct settings *settings)
{
    rotation->settings = settings;
    snprintf(rotation->map_name, sizeof rotation->map_name, "%s", settings->map);
    find_list_index(rotation);
}

void rotation_restore(struct rotation *rotation, const char *map_name)
{
    snprintf(rotation->map_name, sizeof rotation->map_name, "%s", map_name);
    find_list_index(rotation);
}

bool rotation_validate(struct rotation *rotation, const struct option_list *list, enum mode mode, struct error *error)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!map_open(list->values[i], mode, &rotation->checked, error))
            return false;
    return true;
}

static uint32_t next_seed(struct rotation *rotation, const struct match *match)
{
    return match->world.rules.seed * 2654435761u + ++rotation->match_count;
}

void rotation_relist(struct rotation *rotation, struct match *match)
{
    find_list_index(rotation);
    rotation->vote_opened = false;
    if (match->vote.message.choice_count > 0 && rotation->subject == ROTATION_NEXT_MAP)
        vote_end(match);
}

static bool prepare(struct rotation *rotation, const struct match *match, const char *name, enum mode mode,
                    struct error *error)
{
    if (!map_open(name, mode, &rotation->checked, error))
        return false;
    rotation->next.map = rotation->checked;
    rotation->next.rules = rotation_rules(rotation->settings, mode, next_seed(rotation, match));
    if (name != rotation->map_name)
        snprintf(rotation->map_name, sizeof rotation->map_name, "%s", name);
    rotation->due = true;
    return true;
}

bool rotation_map(struct rotation *rotation, const struct match *match, const char *name, struct error *error)
{
    return prepare(rotation, match, name, (enum mode)match->world.rules.mode, error);
}

static bool find_mode(const char *name, enum mode *mode, struct error *error)
{
    for (uint32_t i = 0; MODE_NAMES[i]; i++)
        if (strcmp(MODE_NAMES[i], name) == 0) {
            *mode = (enum mode)i;
            return true;
        }
    return error_set(error, "there is no mode \"%.40s\"; there are ffa, lms, teams and breakout", name);
}

bool rotation_mode(struct rotation *rotation, const struct match *match, const char *name, const char *map_name,
                   struct error *error)
{
    enum mode mode = MODE_FFA;
    return find_mode(name, &mode, error) &&
           prepare(rotation, match, map_name ? map_name : rotation->map_name, mode, error);
}

bool rotation_restart(struct rotation *rotation, const struct match *match, struct error *error)
{
    return prepare(rotation, match, rotation->map_name, (enum mode)match->world.rules.mode, error);
}

// Players name a map, never a file: they must not make the server open a file of their choice.
static bool is_plain_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
            return false;
    return *name && strlen(name) < MAP_NAME_CAPACITY;
}

static bool find_player(const struct match *match, const char *name, uint32_t *slot)
{
    char text[PLAYER_NAME_BYTES + 1];
    for (*slot = 0; *slot < match->roster.seat_count; ++*slot) {
        player_name_to_text(match->roster.seats[*slot].name, text);
        if (match->roster.seats[*slot].kind == SEAT_PLAYER && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

// Checks that the request can be met, and stores the player to kick.
static bool check_request(struct rotation *rotation, const struct match *match, struct error *error)
{
    enum mode mode = (enum mode)match->world.rules.mode;
    switch (rotation->subject) {
    case ROTATION_NEXT_MAP:
    case ROTATION_RESTART:
        return true;
    case ROTATION_MAP:
        if (is_plain_name(rotation->target))
            return map_open(rotation->target, mode, &rotation->checked, error);
        return error_set(error, "a map's name has letters, digits, _ and - only");
    case ROTATION_MODE:
        return find_mode(rotation->target, &mode, error) &&
               map_open(rotation->map_name, mode, &rotation->checked, error);
    case ROTATION_KICK:
        if (find_player(match, rotation->target, &rotation->target_slot)) {
            rotation->target_occupant = match->roster.seats[rotation->target_slot].occupant;
            return true;
        }
        return error_set(error, "no player here is called \"%.40s\"", rotation->target);
    }
    return false;
}

static const struct {
    const char *word;
    enum rotation_subject subject;
    bool has_argument;
    const char *question; // before the argument
} REQUESTS[] = {
    {"map", ROTATION_MAP, true, "Change the map to "},
    {"mode", ROTATION_MODE, true, "Change the mode to "},
    {"restart", ROTATION_RESTART, false, "Restart the match"},
    {"kick", ROTATION_KICK, true, "Kick "},
};

static bool open_vote(struct rotation *rotation, struct match *match, uint32_t peer, const char *begin,
                      struct error *error)
{
    char question[VOTE_QUESTION_BYTES_MAX + 1];
    uint32_t wait_ticks = vote_wait_ticks(match, peer), minute_ticks = 60 * TICKS_PER_SECOND;
    if (wait_ticks > 0)
        return error_set(error, "%u votes of your household have failed, so you can ask again in %u minutes",
                         VOTE_FAILURES_MAX, (wait_ticks + minute_ticks - 1) / minute_ticks);
    if (!check_request(rotation, match, error))
        return false;
    if (rotation->subject == ROTATION_KICK && !vote_has_seniority(match, peer))
        return error_set(error, "you can ask to kick somebody once you have played for a minute");
    snprintf(question, sizeof question, "%s%.40s?", begin, rotation->target);
    return vote_ask(match, peer, question, rotation->subject == ROTATION_KICK);
}

bool rotation_vote(struct rotation *rotation, struct match *match, uint32_t peer, const char *words,
                   struct error *error)
{
    size_t length = strcspn(words, " ");
    const char *argument = words[length] ? words + length + 1 : "";
    if (match->vote.message.choice_count > 0)
        return error_set(error, "a vote is open already");
    for (size_t i = 0; i < sizeof REQUESTS / sizeof *REQUESTS; i++) {
        if (strlen(REQUESTS[i].word) != length || memcmp(REQUESTS[i].word, words, length) != 0 ||
            REQUESTS[i].has_argument != (*argument != '\0'))
            continue;
        rotation->subject = REQUESTS[i].subject;
        snprintf(rotation->target, sizeof rotation->target, "%s", argument);
        return open_vote(rotation, match, peer, REQUESTS[i].question, error);
    }
    return error_set(error, "you can vote on: map NAME, mode NAME, restart, kick NAME");
}

static void kick(const struct rotation *rotation, struct match *match)
{
    if (match->roster.seats[rotation->target_slot].occupant != rotation->target_occupant)
        return; // the player has left, and another one has the seat
    uint32_t peer = peer_at_slot(match, rotation->target_slot);
    if (peer < MATCH_PEER_CAPACITY)
        peer_drop(match, peer, DENY_KICKED);
}

static void play_from_list(struct rotation *rotation, struct match *match, uint32_t list_index)
{
    struct error error;
    rotation->list_index = list_index;
    if (!prepare(rotation, match, rotation->settings->rotation.values[list_index], (enum mode)match->world.rules.mode,
                 &error))
        log_write(match->log, LOG_WARNING, "the map stays: %s", error.text);
}

static void execute_vote(struct rotation *rotation, struct match *match, uint32_t choice)
{
    struct error error = {0};
    bool yes = choice == 0, done = true;
    switch (rotation->subject) {
    case ROTATION_NEXT_MAP:
        if (choice != VOTE_NONE)
            play_from_list(rotation, match, rotation->offered[choice]);
        return;
    case ROTATION_MAP:
        done = !yes || rotation_map(rotation, match, rotation->target, &error);
        break;
    case ROTATION_MODE:
        done = !yes || rotation_mode(rotation, match, rotation->target, NULL, &error);
        break;
    case ROTATION_RESTART:
        done = !yes || rotation_restart(rotation, match, &error);
        break;
    case ROTATION_KICK:
        if (yes)
            kick(rotation, match);
        break;
    }
    chat_broadcast_system(match, !done ? error.text : yes ? "The vote has passed." : "The vote has failed.");
}

// Finds the maps of the list that can be played in the mode, beginning after the current one. The mode may have changed
// since the list was checked.
static uint32_t list_playable(struct rotation *rotation, const struct match *match, uint32_t *indices,
                              uint32_t indices_max)
{
    const struct option_list *list = &rotation->settings->rotation;
    uint32_t count = 0;
    for (uint32_t i = 1; i <= list->count && count < indices_max; i++) {
        uint32_t list_index = (rotation->list_index + i) % list->count;
        if (map_open(list->values[list_index], (enum mode)match->world.rules.mode, &rotation->checked, NULL))
            indices[count++] = list_index;
    }
    return count;
}

// Restarts the same match before its ticks run out. Opens no file, so it cannot fail.
static void restart_ticks(struct rotation *rotation, const struct match *match)
{
    tick since, now = match->world.tick;
    bool ends = round_match_is_over(&match->world, &since) && now - since >= TUNING.over_ticks - MARGIN_TICKS;
    if (now < MATCH_TICKS_OLD || (now < MATCH_TICKS_MAX && !ends))
        return;
    rotation->next = (struct rotation_next){match->map, match->world.rules};
    rotation->next.rules.seed = next_seed(rotation, match);
    rotation->due = true;
}

// Opens a vote on the next map if there are players. Without players, or after the vote, plays the next map of the
// list.
static void end_match(struct rotation *rotation, struct match *match, uint32_t age_ticks)
{
    const struct option_list *list = &rotation->settings->rotation;
    uint32_t indices[VOTE_CHOICE_CAPACITY];
    if (age_ticks >= TUNING.over_ticks - MARGIN_TICKS) {
        vote_end(match);
        if (list_playable(rotation, match, indices, 1) > 0)
            play_from_list(rotation, match, indices[0]);
        return;
    }
    if (rotation->vote_opened || age_ticks < MARGIN_TICKS || age_ticks >= TUNING.over_ticks - 2 * MARGIN_TICKS ||
        roster_count(&match->roster, SEAT_PLAYER) == 0)
        return;
    const char *names[VOTE_CHOICE_CAPACITY];
    uint32_t count = list_playable(rotation, match, indices, VOTE_CHOICE_CAPACITY);
    rotation->vote_opened = true;
    if (count < 2)
        return;
    for (uint32_t i = 0; i < count; i++) {
        rotation->offered[i] = indices[i];
        names[i] = list->values[indices[i]];
    }
    vote_end(match);
    rotation->subject = ROTATION_NEXT_MAP;
    vote_open(match, "Which map is next?", names, count, TUNING.over_ticks - 2 * MARGIN_TICKS - age_ticks);
}

static void check_end(struct rotation *rotation, struct match *match)
{
    tick since;
    if (!round_match_is_over(&match->world, &since))
        rotation->vote_opened = false;
    else if (rotation->settings->rotation.count >= 2 && !match->world.round.paused)
        end_match(rotation, match, match->world.tick - since);
}

const struct rotation_next *rotation_due(struct rotation *rotation, struct match *match)
{
    bool ended, ordered = rotation->due;
    uint32_t choice = vote_count(match, &ended);
    if (ended && (!ordered || rotation->subject == ROTATION_KICK)) // an operator's command comes before a vote
        execute_vote(rotation, match, choice);
    if (!rotation->due)
        check_end(rotation, match);
    if (!rotation->due)
        restart_ticks(rotation, match);
    bool due = rotation->due;
    rotation->due = false;
    return due ? &rotation->next : NULL;
}
