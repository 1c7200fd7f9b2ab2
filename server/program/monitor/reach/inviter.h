// SPDX-License-Identifier: MIT
//
// Chooses the link by which others join this server, and says who can: from what directories have answered, what the
// router has done, and the address that the machine has itself. A directory has tried, so its word counts most.
#ifndef MONITOR_INVITER_H
#define MONITOR_INVITER_H

#include <stdio.h>

#include "announcer.h"
#include "discovery/invitation.h"
#include "port_mapping.h"

/// All that is known.
struct inviter_facts {
    uint32_t row_count;
    struct announcer_row rows[ANNOUNCER_ROWS_MAX];
    struct port_mapping_result mapping;
    struct net_address own; ///< of the game on this machine, with its port
};

/// Finds the address by which others in this network see the machine; that of `bind` unless it means all. Sends
/// nothing, and asks nobody. Loopback if the machine has no network.
struct net_address inviter_own_address(const char *bind, uint16_t port);
/// Chooses reach, address and directory; the fingerprint stays.
void inviter_choose(struct invitation *invitation, const struct inviter_facts *facts);
/// Writes the invitation as a line of the log.
void inviter_log(const struct invitation *invitation, const struct log *log);
/// Prints it on stdout, for the program that has started the server.
void inviter_print(const struct invitation *invitation);
/// Prints the link as a QR code for a terminal, or that of the page if there is one (null: none), because phones have
/// no other program. Does nothing while the router is asked, if only this machine can join, and in a build without
/// codes.
void inviter_print_code(const struct invitation *invitation, const char *page_link, FILE *out);

/// Bytes of the link to a page, with its final zero.
#define INVITER_PAGE_LINK_BYTES (INVITATION_LINK_BYTES + NET_ADDRESS_TEXT_BYTES + 16)

/// The page for browsers.
struct inviter_page {
    const char *address;           ///< that it listens on, "ADDR:PORT"
    uint16_t port;                 ///< the port that this has become
    const struct net_address *own; ///< of the game on this machine, with its port
};

/// Writes the link that a browser opens: http://HOST:PORT/#ADDRESS:PORT#FINGERPRINT.CERTIFICATE, without # and what is
/// behind it if the server takes no browsers. HOST is the machine's own address, unless everybody reaches it at
/// another; a router that forwards the game's UDP port forwards nothing else. Returns whether others than this machine
/// join by it.
bool inviter_page_link(const struct invitation *invitation, const struct inviter_page *page,
                       char link[INVITER_PAGE_LINK_BYTES]);
/// Writes it as a line of the log, with who can open it.
void inviter_log_page(const struct invitation *invitation, const struct inviter_page *page, const struct log *log);

#endif
