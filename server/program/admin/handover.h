// SPDX-License-Identifier: MIT
//
// What a server hands to the next one besides its match: the options that an admin has set, how long servers have run,
// for --duration, a drain, and a tournament. It is text, one line each, and the journal carries it. An option stays as
// it was set unless the value that is read for it has changed, as with reload.
#ifndef ADMIN_HANDOVER_H
#define ADMIN_HANDOVER_H

#include "admin_state.h"
#include "wire/replay.h"

/// What is not an option.
struct handover {
    uint64_t ran_ms;       ///< how long servers have run
    int64_t drain_until_s; ///< when the next server's drain is over, s since 1970; 0: it does not drain
};

/// Writes the text: "ran MS", "drain UNTIL", the lines of bracket_write(), and "set OPTION CRC-32 VALUE", where the
/// checksum is that of the value that was read. Leaves out what does not fit. Returns the bytes, at least 1; no final
/// zero.
size_t handover_write(const struct admin_state *admin, const struct handover *handover,
                      char text[REPLAY_NOTE_BYTES_MAX]);

/// Sets the options that an earlier server has handed over; call before there is a match. Logs what is no longer as
/// set, and skips lines that no server writes. Returns the rest.
struct handover handover_read(struct admin_state *admin, const uint8_t *bytes, size_t byte_count);

#endif
