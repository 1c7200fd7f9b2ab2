// SPDX-License-Identifier: MIT
//
// Has the router of a home forward the game's UDP port to this machine, by NAT-PMP or, if the router does not know it,
// by UPnP; learns the address that the internet sees; renews the mapping after half of the time that the router grants
// and removes it at the end. A server that is started again after it was killed takes over the mapping of its port. All
// of it in a thread of its own, so the tick never waits for a router. What routers answer is checked, and changes
// nothing but the invitation.
#ifndef MONITOR_PORT_MAPPING_H
#define MONITOR_PORT_MAPPING_H

#include "base/log.h"
#include "net/transport.h"

/// What the router has done.
enum port_mapping_state {
    PORT_MAPPING_OFF,     ///< it is not asked
    PORT_MAPPING_ASKING,  ///< it has not answered yet
    PORT_MAPPING_OPEN,    ///< it forwards the port
    PORT_MAPPING_REFUSED, ///< it answers and does not forward
    PORT_MAPPING_SILENT,  ///< no router answers
};

/// What is known now.
struct port_mapping_result {
    enum port_mapping_state state;
    char address[NET_ADDRESS_TEXT_BYTES]; ///< of the game outside, with the port; only if it is open
    uint16_t port;                        ///< that port
    uint32_t lease_s;                     ///< how long the router forwards it; 0: until it is asked to stop
};

/// The longest lease that is asked for, s.
#define PORT_MAPPING_LEASE_S 3600u

/// How long a mapping lasts, and when the router is asked next. Zero-initialised: there is none.
struct port_mapping_lease {
    uint64_t end_ns;  ///< UINT64_MAX: none
    uint64_t next_ns; ///< a quarter of a second after the moment at the earliest
};

/// Takes a lease of so many seconds (0: without end) that the router has granted at a moment.
void port_mapping_lease_begin(struct port_mapping_lease *lease, uint32_t lease_s, uint64_t now_ns);
/// Notes that the router did not grant any more at a moment. Returns whether it still forwards.
bool port_mapping_lease_fail(struct port_mapping_lease *lease, uint64_t now_ns);

/// What a router does.
enum router_answer {
    ROUTER_FORWARDS,
    ROUTER_REFUSES, ///< it answers, and does not forward
    ROUTER_ABSENT,  ///< nothing there knows the protocol
};

/// The port of routers that know NAT-PMP (RFC 6886).
#define NATPMP_PORT 5351u
/// How long one answer is waited for: the question is sent four times in it.
#define NATPMP_PATIENCE_NS 2000000000u

/// What is wanted of a router by NAT-PMP.
struct natpmp_request {
    struct net_address router;
    uint16_t port;    ///< of this machine
    uint16_t outside; ///< that is wanted; the router may choose another one
    uint32_t lease_s; ///< how long; 0: the mapping of `port` ends
};

/// What it forwards.
struct natpmp_mapping {
    struct net_address outside; ///< IPv4 of the internet as the router says, with the port
    uint16_t port;              ///< that port, at least 1
    uint32_t lease_s;           ///< at least 1, and at most what was wanted
};

/// Asks by two questions of a few bytes, and waits for their answers. Anybody in the home can answer in the router's
/// place, so what comes is checked and believed only as far as a mapping goes. `mapping` is set if it forwards and was
/// not to end.
enum router_answer port_mapping_ask_natpmp(const struct natpmp_request *request, struct natpmp_mapping *mapping);

struct port_mapping;

/// Starts to ask for a UDP port. Null without memory or threads.
struct port_mapping *port_mapping_open(uint16_t port, const struct log *log);
/// Copies what is known; PORT_MAPPING_OFF for null.
void port_mapping_read(struct port_mapping *mapping, struct port_mapping_result *result);
/// Removes the mapping if the server ends for good (`leaves`), and frees; accepts null. Takes two seconds at most.
void port_mapping_close(struct port_mapping *mapping, bool leaves);

#endif
