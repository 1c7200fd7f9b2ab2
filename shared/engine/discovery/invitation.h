// SPDX-License-Identifier: MIT
//
// An invitation: the link by which others join a match, and who can use it. A server finds out both and prints them on
// its standard output, in one line for the program that has started it:
//
//     invite: deadfall://192.0.2.7:27440#FINGERPRINT reach=router
//
// Behind the fingerprint stands .CERTIFICATE if the server takes browsers.
#ifndef DISCOVERY_INVITATION_H
#define DISCOVERY_INVITATION_H

#include "net/crypto/identity.h"
#include "net/net_address.h"
#include "net/webrtc.h"

/// Bytes of a link, with its final zero.
#define INVITATION_LINK_BYTES (16 + 2 * NET_ADDRESS_TEXT_BYTES + FINGERPRINT_TEXT_BYTES + WEBRTC_FINGERPRINT_TEXT_BYTES)
/// Bytes of a line, with its final zero.
#define INVITATION_LINE_BYTES (INVITATION_LINK_BYTES + 32)

/// Who can join by a link, and how that is known.
enum invitation_reach {
    INVITATION_WAITING,    ///< not known yet: the router is being asked
    INVITATION_DIRECTORY,  ///< everybody: a directory has reached the server there
    INVITATION_INTRODUCED, ///< most: a directory introduces them, since it cannot reach the server otherwise
    INVITATION_ROUTER,     ///< everybody: the router forwards the port, and has a public address
    INVITATION_PUBLIC,     ///< not known: the machine has a public address, but a firewall may be in the way
    INVITATION_SILENT,     ///< not known: no router answers, so its owner must forward the port
    INVITATION_REFUSED,    ///< this network: the router does not forward the port
    INVITATION_CARRIER,    ///< this network: the router has no public address itself
    INVITATION_BLOCKED,    ///< this network: a directory cannot reach the server
    INVITATION_NEARBY,     ///< this network: a guest has joined at an address of it
    INVITATION_MACHINE,    ///< this machine: the server listens on loopback alone
    INVITATION_REACHES,
};
/// Their words in a line.
extern const char *const INVITATION_REACH_NAMES[INVITATION_REACHES];

/// A link in its parts.
struct invitation {
    enum invitation_reach reach;
    char address[NET_ADDRESS_TEXT_BYTES];            ///< with the port
    char fingerprint[FINGERPRINT_TEXT_BYTES];        ///< of the server's key; "": the link has none
    char certificate[WEBRTC_FINGERPRINT_TEXT_BYTES]; ///< for browsers; "": the server takes none
    char through[NET_ADDRESS_TEXT_BYTES];            ///< directory that introduces clients, with its UDP port; "": none
};

/// Writes the link: deadfall://ADDRESS:PORT#FINGERPRINT, .CERTIFICATE if there is one, and @DIRECTORY:PORT if that
/// introduces clients.
void invitation_link(const struct invitation *invitation, char link[INVITATION_LINK_BYTES]);
/// Writes the line, without its end.
void invitation_line(const struct invitation *invitation, char line[INVITATION_LINE_BYTES]);
/// Reads such a line; what follows after the word of reach counts nothing. False for any other line.
bool invitation_read(struct invitation *invitation, const char *line);

#endif
