// SPDX-License-Identifier: MIT
//
// Fuzzes messages and parts of snapshots with any bytes. What is accepted must be exactly what the encoder writes.
#include <string.h>

#include "require.h"
#include "wire/message.h"
#include "wire/snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count)
{
    static struct snapshot_assembly assembly;
    uint8_t again[MESSAGE_BYTES_MAX];
    struct message message;
    if (message_decode(&message, bytes, byte_count) &&
        (message.kind != MESSAGE_JOIN || message.as.join.protocol == PROTOCOL_VERSION)) {
        require(message_encode(&message, again) == byte_count);
        require(memcmp(again, bytes, byte_count) == 0);
    }
    struct snapshot_head head;
    const uint8_t *part;
    size_t part_bytes;
    if (snapshot_part_decode(&head, &part, &part_bytes, bytes, byte_count)) {
        require(snapshot_part_encode(&head, part, part_bytes, again) == byte_count);
        require(memcmp(again, bytes, byte_count) == 0);
        head.tick %= 4; // so that parts meet
        if (snapshot_assembly_add(&assembly, &head, part, part_bytes))
            require(assembly.byte_count >= 1 && assembly.byte_count <= SNAPSHOT_BODY_BYTES_MAX);
    }
    return 0;
}
