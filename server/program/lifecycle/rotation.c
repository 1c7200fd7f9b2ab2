// SPDX-License-Identifier: MIT
#include "rotation.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "game/ai/ai.h"
#include "game/rules/mode.h"
#include "game/rules/round.h"
#include "game/tuning.h"
#include "game/variant.h"

// From the end of the vote on the next map to the change, and from the change to the end of the pause.
#define MARGIN_TICKS 60u

struct rules rotation_rules(const struct settings *settings, enum mode mode, uint32_t seed)
{
    return (struct rules){
        .mode = mode,
        .score_limit = settings->score_limit >= 0 ? (int32_t)settings->score_limit : mode_play(mode)->score_limit,
        .friendly_fire = settings->friendly_fire,
        .bot_skill = settings->bot_skill == AI_SKILL_ADAPTIVE ? SKILL_EASY : settings->bot_skill,
        .variants = settings_variants(settings),
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

void rotation_init(struct rotation *rotation, const struct settings *settings, struct map_loader *loader)
{
    rotation->settings = settings;
    rotation->loader = loader;
    rotation->variants = rotation->variants_configured = settings_variants(settings);
    snprintf(rotation->map_name, sizeof rotation->map_name, "%s", settings->map);
    find_list_index(rotation);
}

void rotation_restore(struct rotation *rotation, const char *map_name)
{
    snprintf(rotation->map_name, sizeof rotation->map_name, "%s", map_name);
    find_list_index(rotation);
}

// Finds the maps of the list that the open vote offers. Their names may have been cut and cleaned in it.
static bool find_offered(struct rotation *rotation, const struct vote_message *message)
{
    const struct option_list *list = &rotation->settings->rotation;
    char name[VOTE_CHOICE_BYTES_MAX + 1];
    for (uint32_t choice = 0; choice < message->choice_count; choice++) {
        uint32_t i = 0;
        for (; i < list->count; i++) {
            utf8_clean(name, sizeof name, list->values[i], strlen(list->values[i]));
            if (strcmp(name, message->choices[choice].text) == 0)
                break;
        }
        if (i == list->count)
            return false;
        rotation->offered[choice] = i;
    }
    rotation->offered_count = message->choice_count;
    rotation->end = ROTATION_VOTE_OPENED;
    return true;
}

void rotation_restore_vote(struct rotation *rotation, struct match *match)
{
    const struct vote *vote = &match->vote;
    if (vote->message.choice_count == 0)
        return;
    bool good = vote->topic.subject < VOTE_TOPIC_SUBJECTS &&
                (vote->topic.subject == VOTE_TOPIC_NEXT_MAP ? find_offered(rotation, &vote->message)
                                                            : vote->message.choice_count == 2);
    if (good && vote->topic.subject == VOTE_TOPIC_KICK)
        good = vote->topic.slot < match->roster.seat_count && match->roster.seats[vote->topic.slot].kind == SEAT_PLAYER;
    log_event(match->log, good ? LOG_INFO : LOG_WARNING,
              &(struct fields){"vote_restored",
                               good ? "the vote goes on: {question}" : "the vote ends with the restart: {question}",
                               {{"question", .text = vote->message.question}}});
    if (!good)
        vote_end(match);
}

bool rotation_validate(const struct option_list *list, enum mode mode, struct map *map, struct error *error)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!map_loader_read(list->values[i], mode, map, error))
            return false;
    return true;
}

static uint32_t next_seed(struct rotation *rotation, const struct match *match)
{
    if (rotation->settings->seed >= 0)
        return (uint32_t)rotation->settings->seed;
    return match->world.rules.seed * 2654435761u + ++rotation->match_count;
}

void rotation_relist(struct rotation *rotation, struct match *match)
{
    find_list_index(rotation);
    rotation->request_index = OPTION_LIST_CAPACITY;
    if (rotation->waits == ROTATION_WAITS_FOR_LIST)
        rotation->waits = ROTATION_WAITS_NOT;
    if (rotation->end < ROTATION_NEXT_ASKED)
        rotation->end = ROTATION_PLAYING;
    if (match->vote.message.choice_count > 0 && match->vote.topic.subject == VOTE_TOPIC_NEXT_MAP)
        vote_end(match);
}

