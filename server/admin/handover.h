// SPDX-License-Identifier: MIT
//
// What a server hands to the next one besides its match: the options that an admin has set, and how long servers have
// run, for --duration. It is text, one line each, and the journal carries it. An option stays as it was set unless the
// value that is read for it has changed, as with reload.
#ifndef ADMIN_HANDOVER_H
#define ADMIN_HANDOVER_H

#include "admin_state.h"
#include "wire/replay.h"

/// Writes the text: "ran MS" and "set OPTION CRC-32 VALUE", where the checksum is that of the value that was read.
/// Leaves out what does not fit. Returns the bytes, at least 1; no final zero.
size_t handover_write(const struct admin_state *admin, uint64_t ran_ms, char text[REPLAY_NOTE_BYTES_MAX]);

/// Sets the options that an earlier server has handed over; call before there is a match. Logs what is no longer as
/// set, and skips lines that no server writes. Returns how long servers have run, ms.
uint64_t handover_read(struct admin_state *admin, const uint8_t *bytes, size_t byte_count);

#endif
