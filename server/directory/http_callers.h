// SPDX-License-Identifier: MIT
//
// Who asks a directory over HTTP: the address at the other end of a connection, or the one that a proxy names, which
// the settings believe. Households other than proxies and the operator's own network have few connections at a time,
// and slow ones give way to new ones (net/http_connections.h), so nobody can keep others out.
#ifndef DIRECTORY_HTTP_CALLERS_H
#define DIRECTORY_HTTP_CALLERS_H

#include <microhttpd.h>
#include <pthread.h>

#include "net/address_range.h"
#include "net/household.h"
#include "net/http_connections.h"
#include "options/option.h"

/// Places for connections; those beyond the limit of 4000 are for some that are about to end.
#define HTTP_CALLERS_CAPACITY 5120

struct http_callers {
    const struct household_rules *households;
    uint32_t proxy_count;
    struct address_range proxies[OPTION_LIST_CAPACITY];
    pthread_mutex_t lock; ///< of what follows
    struct http_connections connections;
    struct http_connection places[HTTP_CALLERS_CAPACITY];
};

/// Begins without connections. `households` says who has no limits; it stays in use.
void http_callers_init(struct http_callers *callers, const struct option_list *proxies,
                       const struct household_rules *households);
/// Finds who asks. False if a proxy does not say it.
bool http_callers_find(const struct http_callers *callers, struct MHD_Connection *connection, struct net_address *from);
/// Takes a connection that begins or ends, and ends one that gives way: an MHD_NotifyConnectionCallback. `context` is a
/// struct http_callers.
void http_callers_take(void *context, struct MHD_Connection *connection, void **kept,
                       enum MHD_ConnectionNotificationCode code);

#endif
