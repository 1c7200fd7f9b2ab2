// SPDX-License-Identifier: MIT
#include "place_line.h"

#include <stdio.h>
#include <string.h>

#include "base/host_port.h"
#include "entries.h"

#define SUFFIX_BYTES (HOST_BYTES + 16)

// Writes "@HOST:PORT". False if the text is no host of which a client would make sense.
static bool write_suffix(const struct directory *directory, const char *text, char suffix[SUFFIX_BYTES])
{
    struct host_port place;
    suffix[0] = 0;
    if (!host_port_parse(text, SIZE_MAX, &place) || directory->punch_port == 0)
        return false;
    snprintf(suffix, SUFFIX_BYTES, place.is_bracketed ? "@[%s]:%u" : "@%s:%u", place.host,
             (unsigned)directory->punch_port);
    return true;
}

char *place_line_play(struct directory *directory, const struct directory_wanted *wanted, const char *through,
                      uint64_t now_ns)
{
    char address[NET_ADDRESS_TEXT_BYTES], suffix[SUFFIX_BYTES], *line = NULL;
    struct directory_wanted possible = *wanted;
    possible.introduced = write_suffix(directory, through, suffix);
    const struct directory_entry *entry = places_play(directory, &possible, now_ns);
    if (!entry)
        return NULL;
    const struct directory_address *of = &entry->addresses[wanted->over_ipv6];
    bool is_direct = entries_is_listed(entry, wanted->over_ipv6);
    net_address_text(is_direct ? &of->address : &of->mapping.address, address);
    int length = asprintf(&line, "%s#%s%s\n", address, entry->last.fingerprint, is_direct ? "" : suffix);
    return length < 0 ? NULL : line;
}

char *place_line_live(const struct directory *directory, const struct directory_wanted *wanted)
{
    char *line = NULL;
    const struct directory_entry *entry = places_best_live(directory, wanted);
    return entry && asprintf(&line, "%s\n", entry->last.facts.live_url) >= 0 ? line : NULL;
}
