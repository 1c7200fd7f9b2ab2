// SPDX-License-Identifier: MIT
#include "directory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "entries.h"
#include "notes.h"
#include "places.h"

#define LIFE_NS  (ANNOUNCEMENT_LIFE_MS * CLOCK_MS_NS)
#define SWEEP_NS CLOCK_SECOND_NS
// A client that has asked asks again after a second, and gives up soon.
#define ASK_LIFE_NS (5 * CLOCK_SECOND_NS)
// So long an entry is remembered, that its announcements cannot be repeated: until none of them passes as new.
#define MEMORY_NS (2 * ANNOUNCEMENT_CLOCK_MS * CLOCK_MS_NS)

const char *const DIRECTORY_REFUSAL_NAMES[] = {"malformed", "clock", "replayed", "elsewhere", "rate", "quota", "full"};

// A household may have 16 servers, which announce over two families and whenever something changes.
static const struct rate_limit_rates ANNOUNCEMENTS = {
    .household = {.per_s = 16, .burst = 64},
    .quiet = {.per_s = 2, .burst = 16},
    .all_quiet = {.per_s = 2000, .burst = 2000},
    .all_busy = {.per_s = 1000, .burst = 1000},
};
// A household reserves at most 28 places at a time.
static const struct rate_limit_rates PLAYS = {
    .household = {.per_s = 1, .burst = 8},
    .quiet = {.per_s = 1, .burst = 4},
    .all_quiet = {.per_s = 1000, .burst = 1000},
    .all_busy = {.per_s = 500, .burst = 500},
};

void directory_init(struct directory *directory, const struct log *log, const struct household_rules *households)
{
    uint8_t key[RATE_LIMIT_KEY_BYTES];
    memset(directory, 0, sizeof *directory);
    directory->log = log;
    directory->households = *households;
    memset(directory->heads, 0xFF, sizeof directory->heads);
    randombytes_buf(directory->key, sizeof directory->key);
    randombytes_buf(directory->counts.key, sizeof directory->counts.key);
    randombytes_buf(key, sizeof key);
    rate_limit_table_init(&directory->announcements, key, &ANNOUNCEMENTS);
    randombytes_buf(key, sizeof key);
    rate_limit_table_init(&directory->plays, key, &PLAYS);
}

void directory_clear(struct directory *directory)
{
    for (uint32_t i = 0; directory && i < directory->top; i++)
        free(directory->entries[i].text);
    if (directory)
        notes_close(directory->notes);
}

bool directory_admit(struct directory *directory, struct rate_limit_table *table, const struct net_address *from,
                     uint64_t now_ns)
{
    uint64_t household = household_of(from);
    bool admits =
        household_is_exempt(&directory->households, household) || rate_limit_table_take(table, household, now_ns);
    directory->refused[DIRECTORY_REFUSED_RATE] += !admits;
    return admits;
}

static bool is_for_us(const struct directory *directory, const char *to)
{
    bool is = directory->hosts.count == 0;
    for (uint32_t i = 0; i < directory->hosts.count; i++)
        is |= strcasecmp(directory->hosts.names[i], to) == 0;
    return is;
}

static bool refuse(struct directory *directory, enum directory_refusal refusal, struct error *error, const char *text)
{
    directory->refused[refusal]++;
    return error_set_code(error, (int)refusal, "%s", text);
}

// Checks what needs no entry.
static bool check(struct directory *directory, const struct announcement *announcement, struct directory_time time,
                  struct error *error)
{
    uint64_t later = announcement->time_ms > time.unix_ms ? announcement->time_ms : time.unix_ms;
    uint64_t sooner = announcement->time_ms > time.unix_ms ? time.unix_ms : announcement->time_ms;
    if (!is_for_us(directory, announcement->to))
        return refuse(directory, DIRECTORY_REFUSED_ELSEWHERE, error,
                      "the announcement is for another directory; give the server the address that this one has");
    if (later - sooner > ANNOUNCEMENT_CLOCK_MS)
        return refuse(directory, DIRECTORY_REFUSED_CLOCK, error,
                      "the clock of the server differs by more than five minutes; set it");
    return true;
}