static void ask(struct rotation *rotation, enum rotation_wait waits, enum mode mode, uint32_t wanted)
{
    rotation->waits = waits;
    rotation->commanded = rotation->has_variants_voted = false;
    rotation->request.mode = mode;
    rotation->request.wanted = wanted;
    map_loader_ask(rotation->loader, &rotation->request);
}

static void ask_name(struct rotation *rotation, enum rotation_wait waits, enum mode mode, const char *name)
{
    rotation->request_index = OPTION_LIST_CAPACITY;
    rotation->request.names.count = 1;
    snprintf(rotation->request.names.values[0], OPTION_TEXT_BYTES, "%s", name);
    ask(rotation, waits, mode, 1);
}

// Asks for the maps of the list, beginning with this one.
static void ask_list(struct rotation *rotation, enum rotation_wait waits, enum mode mode, uint32_t list_index)
{
    const struct option_list *list = &rotation->settings->rotation;
    rotation->request_index = list_index % list->count;
    rotation->request.names.count = list->count;
    for (uint32_t i = 0; i < list->count; i++)
        memcpy(rotation->request.names.values[i], list->values[(list_index + i) % list->count], OPTION_TEXT_BYTES);
    ask(rotation, waits, mode, waits == ROTATION_WAITS_FOR_LIST ? VOTE_CHOICE_CAPACITY : 1);
}

static enum mode current_mode(const struct match *match)
{
    return (enum mode)match->world.rules.mode;
}

static uint64_t command(struct rotation *rotation, enum mode mode, const char *name)
{
    ask_name(rotation, ROTATION_WAITS_FOR_MATCH, mode, name);
    rotation->commanded = true;
    answers_give(&rotation->commands, rotation->commands.asked, ANSWER_REPLACED, NULL);
    return answers_ask(&rotation->commands);
}

uint64_t rotation_map(struct rotation *rotation, const struct match *match, const char *name)
{
    return command(rotation, current_mode(match), name);
}

uint64_t rotation_mode(struct rotation *rotation, const char *name, const char *map_name, struct error *error)
{
    enum mode mode;
    return vote_topic_mode(name, &mode, error) ? command(rotation, mode, map_name ? map_name : rotation->map_name) : 0;
}

// Returns the variants of later matches. The newest decision counts: of the settings, or of a command or a vote.
static uint32_t later_variants(struct rotation *rotation)
{
    uint32_t configured = settings_variants(rotation->settings);
    if (configured != rotation->variants_configured)
        rotation->variants = rotation->variants_configured = configured;
    return rotation->variants;
}

uint64_t rotation_variants(struct rotation *rotation, const struct match *match, const char *words, struct error *error)
{
    later_variants(rotation);
    return vote_topic_variants(&rotation->variants, words, error) ? rotation_restart(rotation, match) : 0;
}

uint64_t rotation_restart(struct rotation *rotation, const struct match *match)
{
    return command(rotation, current_mode(match), rotation->map_name);
}

bool rotation_vote(struct rotation *rotation, struct match *match, uint32_t slot, const char *words,
                   struct error *error)
{
    struct vote_topic topic;
    if (match->vote.message.choice_count > 0 || rotation->waits == ROTATION_WAITS_FOR_VOTE)
        return error_set(error, "a vote is open already");
    if (!vote_topic_read(&topic, match, slot, words, error))
        return false;
    if (topic.subject != VOTE_TOPIC_MAP)
        return vote_topic_ask(&topic, match, slot, error);
    // the vote opens when the map is ready
    if (rotation->waits != ROTATION_WAITS_NOT)
        return error_set(error, "another map is being prepared; try again in a moment");
    rotation->asked = topic;
    rotation->asker_slot = slot;
    rotation->asker_occupant = match->roster.seats[slot].occupant;
    ask_name(rotation, ROTATION_WAITS_FOR_VOTE, current_mode(match), topic.target);
    return true;
}

