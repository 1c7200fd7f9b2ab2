// SPDX-License-Identifier: MIT
#include "directory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/little_endian.h"

#define NONE     UINT32_MAX
#define LIFE_NS  (ANNOUNCEMENT_LIFE_MS * CLOCK_MS_NS)
#define SWEEP_NS CLOCK_SECOND_NS
#define STEPS    64 // to a free entry
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

bool directory_admit(struct directory *directory, struct rate_limit_table *table, const struct net_address *from,
                     uint64_t now_ns)
{
    uint64_t household = household_of(from);
    bool admits =
        household_is_exempt(&directory->households, household) || rate_limit_table_take(table, household, now_ns);
    directory->refused[DIRECTORY_REFUSED_RATE] += !admits;
    return admits;
}

static uint32_t *head_of(struct directory *directory, const uint8_t key[SIGNED_TEXT_KEY_BYTES])
{
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, key, SIGNED_TEXT_KEY_BYTES, directory->key);
    return &directory->heads[little_endian_read(hash, 8) % DIRECTORY_CAPACITY];
}

static uint32_t find(struct directory *directory, const uint8_t key[SIGNED_TEXT_KEY_BYTES])
{
    uint32_t at = *head_of(directory, key);
    while (at != NONE && memcmp(directory->entries[at].last.key, key, SIGNED_TEXT_KEY_BYTES) != 0)
        at = directory->entries[at].after;
    return at;
}

static bool is_listed(const struct directory_entry *entry, uint32_t family)
{
    return entry->is_used && entry->addresses[family].is_proven;
}

static void log_entry(const struct directory *directory, const struct directory_entry *entry, uint32_t family,
                      const char *event, const char *line)
{
    char address[NET_ADDRESS_TEXT_BYTES];
    net_address_text(&entry->addresses[family].address, address);
    log_event(directory->log, LOG_INFO,
              &(struct fields){event,
                               line,
                               {{"name", .text = entry->last.facts.name},
                                {"address", .text = address},
                                {"key", .text = entry->last.fingerprint}}});
}

static void drop_question(struct directory *directory, uint32_t at, uint32_t family)
{
    directory->entries[at].addresses[family].is_asked = false;
    for (uint32_t i = 0; i < directory->question_count; i++)
        if (directory->questions[i].entry == at && directory->questions[i].family == family) {
            directory->questions[i] = directory->questions[--directory->question_count];
            return;
        }
}

// Takes an address from the list, if it is in there.
static void unlist(struct directory *directory, uint32_t at, uint32_t family)
{
    struct directory_entry *entry = &directory->entries[at];
    struct directory_address *address = &entry->addresses[family];
    if (address->is_asked)
        drop_question(directory, at, family);
    if (address->is_proven) {
        log_entry(directory, entry, family, "unlisted", "{name} at {address} is listed no more");
        directory->has_changed = true;
    }
    *address = (struct directory_address){.has_failed = false};
}

static void remove_entry(struct directory *directory, uint32_t at)
{
    struct directory_entry *entry = &directory->entries[at];
    uint32_t *link = head_of(directory, entry->last.key);
    while (*link != at)
        link = &directory->entries[*link].after;
    *link = entry->after;
    unlist(directory, at, 0);
    unlist(directory, at, 1);
    entry->is_used = false;
    directory->used--;
}

