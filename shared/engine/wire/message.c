// SPDX-License-Identifier: MIT
#include "message.h"

#include <string.h>

#include "base/utf8.h"
#include "bits.h"
#include "sync/game.h"

const char *message_deny_text(enum deny_reason reason)
{
    switch (reason) {
    case DENY_NONE:
    case DENY_REASONS:
        break;
    case DENY_VERSION:
        return "The server plays another version of the game: install the same version on both sides.";
    case DENY_FULL:
        return "The server is full: try again later or choose another one.";
    case DENY_KICKED:
        return "You were removed by an operator of the server.";
    case DENY_CLOSING:
        return "The server is closing: choose another one or try again later.";
    case DENY_PROTOCOL:
        return "The server did not understand this client: install the same version on both sides.";
    case DENY_SILENT:
        return "The server did not hear from this client for too long: check the network and join again.";
    case DENY_REPLACED:
        return "You joined this server from elsewhere with the same key, and play on there.";
    case DENY_HOUSEHOLD:
        return "Others at your address have all the places here that one address may have: try again later, or ask the "
               "operator.";
    case DENY_RESTARTING:
        return "The server is restarting: join again in a moment.";
    }
    return "";
}

// A walk over the fields of a message writes and reads it.

// A text that is the rest of the message.
static bool walk_text(struct bit_walk *walk, char *text, size_t bytes_max)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t byte_count = strlen(text);
    bits_walk_rest(walk, &bytes, &byte_count);
    if (!bits_check(walk, byte_count >= 1 && byte_count <= bytes_max && !memchr(bytes, 0, byte_count)))
        return false;
    memmove(text, bytes, byte_count); // onto itself when writing
    text[byte_count] = 0;
    return true;
}

// A text from a server, which a client shows as it is: nothing in it may be invisible or control a terminal.
static bool is_shown(const struct bit_walk *walk, const char *text)
{
    return !walk->reader || utf8_is_clean(text, strlen(text));
}

// A text among other fields, with its length before it.
static bool walk_short_text(struct bit_walk *walk, char *text, size_t bytes_max)
{
    uint32_t byte_count = (uint32_t)strlen(text);
    bits_walk(walk, &byte_count, 8);
    if (!bits_check(walk, byte_count >= 1 && byte_count <= bytes_max))
        return false;
    bits_walk_bytes(walk, (uint8_t *)text, byte_count);
    text[byte_count] = 0;
    return strlen(text) == byte_count && is_shown(walk, text);
}

static bool walk_join(struct bit_walk *walk, struct join_message *join)
{
    bits_walk(walk, &join->protocol, 32);
    if (walk->reader && join->protocol != PROTOCOL_VERSION) {
        const uint8_t *other_version;
        bits_read_rest(walk->reader, &other_version);
        return true;
    }
    for (size_t i = 0; i < PLAYER_NAME_BYTES / 4; i++)
        bits_walk(walk, &join->name[i], 32);
    bits_walk(walk, &join->colour, 8);
    bits_walk(walk, &join->hat, 8);
    bits_walk(walk, &join->local, 8);
    bits_walk(walk, &join->handicap, 8);
    bits_walk_64(walk, &join->map_hash);
    return bits_check(walk, join->colour < 16 && join->hat < HATS && join->local < LOCAL_PLAYERS &&
                                join->handicap < GAME_HANDICAPS);
}

static bool walk_input(struct bit_walk *walk, struct input_message *input)
{
    uint32_t more = input->count - 1;
    bits_walk(walk, &input->newest_tick, 32);
    bits_walk(walk, &input->snapshot_tick, 32);
    bits_walk(walk, &input->repeats, 4);
    bits_walk(walk, &more, 4);
    input->count = more + 1;
    bits_walk(walk, &input->players, LOCAL_PLAYERS);
    for (uint32_t number = 0; number < LOCAL_PLAYERS; number++) {
        if (!(input->players >> number & 1))
            continue;
        bits_walk(walk, &input->inputs[0].of[number].buttons, BUTTON_BITS);
        for (uint32_t i = 1; i < input->count; i++) {
            uint32_t before = input->inputs[i - 1].of[number].buttons, *now = &input->inputs[i].of[number].buttons;
            bool changed = *now != before;
            bits_walk_bool(walk, &changed, 1);
            if (changed)
                bits_walk(walk, now, BUTTON_BITS);
            else
                *now = before;
            if (changed && *now == before)
                return false;
        }
    }
    return bits_check(walk, input->newest_tick >= input->count && input->players != 0);
}

