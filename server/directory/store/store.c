// SPDX-License-Identifier: MIT
#include "store.h"

#include <curl/curl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/platform/process.h"
#include "directory/notes.h"
#include "redis_connection.h"
#include "store_change.h"

#define SCHEME        "redis://"
#define SECURE_SCHEME "rediss://"
#define REDIS_PORT    6379
#define DATABASE_MAX  65535
#define ROUND_MS      20   // between two looks
#define RETRY_MS      1000 // while there is no Redis
#define BATCH         256  // changes sent at a time
// Notes sent at a time: as many as all that a directory can keep, twice in the time in which players renew theirs. Then
// eight directories under a flood send no more than each of them reads.
#define BATCH_NOTES    (2 * NOTES_CAPACITY * ROUND_MS / (NOTE_EXCHANGE_PERIOD_S * 1000))
#define READ_MAX       "512"
#define KEEP_MS        (2 * (uint64_t)ANNOUNCEMENT_LIFE_MS) // so long Redis keeps a change
#define PASSWORD_BYTES 512
#define NUMBER_BYTES   24
#define NO_REDIS       "it answers something else than Redis"

static const char *const STREAMS[STORE_STREAMS] = {"deadfall:directory", "deadfall:notes"};

struct store {
    struct store_address address;
    struct store_settings settings;
    struct directory *directory;
    pthread_mutex_t *lock; // of the directory
    pthread_t thread;
    pthread_mutex_t own; // of what follows
    pthread_cond_t ends;
    bool has_ended;
    // Of the thread alone:
    struct redis_connection *redis;
    bool was_lost; // and logged
    struct store_reader reader;
    struct change change; // that is being sent
};

bool store_address_parse(const char *text, struct store_address *address)
{
    uint16_t database = 0;
    address->is_secure = strncmp(text, SECURE_SCHEME, strlen(SECURE_SCHEME)) == 0;
    if (!address->is_secure && strncmp(text, SCHEME, strlen(SCHEME)) != 0)
        return false;
    const char *place = text + strlen(address->is_secure ? SECURE_SCHEME : SCHEME), *path = strchr(place, '/');
    size_t place_bytes = path ? (size_t)(path - place) : strlen(place);
    if (!host_port_parse(place, place_bytes, &address->place) ||
        (address->place.has_port && address->place.port == 0) ||
        (path && path[1] && !host_port_parse_port(path + 1, &database)))
        return false;
    if (!address->place.has_port)
        address->place.port = REDIS_PORT;
    address->database = database;
    return true;
}

static void disconnect(struct store *store)
{
    redis_connection_close(store->redis);
    store->redis = NULL;
}

// Takes the next answer. Null with an error, also if that is what Redis says.
static redisReply *take(struct store *store, struct error *error)
{
    redisReply *reply = redis_connection_take(store->redis, error);
    if (!reply || reply->type != REDIS_REPLY_ERROR)
        return reply;
    error_set(error, "%s", reply->str);
    freeReplyObject(reply);
    return NULL;
}

// Connects, gives the password, which is the first line of its file, and begins with all that was said in the last
// minute. False with what is wrong.
static bool connect_to_redis(struct store *store, struct error *error)
{
    struct redis_connection_target target = {store->address.place, store->address.is_secure, store->settings.tls};
    char password[PASSWORD_BYTES];
    size_t byte_count = 0;
    bool has_password = store->settings.password_file[0] != 0;
    store->redis = redis_connection_open(&target, error);
    if (!store->redis)
        return false;
    if (has_password && !file_read(store->settings.password_file, password, sizeof password - 1, &byte_count))
        return error_set(error, "the file of its password cannot be read");
    if (has_password) {
        password[byte_count] = 0;
        redis_connection_add(store->redis, "AUTH %b", password, strcspn(password, "\r\n"));
        sodium_memzero(password, sizeof password);
        redisReply *admitted = take(store, error);
        freeReplyObject(admitted);
        if (!admitted)
            return false;
    }
    redis_connection_add(store->redis, "SELECT %u", store->address.database);
    redis_connection_add(store->redis, "TIME");
    redisReply *selected = take(store, error);
    redisReply *time = selected ? take(store, error) : NULL;
    bool good = time && (store_reader_take_time(&store->reader, time) || error_set(error, NO_REDIS));
    freeReplyObject(selected);
    freeReplyObject(time);
    store_reader_rewind(&store->reader);
    return good;
}

// Redis keeps changes of servers for a time, and of notes the last ones, twice as many as a directory can keep.
static void append(struct store *store, const struct change *change)
{
    enum { HEAD_WORDS = 6, WORDS = HEAD_WORDS + 2 * STORE_CHANGE_FIELDS };
    bool is_noted = change->kind == CHANGE_NOTED;
    uint64_t redis_ms = store->reader.redis_ms, first_ms = redis_ms > KEEP_MS ? redis_ms - KEEP_MS : 0;
    char cut[NUMBER_BYTES];
    const char *words[WORDS] = {
        "XADD", STREAMS[is_noted ? STORE_NOTES : STORE_SERVERS], is_noted ? "MAXLEN" : "MINID", "~", cut, "*"};
    size_t sizes[WORDS];
    struct store_change_text text;
    snprintf(cut, sizeof cut, "%" PRIu64, is_noted ? (uint64_t)2 * NOTES_CAPACITY : first_ms);
    store_change_write(&store->reader.codec, change, redis_ms, clock_now_ns(), &text);
    for (size_t i = 0; i < HEAD_WORDS; i++)
        sizes[i] = strlen(words[i]);
    memcpy(words + HEAD_WORDS, text.words, sizeof text.words);
    memcpy(sizes + HEAD_WORDS, text.sizes, sizeof text.sizes);
    redis_connection_add_words(store->redis, WORDS, words, sizes);
}

