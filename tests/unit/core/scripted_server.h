// SPDX-License-Identifier: MIT
//
// One client and a server that is the test itself and sends anything, even what no server should. Its worlds have two
// players with a wall between them: the first is the client's, the second walks and jumps.
#ifndef UNIT_CORE_SCRIPTED_SERVER_H
#define UNIT_CORE_SCRIPTED_SERVER_H

#include "core/client.h"
#include "game/map/map_blob.h"
#include "memory_network.h"
#include "test_match.h"
#include "wire/snapshot.h"

extern struct test_match match;
extern struct world worlds[256]; ///< of the server, by tick
extern uint8_t blob[MAP_BLOB_BYTES_MAX];
extern uint32_t blob_bytes;
extern struct memory_network *network;
extern struct transport *server;
extern struct client *client;
extern uint64_t now_us;
extern uint32_t peer;            ///< the client's number at the server
extern struct message heard[64]; ///< what the client has sent, newest last
extern uint32_t heard_count;
extern uint32_t gone_reason; ///< the reason that the client gave

/// Setup and teardown of a test: the client has sent its JOIN.
void begin(void);
void finish(void);

/// Lets time pass at both ends.
void pass_ms(uint64_t ms);
/// Receives messages from the client.
void hear(void);

/// Sends bytes, or a message.
void say_bytes(enum net_channel channel, const uint8_t *bytes, size_t count);
void say(struct message message);

/// Returns the WELCOME to a match that is at a tick, or at tick 99.
struct message welcome_at(tick number);
struct message welcome(void);
/// Returns a part of the map.
struct message part(uint32_t offset, uint32_t count);

/// Sends the snapshot of head.tick from head.baseline_tick, its hash turned by head.world_hash.
void say_snapshot_with(struct snapshot_head head);
/// The same with a margin of a tick if `input_tick` is not 0.
void say_snapshot(tick number, tick baseline, uint32_t hash_fault, tick input_tick);

/// Welcomes the client, and sends the map and the snapshot of tick 100.
void let_in(void);
/// Lets the client take its next tick when it is due. Returns the inputs that it sent.
const struct input_message *tick_once(uint32_t buttons);
/// Returns the client's statistics.
struct client_statistics counted(void);

#endif
