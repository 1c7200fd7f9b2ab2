// SPDX-License-Identifier: MIT
//
// Removes old recordings from a directory, the oldest first, until the others keep within limits: how many, how old,
// how many bytes. Only files with the name of a recording count, and one that is being written, by this server or
// another, is never removed. Reads the whole directory, so a recorder's thread does it.
#ifndef RECORDING_RETENTION_H
#define RECORDING_RETENTION_H

#include <stdbool.h>
#include <stdint.h>

/// What is kept; 0: no such limit.
struct retention {
    uint32_t files;
    int64_t age_s;  ///< since a file was last written
    uint64_t bytes; ///< of all files
};

/// Reads one limit: "200" files, an age ("12h", "30d", "8w") or a size ("500M", "20G", "1T", powers of 1024). Returns
/// false for anything else.
bool retention_parse(const char *text, struct retention *retention);

/// Removes what is beyond the limits; `unix_s` is the time. What cannot be removed stays.
void retention_apply(const char *directory, const struct retention *limits, int64_t unix_s);

#endif
