// SPDX-License-Identifier: MIT
//
// The barest honest client, and a match with several of them: joins, fetches the map, decodes every snapshot against
// the baseline it names, compares the hash, acknowledges, sends one input a tick. Shares nothing with client/core, so
// that a misunderstanding cannot be in both.
#ifndef TEST_PROBE_H
#define TEST_PROBE_H

#include "match/match.h"
#include "memory_network.h"

/// Length of a tick in virtual time, us.
#define TICK_US 16666u

/// Lines of talk that a probe keeps.
#define PROBE_CHAT_CAPACITY 40

/// One client. About 10 MB: keep it on the heap or static.
struct probe {
    struct transport *transport;
    uint64_t map_hash_held; ///< to be told when joining; 0: none
    bool mute;              ///< sends nothing any more
    bool connected, welcomed, ready, ended;
    struct welcome_message welcome;
    uint32_t map_bytes, map_parts;
    enum deny_reason denied;
    char notice[SYSTEM_BYTES_MAX + 1];
    struct chat_line_message chat_lines[PROBE_CHAT_CAPACITY]; ///< the first that came
    uint32_t chat_line_count;                                 ///< all that came
    uint32_t hat;                                             ///< to join with: enum hat
    uint8_t hats[PLAYER_CAPACITY];                            ///< as told
    struct vote_message open_vote;                            ///< the newest
    uint32_t snapshots, full_snapshots, parts, desyncs, undecodable;
    struct snapshot_head head; ///< of the newest snapshot
    tick acknowledge, newest;  ///< snapshot held
    uint32_t lead_ticks;       ///< inputs are for the newest snapshot's tick plus this
    uint32_t buttons;          ///< held
    tick input_tick;           ///< last sent
    uint8_t blob[MAP_BLOB_BYTES_MAX];
    struct map map;
    struct world fresh, world;
    struct world held[INPUT_LOG_TICKS];
    struct snapshot_assembly assembly;
};

/// Takes all that has arrived; answers.
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

/// Begins; ends the test if memory is out.
void session_begin(struct session *session, const struct match_config *config, const struct impairment *impairment,
                   uint32_t probe_count);
/// Runs that many ticks.
void session_run(struct session *session, uint32_t ticks);
void session_end(struct session *session);

#endif
