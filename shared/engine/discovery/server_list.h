// SPDX-License-Identifier: MIT
//
// The list of a directory, servers.json: which servers there are, and at which addresses the directory has reached
// them. It is signed and says when it was made, so any web server or mirror can carry it. Lists of several directories
// merge by key. Only a join proves who a server is; the list says where to knock. PROTOCOL.md documents the members.
#ifndef DISCOVERY_SERVER_LIST_H
#define DISCOVERY_SERVER_LIST_H

#include "announcement.h"
#include "net/crypto/identity.h"
#include "net/transport.h"
#include "signed_text.h"

/// Servers of a list, and its bytes.
#define SERVER_LIST_CAPACITY  16384
#define SERVER_LIST_BYTES_MAX ((size_t)8 << 20)
/// From this age on a list is old: its directory may be gone, and its servers too. s.
#define SERVER_LIST_OLD_S 300

/// Bytes of a directory's host with its final zero; a longer one introduces nobody.
#define SERVER_LIST_HOST_BYTES 48
/// Bytes of an address to join, with its final zero.
#define SERVER_LIST_LINK_BYTES (NET_ADDRESS_TEXT_BYTES + FINGERPRINT_TEXT_BYTES + SERVER_LIST_HOST_BYTES + 10)

struct server_list_entry {
    char fingerprint[FINGERPRINT_TEXT_BYTES];  ///< of the server's key, as in an invitation
    char addresses[2][NET_ADDRESS_TEXT_BYTES]; ///< IPv4, IPv6; "": not reachable there
    char mappings[2][NET_ADDRESS_TEXT_BYTES];  ///< where it is if the directory introduces a client to it; "": nowhere
    int64_t made_s;                            ///< of the list that it is from; set by server_list_read()
    uint16_t punch_port;                       ///< UDP port of that directory, if there is a mapping
    char through[SERVER_LIST_HOST_BYTES];      ///< host of that directory; "": not known
    struct server_facts facts;
};

/// Zero-initialise; server_list_free() frees what is in it.
struct server_list {
    int64_t made_s; ///< when the directory made it, since 1970
    uint32_t count;
    struct server_list_entry *entries;   ///< each server once
    char host[SERVER_LIST_HOST_BYTES];   ///< of the directory, as it says itself; "": it does not
    char signer[FINGERPRINT_TEXT_BYTES]; ///< fingerprint of the directory's key; set by server_list_read()
};

/// Writes and signs a list. The caller frees the text. Null without memory.
char *server_list_write(const struct server_list *list, const uint8_t key[SIGNED_TEXT_KEY_BYTES],
                        const uint8_t secret[SIGNED_TEXT_SECRET_BYTES], size_t *byte_count);
/// Reads a list and verifies its signature; `fingerprint` of the directory's key, or null: any signer is believed
/// to be it. Entries that are wrong are left out, and a server that is in it twice counts once. False with an error;
/// then the list is as it was.
bool server_list_read(struct server_list *list, const char *text, size_t byte_count, const char *fingerprint,
                      struct error *error);
/// Sets the host that a list names, HOST or HOST:PORT; none if that is no host, or too long.
void server_list_set_host(struct server_list *list, const char *host);
/// Sets where a list is from, HOST or HOST:PORT: there clients are introduced to servers, if the list names no host.
void server_list_set_directory(struct server_list *list, const char *host);
/// Writes the address by which a server is joined, ADDRESS#KEY or ADDRESS#KEY@DIRECTORY. False if it cannot be joined.
bool server_list_link(const struct server_list_entry *entry, char link[SERVER_LIST_LINK_BYTES]);
/// Adds the entries of another list. Of a server that is at the same place in both, the newer entry stays; if they
/// disagree about where it is, both stay, so that no directory can hide a server of another. False without memory; then
/// nothing has changed.
bool server_list_merge(struct server_list *list, const struct server_list *other);
/// Frees the entries.
void server_list_free(struct server_list *list);

#endif
