// SPDX-License-Identifier: MIT
#include "journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform/disk.h"
#include "sync/world.h"

// The state of reading a journal, about 560 KB. Opening the reader clears it, and its first world fills the other.
struct reading {
    struct replay_reader reader;
    struct world world;
};

// Plays the good ticks since the last keyframe, and fills `end`. Returns null, or what is wrong.
static const char *play(struct reading *reading, const uint8_t *bytes, size_t byte_count, struct journal_end *end)
{
    struct replay_reader *reader = &reading->reader;
    enum replay_fault fault = replay_reader_open(reader, bytes, byte_count);
    if (fault != REPLAY_OK)
        return replay_fault_text(fault);
    replay_reader_seek_last(reader);
    reading->world = reader->has_keyframe ? reader->keyframe : reader->first;
    while (replay_reader_next(reader) == REPLAY_OK) {
        bool good = true;
        for (uint32_t i = 0; i < reader->command_count && good; i++)
            good = world_command(&reading->world, &reader->map, &reader->commands[i]);
        if (good)
            world_step(&reading->world, &reader->map, reader->inputs);
        if (!good || (reader->has_hash && reader->hash != world_hash(&reading->world)))
            return "Its hashes do not match what this version of the game computes.";
    }
    end->map = reader->map;
    end->world = reading->world;
    end->seat_count = reader->seat_count;
    memcpy(end->seats, reader->seats, sizeof end->seats);
    memcpy(end->hats, reader->hats, sizeof end->hats);
    for (uint32_t i = 0; i < REPLAY_NOTES; i++) {
        const struct replay_note_bytes *note = &reader->notes[i];
        end->notes[i].byte_count = note->bytes ? note->byte_count : 0;
        if (note->bytes)
            memcpy(end->notes[i].bytes, note->bytes, note->byte_count);
    }
    // With an index, the server had stopped as planned, and may have published the secret.
    end->has_secret = reader->has_secret && !reader->index;
    memcpy(end->secret, reader->secret, sizeof end->secret);
    return NULL;
}

static const char *play_file(struct reading *reading, int file, struct journal_end *end)
{
    struct disk_facts facts;
    if (!disk_look_at(file, &facts))
        return strerror(errno);
    if (facts.kind != DISK_FILE || facts.byte_count == 0)
        return "It is empty, or not a file.";
    size_t byte_count = (size_t)facts.byte_count;
    const void *bytes = disk_map(file, byte_count);
    if (!bytes)
        return strerror(errno);
    const char *fault = play(reading, bytes, byte_count, end);
    disk_unmap(bytes, byte_count);
    return fault;
}

enum journal_outcome journal_read(const char *path, struct journal_end *end, struct error *error)
{
    int file = disk_open(path, DISK_READ, 0);
    if (file < 0 && errno == ENOENT)
        return JOURNAL_NONE;
    struct reading *reading = malloc(sizeof *reading);
    const char *fault = file < 0 ? strerror(errno) : !reading ? "Out of memory." : play_file(reading, file, end);
    if (fault)
        error_set(error, "the match in %.400s cannot be restored: %s", path, fault);
    free(reading);
    if (file >= 0)
        disk_close(file);
    return fault ? JOURNAL_FAULTY : JOURNAL_READ;
}

void journal_restore(struct match *match, const struct journal_end *end)
{
    world_copy(&match->world, &end->world);
    for (uint32_t slot = match->roster.seat_count; slot < end->world.player_slots; slot++)
        world_command(&match->world, &match->map, &(struct command){.kind = COMMAND_LEAVE, .slot = slot});
    roster_restore(&match->roster, &match->world, end->seats, end->seat_count);
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        match->roster.seats[slot].hat = end->hats[slot];
    if (end->has_secret) {
        memcpy(match->dice.secret, end->secret, sizeof match->dice.secret);
        dice_commit(match->dice.commitment, match->dice.secret);
    }
    const struct journal_note *vote = &end->notes[REPLAY_NOTE_VOTE];
    if (vote->byte_count > 0 && !vote_read(match, vote->bytes, vote->byte_count))
        log_write(match->log, LOG_WARNING, "the vote of the old server cannot be read, and ends");
    match->return_deadline = match->world.tick + JOURNAL_RETURN_TICKS;
    match->wait_deadline = match->world.tick + JOURNAL_WAIT_TICKS;
}

// Returns whether the next tick has an input of every player.
static bool all_are_back(const struct match *match)
{
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++) {
        if (match->roster.seats[slot].kind != SEAT_PLAYER)
            continue;
        uint32_t peer = peer_at_slot(match, slot);
        if (peer == MATCH_PEER_CAPACITY)
            return false;
        const struct input_queue *inputs = &match->peers[peer].inputs;
        if (inputs->newest_tick == 0 || (int32_t)(match->world.tick + 1 - inputs->first_tick) < 0)
            return false;
    }
    return true;
}

// The world may be paused already: by an operator, or because the old server stalled and was killed.
void journal_await_players(struct match *match)
{
    if (match->wait_deadline == 0 || match->command_count == MATCH_COMMAND_CAPACITY)
        return;
    bool over = (int32_t)(match->world.tick - match->wait_deadline) >= 0 || all_are_back(match);
    if (match->world.round.paused == (over ? PAUSE_STALLED : PAUSE_NONE))
        match->commands[match->command_count++] =
            (struct command){.kind = COMMAND_PAUSE, .paused = over ? PAUSE_NONE : PAUSE_STALLED};
    if (over)
        match->wait_deadline = 0;
}

void journal_expire_players(struct match *match)
{
    if (match->return_deadline == 0 || (int32_t)(match->world.tick - match->return_deadline) < 0)
        return;
    match->return_deadline = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        if (match->roster.seats[slot].kind == SEAT_PLAYER && peer_at_slot(match, slot) == MATCH_PEER_CAPACITY)
            roster_leave(&match->roster, slot, match->world.players);
}

void journal_write_seats(struct match *match)
{
    struct replay_seat seats[PLAYER_CAPACITY];
    uint32_t joins = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        joins += match->roster.seats[slot].occupant;
    if (!match->journal || joins == match->journaled_joins)
        return;
    match->journaled_joins = joins;
    recorder_seats(match->journal, seats, roster_seats(&match->roster, seats));
}

void journal_write_vote(struct match *match)
{
    uint8_t bytes[VOTE_NOTE_BYTES_MAX];
    if (!match->journal || match->journaled_vote == match->vote_changes)
        return;
    match->journaled_vote = match->vote_changes;
    recorder_note(match->journal, REPLAY_NOTE_VOTE, bytes, vote_write(match, bytes));
}
