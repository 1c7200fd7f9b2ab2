// SPDX-License-Identifier: MIT
#include "match_state.h"

#include <stdio.h>

#include "base/utf8.h"
#include "sync/player_name.h"
#include "wire/bits.h"

#define KEY_LETTERS 8 // of a fingerprint: enough to tell players apart

// Returns the client of a player in a slot.
static const struct net_client *client_at(const struct match *match, uint32_t slot)
{
    return &match->peers[peer_at_slot(match, slot)].client;
}

// Describes a player with a client: "Ann (k3jx7q2a) of 192.0.2.7".
static void describe(const struct match *match, uint32_t slot, char text[VOTE_WHO_BYTES])
{
    char name[PLAYER_NAME_BYTES + 1], key[FINGERPRINT_TEXT_BYTES], household[HOUSEHOLD_TEXT_BYTES];
    const struct net_client *client = client_at(match, slot);
    player_name_to_text(match->roster.seats[slot].name, name);
    identity_fingerprint(client->identity, key);
    household_text(client->household, household);
    snprintf(text, VOTE_WHO_BYTES, "%s (%.*s) of %s", name, KEY_LETTERS, key, household);
}

static struct message message_of(const struct match *match)
{
    struct message message = {.kind = MESSAGE_VOTE, .as.vote = match->vote.message};
    if (match->vote.message.choice_count > 0)
        message.as.vote.ticks_left = match->vote.end_tick - match->world.tick;
    return message;
}

// The message has room for one choice of its own: that of its first player who has voted. A household has one vote, so
// no other player at that machine has a choice that counts, unless the household is exempt.
static void send(struct match *match, uint32_t peer, struct message *message)
{
    const struct local_seats *seats = &match->peers[peer].seats;
    message->as.vote.own = 0;
    for (uint32_t number = LOCAL_PLAYERS; number-- > 0;)
        if (seats->of[number] && vote_choice(match, seats->of[number] - 1) != VOTE_NONE)
            message->as.vote.own = vote_choice(match, seats->of[number] - 1) + 1;
    peer_send(match, peer, message);
}

static void broadcast(struct match *match)
{
    struct message message = message_of(match);
    match->vote_changes++;
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (match->peers[i].state == PEER_PLAYING)
            send(match, i, &message);
}

void vote_show(struct match *match, uint32_t peer)
{
    struct message message = message_of(match);
    if (message.as.vote.choice_count > 0)
        send(match, peer, &message);
}

bool vote_open(struct match *match, const char *question, const char *const *choices, uint32_t choice_count,
               uint32_t ticks)
{
    struct vote *vote = &match->vote;
    struct vote_message *message = &vote->message;
    if (message->choice_count > 0 || choice_count < 2 || choice_count > VOTE_CHOICE_CAPACITY)
        return false;
    *vote = (struct vote){.end_tick = match->world.tick + ticks};
    message->choice_count = choice_count;
    utf8_clean(message->question, sizeof message->question, question, strlen(question));
    for (uint32_t i = 0; i < choice_count; i++)
        utf8_clean(message->choices[i].text, sizeof message->choices[i].text, choices[i], strlen(choices[i]));
    broadcast(match);
    return true;
}

bool vote_ask(struct match *match, uint32_t slot, const char *question, bool is_restricted)
{
    static const char *const yes_no[] = {"Yes", "No"};
    if (!vote_open(match, question, yes_no, 2, VOTE_TICKS))
        return false;
    uint64_t household = client_at(match, slot)->household;
    match->vote.is_restricted = is_restricted;
    match->vote.household = household_is_exempt(&match->households, household) ? 0 : household;
    describe(match, slot, match->vote.asker);
    log_event(match->log, LOG_INFO,
              &(struct fields){"vote_begins",
                               "{asker} asks for a vote: {question}",
                               {{"asker", .text = match->vote.asker}, {"question", .text = question}}});
    return vote_cast(match, slot, 0);
}