static void execute_vote(struct rotation *rotation, struct match *match, const struct vote_topic *topic,
                         uint32_t choice)
{
    struct error error;
    enum mode mode = current_mode(match);
    uint32_t peer;
    bool yes = choice == 0;
    switch ((enum vote_topic_subject)topic->subject) {
    case VOTE_TOPIC_NEXT_MAP:
        if (choice != VOTE_NONE)
            ask_list(rotation, ROTATION_WAITS_FOR_MATCH, mode, rotation->offered[choice]);
        return;
    case VOTE_TOPIC_MAP:
        if (yes)
            ask_name(rotation, ROTATION_WAITS_FOR_MATCH, mode, topic->target);
        break;
    case VOTE_TOPIC_MODE:
        if (yes && vote_topic_mode(topic->target, &mode, &error))
            ask_name(rotation, ROTATION_WAITS_FOR_MATCH, mode, rotation->map_name);
        break;
    case VOTE_TOPIC_VARIANTS:
        if (yes) {
            ask_name(rotation, ROTATION_WAITS_FOR_MATCH, mode, rotation->map_name);
            rotation->has_variants_voted = true;
            rotation->variants_voted = 0;
            variant_change(&rotation->variants_voted, topic->target);
        }
        break;
    case VOTE_TOPIC_RESTART:
        if (yes)
            ask_name(rotation, ROTATION_WAITS_FOR_MATCH, mode, rotation->map_name);
        break;
    case VOTE_TOPIC_KICK: // unless they have left, and another one has the seat
        if (yes && match->roster.seats[topic->slot].occupant == topic->occupant &&
            (peer = peer_at_slot(match, topic->slot)) < MATCH_PEER_CAPACITY) {
            peer_explain(match, peer, "The other players have voted to kick you.");
            peer_drop_player(match, peer, local_seats_find(&match->peers[peer].seats, topic->slot), DENY_KICKED);
        }
        break;
    case VOTE_TOPIC_SUBJECTS:
        break;
    }
    chat_broadcast_system(match, yes ? "The vote has passed." : "The vote has failed.");
}

static void take_match(struct rotation *rotation, struct match *match, const struct map_answer *answer)
{
    bool failed = answer->playable_count == 0;
    if (rotation->commanded)
        answers_give(&rotation->commands, rotation->commands.asked, failed ? ANSWER_FAILED : ANSWER_DONE,
                     failed ? answer->error.text : NULL);
    if (failed) { // the operator reads why in the answer to their command, players in the chat
        char text[SYSTEM_BYTES_MAX + 1];
        snprintf(text, sizeof text, "The match goes on as it is: %.*s.", (int)sizeof text - 40, answer->error.text);
        error_join_periods(text);
        if (!rotation->commanded)
            chat_broadcast_system(match, text);
        log_write(match->log, LOG_WARNING, "the match goes on as it is: %s", answer->error.text);
        return;
    }
    const char *name = rotation->request.names.values[answer->playable[0]];
    if (answer->skipped)
        log_write(match->log, LOG_WARNING, "%s; the next map is %s", answer->error.text, name);
    rotation->next.map = answer->prepared;
    rotation->next.rules = rotation_rules(rotation->settings, rotation->request.mode, next_seed(rotation, match));
    later_variants(rotation);
    if (rotation->has_variants_voted)
        rotation->variants = rotation->variants_voted;
    rotation->next.rules.variants = rotation->variants;
    snprintf(rotation->map_name, sizeof rotation->map_name, "%s", name);
    if (rotation->request_index < OPTION_LIST_CAPACITY)
        rotation->list_index = (rotation->request_index + answer->playable[0]) % rotation->request.names.count;
    rotation->due = true;
}

static void take_answer(struct rotation *rotation, struct match *match)
{
    enum rotation_wait waited = rotation->waits;
    const struct map_answer *answer = waited == ROTATION_WAITS_NOT ? NULL : map_loader_answer(rotation->loader);
    uint32_t slot = rotation->asker_slot, peer = peer_at_slot(match, slot);
    char text[SYSTEM_BYTES_MAX + 1];
    if (!answer)
        return;
    struct error error = answer->error;
    rotation->waits = ROTATION_WAITS_NOT;
    switch (waited) {
    case ROTATION_WAITS_NOT:
        break;
    case ROTATION_WAITS_FOR_LIST:
        rotation->offered_count = answer->playable_count;
        for (uint32_t i = 0; i < answer->playable_count; i++)
            rotation->offered[i] = (rotation->request_index + answer->playable[i]) % rotation->request.names.count;
        break;
    case ROTATION_WAITS_FOR_VOTE:
        if (peer == MATCH_PEER_CAPACITY || match->peers[peer].state != PEER_PLAYING ||
            match->roster.seats[slot].occupant != rotation->asker_occupant ||
            (answer->playable_count > 0 && vote_topic_ask(&rotation->asked, match, slot, &error)))
            break;
        snprintf(text, sizeof text, "There is no vote: %.*s.", (int)sizeof text - 30, error.text);
        error_join_periods(text);
        chat_send_system(match, peer, text);
        break;
    case ROTATION_WAITS_FOR_MATCH:
        take_match(rotation, match, answer);
        break;
    }
}