static bool walk_welcome(struct bit_walk *walk, struct welcome_message *welcome)
{
    bits_walk(walk, &welcome->snapshot_rate, 8);
    bits_walk(walk, &welcome->tick, 32);
    game_walk_rules(&walk->game, &welcome->rules);
    bits_walk_64(walk, &welcome->map_hash);
    bits_walk(walk, &welcome->map_blob_bytes, 32);
    bits_walk_bytes(walk, welcome->map_address, MAP_ADDRESS_BYTES);
    bits_walk_bytes(walk, welcome->dice, MATCH_DICE_BYTES);
    bool rate_is_known = welcome->snapshot_rate == 60 || welcome->snapshot_rate == 30 || welcome->snapshot_rate == 20;
    return bits_check(walk, rate_is_known && game_rules_are_valid(&welcome->rules) && welcome->map_blob_bytes >= 1 &&
                                welcome->map_blob_bytes <= MAP_BLOB_BYTES_MAX);
}

static bool walk_seats(struct bit_walk *walk, struct seats_message *seats)
{
    for (uint32_t number = 0; number < LOCAL_PLAYERS; number++) {
        uint32_t *seat = &seats->seats.of[number], reason = seats->denied[number];
        bits_walk(walk, seat, 16);
        bits_walk(walk, &reason, 8);
        seats->denied[number] = (enum deny_reason)reason;
        if (!bits_check(walk, *seat <= PLAYER_CAPACITY && reason < DENY_REASONS && (*seat == 0 || reason == DENY_NONE)))
            return false;
    }
    return true;
}

static bool walk_vote(struct bit_walk *walk, struct vote_message *vote)
{
    bits_walk(walk, &vote->choice_count, 8);
    if (vote->choice_count == 0)
        return true;
    bits_walk(walk, &vote->own, 8);
    bits_walk(walk, &vote->ticks_left, 16);
    if (!bits_check(walk, vote->choice_count >= 2 && vote->choice_count <= VOTE_CHOICE_CAPACITY &&
                              vote->own <= vote->choice_count) ||
        !walk_short_text(walk, vote->question, VOTE_QUESTION_BYTES_MAX))
        return false;
    for (uint32_t i = 0; i < vote->choice_count; i++) {
        struct vote_choice *choice = &vote->choices[i];
        bits_walk(walk, &choice->votes, 16);
        if (!bits_check(walk, choice->votes <= PLAYER_CAPACITY) ||
            !walk_short_text(walk, choice->text, VOTE_CHOICE_BYTES_MAX))
            return false;
    }
    return true;
}

static bool walk_hats(struct bit_walk *walk, struct hats_message *hats)
{
    const uint8_t *bytes = hats->hats;
    size_t byte_count = hats->count;
    bits_walk(walk, &hats->first, 8);
    bits_walk_rest(walk, &bytes, &byte_count);
    if (!bits_check(walk,
                    byte_count >= 1 && hats->first < PLAYER_CAPACITY && byte_count <= PLAYER_CAPACITY - hats->first))
        return false;
    memmove(hats->hats, bytes, byte_count); // onto itself when writing
    hats->count = (uint32_t)byte_count;
    return bits_check(walk, message_hats_are_valid(hats->hats, hats->count));
}

static bool walk_trusted(struct bit_walk *walk, struct trusted_message *trusted)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    bits_walk(walk, &trusted->count, 8);
    if (!bits_check(walk, trusted->count >= 1 && trusted->count <= TRUSTED_CAPACITY))
        return false;
    for (uint32_t i = 0; i < trusted->count; i++) {
        char *fingerprint = trusted->fingerprints[i];
        bits_walk_bytes(walk, (uint8_t *)fingerprint, FINGERPRINT_LETTERS);
        if (!bits_check(walk, strspn(fingerprint, letters) == FINGERPRINT_LETTERS))
            return false;
    }
    return true;
}

static bool walk_tags(struct bit_walk *walk, struct tags_message *tags)
{
    const uint8_t *bytes = tags->tags[0];
    size_t byte_count = tags->count * sizeof *tags->tags;
    bits_walk(walk, &tags->first, 8);
    bits_walk_rest(walk, &bytes, &byte_count);
    tags->count = (uint32_t)(byte_count / sizeof *tags->tags);
    if (!bits_check(walk, tags->count >= 1 && tags->count <= TAGS_CAPACITY &&
                              tags->count <= PLAYER_CAPACITY - tags->first && byte_count % sizeof *tags->tags == 0))
        return false;
    memmove(tags->tags, bytes, byte_count); // onto itself when writing
    return true;
}

static bool walk_record(struct bit_walk *walk, struct record_message *record)
{
    uint32_t *const numbers[] = {&record->rank,     (uint32_t *)&record->mean, &record->deviation, &record->matches,
                                 &record->wins,     &record->best_kills,       &record->kills,     &record->deaths,
                                 &record->squishes, &record->catches,          &record->shots,     &record->hits,
                                 &record->played_s, &record->first_s,          &record->last_s};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        bits_walk(walk, numbers[i], 32);
    bits_walk_bytes(walk, (uint8_t *)record->server_name, SERVER_NAME_BYTES_MAX);
    size_t name_bytes = strnlen(record->server_name, SERVER_NAME_BYTES_MAX), end = name_bytes;
    while (end < SERVER_NAME_BYTES_MAX && record->server_name[end] == 0)
        end++;
    return bits_check(walk, record->mean >= -RECORD_MEAN_MAX && record->mean <= RECORD_MEAN_MAX &&
                                record->deviation >= 1 && record->deviation <= RECORD_DEVIATION_MAX &&
                                name_bytes >= 1 && end == SERVER_NAME_BYTES_MAX) &&
           is_shown(walk, record->server_name);
}