uint32_t vote_wait_ticks(const struct match *match, uint32_t slot)
{
    uint64_t household = client_at(match, slot)->household, oldest_ticks = UINT64_MAX;
    uint32_t count = 0;
    for (uint32_t i = 0; i < VOTE_FAILURE_CAPACITY && !household_is_exempt(&match->households, household); i++) {
        const struct vote_failure *failure = &match->vote_failures[i];
        if (failure->household != household || match->statistics.ticks - failure->ticks >= VOTE_FAILURE_TICKS)
            continue;
        count++;
        oldest_ticks = failure->ticks < oldest_ticks ? failure->ticks : oldest_ticks;
    }
    return count < VOTE_FAILURES_MAX ? 0 : (uint32_t)(oldest_ticks + VOTE_FAILURE_TICKS - match->statistics.ticks);
}

static bool is_senior(const struct match *match, uint32_t slot)
{
    return match->statistics.ticks - match->roster.seats[slot].entered_ticks >= VOTE_SENIORITY_TICKS;
}

static bool has_seniority(const struct match *match, uint32_t slot, uint32_t peer)
{
    return household_is_exempt(&match->households, match->peers[peer].client.household) || is_senior(match, slot);
}

bool vote_has_seniority(const struct match *match, uint32_t slot)
{
    return has_seniority(match, slot, peer_at_slot(match, slot));
}

static bool site_is_full(const struct match *match, uint32_t peer)
{
    uint64_t household = match->peers[peer].client.household;
    return !household_is_exempt(&match->households, household) &&
           peer_count_neighbours(match, peer, household) == HOUSEHOLD_SITE_MAX;
}

bool vote_site_is_full(const struct match *match, uint32_t slot)
{
    return site_is_full(match, peer_at_slot(match, slot));
}

// The votes of players who have left do not count.
uint32_t vote_choice(const struct match *match, uint32_t slot)
{
    const struct seat *seat = &match->roster.seats[slot];
    const struct vote *vote = &match->vote;
    bool counts = vote->chosen[slot] > 0 && seat->kind == SEAT_PLAYER && vote->voter[slot] == seat->occupant;
    return counts ? vote->chosen[slot] - 1 : VOTE_NONE;
}

static void count(struct match *match)
{
    struct vote *vote = &match->vote;
    for (uint32_t i = 0; i < vote->message.choice_count; i++)
        vote->message.choices[i].votes = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        if (vote_choice(match, slot) != VOTE_NONE)
            vote->message.choices[vote_choice(match, slot)].votes++;
}

static bool takes_part(const struct match *match, uint32_t slot, uint32_t peer)
{
    return (!match->vote.is_restricted || has_seniority(match, slot, peer)) && !site_is_full(match, peer);
}

// Whose choices count as one: those of a household, and in a restricted vote those of its whole site, but for exempt
// households. A site has many households, and two votes remove a player.
static uint64_t voter_of(const struct match *match, uint64_t household)
{
    bool is_apart = !match->vote.is_restricted || household_is_exempt(&match->households, household);
    return is_apart ? household : household_site(household);
}

// Counts the households or sites that take part; each player of an exempt one is one. So is each player of a restored
// match who may still come back: nobody decides a vote alone because they came first.
static uint32_t count_voters(const struct match *match)
{
    uint64_t seen[PLAYER_CAPACITY];
    uint32_t seen_count = 0, count = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++) {
        if (match->roster.seats[slot].kind != SEAT_PLAYER)
            continue;
        uint32_t peer = peer_at_slot(match, slot);
        count += match->return_deadline != 0 && peer == MATCH_PEER_CAPACITY;
        if (peer == MATCH_PEER_CAPACITY || !takes_part(match, slot, peer))
            continue;
        uint64_t household = match->peers[peer].client.household;
        uint32_t at = household_is_exempt(&match->households, household) ? seen_count : 0;
        while (at < seen_count && seen[at] != voter_of(match, household))
            at++;
        if (at == seen_count)
            count++, seen[seen_count++] = voter_of(match, household);
    }
    return count;
}