// A free entry. When all are used, one of the next few gives way that is not listed and has not announced for longest:
// a look at all of them would let strangers keep the directory busy.
static uint32_t take_entry(struct directory *directory)
{
    uint32_t oldest = NONE;
    if (directory->used == directory->top && directory->top < DIRECTORY_CAPACITY)
        return directory->top++;
    for (uint32_t step = 0; step < STEPS && directory->top > 0; step++) {
        uint32_t i = directory->cursor++ % directory->top;
        const struct directory_entry *entry = &directory->entries[i];
        if (!entry->is_used)
            return i;
        if (!is_listed(entry, 0) && !is_listed(entry, 1) &&
            (oldest == NONE || entry->announced_ns < directory->entries[oldest].announced_ns))
            oldest = i;
    }
    if (directory->top < DIRECTORY_CAPACITY)
        return directory->top++;
    if (oldest != NONE)
        remove_entry(directory, oldest);
    return oldest;
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

static uint32_t enter(struct directory *directory, const struct announcement *announcement, uint64_t now_ns)
{
    uint32_t at = take_entry(directory);
    if (at == NONE)
        return NONE;
    uint32_t *head = head_of(directory, announcement->key);
    directory->entries[at] = (struct directory_entry){
        .is_used = true, .after = *head, .number = ++directory->numbers, .announced_ns = now_ns};
    memcpy(directory->entries[at].last.key, announcement->key, sizeof announcement->key);
    *head = at;
    directory->used++;
    return at;
}

static void begin_question(struct directory *directory, uint32_t at, uint32_t family, uint64_t now_ns)
{
    struct directory_entry *entry = &directory->entries[at];
    struct directory_address *address = &entry->addresses[family];
    bool is_due = !address->is_proven || now_ns - address->proven_ns >= DIRECTORY_PROOF_NS;
    if (address->is_asked || !is_due || directory->question_count == DIRECTORY_QUESTIONS_MAX ||
        !reach_question_begin(&address->question, entry->last.server_key, now_ns))
        return;
    address->is_asked = true;
    directory->questions[directory->question_count++] = (struct directory_asked){at, family};
}

static struct net_address with_port(const struct net_address *from, uint16_t port)
{
    struct net_address address = *from;
    size_t at = address.byte_count == ADDRESS_BYTES_IPV4 ? 4 : 16;
    address.bytes[at] = (uint8_t)(port >> 8);
    address.bytes[at + 1] = (uint8_t)port;
    return address;
}

static void take_address(struct directory *directory, uint32_t at, const struct net_address *from, uint64_t now_ns)
{
    uint32_t family = from->byte_count != ADDRESS_BYTES_IPV4;
    struct directory_address *address = &directory->entries[at].addresses[family];
    struct net_address fresh = with_port(from, directory->entries[at].last.port);
    uint64_t household = household_of(from);
    if (!net_address_equals(&address->address, &fresh)) {
        if (address->household != household)
            household_counts_add(&directory->counts, household);
        unlist(directory, at, family);
        address->address = fresh;
        address->household = household;
    }
    address->announced_ns = now_ns;
    begin_question(directory, at, family, now_ns);
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
    uint32_t at = find(directory, announcement.key);
    if (at != NONE && announcement.time_ms <= directory->entries[at].last.time_ms)
        return refuse(directory, DIRECTORY_REFUSED_REPLAYED, error,
                      "the announcement is not newer than the one before; the clock of the server may have gone back");
    static const struct directory_address none;
    if (!announcement.leaves &&
        !has_quota(directory, at == NONE ? &none : &directory->entries[at].addresses[family], household_of(from)))
        return refuse(directory, DIRECTORY_REFUSED_QUOTA, error, "too many servers announce from this address");
    struct net_address seen = with_port(from, announcement.port);
    *reply = (struct directory_reply){.again_ms = ANNOUNCEMENT_PERIOD_MS};
    net_address_text(&seen, reply->address);
    if (at == NONE && announcement.leaves)
        return true; // nobody knows it
    if (at == NONE)
        at = enter(directory, &announcement, time.now_ns);
    if (at == NONE)
        return refuse(directory, DIRECTORY_REFUSED_FULL, error, "the directory is full");
    struct directory_entry *entry = &directory->entries[at];
    struct directory_address *address = &entry->addresses[family];
    directory->has_changed |= !server_facts_equal(&entry->last.facts, &announcement.facts);
    directory->accepted++;
    entry->last = announcement;
    entry->announced_ns = time.now_ns;
    if (announcement.leaves) {
        unlist(directory, at, 0);
        unlist(directory, at, 1);
    } else {
        take_address(directory, at, from, time.now_ns);
    }
    reply->is_listed = address->is_proven;
    reply->has_failed = address->has_failed;
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
    drop_question(directory, at, family);
    address->is_proven = answer == REACH_PROVEN;
    address->has_failed = answer == REACH_FAILED;
    directory->proofs += address->is_proven;
    directory->failures += address->has_failed;
    if (address->is_proven)
        address->proven_ns = now_ns;
    if (was_proven == address->is_proven)
        return;
    directory->has_changed = true;
    log_entry(directory, entry, family, address->is_proven ? "listed" : "unlisted",
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
        size_t byte_count = reach_question_send(&address->question, now_ns, bytes, &answer);
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
        settle(directory, at, family, reach_question_take(&address->question, bytes, byte_count, now_ns), now_ns);
        return;
    }
}

static void free_reservations(struct directory *directory, uint64_t now_ns)
{
    while (directory->reserved_first < directory->reserved_end) {
        const struct directory_reservation *first =
            &directory->reservations[directory->reserved_first % DIRECTORY_RESERVATIONS_MAX];
        struct directory_entry *entry = &directory->entries[first->entry];
        if (first->until_ns > now_ns)
            return;
        if (entry->number == first->number)
            entry->reserved--;
        directory->reserved_first++;
    }
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
                unlist(directory, i, family);
            if (address->address.byte_count > 0)
                household_counts_add(&directory->counts, address->household);
        }
        if (now_ns - entry->announced_ns >= MEMORY_NS)
            remove_entry(directory, i);
    }
}

