// SPDX-License-Identifier: MIT
//
// The list of a directory, servers.json: which servers there are, and at which addresses the directory has reached
// them. It is signed and says when it was made, so any web server or mirror can carry it. Lists of several directories
// merge by key. Only a join proves who a server is; the list says where to knock. PROTOCOL.md documents the members.
#ifndef DISCOVERY_SERVER_LIST_H
#define DISCOVERY_SERVER_LIST_H

#include "net/crypto/identity.h"
#include "net/transport.h"
#include "server_facts.h"
#include "signed_text.h"

/// Servers of a list, and its bytes.
#define SERVER_LIST_CAPACITY  16384
#define SERVER_LIST_BYTES_MAX ((size_t)8 << 20)
/// From this age on a list is old: its directory may be gone, and its servers too. s.
#define SERVER_LIST_OLD_S 300

struct server_list_entry {
    char fingerprint[FINGERPRINT_TEXT_BYTES];  ///< of the server's key, as in an invitation
    char addresses[2][NET_ADDRESS_TEXT_BYTES]; ///< IPv4, IPv6; "": not reachable there; never both
    int64_t made_s;                            ///< of the list that it is from; set by server_list_read()
    struct server_facts facts;
};

/// Zero-initialise; server_list_free() frees what is in it.
struct server_list {
    int64_t made_s; ///< when the directory made it, since 1970
    uint32_t count;
    struct server_list_entry *entries; ///< each server once
};

/// Writes and signs a list. The caller frees the text. Null without memory.
char *server_list_write(const struct server_list *list, const uint8_t key[SIGNED_TEXT_KEY_BYTES],
                        const uint8_t secret[SIGNED_TEXT_SECRET_BYTES], size_t *byte_count);
/// Reads a list and verifies its signature; `fingerprint` of the directory's key, or null: any signer is believed
/// to be it. Entries that are wrong are left out, and a server that is in it twice counts once. False with an error;
/// then the list is as it was.
bool server_list_read(struct server_list *list, const char *text, size_t byte_count, const char *fingerprint,
                      struct error *error);
/// Adds the entries of another list; of a server that is in both, the newer entry stays. False without memory; then
/// nothing has changed.
bool server_list_merge(struct server_list *list, const struct server_list *other);
/// Frees the entries.
void server_list_free(struct server_list *list);

#endif