static bool walk_message(struct bit_walk *walk, struct message *message)
{
    switch (message->kind) {
    case MESSAGE_JOIN:
        return walk_join(walk, &message->as.join);
    case MESSAGE_READY:
        bits_walk(walk, &message->as.ready, 32);
        return true;
    case MESSAGE_INPUT:
        return walk_input(walk, &message->as.input);
    case MESSAGE_WELCOME:
        return walk_welcome(walk, &message->as.welcome);
    case MESSAGE_DENY: {
        uint32_t reason = message->as.deny;
        bits_walk(walk, &reason, 8);
        message->as.deny = (enum deny_reason)reason;
        return bits_check(walk, reason > DENY_NONE && reason < DENY_REASONS);
    }
    case MESSAGE_MAP_PART: {
        struct map_part_message *part = &message->as.map_part;
        size_t byte_count = part->count;
        bits_walk(walk, &part->offset, 32);
        bits_walk_rest(walk, &part->bytes, &byte_count);
        part->count = (uint32_t)byte_count;
        return bits_check(walk, byte_count >= 1 && byte_count <= MAP_PART_BYTES_MAX &&
                                    part->offset <= MAP_BLOB_BYTES_MAX - byte_count);
    }
    case MESSAGE_SYSTEM:
        return walk_text(walk, message->as.system, SYSTEM_BYTES_MAX) && is_shown(walk, message->as.system);
    case MESSAGE_CHAT_SEND:
        bits_walk_bool(walk, &message->as.chat_send.team, 8);
        bits_walk(walk, &message->as.chat_send.local, 8);
        return bits_check(walk, message->as.chat_send.local < LOCAL_PLAYERS) &&
               walk_text(walk, message->as.chat_send.text, CHAT_SEND_BYTES_MAX);
    case MESSAGE_CHAT_LINE: {
        struct chat_line_message *line = &message->as.chat_line;
        bits_walk(walk, &line->from, 16);
        bits_walk(walk, &line->flags, 8);
        return bits_check(walk, line->from <= PLAYER_CAPACITY && (line->flags & ~CHAT_FLAGS) == 0) &&
               walk_text(walk, line->text, CHAT_LINE_BYTES_MAX) && is_shown(walk, line->text);
    }
    case MESSAGE_VOTE:
        return walk_vote(walk, &message->as.vote);
    case MESSAGE_HATS:
        return walk_hats(walk, &message->as.hats);
    case MESSAGE_VOUCH:
        bits_walk_bytes(walk, message->as.vouch, MESSAGE_VOUCH_BYTES);
        return true;
    case MESSAGE_TRUSTED:
        return walk_trusted(walk, &message->as.trusted);
    case MESSAGE_SHOW:
        bits_walk_bytes(walk, message->as.show, MESSAGE_VOUCH_BYTES);
        return true;
    case MESSAGE_TAGS:
        return walk_tags(walk, &message->as.tags);
    case MESSAGE_RECORD:
        return walk_record(walk, &message->as.record);
    case MESSAGE_LEAVE:
        bits_walk(walk, &message->as.leave, 8);
        return bits_check(walk, message->as.leave < LOCAL_PLAYERS);
    case MESSAGE_SEATS:
        return walk_seats(walk, &message->as.seats);
    case MESSAGE_SNAPSHOT:
    case MESSAGE_KINDS:
        break;
    }
    return bits_check(walk, false);
}

size_t message_encode(const struct message *message, uint8_t *bytes)
{
    struct bit_writer writer = bits_writer(bytes, MESSAGE_BYTES_MAX);
    bits_write(&writer, message->kind, 8);
    struct message copy = *message; // the walk stores what it writes, too
    struct bit_walk walk = bits_walk_into(&writer);
    walk_message(&walk, &copy);
    size_t byte_count = bits_flush(&writer);
    assert(byte_count > 0);
    return byte_count;
}

bool message_decode(struct message *message, const uint8_t *bytes, size_t byte_count)
{
    if (byte_count < 1 || byte_count > MESSAGE_BYTES_MAX)
        return false;
    memset(message, 0, sizeof *message);
    struct bit_reader reader = bits_reader(bytes, byte_count);
    message->kind = (enum message_kind)bits_read(&reader, 8);
    struct bit_walk walk = bits_walk_from(&reader);
    return walk_message(&walk, message) && bits_read_all(&reader);
}
