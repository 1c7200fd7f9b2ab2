// SPDX-License-Identifier: MIT
//
// A minimal honest client, and a match with several of them. It joins, downloads the map, decodes every snapshot from
// its baseline, compares the hash, acknowledges, and sends one input a tick. It shares nothing with client/engine/core,
// so both cannot have the same mistake.
#ifndef TEST_PROBE_H
#define TEST_PROBE_H

#include "match/match.h"
#include "memory_network.h"

/// Length of a tick in virtual time, us.
#define TICK_US 16666u

/// Chat lines that a probe keeps.
#define PROBE_CHAT_CAPACITY 40

/// One client. About 10 MB: keep it on the heap or static.
struct probe {
    struct transport *transport;
    uint64_t map_hash_held; ///< sent in the JOIN; 0: none
    bool mute;              ///< sends nothing any more
    bool connected, welcomed, ready, ended;
    uint32_t slot; ///< of its player
    struct welcome_message welcome;
    uint32_t map_bytes, map_parts;
    enum deny_reason denied;
    char notice[SYSTEM_BYTES_MAX + 1];
    struct chat_line_message chat_lines[PROBE_CHAT_CAPACITY]; ///< the first that came
    uint32_t chat_line_count;                                 ///< all that came
    uint32_t hat;                                             ///< to join with: enum hat
    uint8_t hats[PLAYER_CAPACITY];                            ///< as received
    uint8_t tags[PLAYER_CAPACITY][MESSAGE_TAG_BYTES];         ///< as received
    size_t tag_bytes;                                         ///< of the messages with them
    struct vote_message open_vote;                            ///< the newest
    uint32_t snapshots, full_snapshots, parts, desyncs, undecodable;
    struct snapshot_head head; ///< of the newest snapshot
    tick acknowledge, newest;  ///< snapshot held
    uint32_t lead_ticks;       ///< inputs are for the newest snapshot's tick plus this
    uint32_t buttons;          ///< held
    uint32_t repeats;          ///< that it asks for
    tick input_tick;           ///< last sent
    uint8_t blob[MAP_BLOB_BYTES_MAX];
    struct map map;
    struct world fresh, world;
    struct world held[INPUT_LOG_TICKS];
    struct snapshot_assembly assembly;
};

/// Handles all that has arrived, and answers.
void probe_receive(struct probe *probe);
/// Sends the inputs of the next tick.
void probe_send_input(struct probe *probe);
/// Sends any message.
void probe_send(struct probe *probe, const struct message *message, enum net_channel channel);

/// A match over the memory network, in virtual time.
struct session {
    struct memory_network *network;
    struct match *match;
    struct probe *probes;
    uint32_t probe_count;
    uint64_t now_us;
};

/// Begins a match. Ends the test if memory runs out.
void session_begin(struct session *session, const struct match_config *config, const struct impairment *impairment,
                   uint32_t probe_count);
/// Runs that many ticks.
void session_run(struct session *session, uint32_t ticks);
void session_end(struct session *session);

#endif
