// SPDX-License-Identifier: MIT
#include "directory.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/little_endian.h"

#define SWEEP_NS CLOCK_SECOND_NS
#define STEPS    64 // to a free entry
// So long an entry is remembered, that its announcements cannot be repeated: until none of them passes as new.
#define MEMORY_NS (2 * ANNOUNCEMENT_CLOCK_MS * CLOCK_MS_NS)
#define NONE      UINT32_MAX

const char *const DIRECTORY_REFUSAL_NAMES[DIRECTORY_REFUSALS] = {"malformed", "clock", "replayed", "elsewhere",
                                                                 "rate",      "quota", "full"};

// A household may have 16 servers, which announce over two families and whenever something changes.
static const struct rate_limit_rates ANNOUNCEMENTS = {
    .household = {.per_s = 16, .burst = 64},
    .quiet = {.per_s = 2, .burst = 16},
    .all_quiet = {.per_s = 2000, .burst = 2000},
    .all_busy = {.per_s = 1000, .burst = 1000},
};
// A household has one place at a time (places.c), but each call looks at all servers.
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

uint32_t directory_family(const struct net_address *address)
{
    return address->byte_count != ADDRESS_BYTES_IPV4;
}

static uint32_t *head_of(struct directory *directory, const char *fingerprint)
{
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, (const uint8_t *)fingerprint, FINGERPRINT_TEXT_BYTES - 1, directory->key);
    return &directory->heads[little_endian_read(hash, 8) % DIRECTORY_CAPACITY];
}

struct directory_entry *directory_find(struct directory *directory, const char *fingerprint)
{
    uint32_t at = *head_of(directory, fingerprint);
    while (at != NONE && strcmp(directory->entries[at].last.fingerprint, fingerprint) != 0)
        at = directory->entries[at].after;
    return at == NONE ? NULL : &directory->entries[at];
}

struct directory_entry *directory_find_key(struct directory *directory, const uint8_t key[SIGNED_TEXT_KEY_BYTES])
{
    uint8_t server_key[IDENTITY_BYTES];
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    if (crypto_sign_ed25519_pk_to_curve25519(server_key, key) != 0)
        return NULL;
    identity_fingerprint(server_key, fingerprint);
    return directory_find(directory, fingerprint);
}

bool directory_is_listed(const struct directory_entry *entry, uint32_t family)
{
    return entry->is_used && entry->addresses[family].is_proven;
}

bool directory_is_mapped(const struct directory_entry *entry, uint32_t family)
{
    return entry->is_used && entry->addresses[family].mapping.address.byte_count > 0;
}

bool directory_is_public(const struct directory_entry *entry)
{
    return directory_is_listed(entry, 0) || directory_is_listed(entry, 1) || directory_is_mapped(entry, 0) ||
           directory_is_mapped(entry, 1);
}

void directory_log(const struct directory *directory, const struct directory_entry *entry, const struct net_address *at,
                   const char *event, const char *line)
{
    char address[NET_ADDRESS_TEXT_BYTES];
    net_address_text(at, address);
    log_event(directory->log, LOG_INFO,
              &(struct fields){event,
                               line,
                               {{"name", .text = entry->last.facts.name},
                                {"address", .text = address},
                                {"key", .text = entry->last.fingerprint}}});
}

void directory_drop_question(struct directory *directory, const struct directory_entry *entry, uint32_t family)
{
    for (uint32_t i = 0; i < directory->question_count; i++)
        if (directory->questions[i].entry == entry && directory->questions[i].family == family) {
            directory->questions[i].entry->addresses[family].is_asked = false;
            directory->questions[i] = directory->questions[--directory->question_count];
            return;
        }
}

void directory_unlist(struct directory *directory, struct directory_entry *entry, uint32_t family)
{
    struct directory_address *address = &entry->addresses[family];
    if (address->is_asked)
        directory_drop_question(directory, entry, family);
    if (address->is_proven)
        directory_log(directory, entry, &address->address, "unlisted", "{name} at {address} is listed no more");
    directory->has_changed |= address->is_proven || directory_is_mapped(entry, family);
    *address = (struct directory_address){.has_failed = false};
}

static void remove_entry(struct directory *directory, struct directory_entry *entry)
{
    uint32_t *link = head_of(directory, entry->last.fingerprint);
    while (&directory->entries[*link] != entry)
        link = &directory->entries[*link].after;
    *link = entry->after;
    directory_unlist(directory, entry, 0);
    directory_unlist(directory, entry, 1);
    free(entry->text);
    entry->text = NULL;
    entry->is_used = false;
    directory->used--;
}

// A free entry; null if there is none. When all are used, one of the next few gives way that is not public and has not
// announced for longest: a look at all of them would let strangers keep the directory busy.
static struct directory_entry *make_room(struct directory *directory)
{
    struct directory_entry *oldest = NULL;
    if (directory->used == directory->top && directory->top < DIRECTORY_CAPACITY)
        return &directory->entries[directory->top++];
    for (uint32_t step = 0; step < STEPS && directory->top > 0; step++) {
        struct directory_entry *entry = &directory->entries[directory->cursor++ % directory->top];
        if (!entry->is_used)
            return entry;
        if (!directory_is_public(entry) && (!oldest || entry->announced_ns < oldest->announced_ns))
            oldest = entry;
    }
    if (directory->top < DIRECTORY_CAPACITY)
        return &directory->entries[directory->top++];
    if (oldest)
        remove_entry(directory, oldest);
    return oldest;
}

