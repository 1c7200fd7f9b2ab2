// SPDX-License-Identifier: MIT
#include "message.h"

#include <string.h>

#include "bits.h"
#include "map_blob.h"

const char *deny_sentence(enum deny_reason reason)
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
    }
    return "";
}

static void write_long(struct bit_writer *writer, uint64_t value)
{
    bits_write(writer, (uint32_t)value, 32);
    bits_write(writer, (uint32_t)(value >> 32), 32);
}

static uint64_t read_long(struct bit_reader *reader)
{
    uint64_t low = bits_read(reader, 32);
    return low | (uint64_t)bits_read(reader, 32) << 32;
}

static void write_join(struct bit_writer *writer, const struct join_message *join)
{
    bits_write(writer, join->protocol, 32);
    for (size_t i = 0; i < PLAYER_NAME_BYTES / 4; i++)
        bits_write(writer, join->name[i], 32);
    assert(join->colour < 16);
    bits_write(writer, join->colour, 8);
    assert(join->hat < HATS);
    bits_write(writer, join->hat, 8);
    assert(join->local < LOCAL_PLAYERS);
    bits_write(writer, join->local, 8);
    write_long(writer, join->map_hash);
}

static bool read_join(struct bit_reader *reader, struct join_message *join)
{
    join->protocol = bits_read(reader, 32);
    if (join->protocol != PROTOCOL_VERSION)
        return !reader->failed;
    for (size_t i = 0; i < PLAYER_NAME_BYTES / 4; i++)
        join->name[i] = bits_read(reader, 32);
    join->colour = bits_read(reader, 8);
    join->hat = bits_read(reader, 8);
    join->local = bits_read(reader, 8);
    join->map_hash = read_long(reader);
    return bits_read_all(reader) && join->colour < 16 && join->hat < HATS && join->local < LOCAL_PLAYERS;
}

static void write_input(struct bit_writer *writer, const struct input_message *input)
{
    assert(input->count >= 1 && input->count <= INPUT_BATCH_CAPACITY && input->newest_tick >= input->count);
    bits_write(writer, input->newest_tick, 32);
    bits_write(writer, input->snapshot_tick, 32);
    bits_write(writer, input->count - 1, 4);
    bits_write(writer, input->inputs[0].buttons, BUTTON_BITS);
    for (uint32_t i = 1; i < input->count; i++) {
        bool changed = input->inputs[i].buttons != input->inputs[i - 1].buttons;
        bits_write(writer, changed, 1);
        if (changed)
            bits_write(writer, input->inputs[i].buttons, BUTTON_BITS);
    }
}

static bool read_input(struct bit_reader *reader, struct input_message *input)
{
    input->newest_tick = bits_read(reader, 32);
    input->snapshot_tick = bits_read(reader, 32);
    input->count = bits_read(reader, 4) + 1;
    input->inputs[0].buttons = bits_read(reader, BUTTON_BITS);
    for (uint32_t i = 1; i < input->count; i++) {
        input->inputs[i] = input->inputs[i - 1];
        if (bits_read(reader, 1) == 0)
            continue;
        input->inputs[i].buttons = bits_read(reader, BUTTON_BITS);
        if (input->inputs[i].buttons == input->inputs[i - 1].buttons)
            return false;
    }
    return bits_read_all(reader) && input->newest_tick >= input->count;
}

static bool welcome_is_sound(const struct welcome_message *welcome)
{
    return (welcome->snapshot_rate == 60 || welcome->snapshot_rate == 30 || welcome->snapshot_rate == 20) &&
           welcome->rules.mode < MODES && welcome->rules.friendly_fire <= 1 && welcome->map_blob_bytes >= 1 &&
           welcome->map_blob_bytes <= MAP_BLOB_BYTES_MAX;
}

static void write_welcome(struct bit_writer *writer, const struct welcome_message *welcome)
{
    assert(welcome_is_sound(welcome));
    bits_write(writer, welcome->slot, 8);
    bits_write(writer, welcome->snapshot_rate, 8);
    bits_write(writer, welcome->tick, 32);
    bits_write(writer, welcome->rules.mode, 8);
    bits_write(writer, (uint32_t)welcome->rules.score_limit, 32);
    bits_write(writer, welcome->rules.time_limit_ticks, 32);
    bits_write(writer, welcome->rules.seed, 32);
    bits_write(writer, welcome->rules.friendly_fire, 8);
    write_long(writer, welcome->map_hash);
    bits_write(writer, welcome->map_blob_bytes, 32);
    for (size_t i = 0; i < MAP_ADDRESS_BYTES; i++)
        bits_write(writer, welcome->map_address[i], 8);
}