uint32_t directory_listed(const struct directory *directory, uint32_t family)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < directory->top; i++)
        count += is_listed(&directory->entries[i], family);
    return count;
}

bool directory_list(const struct directory *directory, uint64_t unix_s, struct server_list *list)
{
    *list = (struct server_list){.made_s = (int64_t)unix_s,
                                 .entries = calloc((size_t)directory->used + 1, sizeof *list->entries)};
    for (uint32_t i = 0; i < directory->top && list->entries; i++) {
        const struct directory_entry *entry = &directory->entries[i];
        struct server_list_entry *row = &list->entries[list->count];
        if (!is_listed(entry, 0) && !is_listed(entry, 1))
            continue;
        memcpy(row->fingerprint, entry->last.fingerprint, sizeof row->fingerprint);
        row->facts = entry->last.facts;
        for (uint32_t family = 0; family < 2; family++)
            if (is_listed(entry, family))
                net_address_text(&entry->addresses[family].address, row->addresses[family]);
        list->count++;
    }
    return list->entries != NULL;
}

static bool fits(const struct directory_entry *entry, const struct directory_wanted *wanted)
{
    const struct server_facts *facts = &entry->last.facts;
    return is_listed(entry, wanted->over_ipv6) && !facts->has_password && !facts->is_closing &&
           facts->players + entry->reserved < facts->places &&
           (!wanted->mode[0] || strcmp(wanted->mode, facts->mode) == 0) &&
           (wanted->protocol == 0 || wanted->protocol == facts->protocol);
}

// Where people already are is better; so places fill up, and few servers have few players.
static uint32_t worth(const struct directory_entry *entry, const struct directory_wanted *wanted)
{
    bool is_near = !wanted->region[0] || strcasecmp(wanted->region, entry->last.facts.region) == 0;
    return (is_near ? 2 * SERVER_FACTS_PLACES_MAX : 0) + entry->last.facts.players + entry->reserved;
}

const struct directory_entry *directory_play(struct directory *directory, const struct directory_wanted *wanted,
                                             uint64_t now_ns)
{
    struct directory_entry *best = NULL;
    free_reservations(directory, now_ns);
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
    best->reserved++;
    directory->reservations[directory->reserved_end++ % DIRECTORY_RESERVATIONS_MAX] = (struct directory_reservation){
        now_ns + DIRECTORY_RESERVED_NS, best->number, (uint32_t)(best - directory->entries)};
    return best;
}