bool vote_cast(struct match *match, uint32_t slot, uint32_t choice)
{
    struct vote *vote = &match->vote;
    uint32_t peer = peer_at_slot(match, slot);
    if (choice >= vote->message.choice_count || peer == MATCH_PEER_CAPACITY ||
        match->peers[peer].state != PEER_PLAYING || !takes_part(match, slot, peer))
        return false;
    uint64_t household = match->peers[peer].client.household;
    if (!household_is_exempt(&match->households, household))
        for (uint32_t other = 0; other < match->roster.seat_count; other++) // their player may be away
            if (voter_of(match, vote->voter_household[other]) == voter_of(match, household))
                vote->chosen[other] = 0;
    vote->chosen[slot] = choice + 1;
    vote->voter[slot] = match->roster.seats[slot].occupant;
    vote->voter_household[slot] = household;
    count(match);
    broadcast(match);
    char who[VOTE_WHO_BYTES];
    describe(match, slot, who);
    log_event(match->log, LOG_INFO,
              &(struct fields){"vote",
                               "{voter} votes {choice}: {question}",
                               {{"voter", .text = who},
                                {"slot", .number = slot},
                                {"choice", .text = vote->message.choices[choice].text},
                                {"question", .text = vote->message.question}}});
    return true;
}

// Ends a vote that was decided.
static void conclude(struct match *match, const char *result, bool passes, uint32_t votes, uint32_t voters)
{
    log_event(match->log, LOG_INFO,
              &(struct fields){"vote_ends",
                               "the vote is over: {question} {result}, with {votes} of {voters} votes",
                               {{"question", .text = match->vote.message.question},
                                {"result", .text = result},
                                {"votes", .number = votes},
                                {"voters", .number = voters}}});
    if (!passes && match->vote.household != 0)
        match->vote_failures[match->vote_failure_count++ % VOTE_FAILURE_CAPACITY] =
            (struct vote_failure){match->vote.household, match->statistics.ticks};
    vote_end(match);
}

uint32_t vote_count(struct match *match, bool *ended)
{
    const struct vote_message *message = &match->vote.message;
    *ended = false;
    if (message->choice_count == 0)
        return VOTE_NONE;
    count(match);
    uint32_t voters = count_voters(match), yes = message->choices[0].votes, no = message->choices[1].votes, best = 0;
    bool is_over = (int32_t)(match->world.tick - match->vote.end_tick) >= 0;
    if (match->vote.is_restricted) { // only a majority of all who may take part is a yes
        bool passes = yes * 2 > voters && yes >= VOTE_RESTRICTED_MIN;
        *ended = passes || no * 2 >= voters || is_over;
        if (*ended)
            conclude(match, passes ? "Yes" : "No", passes, yes, voters);
        return !*ended ? VOTE_NONE : passes ? 0 : 1;
    }
    for (uint32_t i = 1; i < message->choice_count; i++)
        if (message->choices[i].votes > message->choices[best].votes)
            best = i;
    uint32_t votes = message->choices[best].votes;
    *ended = votes * 2 > voters || is_over;
    if (*ended)
        conclude(match, votes > 0 ? message->choices[best].text : "nobody has voted", votes > 0 && best == 0, votes,
                 voters);
    return *ended && votes > 0 ? best : VOTE_NONE;
}

void vote_end(struct match *match)
{
    if (match->vote.message.choice_count == 0)
        return;
    match->vote = (struct vote){.end_tick = 0};
    broadcast(match);
}

// What a note has of a player beside the vote.
struct voter {
    uint32_t slot, chosen; // choice + 1; 0: nothing that counts
    bool is_senior;
    uint64_t household;
};

// A note: the vote with its message, and the players.
struct note {
    struct vote vote;
    struct voter voters[PLAYER_CAPACITY];
    uint32_t voter_count;
};

// Walks a text with its final zero.
static bool walk_text(struct bit_walk *walk, char *text, size_t text_bytes)
{
    for (size_t i = 0; i < text_bytes; i++) {
        bits_walk_bytes(walk, (uint8_t *)&text[i], 1);
        if (!text[i])
            return true;
    }
    return false;
}

