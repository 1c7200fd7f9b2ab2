// SPDX-License-Identifier: MIT
#include "port_mapping.h"

#include <miniupnpc/miniupnpc.h>
#include <miniupnpc/upnpcommands.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/platform/process.h"
#include "base/platform/udp.h"
#include "natpmp.h"
#include "net/net_address.h"

#define AGAIN_NS      (60 * CLOCK_SECOND_NS) // after a router has not answered, or refused
#define SOON_NS       (CLOCK_SECOND_NS / 4)
#define UPNP_MS       2000 // for all answers of SSDP
#define END_NS        (2 * CLOCK_SECOND_NS)
#define RESTART_NS    (CLOCK_SECOND_NS / 10)
#define PORTS_TRIED   8u // if another machine of the home has the port
#define NAME          "Deadfall"
#define UPNP_CONFLICT 718
#define UPNP_ENDLESS  725 // the router knows no leases

enum protocol { BY_NOTHING, BY_NATPMP, BY_UPNP };

// A router of the home, as UPnP finds it.
struct gateway {
    bool is_found; // FreeUPNPUrls is due
    struct UPNPUrls urls;
    struct IGDdatas data;
    char own[64]; // address of this machine, as the router sees it
};

struct port_mapping {
    pthread_t thread;
    atomic_bool closing, leaves;
    const struct log *log;
    uint16_t port;
    enum protocol protocol; // of the mapping that exists
    struct port_mapping_lease lease;
    struct gateway gateway;
    pthread_mutex_t lock; // of the result, `wakes` and `ended`
    pthread_cond_t wakes; // it is to end, or has ended
    bool ended;           // all that the thread does
    struct port_mapping_result result;
};

// --- leases

// The halves of a lease without end are those of the longest, for a router that forgets it.
static uint64_t half_of(uint32_t lease_s)
{
    return (lease_s ? lease_s : PORT_MAPPING_LEASE_S) * CLOCK_SECOND_NS / 2;
}

void port_mapping_lease_begin(struct port_mapping_lease *lease, uint32_t lease_s, uint64_t now_ns)
{
    lease->end_ns = lease_s ? now_ns + 2 * half_of(lease_s) : UINT64_MAX;
    lease->next_ns = now_ns + half_of(lease_s);
}

bool port_mapping_lease_fail(struct port_mapping_lease *lease, uint64_t now_ns)
{
    bool is_held = now_ns < lease->end_ns;
    uint64_t half_ns = is_held ? (lease->end_ns - now_ns) / 2 : AGAIN_NS;
    uint64_t wait_ns = half_ns < AGAIN_NS ? half_ns : AGAIN_NS;
    lease->next_ns = now_ns + (wait_ns > SOON_NS ? wait_ns : SOON_NS);
    return is_held;
}

// A router may grant less than what was asked for, and none more. `granted` 0: without end.
static uint32_t lease_of(unsigned long granted)
{
    return granted < PORT_MAPPING_LEASE_S ? (uint32_t)granted : PORT_MAPPING_LEASE_S;
}

// --- the two protocols

// How an attempt ends: the router forwards, it refuses, or there is none that knows the protocol.
enum outcome { FORWARDS, REFUSES, ABSENT };

static void set_outside(struct port_mapping_result *result, const struct net_address *outside, uint16_t port)
{
    net_address_text(outside, result->address);
    result->port = port;
}

static bool read_outside(struct port_mapping_result *result, const char *host, uint16_t port)
{
    struct net_address address;
    if (!ip_address_parse(&address, host, port) || address.byte_count != ADDRESS_BYTES_IPV4)
        return false;
    set_outside(result, &address, port);
    return true;
}

