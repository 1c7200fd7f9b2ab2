// SPDX-License-Identifier: MIT
#include "notes.h"

#include <inttypes.h>
#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/little_endian.h"
#include "household_counts.h"
#include "net/rate_limit.h"

#define NONE           UINT32_MAX
#define SWEEP_NS       (5 * CLOCK_SECOND_NS)
#define LIFE_NS        (NOTE_EXCHANGE_LIFE_S * CLOCK_SECOND_NS)
#define UNSHARED_WORDS (NOTES_CAPACITY / 64)
#define SAMPLES        16 // notes among which the one to displace is chosen

// A player asks every 20 seconds, and when they join or leave a match.
static const struct rate_limit_rates RATES = {
    .household = {2, 40}, .quiet = {1, 8}, .all_quiet = {2000, 4000}, .all_busy = {1000, 2000}};

_Static_assert(2 * NOTES_CAPACITY <= HOUSEHOLD_COUNTS_ROWS / 2, "each note has a household and a site");
_Static_assert(sizeof(struct note) <= sizeof((struct change *)NULL)->text, "a note is shared as a change");

enum { REFUSED_RATE, REFUSED_QUOTA, REFUSED_MALFORMED, REFUSALS };

struct kept_note {
    struct note note;
    struct net_address from; // without a port
    uint64_t household;      // of that; 0: free
    uint64_t until_ns;
    uint32_t after; // of its chain, or of the free ones
};

struct notes {
    pthread_mutex_t lock;
    const struct household_rules *households;
    struct rate_limit_table rates;
    struct household_counts counts;
    uint8_t key[crypto_shorthash_KEYBYTES]; // of the chains, random
    uint32_t heads[NOTES_CAPACITY];
    struct kept_note kept[NOTES_CAPACITY];
    uint32_t used, top, free;          // in use; beyond were never used; the first free one below
    uint64_t unshared[UNSHARED_WORDS]; // bits: notes that are to be shared
    uint32_t unshared_at;              // word in which the next one is looked for
    uint64_t swept_ns;
    uint64_t taken, learned, found, displaced, refused[REFUSALS];
};

struct notes *notes_open(const struct household_rules *households)
{
    struct notes *notes = calloc(1, sizeof *notes);
    uint8_t key[RATE_LIMIT_KEY_BYTES];
    if (!notes)
        return NULL;
    pthread_mutex_init(&notes->lock, NULL);
    notes->households = households;
    notes->free = NONE;
    memset(notes->heads, 0xFF, sizeof notes->heads);
    randombytes_buf(notes->key, sizeof notes->key);
    randombytes_buf(notes->counts.key, sizeof notes->counts.key);
    randombytes_buf(key, sizeof key);
    rate_limit_table_init(&notes->rates, key, &RATES);
    return notes;
}

void notes_close(struct notes *notes)
{
    if (notes)
        pthread_mutex_destroy(&notes->lock);
    free(notes);
}

static uint32_t *head_of(struct notes *notes, const uint8_t name[NOTE_EXCHANGE_NAME_BYTES])
{
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, name, NOTE_EXCHANGE_NAME_BYTES, notes->key);
    return &notes->heads[little_endian_read(hash, sizeof hash) % NOTES_CAPACITY];
}

static struct kept_note *find(struct notes *notes, const uint8_t name[NOTE_EXCHANGE_NAME_BYTES])
{
    uint32_t at = *head_of(notes, name);
    while (at != NONE && memcmp(notes->kept[at].note.name, name, NOTE_EXCHANGE_NAME_BYTES) != 0)
        at = notes->kept[at].after;
    return at == NONE ? NULL : &notes->kept[at];
}

static void forget(struct notes *notes, uint32_t at)
{
    struct kept_note *kept = &notes->kept[at];
    uint32_t *link = head_of(notes, kept->note.name);
    while (*link != at)
        link = &notes->kept[*link].after;
    *link = kept->after;
    *kept = (struct kept_note){.after = notes->free};
    notes->free = at;
    notes->used--;
    notes->unshared[at / 64] &= ~(UINT64_C(1) << at % 64);
}