static bool walk_note(struct bit_walk *walk, struct message *message, struct note *note)
{
    struct vote *vote = &note->vote;
    uint8_t encoded[MESSAGE_BYTES_MAX];
    bool is_open = message->as.vote.choice_count > 0;
    uint32_t byte_count = walk->writer && is_open ? (uint32_t)message_encode(message, encoded) : 0;
    bits_walk(walk, &byte_count, 16);
    if (byte_count > MESSAGE_BYTES_MAX)
        return false;
    bits_walk_bytes(walk, encoded, byte_count);
    if (walk->reader && byte_count > 0 &&
        (!message_decode(message, encoded, byte_count) || message->kind != MESSAGE_VOTE))
        return false;
    bits_walk(walk, &vote->end_tick, 32);
    bits_walk_bool(walk, &vote->is_restricted, 1);
    bits_walk_64(walk, &vote->household);
    bits_walk(walk, &vote->topic.subject, 8);
    bits_walk(walk, &vote->topic.slot, 8);
    if (!walk_text(walk, vote->asker, sizeof vote->asker) ||
        !walk_text(walk, vote->topic.target, sizeof vote->topic.target))
        return false;
    for (uint32_t i = 0; i <= PLAYER_CAPACITY; i++) {
        bool more = i < note->voter_count; // when writing
        bits_walk_bool(walk, &more, 1);
        if (!more) {
            note->voter_count = i;
            return true;
        }
        if (i == PLAYER_CAPACITY)
            break;
        struct voter *voter = &note->voters[i];
        bits_walk(walk, &voter->slot, 8);
        bits_walk_bool(walk, &voter->is_senior, 1);
        bits_walk(walk, &voter->chosen, 3);
        bits_walk_64(walk, &voter->household);
    }
    return false;
}

size_t vote_write(const struct match *match, uint8_t bytes[VOTE_NOTE_BYTES_MAX])
{
    struct message message = message_of(match);
    struct note note = {.vote = match->vote};
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++) {
        const struct seat *seat = &match->roster.seats[slot];
        if (seat->kind != SEAT_PLAYER)
            continue;
        struct voter *voter = &note.voters[note.voter_count++];
        *voter = (struct voter){.slot = slot, .is_senior = is_senior(match, slot)};
        if (vote_choice(match, slot) != VOTE_NONE) {
            voter->chosen = match->vote.chosen[slot];
            voter->household = match->vote.voter_household[slot];
        }
    }
    struct bit_writer bits = bits_writer(bytes, VOTE_NOTE_BYTES_MAX);
    struct bit_walk walk = bits_walk_into(&bits);
    walk_note(&walk, &message, &note);
    return bits_flush(&bits);
}

bool vote_read(struct match *match, const uint8_t *bytes, size_t byte_count)
{
    struct message message = {.kind = MESSAGE_VOTE};
    struct note note = {.voter_count = 0};
    struct bit_reader bits = bits_reader(bytes, byte_count);
    struct bit_walk walk = bits_walk_from(&bits);
    if (!walk_note(&walk, &message, &note) || !bits_read_all(&bits))
        return false;
    struct vote vote = note.vote;
    vote.message = message.as.vote;
    vote.message.own = vote.message.ticks_left = 0;
    bool seniors[PLAYER_CAPACITY] = {0};
    for (uint32_t i = 0; i < note.voter_count; i++) {
        const struct voter *voter = &note.voters[i];
        if (voter->chosen > vote.message.choice_count)
            return false;
        if (voter->slot >= match->roster.seat_count || match->roster.seats[voter->slot].kind != SEAT_PLAYER)
            continue;
        vote.chosen[voter->slot] = voter->chosen;
        vote.voter[voter->slot] = voter->chosen ? match->roster.seats[voter->slot].occupant : 0;
        vote.voter_household[voter->slot] = voter->chosen ? voter->household : 0;
        seniors[voter->slot] = voter->is_senior;
    }
    if (vote.is_restricted && vote.message.choice_count != 2)
        return false;
    if (vote.message.choice_count == 0)
        return true;
    int32_t left = (int32_t)(vote.end_tick - match->world.tick);
    vote.end_tick = match->world.tick + (tick)(left < 1 ? 1 : left > VOTE_TICKS ? VOTE_TICKS : left);
    vote.topic.occupant = match->roster.seats[vote.topic.slot].occupant;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++)
        if (seniors[slot])
            match->roster.seats[slot].entered_ticks = match->statistics.ticks - VOTE_SENIORITY_TICKS;
    match->vote = vote;
    match->vote_changes++;
    count(match);
    return true;
}