static enum outcome natpmp_map(uint16_t port, uint16_t outside, uint32_t lease_s, struct port_mapping_result *result)
{
    static const enum outcome OUTCOMES[] = {
        [NATPMP_GRANTED] = FORWARDS, [NATPMP_REFUSED] = REFUSES, [NATPMP_ABSENT] = ABSENT};
    struct natpmp_request request = {.port = port, .outside = outside, .lease_s = lease_s};
    struct natpmp_mapping mapping;
    struct net_address router;
    if (!udp_find_router(&router))
        return ABSENT;
    request.router = net_address_with_port(&router, NATPMP_PORT);
    enum natpmp_outcome outcome = natpmp_ask(&request, &mapping);
    if (outcome == NATPMP_GRANTED && lease_s > 0) {
        set_outside(result, &mapping.outside, mapping.port);
        result->lease_s = mapping.lease_s;
    }
    return OUTCOMES[outcome];
}

// Whatever answers in the local network could send requests elsewhere.
static bool is_nearby(const char *url)
{
    struct host_port place;
    struct net_address address;
    const char *host = url + strlen("http://");
    return url && strncmp(url, "http://", strlen("http://")) == 0 &&
           host_port_parse(host, strcspn(host, "/"), &place) && ip_address_parse(&address, place.host, 0) &&
           !ip_address_is_public(&address) && !ip_address_is_loopback(&address);
}

static void forget_gateway(struct gateway *gateway)
{
    if (gateway->is_found)
        FreeUPNPUrls(&gateway->urls);
    *gateway = (struct gateway){0};
}

static bool find_gateway(struct gateway *gateway)
{
    int error = 0;
    struct UPNPDev *devices = upnpDiscover(UPNP_MS, NULL, NULL, UPNP_LOCAL_PORT_ANY, 0, 2, &error);
    int found =
        devices ? UPNP_GetValidIGD(devices, &gateway->urls, &gateway->data, gateway->own, (int)sizeof gateway->own) : 0;
    freeUPNPDevlist(devices);
    gateway->is_found = found != 0;
    if ((found == 1 || found == 2) && is_nearby(gateway->urls.controlURL))
        return true;
    forget_gateway(gateway);
    return false;
}

// A mapping in the table of a router.
struct entry {
    uint16_t port, outside;
    bool is_ours; // it leads to this port of this machine
    uint32_t lease_s;
};

// Reads the entry of a port outside. False if there is none, or the router does not say.
static bool upnp_find(const struct gateway *gateway, struct entry *entry)
{
    char outside[8], host[16] = "", port[6] = "", name[80] = "", is_on[4] = "", lease[16] = "";
    snprintf(outside, sizeof outside, "%u", entry->outside);
    if (UPNP_GetSpecificPortMappingEntry(gateway->urls.controlURL, gateway->data.first.servicetype, outside, "UDP",
                                         NULL, host, port, name, is_on, lease) != 0)
        return false;
    entry->is_ours = strcmp(host, gateway->own) == 0 && strtoul(port, NULL, 10) == entry->port;
    entry->lease_s = lease_of(strtoul(lease, NULL, 10));
    return true;
}

static void upnp_unmap(const struct gateway *gateway, uint16_t outside)
{
    char outside_text[8];
    snprintf(outside_text, sizeof outside_text, "%u", outside);
    UPNP_DeletePortMapping(gateway->urls.controlURL, gateway->data.first.servicetype, outside_text, "UDP", NULL);
}

// Returns 0 or an error of UPnP.
static int upnp_add_for(const struct gateway *gateway, struct entry *entry, uint32_t lease_s)
{
    char inside[8], outside[8], lease[12];
    snprintf(inside, sizeof inside, "%u", entry->port);
    snprintf(outside, sizeof outside, "%u", entry->outside);
    snprintf(lease, sizeof lease, "%u", lease_s);
    entry->lease_s = lease_s;
    return UPNP_AddPortMapping(gateway->urls.controlURL, gateway->data.first.servicetype, outside, inside, gateway->own,
                               NAME, "UDP", NULL, lease);
}

