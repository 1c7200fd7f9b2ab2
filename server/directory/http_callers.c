// SPDX-License-Identifier: MIT
#include "http_callers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "base/host_port.h"
#include "base/little_endian.h"

#define HOUSEHOLD_MAX 16 // connections

void http_callers_init(struct http_callers *callers, const struct option_list *proxies,
                       const struct household_rules *households)
{
    *callers = (struct http_callers){.households = households, .lock = PTHREAD_MUTEX_INITIALIZER};
    randombytes_buf(callers->key, sizeof callers->key);
    for (uint32_t i = 0; i < proxies->count; i++)
        callers->proxy_count += address_range_parse(proxies->values[i], &callers->proxies[callers->proxy_count]);
}

static bool is_proxy(const struct http_callers *callers, const char *numeric)
{
    struct address_range address;
    bool is = false;
    if (callers->proxy_count == 0 || !address_range_parse_address(numeric, &address))
        return false;
    for (uint32_t i = 0; i < callers->proxy_count; i++)
        is |= address_range_contains(&callers->proxies[i], &address);
    return is;
}

static void write_host(const struct sockaddr *address, char host[INET6_ADDRSTRLEN])
{
    const void *bytes = address->sa_family == AF_INET
                            ? (const void *)&((const struct sockaddr_in *)(const void *)address)->sin_addr
                            : (const void *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    if (!inet_ntop(address->sa_family, bytes, host, INET6_ADDRSTRLEN))
        host[0] = 0;
}

// A proxy appends to what strangers say, so the last one counts.
bool http_callers_find(const struct http_callers *callers, struct MHD_Connection *connection, struct net_address *from)
{
    char host[INET6_ADDRSTRLEN];
    write_host(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr, host);
    if (!is_proxy(callers, host))
        return net_address_parse(from, host, 0);
    const char *said = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Forwarded-For");
    const char *last = said ? strrchr(said, ',') : NULL;
    struct host_port place;
    last = last ? last + 1 : said;
    while (last && *last == ' ')
        last++;
    return last && host_port_parse(last, SIZE_MAX, &place) && net_address_parse(from, place.host, 0);
}

static uint16_t *connections_of(struct http_callers *callers, const struct sockaddr *address)
{
    uint8_t text[8], hash[crypto_shorthash_BYTES];
    struct sockaddr_storage kernel = {0};
    memcpy(&kernel, address, address->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6));
    struct net_address from = ip_address_of_socket(&kernel);
    little_endian_write(text, household_of(&from), sizeof text);
    crypto_shorthash(hash, text, sizeof text, callers->key);
    return &callers->connections[little_endian_read(hash, 8) % HTTP_CALLERS_ROWS];
}

// A proxy carries everybody's connections, and the operator's own network is no stranger.
static bool is_limited(struct http_callers *callers, const struct sockaddr *address)
{
    char host[INET6_ADDRSTRLEN];
    struct net_address from;
    write_host(address, host);
    return !is_proxy(callers, host) && net_address_parse(&from, host, 0) &&
           !household_is_exempt(callers->households, household_of(&from));
}

enum MHD_Result http_callers_accept(void *context, const struct sockaddr *address, socklen_t size)
{
    struct http_callers *callers = context;
    (void)size;
    pthread_mutex_lock(&callers->lock);
    bool accepts = *connections_of(callers, address) < HOUSEHOLD_MAX;
    pthread_mutex_unlock(&callers->lock);
    return accepts || !is_limited(callers, address) ? MHD_YES : MHD_NO;
}

void http_callers_count(void *context, struct MHD_Connection *connection, void **kept,
                        enum MHD_ConnectionNotificationCode code)
{
    struct http_callers *callers = context;
    (void)kept;
    const struct sockaddr *address =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
    pthread_mutex_lock(&callers->lock);
    uint16_t *count = connections_of(callers, address);
    *count = (uint16_t)(*count + (code == MHD_CONNECTION_NOTIFY_STARTED ? 1 : -1));
    pthread_mutex_unlock(&callers->lock);
}
