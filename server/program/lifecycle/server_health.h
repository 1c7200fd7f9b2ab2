// SPDX-License-Identifier: MIT
//
// How a server is, beside its match: whether its stores (journal, recording, records) are written, whether it sleeps
// or continues the match of a server that crashed. The parts of the server fill it in between ticks; monitoring
// copies it.
#ifndef LIFECYCLE_SERVER_HEALTH_H
#define LIFECYCLE_SERVER_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "net/webrtc.h"

/// What a server keeps on the disk.
enum store { STORE_JOURNAL, STORE_RECORDING, STORE_RECORDS, STORES };

struct store_health {
    bool wanted;       ///< the server should write it
    bool up;           ///< the server writes it
    uint64_t failures; ///< times that it stopped being written, or could not be begun
    int64_t success_s; ///< when bytes of it were last safe on the disk, s since 1970; 0: never
    uint32_t syncs;    ///< of the file, as seen last
    uint32_t placed;   ///< number of the newest file that was logged with its path
    uint32_t lost;     ///< of the newest one that was logged with its fault
    uint32_t ended;    ///< of the newest one that is complete, or known to have failed
};

/// The process for browsers.
struct webrtc_health {
    char fingerprint[WEBRTC_FINGERPRINT_TEXT_BYTES]; ///< of its certificate; "": browsers cannot join
    uint32_t starts;
    uint64_t dropped; ///< datagrams that it did not take
    uint64_t refused; ///< its frames for addresses that have not asked or paid for them
};

/// Zero-initialise.
struct server_health {
    struct store_health stores[STORES];
    uint64_t records_lost; ///< rows
    struct webrtc_health webrtc;
    bool asleep;    ///< no client is connected, and ticks have stopped
    bool recovered; ///< continues the match of a server that crashed
};

#endif
