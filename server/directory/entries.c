// SPDX-License-Identifier: MIT
#include "entries.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"
#include "net/query.h"

#define STEPS            64 // to a free entry
#define QUESTION_LETTER  'K'
#define CHALLENGE_LETTER 'A'
#define PROOF_LETTER     'k'
#define HEAD_BYTES       (QUERY_MARK_BYTES + 1)

_Static_assert(REACH_QUESTION_BYTES == HEAD_BYTES + QUERY_PROOF_KEY_BYTES + 4, "question");

static uint32_t *head_of(struct directory *directory, const char *fingerprint)
{
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, (const uint8_t *)fingerprint, FINGERPRINT_TEXT_BYTES - 1, directory->key);
    return &directory->heads[little_endian_read(hash, 8) % DIRECTORY_CAPACITY];
}

uint32_t entries_find(struct directory *directory, const char *fingerprint)
{
    uint32_t at = *head_of(directory, fingerprint);
    while (at != ENTRIES_NONE && strcmp(directory->entries[at].last.fingerprint, fingerprint) != 0)
        at = directory->entries[at].after;
    return at;
}

uint32_t entries_find_key(struct directory *directory, const uint8_t key[SIGNED_TEXT_KEY_BYTES])
{
    uint8_t server_key[IDENTITY_BYTES];
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    if (crypto_sign_ed25519_pk_to_curve25519(server_key, key) != 0)
        return ENTRIES_NONE;
    identity_fingerprint(server_key, fingerprint);
    return entries_find(directory, fingerprint);
}

struct directory_entry *entries_find_entry(struct directory *directory, const char *fingerprint)
{
    uint32_t at = entries_find(directory, fingerprint);
    return at == ENTRIES_NONE ? NULL : &directory->entries[at];
}

bool entries_is_mapped(const struct directory_entry *entry, uint32_t family)
{
    return entry->is_used && entry->addresses[family].mapping.address.byte_count > 0;
}

bool entries_is_listed(const struct directory_entry *entry, uint32_t family)
{
    return entry->is_used && entry->addresses[family].is_proven;
}

