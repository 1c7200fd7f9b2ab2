// SPDX-License-Identifier: MIT
#include "inviter.h"

#include <stdio.h>
#include <string.h>

#include "base/platform/udp.h"
#include "discovery/qr_code.h"

#define ANY_PORT 9 // discard

// The address from which the system would send to somewhere far (RFC 5737, 3849).
static bool own_address(struct net_address *own, bool ipv6, uint16_t port)
{
    struct net_address far, any;
    ip_address_parse(&far, ipv6 ? "2001:db8::1" : "198.51.100.1", ANY_PORT);
    if (!udp_find_route(&far, &any))
        return false;
    *own = net_address_with_port(&any, port);
    return true;
}

struct net_address inviter_own_address(const char *bind, uint16_t port)
{
    struct net_address own;
    bool is_all = strcmp(bind, "0.0.0.0") == 0 || strcmp(bind, "::") == 0;
    if (!is_all && ip_address_parse(&own, bind, port))
        return own;
    if ((strcmp(bind, "::") != 0 && own_address(&own, false, port)) || own_address(&own, true, port))
        return own;
    ip_address_parse(&own, "127.0.0.1", port);
    return own;
}

static const struct announcer_row *find_row(const struct inviter_facts *facts, enum announcer_state state)
{
    for (uint32_t i = 0; i < facts->row_count; i++)
        if (facts->rows[i].state == state)
            return &facts->rows[i];
    return NULL;
}

static enum invitation_reach reach_of(const struct inviter_facts *facts)
{
    bool is_asking = facts->mapping.state == PORT_MAPPING_ASKING;
    struct net_address outside;
    if (ip_address_is_loopback(&facts->own))
        return INVITATION_MACHINE;
    if (find_row(facts, ANNOUNCER_LISTED))
        return INVITATION_DIRECTORY;
    if (find_row(facts, ANNOUNCER_PUNCHED))
        return INVITATION_INTRODUCED;
    if (find_row(facts, ANNOUNCER_UNREACHABLE) && !is_asking)
        return INVITATION_BLOCKED;
    if (facts->mapping.state == PORT_MAPPING_OPEN)
        return host_port_parse_numeric(facts->mapping.address, &outside) && ip_address_is_public(&outside)
                   ? INVITATION_ROUTER
                   : INVITATION_CARRIER;
    if (ip_address_is_public(&facts->own))
        return INVITATION_PUBLIC;
    if (is_asking)
        return INVITATION_WAITING;
    return facts->mapping.state == PORT_MAPPING_REFUSED ? INVITATION_REFUSED : INVITATION_SILENT;
}

void inviter_choose(struct invitation *invitation, const struct inviter_facts *facts)
{
    const struct announcer_row *punched = find_row(facts, ANNOUNCER_PUNCHED);
    invitation->reach = reach_of(facts);
    invitation->through[0] = 0;
    net_address_text(&facts->own, invitation->address);
    if (invitation->reach == INVITATION_INTRODUCED) {
        strcpy(invitation->address, punched->address);
        strcpy(invitation->through, punched->through);
    }
    if (invitation->reach == INVITATION_DIRECTORY)
        strcpy(invitation->address, find_row(facts, ANNOUNCER_LISTED)->address);
    if (invitation->reach == INVITATION_ROUTER)
        strcpy(invitation->address, facts->mapping.address);
}

void inviter_log(const struct invitation *invitation, const struct log *log)
{
    static const char *const LINES[INVITATION_REACHES] = {
        [INVITATION_WAITING] = "others in this network join with {link}; the router is asked for more",
        [INVITATION_DIRECTORY] = "everybody can join with {link}, as a directory has found",
        [INVITATION_INTRODUCED] = "most can join with {link}, as a directory introduces them",
        [INVITATION_ROUTER] = "everybody can join with {link}, which the router forwards",
        [INVITATION_PUBLIC] = "others join with {link} if no firewall is in the way",
        [INVITATION_SILENT] = "others in this network join with {link}",
        [INVITATION_REFUSED] =
            "only others in this network can join, with {link}: the router does not forward the port",
        [INVITATION_CARRIER] =
            "only others in this network can join, with {link}: the router has no public address itself",
        [INVITATION_BLOCKED] = "only others in this network can join, with {link}: no directory reaches the server",
        [INVITATION_NEARBY] = "others in this network join with {link}",
        [INVITATION_MACHINE] = "only programs on this machine can join, with {link}",
    };
    char link[INVITATION_LINK_BYTES];
    invitation_link(invitation, link);
    log_event(log, LOG_INFO,
              &(struct fields){"invitation",
                               LINES[invitation->reach],
                               {{"link", .text = link}, {"reach", .text = INVITATION_REACH_NAMES[invitation->reach]}}});
}