static int upnp_add_once(const struct gateway *gateway, struct entry *entry)
{
    int code = upnp_add_for(gateway, entry, PORT_MAPPING_LEASE_S);
    return code == UPNP_ENDLESS ? upnp_add_for(gateway, entry, 0) : code;
}

// Adds an entry, or renews it. Some routers refuse to change one that exists, even for its owner: it is removed first.
static int upnp_add(const struct gateway *gateway, struct entry *entry)
{
    struct entry known = *entry;
    int code = upnp_add_once(gateway, entry);
    if (code == UPNP_CONFLICT && upnp_find(gateway, &known) && known.is_ours) {
        upnp_unmap(gateway, entry->outside);
        code = upnp_add_once(gateway, entry);
    }
    if (code == 0 && upnp_find(gateway, &known) && known.is_ours)
        entry->lease_s = known.lease_s;
    return code;
}

// A router that was found before is not searched for again: that takes seconds.
static enum outcome upnp_map(struct gateway *gateway, uint16_t port, uint16_t first, struct port_mapping_result *result)
{
    char host[40] = "";
    if (!gateway->is_found && !find_gateway(gateway))
        return ABSENT;
    int code = UPNP_CONFLICT;
    struct entry entry = {.port = port};
    for (uint32_t tried = 0; tried < PORTS_TRIED && code == UPNP_CONFLICT && first + tried <= 65535; tried++) {
        entry.outside = (uint16_t)(first + tried);
        code = upnp_add(gateway, &entry);
    }
    if (code == 0)
        code = UPNP_GetExternalIPAddress(gateway->urls.controlURL, gateway->data.first.servicetype, host);
    result->lease_s = entry.lease_s;
    if (code == 0 && read_outside(result, host, entry.outside))
        return FORWARDS;
    forget_gateway(gateway);
    return REFUSES;
}

// --- the thread

static void report(const struct port_mapping *mapping, const struct port_mapping_result *result)
{
    static const char *const LINES[] = {
        [PORT_MAPPING_OFF] = "the router is not asked",
        [PORT_MAPPING_ASKING] = "the router is asked to forward UDP port {port}",
        [PORT_MAPPING_OPEN] = "the router forwards {address} to UDP port {port}, by {protocol}",
        [PORT_MAPPING_REFUSED] = "the router does not forward UDP port {port}; forward it in the router's settings",
        [PORT_MAPPING_SILENT] = "no router answers NAT-PMP or UPnP; forward UDP port {port} in its settings",
    };
    log_event(mapping->log, result->state == PORT_MAPPING_OPEN ? LOG_INFO : LOG_WARNING,
              &(struct fields){"port_mapping",
                               LINES[result->state],
                               {{"port", .number = mapping->port},
                                {"address", .text = result->address},
                                {"protocol", .text = mapping->protocol == BY_NATPMP ? "NAT-PMP" : "UPnP"}}});
}

// Asks for the mapping, or for more time by the same protocol. The port outside stays if it can, and what was granted
// lasts until its end.
static void ask(struct port_mapping *mapping)
{
    struct port_mapping_result fresh = {0};
    bool has_one = mapping->result.state == PORT_MAPPING_OPEN;
    uint16_t outside = has_one ? mapping->result.port : mapping->port;
    enum outcome by_natpmp = ABSENT, by_upnp = ABSENT;
    if (mapping->protocol != BY_UPNP)
        by_natpmp = natpmp_map(mapping->port, outside, PORT_MAPPING_LEASE_S, &fresh);
    if (mapping->protocol != BY_NATPMP && by_natpmp != FORWARDS && !atomic_load(&mapping->closing))
        by_upnp = upnp_map(&mapping->gateway, mapping->port, outside, &fresh);
    uint64_t now_ns = clock_now_ns();
    bool forwards = by_natpmp == FORWARDS || by_upnp == FORWARDS;
    if (forwards)
        port_mapping_lease_begin(&mapping->lease, fresh.lease_s, now_ns);
    else if (port_mapping_lease_fail(&mapping->lease, now_ns))
        return;
    mapping->protocol = by_natpmp == FORWARDS ? BY_NATPMP : by_upnp == FORWARDS ? BY_UPNP : BY_NOTHING;
    fresh.state = forwards                                     ? PORT_MAPPING_OPEN
                  : by_natpmp == REFUSES || by_upnp == REFUSES ? PORT_MAPPING_REFUSED
                                                               : PORT_MAPPING_SILENT;
    bool is_new = fresh.state != mapping->result.state || strcmp(fresh.address, mapping->result.address) != 0;
    pthread_mutex_lock(&mapping->lock);
    mapping->result = fresh;
    pthread_mutex_unlock(&mapping->lock);
    if (is_new && !atomic_load(&mapping->closing))
        report(mapping, &fresh);
}