// Whether the household may have this server, too.
static bool has_quota(struct directory *directory, const struct directory_address *address, uint64_t household)
{
    uint32_t most = directory->households.players_max;
    return address->household == household || household_is_exempt(&directory->households, household) ||
           household_counts_allow(&directory->counts, household, most);
}

static void begin_question(struct directory *directory, uint32_t at, uint32_t family, uint64_t now_ns)
{
    struct directory_entry *entry = &directory->entries[at];
    struct directory_address *address = &entry->addresses[family];
    bool is_due = !address->is_proven || now_ns - address->proven_ns >= DIRECTORY_PROOF_NS;
    if (address->is_asked || !is_due || directory->question_count == DIRECTORY_QUESTIONS_MAX ||
        !entries_begin_question(&address->question, entry->last.server_key, now_ns))
        return;
    address->is_asked = true;
    directory->questions[directory->question_count++] = (struct directory_asked){at, family};
}

static void take_address(struct directory *directory, uint32_t at, const struct net_address *from, uint64_t now_ns)
{
    struct net_address fresh = net_address_with_port(from, directory->entries[at].last.port);
    struct directory_address *address = entries_move_address(directory, at, &fresh);
    address->announced_ns = now_ns;
    address->time_ms = directory->entries[at].last.time_ms;
    begin_question(directory, at, from->byte_count != ADDRESS_BYTES_IPV4, now_ns);
}

// Keeps an announcement as it was sent, for directories that share the list.
static void keep(struct directory *directory, struct directory_entry *entry, const struct announcement *announcement,
                 const char *text, size_t byte_count)
{
    directory->has_changed |= !announcement_facts_equal(&entry->last.facts, &announcement->facts);
    entry->last = *announcement;
    if (!directory->changes)
        return;
    char *copy = realloc(entry->text, byte_count);
    entry->text_bytes = copy ? byte_count : 0;
    if (copy)
        entry->text = memcpy(copy, text, byte_count);
}

bool directory_announce(struct directory *directory, const char *text, size_t byte_count,
                        const struct net_address *from, struct directory_time time, struct directory_reply *reply,
                        struct error *error)
{
    struct announcement announcement;
    struct error reason;
    uint32_t family = from->byte_count != ADDRESS_BYTES_IPV4;
    if (!announcement_read(text, byte_count, &announcement, &reason))
        return refuse(directory, DIRECTORY_REFUSED_MALFORMED, error, reason.text);
    if (!check(directory, &announcement, time, error))
        return false;
    uint32_t at = entries_find(directory, announcement.fingerprint);
    if (at != ENTRIES_NONE && announcement.time_ms <= directory->entries[at].last.time_ms)
        return refuse(directory, DIRECTORY_REFUSED_REPLAYED, error,
                      "the announcement is not newer than the one before; the clock of the server may have gone back");
    static const struct directory_address none;
    if (!announcement.leaves &&
        !has_quota(directory, at == ENTRIES_NONE ? &none : &directory->entries[at].addresses[family],
                   household_of(from)))
        return refuse(directory, DIRECTORY_REFUSED_QUOTA, error, "too many servers announce from this address");
    struct net_address seen = net_address_with_port(from, announcement.port);
    *reply = (struct directory_reply){.again_ms = ANNOUNCEMENT_PERIOD_MS};
    net_address_text(&seen, reply->address);
    if (at == ENTRIES_NONE && announcement.leaves)
        return true; // nobody knows it
    if (at == ENTRIES_NONE)
        at = entries_enter(directory, &announcement, time.now_ns);
    if (at == ENTRIES_NONE)
        return refuse(directory, DIRECTORY_REFUSED_FULL, error, "the directory is full");
    struct directory_entry *entry = &directory->entries[at];
    struct directory_address *address = &entry->addresses[family];
    keep(directory, entry, &announcement, text, byte_count);
    directory->accepted++;
    entry->announced_ns = time.now_ns;
    if (announcement.leaves) {
        if (entries_is_listed(entry, 0) || entries_is_listed(entry, 1) || entries_is_mapped(entry, 0) ||
            entries_is_mapped(entry, 1))
            entries_share(directory, at, family, CHANGE_LEFT, time.now_ns);
        entries_unlist(directory, at, 0);
        entries_unlist(directory, at, 1);
    } else {
        take_address(directory, at, from, time.now_ns);
    }
    if (address->is_proven)
        entries_share(directory, at, family, CHANGE_PROVEN, time.now_ns);
    else if (entries_is_mapped(entry, family) && !address->mapping.is_elsewhere)
        entries_share_mapping(directory, at, family, time.now_ns);
    reply->is_listed = address->is_proven;
    reply->has_failed = address->has_failed;
    if (entries_is_mapped(entry, family))
        net_address_text(&address->mapping.address, reply->mapping);
    if (!reply->is_listed && !reply->has_failed)
        reply->again_ms = DIRECTORY_SOON_MS;
    return true;
}