// Looks for playable maps at once, so that the first one is ready in time, and opens a vote on the next map if there
// are players. Without players, or after the vote, the next map of the list follows. The mode may have changed since
// the list was checked.
static void end_match(struct rotation *rotation, struct match *match, uint32_t age_ticks)
{
    enum mode mode = current_mode(match);
    const char *names[VOTE_CHOICE_CAPACITY];
    if (age_ticks >= TUNING.over_ticks - MARGIN_TICKS) {
        if (rotation->end == ROTATION_NEXT_ASKED)
            return;
        rotation->end = ROTATION_NEXT_ASKED;
        vote_end(match);
        ask_list(rotation, ROTATION_WAITS_FOR_MATCH, mode, rotation->list_index + 1);
    } else if (rotation->end == ROTATION_PLAYING && rotation->waits == ROTATION_WAITS_NOT) {
        rotation->end = ROTATION_LIST_ASKED;
        ask_list(rotation, ROTATION_WAITS_FOR_LIST, mode, rotation->list_index + 1);
    } else if (rotation->end == ROTATION_LIST_ASKED && rotation->waits != ROTATION_WAITS_FOR_LIST &&
               age_ticks >= MARGIN_TICKS && age_ticks < TUNING.over_ticks - 2 * MARGIN_TICKS &&
               roster_count(&match->roster, SEAT_PLAYER) > 0) {
        rotation->end = ROTATION_VOTE_OPENED;
        if (rotation->offered_count < 2)
            return;
        for (uint32_t i = 0; i < rotation->offered_count; i++)
            names[i] = rotation->settings->rotation.values[rotation->offered[i]];
        vote_end(match);
        vote_open(match, "Which map is next?", names, rotation->offered_count,
                  TUNING.over_ticks - 2 * MARGIN_TICKS - age_ticks);
        match->vote.topic = (struct vote_topic){.subject = VOTE_TOPIC_NEXT_MAP};
    }
}

const struct rotation_next *rotation_due(struct rotation *rotation, struct match *match)
{
    bool ended, commanded = rotation->waits == ROTATION_WAITS_FOR_MATCH;
    struct vote_topic topic = match->vote.topic; // of a vote that may end now
    uint32_t choice = vote_count(match, &ended), map_count = rotation->settings->rotation.count;
    tick since, now = match->world.tick;
    if (ended && (!commanded || topic.subject == VOTE_TOPIC_KICK)) // what is being prepared comes before a vote
        execute_vote(rotation, match, &topic, choice);
    take_answer(rotation, match);
    bool is_over = round_match_is_over(&match->world, &since);
    if (!rotation->due && rotation->waits != ROTATION_WAITS_FOR_MATCH) {
        if (!is_over)
            rotation->end = ROTATION_PLAYING;
        else if (map_count >= 2 && !match->world.round.paused)
            end_match(rotation, match, now - since);
    }
    // the same match starts again before its ticks run out, and at each end if the world must not go on by itself; that
    // needs no file, so it cannot fail
    bool ends = is_over && now - since >= TUNING.over_ticks - MARGIN_TICKS;
    bool is_apart = map_count < 2 && (rotation->keeps_apart || rotation->settings->seed >= 0);
    if (!rotation->due && (now >= MATCH_TICKS_MAX || ((now >= MATCH_TICKS_OLD || is_apart) && ends))) {
        rotation->next = (struct rotation_next){match->prepared, match->world.rules};
        rotation->next.rules.seed = next_seed(rotation, match);
        rotation->due = true;
    }
    if (!rotation->due)
        return NULL;
    rotation->due = false;
    rotation->end = ROTATION_PLAYING;
    map_loader_use(rotation->loader, rotation->next.map);
    return &rotation->next;
}
