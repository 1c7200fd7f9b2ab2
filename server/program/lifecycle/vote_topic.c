// SPDX-License-Identifier: MIT
#include "vote_topic.h"

#include <stdio.h>
#include <string.h>

#include "game/rules/mode.h"
#include "game/variant.h"
#include "sync/player_name.h"

#define QUESTION_TARGET_BYTES (VOTE_QUESTION_BYTES_MAX - 20) // of a topic's target in its question

static const struct {
    const char *word;
    enum vote_topic_subject subject;
    bool has_argument;
    const char *question;
} REQUESTS[] = {
    {"map", VOTE_TOPIC_MAP, true, "Change the map to %s?"},
    {"mode", VOTE_TOPIC_MODE, true, "Change the mode to %s?"},
    {"variants", VOTE_TOPIC_VARIANTS, true, "Play with %s?"},
    {"restart", VOTE_TOPIC_RESTART, false, "Restart the match?"},
    {"kick", VOTE_TOPIC_KICK, true, "Kick %s?"},
};
#define REQUEST_COUNT (sizeof REQUESTS / sizeof *REQUESTS)

bool vote_topic_mode(const char *name, enum mode *mode, struct error *error)
{
    *mode = mode_named(name);
    return *mode < MODES ||
           error_set(error, "there is no mode \"%.40s\"; there are ffa, lms, teams and breakout", name);
}

bool vote_topic_variants(uint32_t *variants, const char *words, struct error *error)
{
    char names[VARIANT_NAMES_BYTES];
    variant_names((1u << VARIANTS) - 1, names);
    return variant_change(variants, words) || error_set(error, "say NAME, -NAME or none, of %s", names);
}

// Checks that a request can be met, except by reading a map, and stores the player to kick.
static bool check(struct vote_topic *topic, const struct match *match, struct error *error)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    enum mode mode;
    const char *fault;
    uint32_t variants = match->world.rules.variants;
    size_t length = strlen(topic->target);
    switch ((enum vote_topic_subject)topic->subject) {
    case VOTE_TOPIC_VARIANTS: // the vote is on all of them together
        if (!vote_topic_variants(&variants, topic->target, error))
            return false;
        variant_names(variants, topic->target);
        return variants != match->world.rules.variants || error_set(error, "the match has these variants already");
    case VOTE_TOPIC_NEXT_MAP:
    case VOTE_TOPIC_RESTART:
        return true;
    case VOTE_TOPIC_MAP: // a name, never a file: players must not make the server open a file of their choice
        return (length > 0 && length < MAP_NAME_CAPACITY && strspn(topic->target, plain) == length) ||
               error_set(error, "a map's name has letters, digits, _ and - only");
    case VOTE_TOPIC_MODE:
        if (!vote_topic_mode(topic->target, &mode, error))
            return false;
        fault = mode_validate_map(mode, &match->map);
        return !fault || error_set(error, "%s: %s", match->map.name, fault);
    case VOTE_TOPIC_KICK:
        for (uint32_t slot = 0; slot < match->roster.seat_count; slot++) {
            char name[PLAYER_NAME_BYTES + 1];
            const struct seat *seat = &match->roster.seats[slot];
            player_name_to_text(seat->name, name);
            if (seat->kind != SEAT_PLAYER || strcmp(name, topic->target) != 0)
                continue;
            topic->slot = slot;
            topic->occupant = seat->occupant;
            return true;
        }
        return error_set(error, "no player here is called \"%.40s\"", topic->target);
    case VOTE_TOPIC_SUBJECTS:
        break;
    }
    return false;
}

bool vote_topic_read(struct vote_topic *topic, const struct match *match, uint32_t slot, const char *words,
                     struct error *error)
{
    size_t length = strcspn(words, " "), i = 0;
    const char *argument = words[length] ? words + length + 1 : "";
    while (i < REQUEST_COUNT && (strlen(REQUESTS[i].word) != length || memcmp(REQUESTS[i].word, words, length) != 0 ||
                                 REQUESTS[i].has_argument != (*argument != '\0')))
        i++;
    if (i == REQUEST_COUNT)
        return error_set(error, "you can vote on: map NAME, mode NAME, variants NAME, restart, kick NAME");
    *topic = (struct vote_topic){.subject = REQUESTS[i].subject};
    snprintf(topic->target, sizeof topic->target, "%s", argument);
    uint32_t wait_ticks = vote_wait_ticks(match, slot), minute_ticks = 60 * TICKS_PER_SECOND;
    if (wait_ticks > 0)
        return error_set(error, "%u votes of your household have failed, so you can ask again in %u minutes",
                         VOTE_FAILURES_MAX, (wait_ticks + minute_ticks - 1) / minute_ticks);
    if (!check(topic, match, error))
        return false;
    return topic->subject != VOTE_TOPIC_KICK || vote_has_seniority(match, slot) ||
           error_set(error, "you can ask to kick somebody once you have played for a minute");
}

bool vote_topic_ask(const struct vote_topic *topic, struct match *match, uint32_t slot, struct error *error)
{
    char target[QUESTION_TARGET_BYTES + 4], question[VOTE_QUESTION_BYTES_MAX + 16] = ""; // vote_open() cuts it
    if (match->vote.message.choice_count > 0)
        return error_set(error, "a vote is open already");
    bool is_plain = topic->subject == VOTE_TOPIC_VARIANTS && !topic->target[0];
    snprintf(target, sizeof target, "%.*s%s", QUESTION_TARGET_BYTES, is_plain ? "no variants" : topic->target,
             strlen(topic->target) > QUESTION_TARGET_BYTES ? "..." : "");
    for (size_t i = 0; i < REQUEST_COUNT; i++)
        if (REQUESTS[i].subject == (enum vote_topic_subject)topic->subject)
            snprintf(question, sizeof question, REQUESTS[i].question, target);
    if (!vote_ask(match, slot, question, topic->subject == VOTE_TOPIC_KICK))
        return false;
    match->vote.topic = *topic;
    return true;
}