static void settle(struct directory *directory, uint32_t at, uint32_t family, enum reach_answer answer, uint64_t now_ns)
{
    struct directory_entry *entry = &directory->entries[at];
    struct directory_address *address = &entry->addresses[family];
    bool was_proven = address->is_proven;
    if (answer == REACH_WAITS)
        return;
    entries_drop_question(directory, at, family);
    address->is_proven = answer == REACH_PROVEN;
    address->has_failed = answer == REACH_FAILED;
    directory->proofs += address->is_proven;
    directory->failures += address->has_failed;
    if (address->is_proven)
        address->proven_ns = now_ns;
    if (address->is_proven || was_proven)
        entries_share(directory, at, family, address->is_proven ? CHANGE_PROVEN : CHANGE_FAILED, now_ns);
    if (was_proven == address->is_proven)
        return;
    directory->has_changed = true;
    entries_log(directory, entry, &address->address, address->is_proven ? "listed" : "unlisted",
                address->is_proven ? "{name} is listed at {address}"
                                   : "{name} is listed no more: nobody answers at {address}");
}

size_t directory_ask(struct directory *directory, uint64_t now_ns, struct net_address *to,
                     uint8_t bytes[REACH_QUESTION_BYTES])
{
    for (uint32_t i = 0; i < directory->question_count;) {
        uint32_t count = directory->question_count, at = directory->questions[i].entry;
        uint32_t family = directory->questions[i].family;
        enum reach_answer answer;
        struct directory_address *address = &directory->entries[at].addresses[family];
        size_t byte_count = entries_send_question(&address->question, now_ns, bytes, &answer);
        *to = address->address;
        if (byte_count > 0)
            return byte_count;
        settle(directory, at, family, answer, now_ns);
        i += directory->question_count == count; // else another one took its place
    }
    return 0;
}

void directory_hear(struct directory *directory, const struct net_address *from, const uint8_t *bytes,
                    size_t byte_count, uint64_t now_ns)
{
    for (uint32_t i = 0; i < directory->question_count; i++) {
        uint32_t at = directory->questions[i].entry, family = directory->questions[i].family;
        struct directory_address *address = &directory->entries[at].addresses[family];
        if (!net_address_equals(&address->address, from))
            continue;
        settle(directory, at, family, entries_take_proof(&address->question, bytes, byte_count, now_ns), now_ns);
        return;
    }
}

