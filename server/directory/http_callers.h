// SPDX-License-Identifier: MIT
//
// Who asks a directory over HTTP: the address at the other end of a connection, or the one that a proxy names, which
// the settings believe. A household has few connections at a time, but for proxies and the operator's own network.
#ifndef DIRECTORY_HTTP_CALLERS_H
#define DIRECTORY_HTTP_CALLERS_H

#include <microhttpd.h>
#include <pthread.h>
#include <sodium.h>

#include "net/address_range.h"
#include "net/household.h"
#include "options/option.h"

/// Rows of the table of connections. Households share one now and then.
#define HTTP_CALLERS_ROWS 4096

struct http_callers {
    const struct household_rules *households;
    uint32_t proxy_count;
    struct address_range proxies[OPTION_LIST_CAPACITY];
    pthread_mutex_t lock; ///< of what follows
    uint8_t key[crypto_shorthash_KEYBYTES];
    uint16_t connections[HTTP_CALLERS_ROWS]; ///< open ones, by household
};

/// Begins without connections. `households` says who has no limits; it stays in use.
void http_callers_init(struct http_callers *callers, const struct option_list *proxies,
                       const struct household_rules *households);
/// Finds who asks. False if a proxy does not say it.
bool http_callers_find(const struct http_callers *callers, struct MHD_Connection *connection, struct net_address *from);
/// Admits a connection, or not: an MHD_AcceptPolicyCallback. `context` is a struct http_callers.
enum MHD_Result http_callers_accept(void *context, const struct sockaddr *address, socklen_t size);
/// Counts the connections: an MHD_NotifyConnectionCallback. `context` is a struct http_callers.
void http_callers_count(void *context, struct MHD_Connection *connection, void **kept,
                        enum MHD_ConnectionNotificationCode code);

#endif
