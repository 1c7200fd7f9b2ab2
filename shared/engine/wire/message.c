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

// One walk over the fields of a message writes and reads it.
struct stream {
    struct bit_writer *writer; // null when reading
    struct bit_reader *reader; // null when writing
};

// An invalid value is a bug when writing; when reading, the message is dropped.
static bool check(const struct stream *stream, bool holds)
{
    if (!stream->reader)
        assert(holds);
    return holds;
}

static void walk_bits(struct stream *stream, uint32_t *value, uint32_t count)
{
    if (stream->writer)
        bits_write(stream->writer, *value, count);
    else
        *value = bits_read(stream->reader, count);
}

static void walk_64(struct stream *stream, uint64_t *value)
{
    uint32_t low = (uint32_t)*value, high = (uint32_t)(*value >> 32);
    walk_bits(stream, &low, 32);
    walk_bits(stream, &high, 32);
    *value = low | (uint64_t)high << 32;
}

static void walk_bool(struct stream *stream, bool *value, uint32_t count)
{
    uint32_t number = *value;
    walk_bits(stream, &number, count);
    if (number > 1)
        bits_fail(stream->reader);
    *value = number == 1;
}

// The rest of the message as bytes, from a byte boundary on. When reading, `bytes` points into it.
static void walk_rest(struct stream *stream, const uint8_t **bytes, size_t *byte_count)
{
    if (stream->writer) {
        bits_flush(stream->writer);
        bits_write_bytes(stream->writer, *bytes, *byte_count);
    } else {
        *byte_count = bits_read_rest(stream->reader, bytes);
    }
}

// A text that is the rest of the message.
static bool walk_text(struct stream *stream, char *text, size_t bytes_max)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t byte_count = strlen(text);
    walk_rest(stream, &bytes, &byte_count);
    if (!check(stream, byte_count >= 1 && byte_count <= bytes_max && !memchr(bytes, 0, byte_count)))
        return false;
    memmove(text, bytes, byte_count); // onto itself when writing
    text[byte_count] = 0;
    return true;
}

// A text from a server, which a client shows as it is: nothing in it may be invisible or control a terminal.
static bool is_shown(const struct stream *stream, const char *text)
{
    return !stream->reader || utf8_is_clean(text, strlen(text));
}

// A text among other fields, with its length before it.
static bool walk_short_text(struct stream *stream, char *text, size_t bytes_max)
{
    uint32_t byte_count = (uint32_t)strlen(text);
    walk_bits(stream, &byte_count, 8);
    if (!check(stream, byte_count >= 1 && byte_count <= bytes_max))
        return false;
    for (uint32_t i = 0; i < byte_count; i++) {
        uint32_t byte = (uint8_t)text[i];
        walk_bits(stream, &byte, 8);
        text[i] = (char)(uint8_t)byte;
    }
    text[byte_count] = 0;
    return strlen(text) == byte_count && is_shown(stream, text);
}

static bool walk_join(struct stream *stream, struct join_message *join)
{
    walk_bits(stream, &join->protocol, 32);
    if (stream->reader && join->protocol != PROTOCOL_VERSION) {
        const uint8_t *other_version;
        bits_read_rest(stream->reader, &other_version);
        return true;
    }
    for (size_t i = 0; i < PLAYER_NAME_BYTES / 4; i++)
        walk_bits(stream, &join->name[i], 32);
    walk_bits(stream, &join->colour, 8);
    walk_bits(stream, &join->hat, 8);
    walk_bits(stream, &join->local, 8);
    walk_bits(stream, &join->handicap, 8);
    walk_64(stream, &join->map_hash);
    return check(stream, join->colour < 16 && join->hat < HATS && join->local < LOCAL_PLAYERS &&
                             join->handicap < GAME_HANDICAPS);
}

static bool walk_input(struct stream *stream, struct input_message *input)
{
    uint32_t more = input->count - 1;
    walk_bits(stream, &input->newest_tick, 32);
    walk_bits(stream, &input->snapshot_tick, 32);
    walk_bits(stream, &input->repeats, 4);
    walk_bits(stream, &more, 4);
    input->count = more + 1;
    walk_bits(stream, &input->inputs[0].buttons, BUTTON_BITS);
    for (uint32_t i = 1; i < input->count; i++) {
        uint32_t before = input->inputs[i - 1].buttons;
        bool changed = input->inputs[i].buttons != before;
        walk_bool(stream, &changed, 1);
        if (changed)
            walk_bits(stream, &input->inputs[i].buttons, BUTTON_BITS);
        else
            input->inputs[i].buttons = before;
        if (changed && input->inputs[i].buttons == before)
            return false;
    }
    return check(stream, input->newest_tick >= input->count);
}