bool directory_map(struct directory *directory, struct directory_entry *entry, const struct directory_mapping *mapping)
{
    uint32_t family = mapping->address.byte_count != ADDRESS_BYTES_IPV4;
    struct directory_address *address = &entry->addresses[family];
    if (address->address.byte_count == 0)
        return false;
    bool is_new = !net_address_equals(&address->mapping.address, &mapping->address);
    directory->has_changed |= is_new;
    address->mapping = *mapping;
    if (!mapping->is_elsewhere)
        entries_share_mapping(directory, (uint32_t)(entry - directory->entries), family, mapping->registered_ns);
    if (is_new)
        entries_log(directory, entry, &address->mapping.address, "mapped",
                    "clients are introduced to {name} at {address}");
    return true;
}

// The next announcement that comes here is asked in its turn.
static void learn_address(struct directory *directory, uint32_t at, const struct change *change, uint64_t time_ms)
{
    struct directory_address *address = entries_move_address(directory, at, &change->address);
    address->time_ms = time_ms;
    address->announced_ns = change->at_ns;
    address->proven_ns = change->proven_ns;
    bool is_new = !address->is_proven;
    directory->has_changed |= is_new;
    address->is_proven = true;
    address->has_failed = false;
    if (is_new)
        entries_log(directory, &directory->entries[at], &address->address, "listed", "{name} is listed at {address}");
}

// No directory has reached the address of the game behind the router, but the household counts for it.
static bool learn_mapping(struct directory *directory, uint32_t at, const struct change *change)
{
    struct directory_entry *entry = &directory->entries[at];
    struct directory_address *address = &entry->addresses[change->address.byte_count != ADDRESS_BYTES_IPV4];
    struct net_address game = net_address_with_port(&change->address, entry->last.port);
    struct directory_mapping mapping = {
        .address = change->address, .registered_ns = change->proven_ns, .varies = change->varies, .is_elsewhere = true};
    if (change->proven_ns < address->mapping.registered_ns)
        return false;
    if (!address->is_proven)
        entries_move_address(directory, at, &game);
    if (address->announced_ns < change->at_ns)
        address->announced_ns = change->at_ns;
    memcpy(mapping.nonce, change->nonce, sizeof mapping.nonce);
    return directory_map(directory, entry, &mapping);
}

// Remembers a client that has asked another directory, if the server has registered here.
static bool learn_ask(struct directory *directory, const struct change *change, uint64_t now_ns)
{
    uint32_t at = entries_find_key(directory, change->key), family = change->address.byte_count != ADDRESS_BYTES_IPV4;
    bool is_here = at != ENTRIES_NONE && entries_is_mapped(&directory->entries[at], family) &&
                   !directory->entries[at].addresses[family].mapping.is_elsewhere;
    if (!is_here || now_ns - change->at_ns >= ASK_LIFE_NS || directory->relay_count == DIRECTORY_RELAYS_MAX)
        return !is_here;
    struct directory_relay *relay = &directory->relays[directory->relay_count++];
    relay->client = change->address;
    memcpy(relay->nonce, change->nonce, sizeof relay->nonce);
    memcpy(relay->fingerprint, directory->entries[at].last.fingerprint, sizeof relay->fingerprint);
    return true;
}

static bool learn_reservation(struct directory *directory, const struct change *change, uint64_t now_ns)
{
    uint32_t at = entries_find_key(directory, change->key);
    return at != ENTRIES_NONE && now_ns - change->at_ns < DIRECTORY_RESERVED_NS &&
           places_reserve(directory, at, change->at_ns + DIRECTORY_RESERVED_NS);
}

