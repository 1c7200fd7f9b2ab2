// SPDX-License-Identifier: MIT
//
// A snapshot: the world of one tick for a client that has a baseline world. The body depends only on these two worlds,
// so it is encoded once for each baseline; a head of a few bytes for each client goes before it. This file has the
// head, the full body, which lists all fields that differ from the fresh world of the map (for new clients, and for the
// keyframes of replays), and the parts of bodies that are too large for a datagram. input_log.h has the other bodies.
#ifndef WIRE_SNAPSHOT_H
#define WIRE_SNAPSHOT_H

#include "message.h"

/// The largest body, bytes: every field of every element differs by the most that its bits allow.
#define SNAPSHOT_BODY_BYTES_MAX (96 * 1024)
/// Bytes of a body in one part.
#define SNAPSHOT_PART_BYTES 1024
/// The most parts of a body.
#define SNAPSHOT_PARTS_MAX (SNAPSHOT_BODY_BYTES_MAX / SNAPSHOT_PART_BYTES)

/// What a snapshot tells its client besides the world.
struct snapshot_head {
    tick tick;                    ///< of the world
    tick baseline_tick;           ///< of the baseline; 0: the fresh world of the map and rules
    uint32_t world_hash;          ///< low 32 bits of world_hash(world)
    tick input_tick;              ///< newest tick for which the server holds this client's input; 0: none
    int32_t margin_quarter_ticks; ///< how early the latest of the last 16 inputs arrived; clamped on
                                  ///< the wire to [-128, 127]
    uint32_t inputs_missed;       ///< ticks stepped with another input than this client's since it joined, modulo 2^16
    uint32_t part, parts;         ///< this part, and how many there are
};

/// Encodes the difference. Returns its size in bytes, 0 if it exceeds `capacity`. SNAPSHOT_BODY_BYTES_MAX is always
/// enough.
size_t snapshot_body_encode(const struct world *baseline, const struct world *world, uint8_t *bytes, size_t capacity);

/// Makes `world` from the baseline and a body. Returns false on malformed bytes or if the world is not valid; `world`
/// is then undefined.
bool snapshot_body_decode(struct world *world, const struct world *baseline, const struct map *map,
                          const uint8_t *bytes, size_t byte_count);

/// Writes a whole message (kind, head, this part of the body) into `bytes` (room for MESSAGE_BYTES_MAX). Returns its
/// size.
size_t snapshot_part_encode(const struct snapshot_head *head, const uint8_t *part_bytes, size_t part_byte_count,
                            uint8_t *bytes);

/// Reads the head of a snapshot message; part_bytes points into `bytes`.
bool snapshot_part_decode(struct snapshot_head *head, const uint8_t **part_bytes, size_t *part_byte_count,
                          const uint8_t *bytes, size_t byte_count);

/// Collects the parts of the newest snapshot. Zero-initialise, and again when a new match begins (its ticks start
/// over). About 64 KB.
struct snapshot_assembly {
    struct snapshot_head head; ///< of the snapshot being collected
    bool have[SNAPSHOT_PARTS_MAX];
    uint32_t have_count; ///< parts that are here
    uint32_t byte_count; ///< of the whole body, known once the last part is here
    uint8_t body[SNAPSHOT_BODY_BYTES_MAX];
};

/// Adds a part. Returns true when it completes a snapshot; then head and body are whole. Ignores parts of an older
/// tick; a newer tick starts over.
bool snapshot_assembly_add(struct snapshot_assembly *assembly, const struct snapshot_head *head,
                           const uint8_t *part_bytes, size_t part_byte_count);

#endif
