// SPDX-License-Identifier: MIT
//
// What servers have on record about the player: the last that each of them has sent, also when it cannot be reached.
// The file has the fingerprint of a server and its message (PROTOCOL.md, record), one behind the other, the newest
// first. Of several players at the window it is the first place. Another file has what servers vouch for
// (net/crypto/vouch.h), one vouch for each server and player at the window. Others may have edited them: what is no
// such message or vouch is skipped.
#ifndef APP_SERVERS_SERVER_RECORDS_H
#define APP_SERVERS_SERVER_RECORDS_H

#include "net/crypto/identity.h"
#include "net/crypto/vouch.h"
#include "wire/message.h"

/// Servers at most; the one that has sent nothing for longest makes room.
#define SERVER_RECORDS_CAPACITY 8

/// Vouches at most; the oldest make room.
#define SERVER_RECORDS_VOUCHES 64

/// One of them.
struct server_record {
    char server[FINGERPRINT_TEXT_BYTES]; ///< fingerprint of its key
    struct record_message record;
};

/// All of them. Zero-initialise, or read them.
struct server_records {
    bool changed; ///< since they were read or written
    uint32_t count;
    struct server_record of[SERVER_RECORDS_CAPACITY]; ///< the newest first
};

/// Reads the file; none (or an empty path) gives no records.
void server_records_read(struct server_records *records, const char *path);
/// Replaces the file; an empty path: nowhere. Returns false with errno set.
bool server_records_write(struct server_records *records, const char *path);
/// Keeps what a server has sent, in the place of what it had sent before.
void server_records_put(struct server_records *records, const char *server, const struct record_message *record);
/// Finds the record of a server by its fingerprint. NULL if there is none.
const struct record_message *server_records_find(const struct server_records *records, const char *server);

/// Keeps a vouch that the server with this fingerprint has sent to a local player. False if it is not of that server or
/// not about this player, or the file (empty: there is none) cannot be written.
bool server_records_keep_vouch(const char *path, const char *fingerprint, uint32_t local,
                               const uint8_t bytes[VOUCH_BYTES]);
/// Finds the vouch of the server with this fingerprint about a local player. False if there is none.
bool server_records_find_vouch(const char *path, const char *fingerprint, uint32_t local, uint8_t bytes[VOUCH_BYTES]);

#endif