struct directory_entry *directory_enter(struct directory *directory, const struct announcement *announcement,
                                        uint64_t now_ns)
{
    struct directory_entry *entry = make_room(directory);
    if (!entry)
        return NULL;
    uint32_t *head = head_of(directory, announcement->fingerprint);
    *entry = (struct directory_entry){
        .is_used = true, .after = *head, .number = ++directory->numbers, .announced_ns = now_ns};
    memcpy(entry->last.fingerprint, announcement->fingerprint, sizeof announcement->fingerprint);
    *head = (uint32_t)(entry - directory->entries);
    directory->used++;
    return entry;
}

struct directory_address *directory_move(struct directory *directory, struct directory_entry *entry,
                                         const struct net_address *fresh)
{
    uint32_t family = directory_family(fresh);
    struct directory_address *address = &entry->addresses[family];
    uint64_t household = household_of(fresh);
    if (net_address_equals(&address->address, fresh))
        return address;
    if (address->household != household)
        household_counts_add(&directory->counts, household);
    directory_unlist(directory, entry, family);
    address->address = *fresh;
    address->household = household;
    return address;
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
            if (address->address.byte_count > 0 && now_ns - address->announced_ns >= DIRECTORY_LIFE_NS)
                directory_unlist(directory, entry, family);
            if (directory_is_mapped(entry, family) && now_ns - address->mapping.registered_ns >= DIRECTORY_MAPPING_NS) {
                address->mapping = (struct directory_mapping){.varies = false};
                directory->has_changed = true;
            }
            if (address->address.byte_count > 0)
                household_counts_add(&directory->counts, address->household);
        }
        if (now_ns - entry->announced_ns >= MEMORY_NS)
            remove_entry(directory, entry);
    }
}

bool directory_change_announces(enum change_kind kind)
{
    return kind != CHANGE_RESERVED && kind != CHANGE_ASKED && kind != CHANGE_NOTED;
}

struct change *directory_push_change(struct change_queue *queue)
{
    if (queue->end - queue->first == CHANGE_QUEUE_CAPACITY) {
        queue->first++;
        queue->lost++;
    }
    struct change *change = &queue->changes[queue->end++ % CHANGE_QUEUE_CAPACITY];
    change->byte_count = 0;
    change->varies = false;
    memset(change->nonce, 0, sizeof change->nonce);
    return change;
}

bool directory_pop_change(struct change_queue *queue, struct change *change)
{
    if (queue->first == queue->end)
        return false;
    *change = queue->changes[queue->first++ % CHANGE_QUEUE_CAPACITY];
    return true;
}

struct change *directory_share(struct directory *directory, const struct directory_entry *entry, uint32_t family,
                               enum change_kind kind, uint64_t now_ns)
{
    if (!directory->changes || entry->text_bytes == 0)
        return NULL;
    struct change *change = directory_push_change(directory->changes);
    change->kind = kind;
    change->address = entry->addresses[family].address;
    change->at_ns = now_ns;
    change->proven_ns = entry->addresses[family].proven_ns;
    memcpy(change->key, entry->last.key, sizeof change->key);
    if (directory_change_announces(kind))
        memcpy(change->text, entry->text, change->byte_count = entry->text_bytes);
    return change;
}

void directory_share_mapping(struct directory *directory, const struct directory_entry *entry, uint32_t family,
                             uint64_t now_ns)
{
    const struct directory_mapping *mapping = &entry->addresses[family].mapping;
    struct change *change = directory_share(directory, entry, family, CHANGE_MAPPED, now_ns);
    if (!change)
        return;
    change->address = mapping->address;
    change->proven_ns = mapping->registered_ns;
    change->varies = mapping->varies;
    memcpy(change->nonce, mapping->nonce, sizeof change->nonce);
}

uint32_t directory_listed(const struct directory *directory, uint32_t family)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < directory->top; i++)
        count += directory_is_listed(&directory->entries[i], family);
    return count;
}

bool directory_list(const struct directory *directory, uint64_t unix_s, struct server_list *list)
{
    *list = (struct server_list){.made_s = (int64_t)unix_s,
                                 .entries = calloc((size_t)directory->used + 1, sizeof *list->entries)};
    for (uint32_t i = 0; i < directory->top && list->entries; i++) {
        const struct directory_entry *entry = &directory->entries[i];
        struct server_list_entry *row = &list->entries[list->count];
        if (!directory_is_public(entry))
            continue;
        memcpy(row->fingerprint, entry->last.fingerprint, sizeof row->fingerprint);
        row->facts = entry->last.facts;
        row->punch_port = directory->punch_port;
        for (uint32_t family = 0; family < 2; family++) {
            if (directory_is_listed(entry, family))
                net_address_text(&entry->addresses[family].address, row->addresses[family]);
            if (directory_is_mapped(entry, family))
                net_address_text(&entry->addresses[family].mapping.address, row->mappings[family]);
        }
        list->count++;
    }
    return list->entries != NULL;
}