void entries_log(const struct directory *directory, const struct directory_entry *entry, const struct net_address *at,
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

void entries_drop_question(struct directory *directory, uint32_t at, uint32_t family)
{
    directory->entries[at].addresses[family].is_asked = false;
    for (uint32_t i = 0; i < directory->question_count; i++)
        if (directory->questions[i].entry == at && directory->questions[i].family == family) {
            directory->questions[i] = directory->questions[--directory->question_count];
            return;
        }
}

// Takes an address from the list, if it is in there.
void entries_unlist(struct directory *directory, uint32_t at, uint32_t family)
{
    struct directory_entry *entry = &directory->entries[at];
    struct directory_address *address = &entry->addresses[family];
    if (address->is_asked)
        entries_drop_question(directory, at, family);
    if (address->is_proven)
        entries_log(directory, entry, &address->address, "unlisted", "{name} at {address} is listed no more");
    directory->has_changed |= address->is_proven || entries_is_mapped(entry, family);
    *address = (struct directory_address){.has_failed = false};
}

void entries_remove(struct directory *directory, uint32_t at)
{
    struct directory_entry *entry = &directory->entries[at];
    uint32_t *link = head_of(directory, entry->last.fingerprint);
    while (*link != at)
        link = &directory->entries[*link].after;
    *link = entry->after;
    entries_unlist(directory, at, 0);
    entries_unlist(directory, at, 1);
    free(entry->text);
    entry->text = NULL;
    entry->is_used = false;
    directory->used--;
}

// A free entry. When all are used, one of the next few gives way that is not listed and has not announced for longest:
// a look at all of them would let strangers keep the directory busy.
static uint32_t take_entry(struct directory *directory)
{
    uint32_t oldest = ENTRIES_NONE;
    if (directory->used == directory->top && directory->top < DIRECTORY_CAPACITY)
        return directory->top++;
    for (uint32_t step = 0; step < STEPS && directory->top > 0; step++) {
        uint32_t i = directory->cursor++ % directory->top;
        const struct directory_entry *entry = &directory->entries[i];
        if (!entry->is_used)
            return i;
        if (!entries_is_listed(entry, 0) && !entries_is_listed(entry, 1) && !entries_is_mapped(entry, 0) &&
            !entries_is_mapped(entry, 1) &&
            (oldest == ENTRIES_NONE || entry->announced_ns < directory->entries[oldest].announced_ns))
            oldest = i;
    }
    if (directory->top < DIRECTORY_CAPACITY)
        return directory->top++;
    if (oldest != ENTRIES_NONE)
        entries_remove(directory, oldest);
    return oldest;
}

uint32_t entries_enter(struct directory *directory, const struct announcement *announcement, uint64_t now_ns)
{
    uint32_t at = take_entry(directory);
    if (at == ENTRIES_NONE)
        return ENTRIES_NONE;
    uint32_t *head = head_of(directory, announcement->fingerprint);
    directory->entries[at] = (struct directory_entry){
        .is_used = true, .after = *head, .number = ++directory->numbers, .announced_ns = now_ns};
    memcpy(directory->entries[at].last.fingerprint, announcement->fingerprint, sizeof announcement->fingerprint);
    *head = at;
    directory->used++;
    return at;
}

struct directory_address *entries_move_address(struct directory *directory, uint32_t at,
                                               const struct net_address *fresh)
{
    uint32_t family = fresh->byte_count != ADDRESS_BYTES_IPV4;
    struct directory_address *address = &directory->entries[at].addresses[family];
    uint64_t household = household_of(fresh);
    if (net_address_equals(&address->address, fresh))
        return address;
    if (address->household != household)
        household_counts_add(&directory->counts, household);
    entries_unlist(directory, at, family);
    address->address = *fresh;
    address->household = household;
    return address;
}

struct change *entries_share(struct directory *directory, uint32_t at, uint32_t family, enum change_kind kind,
                             uint64_t now_ns)
{
    const struct directory_entry *entry = &directory->entries[at];
    if (!directory->changes || entry->text_bytes == 0)
        return NULL;
    struct change *change = entries_push_change(directory->changes);
    change->kind = kind;
    change->address = entry->addresses[family].address;
    change->at_ns = now_ns;
    change->proven_ns = entry->addresses[family].proven_ns;
    memcpy(change->key, entry->last.key, sizeof change->key);
    if (entries_announces(kind))
        memcpy(change->text, entry->text, change->byte_count = entry->text_bytes);
    return change;
}

void entries_share_mapping(struct directory *directory, uint32_t at, uint32_t family, uint64_t now_ns)
{
    const struct directory_mapping *mapping = &directory->entries[at].addresses[family].mapping;
    struct change *change = entries_share(directory, at, family, CHANGE_MAPPED, now_ns);
    if (!change)
        return;
    change->address = mapping->address;
    change->proven_ns = mapping->registered_ns;
    change->varies = mapping->varies;
    memcpy(change->nonce, mapping->nonce, sizeof change->nonce);
}

bool entries_begin_question(struct reach_question *question, const uint8_t server_key[QUERY_PROOF_KEY_BYTES],
                            uint64_t now_ns)
{
    *question = (struct reach_question){.due_ns = now_ns};
    memcpy(question->proof.server, server_key, QUERY_PROOF_KEY_BYTES);
    return query_proof_ask(&question->proof, question->tag);
}

size_t entries_send_question(struct reach_question *question, uint64_t now_ns, uint8_t bytes[REACH_QUESTION_BYTES],
                             enum reach_answer *answer)
{
    *answer = REACH_WAITS;
    if (now_ns < question->due_ns)
        return 0;
    if (!question->is_answer && question->tries == REACH_QUESTION_TRIES) {
        *answer = REACH_FAILED;
        return 0;
    }
    question->tries += !question->is_answer;
    question->is_answer = false;
    question->due_ns = now_ns + REACH_QUESTION_TRY_NS;
    memset(bytes, 0xFF, QUERY_MARK_BYTES);
    bytes[QUERY_MARK_BYTES] = QUESTION_LETTER;
    memcpy(bytes + HEAD_BYTES, question->proof.asker, QUERY_PROOF_KEY_BYTES);
    memcpy(bytes + HEAD_BYTES + QUERY_PROOF_KEY_BYTES, question->challenge, sizeof question->challenge);
    return question->has_challenge ? REACH_QUESTION_BYTES : REACH_QUESTION_BYTES - sizeof question->challenge;
}

enum reach_answer entries_take_proof(struct reach_question *question, const uint8_t *bytes, size_t byte_count,
                                     uint64_t now_ns)
{
    bool is_query = query_claims(bytes, byte_count);
    if (is_query && bytes[QUERY_MARK_BYTES] == CHALLENGE_LETTER &&
        byte_count == HEAD_BYTES + sizeof question->challenge) {
        bool is_new = !question->has_challenge ||
                      memcmp(question->challenge, bytes + HEAD_BYTES, sizeof question->challenge) != 0;
        memcpy(question->challenge, bytes + HEAD_BYTES, sizeof question->challenge);
        question->has_challenge = true;
        if (is_new && question->challenges < REACH_QUESTION_CHALLENGES) {
            question->challenges++;
            question->is_answer = true;
            question->due_ns = now_ns;
        }
        return REACH_WAITS;
    }
    // A false proof is no failure, or anyone who can forge the address of a server could strike it off the list.
    if (!is_query || bytes[QUERY_MARK_BYTES] != PROOF_LETTER || byte_count != HEAD_BYTES + QUERY_PROOF_TAG_BYTES ||
        sodium_memcmp(bytes + HEAD_BYTES, question->tag, QUERY_PROOF_TAG_BYTES) != 0)
        return REACH_WAITS;
    return REACH_PROVEN;
}

bool entries_announces(enum change_kind kind)
{
    return kind != CHANGE_RESERVED && kind != CHANGE_ASKED && kind != CHANGE_NOTED;
}

struct change *entries_push_change(struct change_queue *queue)
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

bool entries_pop_change(struct change_queue *queue, struct change *change)
{
    if (queue->first == queue->end)
        return false;
    *change = queue->changes[queue->first++ % CHANGE_QUEUE_CAPACITY];
    return true;
}