static bool read_welcome(struct bit_reader *reader, struct welcome_message *welcome)
{
    welcome->slot = bits_read(reader, 8);
    welcome->snapshot_rate = bits_read(reader, 8);
    welcome->tick = bits_read(reader, 32);
    welcome->rules.mode = bits_read(reader, 8);
    welcome->rules.score_limit = (int32_t)bits_read(reader, 32);
    welcome->rules.time_limit_ticks = bits_read(reader, 32);
    welcome->rules.seed = bits_read(reader, 32);
    welcome->rules.friendly_fire = bits_read(reader, 8);
    welcome->map_hash = read_long(reader);
    welcome->map_blob_bytes = bits_read(reader, 32);
    for (size_t i = 0; i < MAP_ADDRESS_BYTES; i++)
        welcome->map_address[i] = (uint8_t)bits_read(reader, 8);
    return bits_read_all(reader) && welcome_is_sound(welcome);
}

static bool map_part_is_sound(const struct map_part_message *part)
{
    return part->count >= 1 && part->count <= MAP_PART_BYTES_MAX && part->offset <= MAP_BLOB_BYTES_MAX - part->count;
}

static void write_map_part(struct bit_writer *writer, const struct map_part_message *part)
{
    assert(map_part_is_sound(part));
    bits_write(writer, part->offset, 32);
    bits_flush(writer);
    bits_write_bytes(writer, part->bytes, part->count);
}

static bool read_map_part(struct bit_reader *reader, struct map_part_message *part)
{
    part->offset = bits_read(reader, 32);
    part->count = (uint32_t)bits_read_rest(reader, &part->bytes);
    return !reader->failed && map_part_is_sound(part);
}

// A text that takes the rest of the message.
static void write_text(struct bit_writer *writer, const char *text, size_t bytes_max)
{
    size_t byte_count = strlen(text);
    assert(byte_count >= 1 && byte_count <= bytes_max);
    bits_flush(writer);
    bits_write_bytes(writer, (const uint8_t *)text, byte_count);
}

static bool read_text(struct bit_reader *reader, char *text, size_t bytes_max)
{
    const uint8_t *bytes;
    size_t byte_count = bits_read_rest(reader, &bytes);
    if (reader->failed || byte_count < 1 || byte_count > bytes_max || memchr(bytes, 0, byte_count))
        return false;
    memcpy(text, bytes, byte_count);
    text[byte_count] = 0;
    return true;
}

// A text among others: its length stands before it.
static void write_short_text(struct bit_writer *writer, const char *text, size_t bytes_max)
{
    size_t byte_count = strlen(text);
    assert(byte_count >= 1 && byte_count <= bytes_max);
    bits_write(writer, (uint32_t)byte_count, 8);
    for (size_t i = 0; i < byte_count; i++)
        bits_write(writer, (uint8_t)text[i], 8);
}

static bool read_short_text(struct bit_reader *reader, char *text, size_t bytes_max)
{
    size_t byte_count = bits_read(reader, 8);
    if (byte_count < 1 || byte_count > bytes_max)
        return false;
    for (size_t i = 0; i < byte_count; i++) {
        text[i] = (char)(uint8_t)bits_read(reader, 8);
        if (text[i] == 0)
            return false;
    }
    text[byte_count] = 0;
    return true;
}

static bool read_say(struct bit_reader *reader, struct say_message *say)
{
    uint32_t to = bits_read(reader, 8);
    say->team = to == 1;
    return to <= 1 && read_text(reader, say->text, SAY_BYTES_MAX);
}

static bool talk_is_sound(const struct talk_message *talk)
{
    return talk->from <= PLAYER_CAPACITY && (talk->flags & ~TALK_FLAGS) == 0;
}

static void write_talk(struct bit_writer *writer, const struct talk_message *talk)
{
    assert(talk_is_sound(talk));
    bits_write(writer, talk->from, 16);
    bits_write(writer, talk->flags, 8);
    write_text(writer, talk->text, TALK_BYTES_MAX);
}

static bool read_talk(struct bit_reader *reader, struct talk_message *talk)
{
    talk->from = bits_read(reader, 16);
    talk->flags = bits_read(reader, 8);
    return read_text(reader, talk->text, TALK_BYTES_MAX) && talk_is_sound(talk);
}

static bool ballot_is_sound(const struct ballot_message *ballot)
{
    return ballot->choice_count >= 2 && ballot->choice_count <= BALLOT_CHOICE_CAPACITY &&
           ballot->own <= ballot->choice_count;
}

static void write_ballot(struct bit_writer *writer, const struct ballot_message *ballot)
{
    bits_write(writer, ballot->choice_count, 8);
    if (ballot->choice_count == 0)
        return;
    assert(ballot_is_sound(ballot));
    bits_write(writer, ballot->own, 8);
    bits_write(writer, ballot->ticks_left, 16);
    write_short_text(writer, ballot->question, BALLOT_QUESTION_BYTES_MAX);
    for (uint32_t i = 0; i < ballot->choice_count; i++) {
        assert(ballot->choices[i].votes <= PLAYER_CAPACITY);
        bits_write(writer, ballot->choices[i].votes, 16);
        write_short_text(writer, ballot->choices[i].text, BALLOT_CHOICE_BYTES_MAX);
    }
}

