// SPDX-License-Identifier: MIT
#include "http_callers.h"

#include <string.h>

#include "base/host_port.h"
#include "base/platform/stream.h"

static const struct http_connections_limits LIMITS = {.max = 4000, .household_max = 16};

void http_callers_init(struct http_callers *callers, const struct option_list *proxies,
                       const struct household_rules *households)
{
    *callers = (struct http_callers){.households = households, .lock = PTHREAD_MUTEX_INITIALIZER};
    http_connections_init(&callers->connections, &LIMITS, callers->places, HTTP_CALLERS_CAPACITY);
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

static void write_host(const struct sockaddr *system, char host[IP_ADDRESS_NUMBER_BYTES])
{
    struct net_address address = ip_address_of_socket((const struct sockaddr_storage *)(const void *)system);
    ip_address_write_number(address.bytes, address.byte_count != ADDRESS_BYTES_IPV4, host);
}

// A proxy appends to what strangers say, so the last one counts.
bool http_callers_find(const struct http_callers *callers, struct MHD_Connection *connection, struct net_address *from)
{
    char host[IP_ADDRESS_NUMBER_BYTES];
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

// A proxy carries everybody's connections, and the operator's own network is no stranger.
static uint64_t limited_household(const struct http_callers *callers, const struct sockaddr *address)
{
    char host[IP_ADDRESS_NUMBER_BYTES];
    struct net_address from;
    write_host(address, host);
    uint64_t household = !is_proxy(callers, host) && net_address_parse(&from, host, 0) ? household_of(&from) : 0;
    return household_is_exempt(callers->households, household) ? 0 : household;
}

void http_callers_take(void *context, struct MHD_Connection *connection, void **kept,
                       enum MHD_ConnectionNotificationCode code)
{
    struct http_callers *callers = context;
    struct http_connections *connections = &callers->connections;
    pthread_mutex_lock(&callers->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const struct sockaddr *address =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
        int file = (int)MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        uint32_t victim, place = http_connections_add(connections, limited_household(callers, address), file, &victim);
        if (victim != HTTP_CONNECTIONS_NONE)
            stream_end(connections->of[victim].file);
        *kept = place == HTTP_CONNECTIONS_NONE ? NULL : &callers->places[place];
    } else if (*kept) {
        http_connections_remove(connections, (uint32_t)((struct http_connection *)*kept - callers->places));
    }
    pthread_mutex_unlock(&callers->lock);
}