// Appends the next changes to the pipeline. Returns their number.
static uint32_t append_changes(struct store *store)
{
    uint32_t count = 0;
    for (bool has = true; has && count < BATCH;) {
        pthread_mutex_lock(store->lock);
        has = directory_pop_change(store->directory->changes, &store->change);
        pthread_mutex_unlock(store->lock);
        // What is older than an announcement's period has been said again.
        bool is_late = has && clock_now_ns() - store->change.at_ns >= ANNOUNCEMENT_PERIOD_MS * CLOCK_MS_NS;
        if (!has || is_late)
            continue;
        append(store, &store->change);
        count++;
    }
    return count;
}

// One exchange with Redis: sends what happened here, and the notes that were left since, and reads what others have
// sent. False with what is wrong.
static bool exchange(struct store *store, struct error *error)
{
    bool good = true;
    uint32_t sent = append_changes(store), notes = 0, accepted = 0;
    while (notes < BATCH_NOTES && notes_share(store->directory->notes, clock_now_ns(), &store->change)) {
        append(store, &store->change);
        notes++;
    }
    sent += notes;
    redis_connection_add(store->redis, "TIME");
    for (uint32_t stream = 0; stream < STORE_STREAMS; stream++) {
        redis_connection_add(store->redis, "PEXPIRE %s %d", STREAMS[stream], (int)(2 * KEEP_MS));
        redis_connection_add(store->redis, "XREAD COUNT " READ_MAX " STREAMS %s %s", STREAMS[stream],
                             store->reader.cursors[stream]);
    }
    for (uint32_t i = 0; i <= sent && good; i++) {
        redisReply *reply = take(store, error);
        good = reply && (i < sent || store_reader_take_time(&store->reader, reply) || error_set(error, NO_REDIS));
        accepted += good && i < sent;
        freeReplyObject(reply);
    }
    for (uint32_t stream = 0; stream < STORE_STREAMS && good; stream++) {
        redisReply *expiry = take(store, error), *changes = expiry ? take(store, error) : NULL;
        good = changes && (store_reader_take_changes(&store->reader, stream, changes) || error_set(error, NO_REDIS));
        freeReplyObject(expiry);
        freeReplyObject(changes);
    }
    pthread_mutex_lock(store->lock);
    store->directory->sharing.sent += accepted;
    store->directory->sharing.lost += sent - accepted + store->directory->changes->lost;
    store->directory->changes->lost = 0;
    pthread_mutex_unlock(store->lock);
    return good;
}

// Says once that Redis is away, and once that it is back.
static void set_up(struct store *store, bool is_up, const char *why)
{
    pthread_mutex_lock(store->lock);
    store->directory->sharing.is_up = is_up;
    pthread_mutex_unlock(store->lock);
    if (is_up == store->was_lost)
        log_event(store->directory->log, is_up ? LOG_INFO : LOG_WARNING,
                  &(struct fields){is_up ? "store_back" : "store_lost",
                                   is_up ? "the store {store} answers again"
                                         : "the store {store} does not answer: {reason}. The directory goes on with "
                                           "the servers that it knows, and tries again every second",
                                   {{"store", .text = store->settings.address}, {"reason", .text = why}}});
    store->was_lost = !is_up;
}

static void *run(void *context)
{
    struct store *store = context;
    for (bool goes_on = true; goes_on;) {
        struct error error = {.text = ""};
        bool good = (store->redis || connect_to_redis(store, &error)) && exchange(store, &error);
        set_up(store, good, error.text);
        if (!good)
            disconnect(store);
        uint64_t until_ns = clock_now_ns() + (good ? ROUND_MS : RETRY_MS) * CLOCK_MS_NS;
        pthread_mutex_lock(&store->own);
        if (!store->has_ended)
            process_condition_wait(&store->ends, &store->own, until_ns);
        goes_on = !store->has_ended;
        pthread_mutex_unlock(&store->own);
    }
    disconnect(store);
    return NULL;
}

static struct store *give_up(struct store *store, struct directory *directory, const char *why, struct error *error)
{
    free(directory->changes);
    directory->changes = NULL;
    free(store);
    error_set(error, "%s", why);
    return NULL;
}

struct store *store_open(const struct store_settings *settings, struct directory *directory, pthread_mutex_t *lock,
                         struct error *error)
{
    struct store *store = calloc(1, sizeof *store);
    directory->changes = calloc(1, sizeof *directory->changes);
    if (!store || !directory->changes || !store_address_parse(settings->address, &store->address))
        return give_up(store, directory, "out of memory", error);
    store->directory = store->reader.directory = directory;
    store->lock = store->reader.lock = lock;
    store_change_init(&store->reader.codec, settings->secret);
    store->settings = *settings;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    directory->sharing.is_on = true;
    pthread_mutex_init(&store->own, NULL);
    process_condition_open(&store->ends);
    if (pthread_create(&store->thread, NULL, run, store) != 0)
        return give_up(store, directory, "cannot start a thread for the store", error);
    return store;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    pthread_mutex_lock(&store->own);
    store->has_ended = true;
    pthread_cond_signal(&store->ends);
    pthread_mutex_unlock(&store->own);
    pthread_join(store->thread, NULL);
    pthread_mutex_destroy(&store->own);
    pthread_cond_destroy(&store->ends);
    sodium_memzero(&store->reader.codec, sizeof store->reader.codec);
    free(store->directory->changes);
    store->directory->changes = NULL;
    free(store);
    curl_global_cleanup();
}