void inviter_print(const struct invitation *invitation)
{
    char line[INVITATION_LINE_BYTES];
    invitation_line(invitation, line);
    puts(line);
    fflush(stdout);
}

// Whether only this machine, this network or everybody can open the page; as a name of the log.
enum page_reach { PAGE_MACHINE, PAGE_NETWORK, PAGE_EVERYBODY };

static enum page_reach page_reach_of(const struct invitation *invitation, const struct inviter_page *page)
{
    struct net_address listens;
    if (!host_port_parse_numeric(page->address, &listens) || ip_address_is_loopback(&listens) ||
        invitation->reach == INVITATION_MACHINE)
        return PAGE_MACHINE;
    bool is_everywhere = invitation->reach == INVITATION_DIRECTORY || invitation->reach == INVITATION_PUBLIC;
    return is_everywhere ? PAGE_EVERYBODY : PAGE_NETWORK;
}

// Finds where browsers open the page: where it listens, or, if that is everywhere, where the game is.
static struct net_address page_place(const struct invitation *invitation, const struct inviter_page *page)
{
    struct host_port listens, game;
    struct net_address place;
    host_port_parse(page->address, SIZE_MAX, &listens);
    bool is_all = strcmp(listens.host, "0.0.0.0") == 0 || strcmp(listens.host, "::") == 0;
    if (!is_all && ip_address_parse(&place, listens.host, page->port))
        return place;
    if (page_reach_of(invitation, page) == PAGE_EVERYBODY && host_port_parse(invitation->address, SIZE_MAX, &game) &&
        ip_address_parse(&place, game.host, page->port))
        return place;
    return net_address_with_port(page->own, page->port);
}

bool inviter_page_link(const struct invitation *invitation, const struct inviter_page *page,
                       char link[INVITER_PAGE_LINK_BYTES])
{
    static const char scheme[] = "deadfall://";
    struct invitation nearby = *invitation;
    struct net_address place = page_place(invitation, page);
    char address[NET_ADDRESS_TEXT_BYTES], game[INVITATION_LINK_BYTES];
    nearby.through[0] = 0;
    if (page_reach_of(invitation, page) != PAGE_EVERYBODY)
        net_address_text(page->own, nearby.address);
    net_address_text(&place, address);
    invitation_link(&nearby, game);
    bool takes_browsers = invitation->certificate[0] != 0;
    snprintf(link, INVITER_PAGE_LINK_BYTES, "http://%s/%s%s", address, takes_browsers ? "#" : "",
             takes_browsers ? game + strlen(scheme) : "");
    return takes_browsers && page_reach_of(invitation, page) != PAGE_MACHINE;
}

void inviter_log_page(const struct invitation *invitation, const struct inviter_page *page, const struct log *log)
{
    static const char *const REACHES[] = {"machine", "network", "everybody"};
    static const char *const LINES[][2] = {
        {"browsers on this machine play alone at {link}; --web lets them join",
         "browsers on this machine join with {link}"},
        {"browsers in this network play alone at {link}; --web lets them join",
         "browsers in this network join with {link}"},
        {"browsers play alone at {link} if no firewall is in the way; --web lets them join",
         "browsers join with {link} if no firewall is in the way"}};
    char link[INVITER_PAGE_LINK_BYTES];
    enum page_reach reach = page_reach_of(invitation, page);
    inviter_page_link(invitation, page, link);
    log_event(log, LOG_INFO,
              &(struct fields){"page_link",
                               LINES[reach][invitation->certificate[0] != 0],
                               {{"link", .text = link}, {"reach", .text = REACHES[reach]}}});
}

void inviter_print_code(const struct invitation *invitation, const char *page_link, FILE *out)
{
    struct qr_code code;
    char link[INVITATION_LINK_BYTES], line[QR_CODE_LINE_BYTES];
    if (invitation->reach == INVITATION_WAITING || invitation->reach == INVITATION_MACHINE)
        return;
    invitation_link(invitation, link);
    qr_code_make(&code, page_link ? page_link : link);
    for (uint32_t i = 0; i < qr_code_lines(&code); i++) {
        qr_code_line(&code, i, line);
        fprintf(out, "%s\n", line);
    }
    fflush(out);
}
