// SPDX-License-Identifier: MIT
#include "places.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/host_port.h"
#define SUFFIX_BYTES (HOST_BYTES + 16)

// The household that has one place at a time; 0: it may have more.
static uint64_t limited_household(const struct directory *directory, const struct net_address *from)
{
    uint64_t household = from->byte_count > 0 ? household_of(from) : 0;
    return household_is_exempt(&directory->households, household) ? 0 : household;
}

static void give_back(struct directory_reservation *place)
{
    place->entry->reserved -= place->entry->number == place->number; // else another server is there now
    place->household = place->number = 0;                            // no server has this number
}

// Gives back the place of a household, or the oldest of its site if enough others there have one.
static void give_back_earlier(struct directory *directory, uint64_t household)
{
    struct directory_reservation *own = NULL, *oldest = NULL;
    uint32_t count = 0;
    for (uint64_t i = directory->reserved_first; household != 0 && !own && i < directory->reserved_end; i++) {
        struct directory_reservation *place = &directory->reservations[i % DIRECTORY_RESERVATIONS_MAX];
        if (place->household == household)
            own = place;
        else if (place->household != 0 && household_site(place->household) == household_site(household) && count++ == 0)
            oldest = place;
    }
    if (own || count >= HOUSEHOLD_SITE_MAX)
        give_back(own ? own : oldest);
}

static bool reserve(struct directory *directory, struct directory_entry *entry, uint64_t household, uint64_t until_ns)
{
    if (directory->reserved_end - directory->reserved_first == DIRECTORY_RESERVATIONS_MAX)
        return false;
    entry->reserved++;
    directory->reservations[directory->reserved_end++ % DIRECTORY_RESERVATIONS_MAX] =
        (struct directory_reservation){until_ns, entry->number, household, entry};
    return true;
}

bool places_reserve(struct directory *directory, struct directory_entry *entry, const struct net_address *from,
                    uint64_t until_ns)
{
    uint64_t household = limited_household(directory, from);
    give_back_earlier(directory, household);
    return reserve(directory, entry, household, until_ns);
}

uint32_t places_count_reserved(const struct directory *directory)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < directory->top; i++)
        count += directory->entries[i].is_used ? directory->entries[i].reserved : 0;
    return count;
}

static bool is_kind(const struct server_facts *facts, const struct directory_wanted *wanted)
{
    return (!wanted->mode[0] || strcmp(wanted->mode, facts->mode) == 0) &&
           (wanted->protocol == 0 || wanted->protocol == facts->protocol);
}

// Between two routers of which one varies, there is no way.
static bool fits(const struct directory_entry *entry, const struct directory_wanted *wanted)
{
    const struct server_facts *facts = &entry->last.facts;
    bool can_introduce = wanted->introduced && directory_is_mapped(entry, wanted->over_ipv6) &&
                         !entry->addresses[wanted->over_ipv6].mapping.varies;
    return (can_introduce || directory_is_listed(entry, wanted->over_ipv6)) && !facts->has_password &&
           !facts->is_closing && facts->players + entry->reserved < facts->places && is_kind(facts, wanted);
}

// A way that is open is better than one that has to be opened. Where people already are is better, too; so places fill
// up, and few servers have few players.
static uint32_t worth(const struct directory_entry *entry, const struct directory_wanted *wanted)
{
    bool is_near = !wanted->region[0] || strcasecmp(wanted->region, entry->last.facts.region) == 0;
    bool is_direct = directory_is_listed(entry, wanted->over_ipv6);
    return (is_direct ? 4u * SERVER_FACTS_PLACES_MAX : 0) + (is_near ? 2u * SERVER_FACTS_PLACES_MAX : 0) +
           entry->last.facts.players + entry->reserved;
}

const struct directory_entry *places_best_live(const struct directory *directory, const struct directory_wanted *wanted)
{
    const struct directory_entry *best = NULL;
    for (uint32_t i = 0; i < directory->top; i++) {
        const struct directory_entry *entry = &directory->entries[i];
        const struct server_facts *facts = &entry->last.facts;
        if (facts->live_url[0] && (directory_is_listed(entry, 0) || directory_is_listed(entry, 1)) &&
            is_kind(facts, wanted) && (!best || facts->interest > best->last.facts.interest))
            best = entry;
    }
    return best;
}

const struct directory_entry *places_play(struct directory *directory, const struct directory_wanted *wanted,
                                          uint64_t now_ns)
{
    struct directory_entry *best = NULL;
    for (; directory->reserved_first < directory->reserved_end; directory->reserved_first++) {
        struct directory_reservation *first =
            &directory->reservations[directory->reserved_first % DIRECTORY_RESERVATIONS_MAX];
        if (first->until_ns > now_ns)
            break;
        give_back(first);
    }
    uint64_t household = limited_household(directory, &wanted->from);
    give_back_earlier(directory, household);
    bool is_full = directory->reserved_end - directory->reserved_first == DIRECTORY_RESERVATIONS_MAX;
    for (uint32_t i = 0; i < directory->top && !is_full; i++) {
        struct directory_entry *entry = &directory->entries[i];
        if (fits(entry, wanted) && (!best || worth(entry, wanted) > worth(best, wanted)))
            best = entry;
    }
    directory->plays_answered += best != NULL;
    directory->plays_refused += best == NULL;
    if (!best)
        return NULL;
    reserve(directory, best, household, now_ns + DIRECTORY_RESERVED_NS);
    struct change *change = directory_share(directory, best, wanted->over_ipv6, CHANGE_RESERVED, now_ns);
    if (change && wanted->from.byte_count > 0)
        change->address = wanted->from;
    return best;
}

char *places_line_play(struct directory *directory, const struct directory_wanted *wanted, const char *through,
                       uint64_t now_ns)
{
    char address[NET_ADDRESS_TEXT_BYTES], suffix[SUFFIX_BYTES] = "", *line = NULL;
    struct directory_wanted possible = *wanted;
    struct host_port place;
    possible.introduced = host_port_parse(through, SIZE_MAX, &place) && directory->punch_port != 0;
    if (possible.introduced)
        snprintf(suffix, sizeof suffix, place.is_bracketed ? "@[%s]:%u" : "@%s:%u", place.host,
                 (unsigned)directory->punch_port);
    const struct directory_entry *entry = places_play(directory, &possible, now_ns);
    if (!entry)
        return NULL;
    const struct directory_address *of = &entry->addresses[wanted->over_ipv6];
    bool is_direct = directory_is_listed(entry, wanted->over_ipv6);
    net_address_text(is_direct ? &of->address : &of->mapping.address, address);
    int length = asprintf(&line, "%s#%s%s\n", address, entry->last.fingerprint, is_direct ? "" : suffix);
    return length < 0 ? NULL : line;
}

char *places_line_live(const struct directory *directory, const struct directory_wanted *wanted)
{
    char *line = NULL;
    const struct directory_entry *entry = places_best_live(directory, wanted);
    return entry && asprintf(&line, "%s\n", entry->last.facts.live_url) >= 0 ? line : NULL;
}