bool directory_learn(struct directory *directory, const struct change *change, const struct announcement *announcement,
                     uint64_t now_ns)
{
    static const struct directory_address none;
    uint32_t family = change->address.byte_count != ADDRESS_BYTES_IPV4;
    bool adds = change->kind == CHANGE_PROVEN || change->kind == CHANGE_MAPPED;
    if (!announcement)
        return change->kind == CHANGE_ASKED ? learn_ask(directory, change, now_ns)
                                            : learn_reservation(directory, change, now_ns);
    uint32_t at = entries_find(directory, announcement->fingerprint);
    // Two families come through two directories, so each address has its own last announcement.
    const struct directory_address *address = at == ENTRIES_NONE ? &none : &directory->entries[at].addresses[family];
    bool is_newest = at == ENTRIES_NONE || announcement->time_ms >= directory->entries[at].last.time_ms;
    if (now_ns - change->at_ns >= LIFE_NS || !is_for_us(directory, announcement->to) ||
        (change->kind != CHANGE_MAPPED && announcement->time_ms < address->time_ms) ||
        (!is_newest && (change->kind == CHANGE_LEFT || directory->entries[at].last.leaves)))
        return false;
    if (adds && !has_quota(directory, address, household_of(&change->address)))
        return refuse(directory, DIRECTORY_REFUSED_QUOTA, NULL, "");
    if (at == ENTRIES_NONE && (!adds || (at = entries_enter(directory, announcement, change->at_ns)) == ENTRIES_NONE))
        return false;
    if (is_newest) {
        keep(directory, &directory->entries[at], announcement, change->text, change->byte_count);
        directory->entries[at].announced_ns = change->at_ns;
    }
    if (change->kind == CHANGE_PROVEN)
        learn_address(directory, at, change, announcement->time_ms);
    else if (change->kind == CHANGE_MAPPED)
        return learn_mapping(directory, at, change);
    else if (change->kind == CHANGE_LEFT || net_address_equals(&address->address, &change->address))
        entries_unlist(directory, at, family);
    if (change->kind == CHANGE_LEFT)
        entries_unlist(directory, at, !family);
    return true;
}

void directory_sweep(struct directory *directory, uint64_t now_ns)
{
    if (now_ns < directory->swept_ns + SWEEP_NS)
        return;
    directory->swept_ns = now_ns;
    household_counts_clear(&directory->counts);
    for (uint32_t i = 0; i < directory->top; i++) {
        struct directory_entry *entry = &directory->entries[i];
        if (!entry->is_used)
            continue;
        for (uint32_t family = 0; family < 2; family++) {
            struct directory_address *address = &entry->addresses[family];
            if (address->address.byte_count > 0 && now_ns - address->announced_ns >= LIFE_NS)
                entries_unlist(directory, i, family);
            if (entries_is_mapped(entry, family) && now_ns - address->mapping.registered_ns >= DIRECTORY_MAPPING_NS) {
                address->mapping = (struct directory_mapping){.varies = false};
                directory->has_changed = true;
            }
            if (address->address.byte_count > 0)
                household_counts_add(&directory->counts, address->household);
        }
        if (now_ns - entry->announced_ns >= MEMORY_NS)
            entries_remove(directory, i);
    }
}

uint32_t directory_listed(const struct directory *directory, uint32_t family)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < directory->top; i++)
        count += entries_is_listed(&directory->entries[i], family);
    return count;
}

bool directory_list(const struct directory *directory, uint64_t unix_s, struct server_list *list)
{
    *list = (struct server_list){.made_s = (int64_t)unix_s,
                                 .entries = calloc((size_t)directory->used + 1, sizeof *list->entries)};
    for (uint32_t i = 0; i < directory->top && list->entries; i++) {
        const struct directory_entry *entry = &directory->entries[i];
        struct server_list_entry *row = &list->entries[list->count];
        if (!entries_is_listed(entry, 0) && !entries_is_listed(entry, 1) && !entries_is_mapped(entry, 0) &&
            !entries_is_mapped(entry, 1))
            continue;
        memcpy(row->fingerprint, entry->last.fingerprint, sizeof row->fingerprint);
        row->facts = entry->last.facts;
        row->punch_port = directory->punch_port;
        for (uint32_t family = 0; family < 2; family++) {
            if (entries_is_listed(entry, family))
                net_address_text(&entry->addresses[family].address, row->addresses[family]);
            if (entries_is_mapped(entry, family))
                net_address_text(&entry->addresses[family].mapping.address, row->mappings[family]);
        }
        list->count++;
    }
    return list->entries != NULL;
}
