// SPDX-License-Identifier: MIT
#include "port_mapping.h"

#include <errno.h>
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
#include "net/net_address.h"

#define AGAIN_NS      (60 * CLOCK_SECOND_NS) // after a router has not answered, or refused
#define SOON_NS       (CLOCK_SECOND_NS / 4)
#define UPNP_MS       2000 // for all answers of SSDP
#define END_NS        (2 * CLOCK_SECOND_NS)
#define RESTART_NS    (CLOCK_SECOND_NS / 10)
#define PORTS_TRIED   8u // if another machine of the home has the port
#define NAME          "Deadfall"
#define FIRST_NS      (CLOCK_SECOND_NS / 4) // until a question of NAT-PMP is sent again; then twice as long each time
#define ANSWER_ROOM   64
#define QUESTION_ROOM 12
#define TO_ANSWER     128 // added to the operation of a question
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

// --- NAT-PMP

enum operation { ADDRESS, MAP_UDP };

enum result { SUCCESS, UNSUPPORTED_VERSION, UNSUPPORTED_OPERATION = 5 };

// A question, and what is an answer to it.
struct question {
    uint8_t bytes[QUESTION_ROOM];
    uint32_t byte_count;
    uint32_t answer_bytes; // if it is granted
};

struct answer {
    uint8_t bytes[ANSWER_ROOM];
    uint32_t byte_count;
};

static void write_16(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static uint32_t read_16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 8 | bytes[1];
}

// Returns whether a datagram answers a question; then `*outcome` is what it says. A router that speaks only another
// version answers in that one.
static bool judge(const struct question *question, const struct answer *answer, enum router_answer *outcome)
{
    const uint8_t *bytes = answer->bytes;
    if (answer->byte_count < 4 || answer->byte_count > sizeof answer->bytes)
        return false;
    *outcome = ROUTER_ABSENT;
    if (bytes[0] != 0)
        return true;
    if (bytes[1] != question->bytes[1] + TO_ANSWER)
        return false;
    uint32_t result = read_16(bytes + 2);
    if (result == UNSUPPORTED_VERSION || result == UNSUPPORTED_OPERATION)
        return true;
    *outcome = ROUTER_REFUSES;
    if (result != SUCCESS)
        return true;
    *outcome = ROUTER_FORWARDS;
    return answer->byte_count >= question->answer_bytes &&
           (question->bytes[1] != MAP_UDP || memcmp(bytes + 8, question->bytes + 4, 2) == 0);
}

static enum router_answer converse(int socket, const struct net_address *router, const struct question *question,
                                   struct answer *answer)
{
    enum router_answer outcome;
    uint64_t now_ns = clock_now_ns(), end_ns = now_ns + NATPMP_PATIENCE_NS, again_ns = now_ns, pause_ns = FIRST_NS;
    for (; now_ns < end_ns; now_ns = clock_now_ns()) {
        if (now_ns >= again_ns) {
            if (!udp_send(socket, router, question->bytes, question->byte_count))
                return ROUTER_ABSENT;
            again_ns += pause_ns;
            pause_ns *= 2;
        }
        uint64_t until_ns = again_ns < end_ns ? again_ns : end_ns;
        udp_wait(&socket, 1, until_ns > now_ns ? until_ns - now_ns : 0);
        struct udp_datagram datagram = {.bytes = answer->bytes};
        int count = udp_receive_many(socket, &datagram, 1, sizeof answer->bytes);
        answer->byte_count = datagram.byte_count;
        if (count < 0 && errno == ECONNREFUSED)
            return ROUTER_ABSENT; // nobody has that port there
        if (count == 1 && judge(question, answer, &outcome))
            return outcome;
    }
    return ROUTER_ABSENT;
}