static void *run(void *context)
{
    struct port_mapping *mapping = context;
    struct port_mapping_result gone;
    while (!atomic_load(&mapping->closing)) {
        ask(mapping);
        uint64_t until_ns = mapping->lease.next_ns;
        pthread_mutex_lock(&mapping->lock);
        while (!atomic_load(&mapping->closing) && clock_now_ns() < until_ns)
            process_condition_wait(&mapping->wakes, &mapping->lock, until_ns);
        pthread_mutex_unlock(&mapping->lock);
    }
    if (atomic_load(&mapping->leaves) && mapping->protocol == BY_NATPMP)
        natpmp_map(mapping->port, 0, 0, &gone); // RFC 6886, 3.4
    if (atomic_load(&mapping->leaves) && mapping->protocol == BY_UPNP && mapping->gateway.is_found)
        upnp_unmap(&mapping->gateway, mapping->result.port);
    forget_gateway(&mapping->gateway);
    pthread_mutex_lock(&mapping->lock);
    mapping->ended = true;
    pthread_cond_signal(&mapping->wakes);
    pthread_mutex_unlock(&mapping->lock);
    return NULL;
}

struct port_mapping *port_mapping_open(uint16_t port, const struct log *log)
{
    struct port_mapping *mapping = calloc(1, sizeof *mapping);
    if (!mapping)
        return NULL;
    mapping->port = port;
    mapping->log = log;
    mapping->result.state = PORT_MAPPING_ASKING;
    pthread_mutex_init(&mapping->lock, NULL);
    if (process_condition_open(&mapping->wakes) == 0 && pthread_create(&mapping->thread, NULL, run, mapping) == 0)
        return mapping;
    free(mapping);
    return NULL;
}

void port_mapping_read(struct port_mapping *mapping, struct port_mapping_result *result)
{
    *result = (struct port_mapping_result){0};
    if (!mapping)
        return;
    pthread_mutex_lock(&mapping->lock);
    *result = mapping->result;
    pthread_mutex_unlock(&mapping->lock);
}

// A router may keep the thread waiting. It is left behind then: the process ends, and so does the lease.
void port_mapping_close(struct port_mapping *mapping, bool leaves)
{
    if (!mapping)
        return;
    struct port_mapping_result result;
    port_mapping_read(mapping, &result);
    bool removes = leaves && result.state == PORT_MAPPING_OPEN;
    atomic_store(&mapping->leaves, leaves);
    pthread_mutex_lock(&mapping->lock);
    atomic_store(&mapping->closing, true);
    pthread_cond_signal(&mapping->wakes);
    uint64_t end_ns = clock_now_ns() + (removes ? END_NS : RESTART_NS);
    while (!mapping->ended && process_condition_wait(&mapping->wakes, &mapping->lock, end_ns))
        ;
    bool ended = mapping->ended;
    pthread_mutex_unlock(&mapping->lock);
    if (!ended)
        return;
    pthread_join(mapping->thread, NULL);
    free(mapping);
}