static void sweep(struct notes *notes, uint64_t now_ns)
{
    if (now_ns - notes->swept_ns < SWEEP_NS)
        return;
    notes->swept_ns = now_ns;
    household_counts_clear(&notes->counts);
    for (uint32_t i = 0; i < notes->top; i++) {
        const struct kept_note *kept = &notes->kept[i];
        if (kept->household && kept->until_ns <= now_ns)
            forget(notes, i);
        else if (kept->household)
            household_counts_add(&notes->counts, kept->household);
    }
}

// Displaces a note for one of a household: of some that are drawn, that of the household with the most. Who has filled
// the table owns most of what is drawn; a household that has no more than the new one would have loses nothing.
static bool make_room(struct notes *notes, uint64_t household)
{
    uint32_t drawn[SAMPLES], fullest = NONE, most = household_counts_of(&notes->counts, household) + 1;
    randombytes_buf(drawn, sizeof drawn);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint64_t other = notes->kept[drawn[i] % NOTES_CAPACITY].household;
        uint32_t count = household_counts_of(&notes->counts, other);
        if (count <= most || household_is_exempt(notes->households, other))
            continue;
        most = count;
        fullest = drawn[i] % NOTES_CAPACITY;
    }
    if (fullest == NONE)
        return false;
    household_counts_remove(&notes->counts, notes->kept[fullest].household);
    forget(notes, fullest);
    notes->displaced++;
    return true;
}

// A free place, in the chain of a name. Null if there is none.
static struct kept_note *add(struct notes *notes, const uint8_t name[NOTE_EXCHANGE_NAME_BYTES], uint64_t household)
{
    bool exempt = household_is_exempt(notes->households, household);
    if (!(exempt || household_counts_allow(&notes->counts, household, NOTES_HOUSEHOLD_MAX)) ||
        (notes->used == NOTES_CAPACITY && !make_room(notes, household)))
        return NULL;
    uint32_t at = notes->free == NONE ? notes->top++ : notes->free, *head = head_of(notes, name);
    struct kept_note *kept = &notes->kept[at];
    notes->free = at == notes->free ? kept->after : notes->free;
    *kept = (struct kept_note){.household = household, .after = *head};
    *head = at;
    notes->used++;
    household_counts_add(&notes->counts, household);
    return kept;
}

// Null if it cannot be kept, or a newer one of that name is there.
static struct kept_note *keep(struct notes *notes, const struct note *note, const struct net_address *from,
                              uint64_t left_ns)
{
    struct kept_note *kept = find(notes, note->name);
    if (kept && kept->until_ns > left_ns + LIFE_NS)
        return NULL;
    kept = kept ? kept : add(notes, note->name, household_of(from));
    notes->refused[REFUSED_QUOTA] += !kept;
    if (!kept)
        return NULL;
    kept->note = *note;
    kept->from = net_address_with_port(from, 0);
    kept->until_ns = left_ns + LIFE_NS;
    return kept;
}

enum notes_outcome notes_exchange(struct notes *notes, const struct notes_question *question, uint64_t now_ns,
                                  struct note_answer *answer)
{
    struct note_request request;
    uint64_t household = household_of(&question->from);
    bool is_good = friend_notes_read_request(&request, question->bytes, question->byte_count);
    pthread_mutex_lock(&notes->lock);
    bool admits =
        household_is_exempt(notes->households, household) || rate_limit_table_take(&notes->rates, household, now_ns);
    notes->refused[REFUSED_RATE] += !admits;
    notes->refused[REFUSED_MALFORMED] += admits && !is_good;
    if (admits && is_good)
        sweep(notes, now_ns);
    for (uint32_t i = 0; admits && is_good && i < request.note_count; i++) {
        const struct kept_note *kept = keep(notes, &request.notes[i], &question->from, now_ns);
        size_t at = kept ? (size_t)(kept - notes->kept) : 0;
        if (kept)
            notes->unshared[at / 64] |= UINT64_C(1) << at % 64;
        notes->taken += kept != NULL;
    }
    answer->count = 0;
    for (uint32_t i = 0; admits && is_good && i < request.name_count; i++) {
        const struct kept_note *kept = find(notes, request.names[i]);
        if (kept && kept->until_ns > now_ns)
            answer->notes[answer->count++] = kept->note;
    }
    notes->found += answer->count;
    pthread_mutex_unlock(&notes->lock);
    return !admits ? NOTES_TOO_OFTEN : is_good ? NOTES_ANSWERED : NOTES_MALFORMED;
}