enum router_answer port_mapping_ask_natpmp(const struct natpmp_request *request, struct natpmp_mapping *mapping)
{
    struct question for_address = {.bytes = {0, ADDRESS}, .byte_count = 2, .answer_bytes = 12};
    struct question for_mapping = {.bytes = {0, MAP_UDP}, .byte_count = 12, .answer_bytes = 16};
    struct answer address, granted;
    uint32_t buffer_bytes;
    write_16(for_mapping.bytes + 4, request->port);
    write_16(for_mapping.bytes + 6, request->lease_s ? request->outside : 0);
    write_16(for_mapping.bytes + 8, request->lease_s >> 16);
    write_16(for_mapping.bytes + 10, request->lease_s);
    int socket = udp_open(request->router.byte_count != ADDRESS_BYTES_IPV4, &buffer_bytes);
    if (socket < 0)
        return ROUTER_ABSENT;
    enum router_answer outcome = udp_connect(socket, &request->router) ? ROUTER_FORWARDS : ROUTER_ABSENT;
    if (outcome == ROUTER_FORWARDS && request->lease_s)
        outcome = converse(socket, &request->router, &for_address, &address);
    if (outcome == ROUTER_FORWARDS)
        outcome = converse(socket, &request->router, &for_mapping, &granted);
    udp_close(socket);
    if (outcome != ROUTER_FORWARDS || request->lease_s == 0)
        return outcome;
    mapping->outside = (struct net_address){.byte_count = ADDRESS_BYTES_IPV4};
    memcpy(mapping->outside.bytes, address.bytes + 8, 4);
    memcpy(mapping->outside.bytes + 4, granted.bytes + 10, 2);
    mapping->port = (uint16_t)read_16(granted.bytes + 10);
    uint32_t lease_s = read_16(granted.bytes + 12) << 16 | read_16(granted.bytes + 14);
    mapping->lease_s = lease_s < request->lease_s ? lease_s : request->lease_s;
    return lease_s > 0 && mapping->port > 0 ? ROUTER_FORWARDS : ROUTER_REFUSES;
}

static enum router_answer natpmp_map(uint16_t port, uint16_t outside, uint32_t lease_s,
                                     struct port_mapping_result *result)
{
    struct natpmp_request request = {.port = port, .outside = outside, .lease_s = lease_s};
    struct natpmp_mapping mapping;
    struct net_address router;
    if (!udp_find_router(&router))
        return ROUTER_ABSENT;
    request.router = net_address_with_port(&router, NATPMP_PORT);
    enum router_answer answer = port_mapping_ask_natpmp(&request, &mapping);
    if (answer == ROUTER_FORWARDS && lease_s > 0) {
        net_address_text(&mapping.outside, result->address);
        result->port = mapping.port;
        result->lease_s = mapping.lease_s;
    }
    return answer;
}

// --- UPnP

static void forget_gateway(struct gateway *gateway)
{
    if (gateway->is_found)
        FreeUPNPUrls(&gateway->urls);
    *gateway = (struct gateway){0};
}