static void walk_bytes(struct stream *stream, uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++) {
        uint32_t byte = bytes[i];
        walk_bits(stream, &byte, 8);
        bytes[i] = (uint8_t)byte;
    }
}

struct rules_walk {
    struct walk walk;
    struct stream *stream;
};

static void walk_rule(struct walk *walk, uint32_t *value, uint32_t bits)
{
    walk_bits(((struct rules_walk *)walk)->stream, value, bits);
}

static bool walk_welcome(struct stream *stream, struct welcome_message *welcome)
{
    walk_bits(stream, &welcome->slot, 8);
    walk_bits(stream, &welcome->snapshot_rate, 8);
    walk_bits(stream, &welcome->tick, 32);
    struct rules_walk rules = {{.number = walk_rule}, stream};
    game_walk_rules(&rules.walk, &welcome->rules);
    walk_64(stream, &welcome->map_hash);
    walk_bits(stream, &welcome->map_blob_bytes, 32);
    walk_bytes(stream, welcome->map_address, MAP_ADDRESS_BYTES);
    walk_bytes(stream, welcome->dice, MATCH_DICE_BYTES);
    bool rate_is_known = welcome->snapshot_rate == 60 || welcome->snapshot_rate == 30 || welcome->snapshot_rate == 20;
    return check(stream, rate_is_known && game_rules_are_valid(&welcome->rules) && welcome->map_blob_bytes >= 1 &&
                             welcome->map_blob_bytes <= MAP_BLOB_BYTES_MAX);
}

static bool walk_deny(struct stream *stream, enum deny_reason *reason)
{
    uint32_t number = *reason;
    walk_bits(stream, &number, 8);
    *reason = (enum deny_reason)number;
    return check(stream, number > DENY_NONE && number < DENY_REASONS);
}

static bool walk_map_part(struct stream *stream, struct map_part_message *part)
{
    size_t byte_count = part->count;
    walk_bits(stream, &part->offset, 32);
    walk_rest(stream, &part->bytes, &byte_count);
    part->count = (uint32_t)byte_count;
    return check(stream, part->count >= 1 && part->count <= MAP_PART_BYTES_MAX &&
                             part->offset <= MAP_BLOB_BYTES_MAX - part->count);
}

static bool walk_chat_send(struct stream *stream, struct chat_send_message *say)
{
    walk_bool(stream, &say->team, 8);
    return walk_text(stream, say->text, CHAT_SEND_BYTES_MAX);
}

static bool walk_chat_line(struct stream *stream, struct chat_line_message *line)
{
    walk_bits(stream, &line->from, 16);
    walk_bits(stream, &line->flags, 8);
    return check(stream, line->from <= PLAYER_CAPACITY && (line->flags & ~CHAT_FLAGS) == 0) &&
           walk_text(stream, line->text, CHAT_LINE_BYTES_MAX) && is_shown(stream, line->text);
}

static bool walk_vote(struct stream *stream, struct vote_message *vote)
{
    walk_bits(stream, &vote->choice_count, 8);
    if (vote->choice_count == 0)
        return true;
    walk_bits(stream, &vote->own, 8);
    walk_bits(stream, &vote->ticks_left, 16);
    if (!check(stream, vote->choice_count >= 2 && vote->choice_count <= VOTE_CHOICE_CAPACITY &&
                           vote->own <= vote->choice_count) ||
        !walk_short_text(stream, vote->question, VOTE_QUESTION_BYTES_MAX))
        return false;
    for (uint32_t i = 0; i < vote->choice_count; i++) {
        struct vote_choice *choice = &vote->choices[i];
        walk_bits(stream, &choice->votes, 16);
        if (!check(stream, choice->votes <= PLAYER_CAPACITY) ||
            !walk_short_text(stream, choice->text, VOTE_CHOICE_BYTES_MAX))
            return false;
    }
    return true;
}

static bool walk_hats(struct stream *stream, struct hats_message *hats)
{
    const uint8_t *bytes = hats->hats;
    size_t byte_count = hats->count;
    walk_bits(stream, &hats->first, 8);
    walk_rest(stream, &bytes, &byte_count);
    if (!check(stream, byte_count >= 1 && hats->first < PLAYER_CAPACITY && byte_count <= PLAYER_CAPACITY - hats->first))
        return false;
    memmove(hats->hats, bytes, byte_count); // onto itself when writing
    hats->count = (uint32_t)byte_count;
    return check(stream, hats_are_valid(hats->hats, hats->count));
}

