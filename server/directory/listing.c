// SPDX-License-Identifier: MIT
#include "listing.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "net/query.h"
#include "places.h"

// A client that has asked asks again after a second, and gives up soon.
#define ASK_LIFE_NS (5 * CLOCK_SECOND_NS)
// A proof is asked for again with the first announcement after this time.
#define PROOF_NS (15 * CLOCK_SECOND_NS)
// How often a question is sent, and how long it waits each time.
#define TRIES  6
#define TRY_NS (CLOCK_SECOND_NS / 2)
// So many challenges are answered at once. These are no tries, or a few forged challenges would use them up.
#define CHALLENGES 16

#define QUESTION_LETTER  'K'
#define CHALLENGE_LETTER 'A'
#define PROOF_LETTER     'k'
#define HEAD_BYTES       (QUERY_MARK_BYTES + 1)
#define BODY_BYTES       (QUERY_PROOF_KEY_BYTES + NET_ADDRESS_PLACE_BYTES)

_Static_assert(LISTING_QUESTION_BYTES == HEAD_BYTES + BODY_BYTES + 4, "question");

enum reach_answer { REACH_WAITS, REACH_PROVEN, REACH_FAILED };

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

// Whether the household may have this server, too.
static bool has_quota(struct directory *directory, const struct directory_address *address, uint64_t household)
{
    return address->household == household || household_is_exempt(&directory->households, household) ||
           household_counts_allow(&directory->counts, household, directory->households.players_max);
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

// Takes the address of the game, and asks there for a proof if one is due.
static void take_address(struct directory *directory, struct directory_entry *entry, const struct net_address *seen,
                         uint64_t now_ns)
{
    struct directory_address *address = directory_move(directory, entry, seen);
    address->announced_ns = now_ns;
    address->time_ms = entry->last.time_ms;
    bool is_due = !address->is_proven || now_ns - address->proven_ns >= PROOF_NS;
    if (address->is_asked || !is_due || directory->question_count == DIRECTORY_QUESTIONS_MAX)
        return;
    address->question = (struct reach_question){.due_ns = now_ns};
    memcpy(address->question.proof.server, entry->last.server_key, QUERY_PROOF_KEY_BYTES);
    net_address_write_place(&address->address, address->question.proof.place);
    if (!query_proof_ask(&address->question.proof, address->question.tag))
        return;
    address->is_asked = true;
    directory->questions[directory->question_count++] = (struct directory_asked){entry, directory_family(seen)};
}

bool listing_announce(struct directory *directory, const char *text, size_t byte_count, const struct net_address *from,
                      struct listing_time time, struct listing_reply *reply, struct error *error)
{
    static const struct directory_address none;
    struct announcement announcement;
    struct error reason;
    uint32_t family = directory_family(from);
    if (!announcement_read(text, byte_count, &announcement, &reason))
        return refuse(directory, DIRECTORY_REFUSED_MALFORMED, error, reason.text);
    if (!is_for_us(directory, announcement.to))
        return refuse(directory, DIRECTORY_REFUSED_ELSEWHERE, error,
                      "the announcement is for another directory; give the server the address that this one has");
    bool is_ahead = announcement.time_ms > time.unix_ms;
    if ((is_ahead ? announcement.time_ms - time.unix_ms : time.unix_ms - announcement.time_ms) > ANNOUNCEMENT_CLOCK_MS)
        return refuse(directory, DIRECTORY_REFUSED_CLOCK, error,
                      "the clock of the server differs by more than five minutes; set it");
    struct directory_entry *entry = directory_find(directory, announcement.fingerprint);
    if (entry && announcement.time_ms <= entry->last.time_ms)
        return refuse(directory, DIRECTORY_REFUSED_REPLAYED, error,
                      "the announcement is not newer than the one before; the clock of the server may have gone back");
    if (!announcement.leaves && !has_quota(directory, entry ? &entry->addresses[family] : &none, household_of(from)))
        return refuse(directory, DIRECTORY_REFUSED_QUOTA, error, "too many servers announce from this address");
    struct net_address seen = net_address_with_port(from, announcement.port);
    *reply = (struct listing_reply){.again_ms = ANNOUNCEMENT_PERIOD_MS};
    net_address_text(&seen, reply->address);
    if (!entry && announcement.leaves)
        return true; // nobody knows it
    if (!entry && !(entry = directory_enter(directory, &announcement, time.now_ns)))
        return refuse(directory, DIRECTORY_REFUSED_FULL, error, "the directory is full");
    struct directory_address *address = &entry->addresses[family];
    keep(directory, entry, &announcement, text, byte_count);
    directory->accepted++;
    entry->announced_ns = time.now_ns;
    if (announcement.leaves) {
        if (directory_is_public(entry))
            directory_share(directory, entry, family, CHANGE_LEFT, time.now_ns);
        directory_unlist(directory, entry, 0);
        directory_unlist(directory, entry, 1);
    } else {
        take_address(directory, entry, &seen, time.now_ns);
    }
    if (address->is_proven)
        directory_share(directory, entry, family, CHANGE_PROVEN, time.now_ns);
    else if (directory_is_mapped(entry, family) && !address->mapping.is_elsewhere)
        directory_share_mapping(directory, entry, family, time.now_ns);
    reply->is_listed = address->is_proven;
    reply->has_failed = address->has_failed;
    if (directory_is_mapped(entry, family))
        net_address_text(&address->mapping.address, reply->mapping);
    if (!reply->is_listed && !reply->has_failed)
        reply->again_ms = DIRECTORY_SOON_MS;
    return true;
}

// Writes the datagram that is to be sent now. Returns its bytes; 0: none. REACH_FAILED in `*answer`: nobody answers.
static size_t write_question(struct reach_question *question, uint64_t now_ns, uint8_t bytes[LISTING_QUESTION_BYTES],
                             enum reach_answer *answer)
{
    *answer = REACH_WAITS;
    if (now_ns < question->due_ns)
        return 0;
    if (!question->is_answer && question->tries == TRIES) {
        *answer = REACH_FAILED;
        return 0;
    }
    question->tries += !question->is_answer;
    question->is_answer = false;
    question->due_ns = now_ns + TRY_NS;
    memset(bytes, 0xFF, QUERY_MARK_BYTES);
    bytes[QUERY_MARK_BYTES] = QUESTION_LETTER;
    memcpy(bytes + HEAD_BYTES, question->proof.asker, QUERY_PROOF_KEY_BYTES);
    memcpy(bytes + HEAD_BYTES + QUERY_PROOF_KEY_BYTES, question->proof.place, NET_ADDRESS_PLACE_BYTES);
    memcpy(bytes + HEAD_BYTES + BODY_BYTES, question->challenge, sizeof question->challenge);
    return question->has_challenge ? LISTING_QUESTION_BYTES : LISTING_QUESTION_BYTES - sizeof question->challenge;
}

static enum reach_answer read_answer(struct reach_question *question, const struct datagram *datagram)
{
    const uint8_t *bytes = datagram->bytes;
    bool is_query = query_claims(bytes, datagram->byte_count);
    if (is_query && bytes[QUERY_MARK_BYTES] == CHALLENGE_LETTER &&
        datagram->byte_count == HEAD_BYTES + sizeof question->challenge) {
        bool is_new = !question->has_challenge ||
                      memcmp(question->challenge, bytes + HEAD_BYTES, sizeof question->challenge) != 0;
        memcpy(question->challenge, bytes + HEAD_BYTES, sizeof question->challenge);
        question->has_challenge = true;
        if (is_new && question->challenges < CHALLENGES) {
            question->challenges++;
            question->is_answer = true;
            question->due_ns = datagram->now_ns;
        }
        return REACH_WAITS;
    }
    // A false proof is no failure, or anyone who can forge the address of a server could strike it off the list.
    bool is_proof = is_query && bytes[QUERY_MARK_BYTES] == PROOF_LETTER &&
                    datagram->byte_count == HEAD_BYTES + QUERY_PROOF_TAG_BYTES &&
                    sodium_memcmp(bytes + HEAD_BYTES, question->tag, QUERY_PROOF_TAG_BYTES) == 0;
    return is_proof ? REACH_PROVEN : REACH_WAITS;
}

static void settle(struct directory *directory, struct directory_asked asked, enum reach_answer answer, uint64_t now_ns)
{
    struct directory_address *address = &asked.entry->addresses[asked.family];
    bool was_proven = address->is_proven;
    if (answer == REACH_WAITS)
        return;
    directory_drop_question(directory, asked.entry, asked.family);
    address->is_proven = answer == REACH_PROVEN;
    address->has_failed = answer == REACH_FAILED;
    directory->proofs += address->is_proven;
    directory->failures += address->has_failed;
    if (address->is_proven)
        address->proven_ns = now_ns;
    if (address->is_proven || was_proven)
        directory_share(directory, asked.entry, asked.family, address->is_proven ? CHANGE_PROVEN : CHANGE_FAILED,
                        now_ns);
    if (was_proven == address->is_proven)
        return;
    directory->has_changed = true;
    directory_log(directory, asked.entry, &address->address, address->is_proven ? "listed" : "unlisted",
                  address->is_proven ? "{name} is listed at {address}"
                                     : "{name} is listed no more: nobody answers at {address}");
}

size_t listing_ask(struct directory *directory, uint64_t now_ns, struct net_address *to,
                   uint8_t bytes[LISTING_QUESTION_BYTES])
{
    for (uint32_t i = 0; i < directory->question_count;) {
        uint32_t count = directory->question_count;
        struct directory_asked asked = directory->questions[i];
        struct directory_address *address = &asked.entry->addresses[asked.family];
        enum reach_answer answer;
        size_t byte_count = write_question(&address->question, now_ns, bytes, &answer);
        *to = address->address;
        if (byte_count > 0)
            return byte_count;
        settle(directory, asked, answer, now_ns);
        i += directory->question_count == count; // else another one took its place
    }
    return 0;
}

void listing_hear(struct directory *directory, const struct datagram *datagram)
{
    for (uint32_t i = 0; i < directory->question_count; i++) {
        struct directory_asked asked = directory->questions[i];
        struct directory_address *address = &asked.entry->addresses[asked.family];
        if (!net_address_equals(&address->address, &datagram->from))
            continue;
        settle(directory, asked, read_answer(&address->question, datagram), datagram->now_ns);
        return;
    }
}

bool listing_map(struct directory *directory, struct directory_entry *entry, const struct directory_mapping *mapping)
{
    uint32_t family = directory_family(&mapping->address);
    struct directory_address *address = &entry->addresses[family];
    if (address->address.byte_count == 0)
        return false;
    bool is_new = !net_address_equals(&address->mapping.address, &mapping->address);
    directory->has_changed |= is_new;
    address->mapping = *mapping;
    if (!mapping->is_elsewhere)
        directory_share_mapping(directory, entry, family, mapping->registered_ns);
    if (is_new)
        directory_log(directory, entry, &address->mapping.address, "mapped",
                      "clients are introduced to {name} at {address}");
    return true;
}

// The next announcement that comes here is asked in its turn.
static void learn_address(struct directory *directory, struct directory_entry *entry, const struct change *change,
                          uint64_t time_ms)
{
    struct directory_address *address = directory_move(directory, entry, &change->address);
    bool is_new = !address->is_proven;
    address->time_ms = time_ms;
    address->announced_ns = change->at_ns;
    address->proven_ns = change->proven_ns;
    address->is_proven = true;
    address->has_failed = false;
    directory->has_changed |= is_new;
    if (is_new)
        directory_log(directory, entry, &address->address, "listed", "{name} is listed at {address}");
}

// No directory has reached the address of the game behind the router, but the household counts for it.
static bool learn_mapping(struct directory *directory, struct directory_entry *entry, const struct change *change)
{
    struct directory_address *address = &entry->addresses[directory_family(&change->address)];
    struct net_address game = net_address_with_port(&change->address, entry->last.port);
    struct directory_mapping mapping = {
        .address = change->address, .registered_ns = change->proven_ns, .varies = change->varies, .is_elsewhere = true};
    if (change->proven_ns < address->mapping.registered_ns)
        return false;
    if (!address->is_proven)
        directory_move(directory, entry, &game);
    if (address->announced_ns < change->at_ns)
        address->announced_ns = change->at_ns;
    memcpy(mapping.nonce, change->nonce, sizeof mapping.nonce);
    return listing_map(directory, entry, &mapping);
}

// Remembers a client that has asked another directory, if the server has registered here.
static bool learn_ask(struct directory *directory, const struct change *change, uint64_t now_ns)
{
    const struct directory_entry *entry = directory_find_key(directory, change->key);
    uint32_t family = directory_family(&change->address);
    bool is_here = entry && directory_is_mapped(entry, family) && !entry->addresses[family].mapping.is_elsewhere;
    if (!is_here || now_ns - change->at_ns >= ASK_LIFE_NS || directory->relay_count == DIRECTORY_RELAYS_MAX)
        return !is_here;
    struct directory_relay *relay = &directory->relays[directory->relay_count++];
    relay->client = change->address;
    memcpy(relay->nonce, change->nonce, sizeof relay->nonce);
    memcpy(relay->fingerprint, entry->last.fingerprint, sizeof relay->fingerprint);
    return true;
}

static bool learn_reservation(struct directory *directory, const struct change *change, uint64_t now_ns)
{
    struct directory_entry *entry = directory_find_key(directory, change->key);
    return entry && now_ns - change->at_ns < DIRECTORY_RESERVED_NS &&
           places_reserve(directory, entry, &change->address, change->at_ns + DIRECTORY_RESERVED_NS);
}

bool listing_learn(struct directory *directory, const struct change *change, const struct announcement *announcement,
                   uint64_t now_ns)
{
    static const struct directory_address none;
    uint32_t family = directory_family(&change->address);
    bool adds = change->kind == CHANGE_PROVEN || change->kind == CHANGE_MAPPED;
    if (!announcement)
        return change->kind == CHANGE_ASKED ? learn_ask(directory, change, now_ns)
                                            : learn_reservation(directory, change, now_ns);
    struct directory_entry *entry = directory_find(directory, announcement->fingerprint);
    // Two families come through two directories, so each address has its own last announcement.
    const struct directory_address *address = entry ? &entry->addresses[family] : &none;
    bool is_newest = !entry || announcement->time_ms >= entry->last.time_ms;
    if (now_ns - change->at_ns >= DIRECTORY_LIFE_NS || !is_for_us(directory, announcement->to) ||
        (change->kind != CHANGE_MAPPED && announcement->time_ms < address->time_ms) ||
        (!is_newest && (change->kind == CHANGE_LEFT || entry->last.leaves)))
        return false;
    if (adds && !has_quota(directory, address, household_of(&change->address)))
        return refuse(directory, DIRECTORY_REFUSED_QUOTA, NULL, "");
    if (!entry && !(adds && (entry = directory_enter(directory, announcement, change->at_ns))))
        return false;
    if (is_newest) {
        keep(directory, entry, announcement, change->text, change->byte_count);
        entry->announced_ns = change->at_ns;
    }
    if (change->kind == CHANGE_PROVEN)
        learn_address(directory, entry, change, announcement->time_ms);
    else if (change->kind == CHANGE_MAPPED)
        return learn_mapping(directory, entry, change);
    else if (change->kind == CHANGE_LEFT || net_address_equals(&address->address, &change->address))
        directory_unlist(directory, entry, family);
    if (change->kind == CHANGE_LEFT)
        directory_unlist(directory, entry, !family);
    return true;
}