static bool read_ballot(struct bit_reader *reader, struct ballot_message *ballot)
{
    ballot->choice_count = bits_read(reader, 8);
    if (ballot->choice_count == 0)
        return bits_read_all(reader);
    ballot->own = bits_read(reader, 8);
    ballot->ticks_left = bits_read(reader, 16);
    if (!ballot_is_sound(ballot) || !read_short_text(reader, ballot->question, BALLOT_QUESTION_BYTES_MAX))
        return false;
    for (uint32_t i = 0; i < ballot->choice_count; i++) {
        struct ballot_choice *choice = &ballot->choices[i];
        choice->votes = bits_read(reader, 16);
        if (choice->votes > PLAYER_CAPACITY || !read_short_text(reader, choice->text, BALLOT_CHOICE_BYTES_MAX))
            return false;
    }
    return bits_read_all(reader);
}

static bool hats_message_is_sound(const struct hats_message *hats)
{
    return hats->count >= 1 && hats->first < PLAYER_CAPACITY && hats->count <= PLAYER_CAPACITY - hats->first &&
           hats_are_sound(hats->hats, hats->count);
}

static void write_hats(struct bit_writer *writer, const struct hats_message *hats)
{
    assert(hats_message_is_sound(hats));
    bits_write(writer, hats->first, 8);
    bits_flush(writer);
    bits_write_bytes(writer, hats->hats, hats->count);
}

static bool read_hats(struct bit_reader *reader, struct hats_message *hats)
{
    const uint8_t *bytes;
    hats->first = bits_read(reader, 8);
    hats->count = (uint32_t)bits_read_rest(reader, &bytes);
    if (reader->failed || hats->count > PLAYER_CAPACITY)
        return false;
    memcpy(hats->hats, bytes, hats->count);
    return hats_message_is_sound(hats);
}

size_t message_encode(const struct message *message, uint8_t *bytes)
{
    struct bit_writer writer = bits_writer(bytes, MESSAGE_BYTES_MAX);
    bits_write(&writer, message->kind, 8);
    switch (message->kind) {
    case MESSAGE_JOIN:
        write_join(&writer, &message->as.join);
        break;
    case MESSAGE_READY:
        bits_write(&writer, message->as.ready, 32);
        break;
    case MESSAGE_INPUT:
        write_input(&writer, &message->as.input);
        break;
    case MESSAGE_WELCOME:
        write_welcome(&writer, &message->as.welcome);
        break;
    case MESSAGE_DENY:
        assert(message->as.deny > DENY_NONE && message->as.deny < DENY_REASONS);
        bits_write(&writer, message->as.deny, 8);
        break;
    case MESSAGE_MAP_PART:
        write_map_part(&writer, &message->as.map_part);
        break;
    case MESSAGE_SNAPSHOT:
        assert(false);
        break;
    case MESSAGE_NOTICE:
        write_text(&writer, message->as.notice, NOTICE_BYTES_MAX);
        break;
    case MESSAGE_SAY:
        bits_write(&writer, message->as.say.team, 8);
        write_text(&writer, message->as.say.text, SAY_BYTES_MAX);
        break;
    case MESSAGE_TALK:
        write_talk(&writer, &message->as.talk);
        break;
    case MESSAGE_BALLOT:
        write_ballot(&writer, &message->as.ballot);
        break;
    case MESSAGE_HATS:
        write_hats(&writer, &message->as.hats);
        break;
    case MESSAGE_KINDS:
        assert(false);
        break;
    }
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
    switch (message->kind) {
    case MESSAGE_JOIN:
        return read_join(&reader, &message->as.join);
    case MESSAGE_READY:
        message->as.ready = bits_read(&reader, 32);
        return bits_read_all(&reader);
    case MESSAGE_INPUT:
        return read_input(&reader, &message->as.input);
    case MESSAGE_WELCOME:
        return read_welcome(&reader, &message->as.welcome);
    case MESSAGE_DENY:
        message->as.deny = (enum deny_reason)bits_read(&reader, 8);
        return bits_read_all(&reader) && message->as.deny > DENY_NONE && message->as.deny < DENY_REASONS;
    case MESSAGE_MAP_PART:
        return read_map_part(&reader, &message->as.map_part);
    case MESSAGE_SNAPSHOT:
        return false;
    case MESSAGE_NOTICE:
        return read_text(&reader, message->as.notice, NOTICE_BYTES_MAX);
    case MESSAGE_SAY:
        return read_say(&reader, &message->as.say);
    case MESSAGE_TALK:
        return read_talk(&reader, &message->as.talk);
    case MESSAGE_BALLOT:
        return read_ballot(&reader, &message->as.ballot);
    case MESSAGE_HATS:
        return read_hats(&reader, &message->as.hats);
    case MESSAGE_KINDS:
        return false;
    }
    return false;
}