// Only a router of the home will do: whatever answers in the local network could send requests elsewhere.
static bool find_gateway(struct gateway *gateway)
{
    static const char scheme[] = "http://";
    int error = 0;
    struct host_port place;
    struct net_address address;
    struct UPNPDev *devices = upnpDiscover(UPNP_MS, NULL, NULL, UPNP_LOCAL_PORT_ANY, 0, 2, &error);
    int found =
        devices ? UPNP_GetValidIGD(devices, &gateway->urls, &gateway->data, gateway->own, (int)sizeof gateway->own) : 0;
    freeUPNPDevlist(devices);
    gateway->is_found = found != 0;
    const char *url = found == 1 || found == 2 ? gateway->urls.controlURL : NULL;
    const char *host = url && strncmp(url, scheme, sizeof scheme - 1) == 0 ? url + sizeof scheme - 1 : NULL;
    if (host && host_port_parse(host, strcspn(host, "/"), &place) && ip_address_parse(&address, place.host, 0) &&
        !ip_address_is_public(&address) && !ip_address_is_loopback(&address))
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
    // A router may grant less than what was asked for, and none more; 0 is without end.
    unsigned long granted_s = strtoul(lease, NULL, 10);
    entry->lease_s = granted_s < PORT_MAPPING_LEASE_S ? (uint32_t)granted_s : PORT_MAPPING_LEASE_S;
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
static enum router_answer upnp_map(struct gateway *gateway, uint16_t port, uint16_t first,
                                   struct port_mapping_result *result)
{
    char host[40] = "";
    if (!gateway->is_found && !find_gateway(gateway))
        return ROUTER_ABSENT;
    int code = UPNP_CONFLICT;
    struct entry entry = {.port = port};
    for (uint32_t tried = 0; tried < PORTS_TRIED && code == UPNP_CONFLICT && first + tried <= 65535; tried++) {
        entry.outside = (uint16_t)(first + tried);
        code = upnp_add(gateway, &entry);
    }
    if (code == 0)
        code = UPNP_GetExternalIPAddress(gateway->urls.controlURL, gateway->data.first.servicetype, host);
    struct net_address address;
    result->lease_s = entry.lease_s;
    if (code == 0 && ip_address_parse(&address, host, entry.outside) && address.byte_count == ADDRESS_BYTES_IPV4) {
        net_address_text(&address, result->address);
        result->port = entry.outside;
        return ROUTER_FORWARDS;
    }
    forget_gateway(gateway);
    return ROUTER_REFUSES;
}

// --- the thread

// Asks for the mapping, or for more time by the same protocol, and logs what is new. The port outside stays if it can,
// and what was granted lasts until its end.
static void ask(struct port_mapping *mapping)
{
    static const char *const LINES[] = {
        [PORT_MAPPING_OFF] = "the router is not asked",
        [PORT_MAPPING_ASKING] = "the router is asked to forward UDP port {port}",
        [PORT_MAPPING_OPEN] = "the router forwards {address} to UDP port {port}, by {protocol}",
        [PORT_MAPPING_REFUSED] = "the router does not forward UDP port {port}; forward it in the router's settings",
        [PORT_MAPPING_SILENT] = "no router answers NAT-PMP or UPnP; forward UDP port {port} in its settings",
    };
    struct port_mapping_result fresh = {0};
    uint16_t outside = mapping->result.state == PORT_MAPPING_OPEN ? mapping->result.port : mapping->port;
    enum router_answer by_natpmp = ROUTER_ABSENT, by_upnp = ROUTER_ABSENT;
    if (mapping->protocol != BY_UPNP)
        by_natpmp = natpmp_map(mapping->port, outside, PORT_MAPPING_LEASE_S, &fresh);
    if (mapping->protocol != BY_NATPMP && by_natpmp != ROUTER_FORWARDS && !atomic_load(&mapping->closing))
        by_upnp = upnp_map(&mapping->gateway, mapping->port, outside, &fresh);
    uint64_t now_ns = clock_now_ns();
    bool forwards = by_natpmp == ROUTER_FORWARDS || by_upnp == ROUTER_FORWARDS;
    bool refuses = by_natpmp == ROUTER_REFUSES || by_upnp == ROUTER_REFUSES;
    if (forwards)
        port_mapping_lease_begin(&mapping->lease, fresh.lease_s, now_ns);
    else if (port_mapping_lease_fail(&mapping->lease, now_ns))
        return;
    mapping->protocol = by_natpmp == ROUTER_FORWARDS ? BY_NATPMP : by_upnp == ROUTER_FORWARDS ? BY_UPNP : BY_NOTHING;
    fresh.state = forwards ? PORT_MAPPING_OPEN : refuses ? PORT_MAPPING_REFUSED : PORT_MAPPING_SILENT;
    bool is_new = fresh.state != mapping->result.state || strcmp(fresh.address, mapping->result.address) != 0;
    pthread_mutex_lock(&mapping->lock);
    mapping->result = fresh;
    pthread_mutex_unlock(&mapping->lock);
    if (is_new && !atomic_load(&mapping->closing))
        log_event(mapping->log, forwards ? LOG_INFO : LOG_WARNING,
                  &(struct fields){"port_mapping",
                                   LINES[fresh.state],
                                   {{"port", .number = mapping->port},
                                    {"address", .text = fresh.address},
                                    {"protocol", .text = mapping->protocol == BY_NATPMP ? "NAT-PMP" : "UPnP"}}});
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