static bool walk_trusted(struct stream *stream, struct trusted_message *trusted)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    walk_bits(stream, &trusted->count, 8);
    if (!check(stream, trusted->count >= 1 && trusted->count <= TRUSTED_CAPACITY))
        return false;
    for (uint32_t i = 0; i < trusted->count; i++) {
        char *fingerprint = trusted->fingerprints[i];
        walk_bytes(stream, (uint8_t *)fingerprint, FINGERPRINT_LETTERS);
        if (!check(stream, strspn(fingerprint, letters) == FINGERPRINT_LETTERS))
            return false;
    }
    return true;
}

static bool walk_tags(struct stream *stream, struct tags_message *tags)
{
    const uint8_t *bytes = tags->tags[0];
    size_t byte_count = tags->count * sizeof *tags->tags;
    walk_bits(stream, &tags->first, 8);
    walk_rest(stream, &bytes, &byte_count);
    tags->count = (uint32_t)(byte_count / sizeof *tags->tags);
    if (!check(stream, tags->count >= 1 && tags->count <= TAGS_CAPACITY &&
                           tags->count <= PLAYER_CAPACITY - tags->first && byte_count % sizeof *tags->tags == 0))
        return false;
    memmove(tags->tags, bytes, byte_count); // onto itself when writing
    return true;
}

// A text in a field of fixed size, padded with zeros.
static bool walk_padded_text(struct stream *stream, char *text, size_t bytes_max)
{
    walk_bytes(stream, (uint8_t *)text, bytes_max);
    size_t byte_count = strnlen(text, bytes_max);
    bool padded = true;
    for (size_t i = byte_count; i < bytes_max; i++)
        padded = padded && text[i] == 0;
    return check(stream, byte_count >= 1 && padded) && is_shown(stream, text);
}

static bool walk_record(struct stream *stream, struct record_message *record)
{
    uint32_t *const numbers[] = {&record->rank,     (uint32_t *)&record->mean, &record->deviation, &record->matches,
                                 &record->wins,     &record->best_kills,       &record->kills,     &record->deaths,
                                 &record->squishes, &record->catches,          &record->shots,     &record->hits,
                                 &record->played_s, &record->first_s,          &record->last_s};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        walk_bits(stream, numbers[i], 32);
    return check(stream, record->mean >= -RECORD_MEAN_MAX && record->mean <= RECORD_MEAN_MAX &&
                             record->deviation >= 1 && record->deviation <= RECORD_DEVIATION_MAX) &&
           walk_padded_text(stream, record->server_name, SERVER_NAME_BYTES_MAX);
}

static bool walk_message(struct stream *stream, struct message *message)
{
    switch (message->kind) {
    case MESSAGE_JOIN:
        return walk_join(stream, &message->as.join);
    case MESSAGE_READY:
        walk_bits(stream, &message->as.ready, 32);
        return true;
    case MESSAGE_INPUT:
        return walk_input(stream, &message->as.input);
    case MESSAGE_WELCOME:
        return walk_welcome(stream, &message->as.welcome);
    case MESSAGE_DENY:
        return walk_deny(stream, &message->as.deny);
    case MESSAGE_MAP_PART:
        return walk_map_part(stream, &message->as.map_part);
    case MESSAGE_SYSTEM:
        return walk_text(stream, message->as.system, SYSTEM_BYTES_MAX) && is_shown(stream, message->as.system);
    case MESSAGE_CHAT_SEND:
        return walk_chat_send(stream, &message->as.chat_send);
    case MESSAGE_CHAT_LINE:
        return walk_chat_line(stream, &message->as.chat_line);
    case MESSAGE_VOTE:
        return walk_vote(stream, &message->as.vote);
    case MESSAGE_HATS:
        return walk_hats(stream, &message->as.hats);
    case MESSAGE_VOUCH:
        walk_bytes(stream, message->as.vouch, MESSAGE_VOUCH_BYTES);
        return true;
    case MESSAGE_TRUSTED:
        return walk_trusted(stream, &message->as.trusted);
    case MESSAGE_SHOW:
        walk_bytes(stream, message->as.show, MESSAGE_VOUCH_BYTES);
        return true;
    case MESSAGE_TAGS:
        return walk_tags(stream, &message->as.tags);
    case MESSAGE_RECORD:
        return walk_record(stream, &message->as.record);
    case MESSAGE_SNAPSHOT:
    case MESSAGE_KINDS:
        break;
    }
    return check(stream, false);
}

size_t message_encode(const struct message *message, uint8_t *bytes)
{
    struct bit_writer writer = bits_writer(bytes, MESSAGE_BYTES_MAX);
    bits_write(&writer, message->kind, 8);
    struct message copy = *message; // the walk stores what it writes, too
    walk_message(&(struct stream){.writer = &writer}, &copy);
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
    return walk_message(&(struct stream){.reader = &reader}, message) && bits_read_all(&reader);
}