static const struct kept_note *next_unshared(struct notes *notes)
{
    for (uint32_t i = 0; i < UNSHARED_WORDS; i++) {
        uint64_t *word = &notes->unshared[notes->unshared_at];
        if (*word) {
            uint32_t at = notes->unshared_at * 64 + (uint32_t)__builtin_ctzll(*word);
            *word &= *word - 1;
            return &notes->kept[at];
        }
        notes->unshared_at = (notes->unshared_at + 1) % UNSHARED_WORDS;
    }
    return NULL;
}

bool notes_share(struct notes *notes, uint64_t now_ns, struct change *change)
{
    pthread_mutex_lock(&notes->lock);
    const struct kept_note *kept = next_unshared(notes);
    while (kept && kept->until_ns <= now_ns)
        kept = next_unshared(notes);
    if (kept) {
        memset(change, 0, sizeof *change - sizeof change->text);
        change->kind = CHANGE_NOTED;
        change->address = kept->from;
        change->at_ns = now_ns;
        change->proven_ns = kept->until_ns - LIFE_NS;
        change->byte_count = sizeof kept->note;
        memcpy(change->text, &kept->note, sizeof kept->note);
    }
    pthread_mutex_unlock(&notes->lock);
    return kept != NULL;
}

bool notes_learn(struct notes *notes, const struct change *change, uint64_t now_ns)
{
    struct note note;
    if (change->byte_count != sizeof note || change->proven_ns + LIFE_NS <= now_ns || change->proven_ns > now_ns)
        return false;
    memcpy(&note, change->text, sizeof note);
    pthread_mutex_lock(&notes->lock);
    sweep(notes, now_ns);
    bool good = keep(notes, &note, &change->address, change->proven_ns) != NULL;
    notes->learned += good;
    pthread_mutex_unlock(&notes->lock);
    return good;
}

void notes_metrics_write(FILE *file, struct notes *notes)
{
    pthread_mutex_lock(&notes->lock);
    fprintf(file,
            "# HELP deadfall_directory_notes Notes of players for their friends that are kept.\n"
            "# TYPE deadfall_directory_notes gauge\n"
            "deadfall_directory_notes %u\n"
            "# HELP deadfall_directory_notes_total Notes that were left, learned from other directories, found, and "
            "displaced by those of households with fewer.\n"
            "# TYPE deadfall_directory_notes_total counter\n"
            "deadfall_directory_notes_total{result=\"left\"} %" PRIu64 "\n"
            "deadfall_directory_notes_total{result=\"learned\"} %" PRIu64 "\n"
            "deadfall_directory_notes_total{result=\"found\"} %" PRIu64 "\n"
            "deadfall_directory_notes_total{result=\"displaced\"} %" PRIu64 "\n"
            "# HELP deadfall_directory_notes_refused_total Notes (quota) and requests refused, by reason.\n"
            "# TYPE deadfall_directory_notes_refused_total counter\n"
            "deadfall_directory_notes_refused_total{reason=\"rate\"} %" PRIu64 "\n"
            "deadfall_directory_notes_refused_total{reason=\"quota\"} %" PRIu64 "\n"
            "deadfall_directory_notes_refused_total{reason=\"malformed\"} %" PRIu64 "\n",
            notes->used, notes->taken, notes->learned, notes->found, notes->displaced, notes->refused[REFUSED_RATE],
            notes->refused[REFUSED_QUOTA], notes->refused[REFUSED_MALFORMED]);
    pthread_mutex_unlock(&notes->lock);
}
