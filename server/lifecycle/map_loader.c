// SPDX-License-Identifier: MIT
#include "map_loader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "map_open.h"

struct map_loader {
    pthread_t thread;
    pthread_mutex_t lock; // of everything up to `maps`
    pthread_cond_t work;  // for the thread: there is something to do
    pthread_cond_t done;  // for map_loader_wait(): there is nothing to do
    bool asked, begun, busy, ending;
    struct map_request request;
    bool answered; // `answer` is that of the newest request
    struct map_answer answer;
    uint32_t used; // the map of the running match; the thread writes only to the other one
    struct match_map *maps[2];
    struct map_request current; // the thread's, as is the rest
    struct map first, other;
};

// Finds the playable maps of the request; the first is in `first` then.
static void find_playable(struct map_loader *loader, struct map_answer *answer)
{
    const struct map_request *request = &loader->current;
    for (uint32_t i = 0; i < request->names.count && answer->playable_count < request->wanted; i++) {
        struct error error;
        struct map *map = answer->playable_count > 0 ? &loader->other : &loader->first;
        if (map_open(request->names.values[i], request->mode, map, &error))
            answer->playable[answer->playable_count++] = i;
        else if (!answer->skipped)
            answer->skipped = true, answer->error = error;
    }
}

// A map that is in memory already needs no new graph.
static const struct match_map *prepare(struct map_loader *loader, struct match_map *used, struct match_map *spare)
{
    struct match_map *prepared = memcmp(&used->map, &loader->first, sizeof used->map) == 0 ? used : spare;
    if (memcmp(&prepared->map, &loader->first, sizeof prepared->map) != 0)
        match_map_begin(prepared, &loader->first);
    match_map_build_nav_graph(prepared);
    return prepared;
}

// Answers one request, or completes the first map. Holds the lock only to take the request and to give the answer.
static void work(struct map_loader *loader)
{
    struct map_answer answer = {0};
    bool asked = loader->asked;
    struct match_map *used = loader->maps[loader->used], *spare = loader->maps[1 - loader->used];
    loader->busy = true;
    loader->asked = loader->begun = false;
    loader->current = loader->request;
    pthread_mutex_unlock(&loader->lock);
    match_map_build_nav_graph(used);
    if (asked)
        find_playable(loader, &answer);
    if (answer.playable_count > 0)
        answer.prepared = prepare(loader, used, spare);
    pthread_mutex_lock(&loader->lock);
    loader->busy = false;
    loader->answered = asked && !loader->asked;
    loader->answer = answer;
}

static void *run(void *context)
{
    struct map_loader *loader = context;
    pthread_mutex_lock(&loader->lock);
    while (!loader->ending) {
        if (loader->asked || loader->begun) {
            work(loader);
        } else {
            pthread_cond_signal(&loader->done);
            pthread_cond_wait(&loader->work, &loader->lock);
        }
    }
    pthread_mutex_unlock(&loader->lock);
    return NULL;
}

struct map_loader *map_loader_open(void)
{
    struct map_loader *loader = calloc(1, sizeof *loader);
    if (!loader)
        return NULL;
    for (uint32_t i = 0; i < 2; i++)
        loader->maps[i] = calloc(1, sizeof *loader->maps[i]);
    pthread_mutex_init(&loader->lock, NULL);
    pthread_cond_init(&loader->work, NULL);
    pthread_cond_init(&loader->done, NULL);
    if (loader->maps[0] && loader->maps[1] && pthread_create(&loader->thread, NULL, run, loader) == 0)
        return loader;
    loader->ending = true; // there is no thread
    map_loader_close(loader);
    return NULL;
}

const struct match_map *map_loader_begin(struct map_loader *loader, const struct map *map)
{
    struct match_map *first = loader->maps[loader->used];
    match_map_begin(first, map);
    pthread_mutex_lock(&loader->lock);
    loader->begun = true;
    pthread_cond_signal(&loader->work);
    pthread_mutex_unlock(&loader->lock);
    return first;
}

void map_loader_ask(struct map_loader *loader, const struct map_request *request)
{
    pthread_mutex_lock(&loader->lock);
    loader->request = *request;
    loader->asked = true;
    loader->answered = false;
    pthread_cond_signal(&loader->work);
    pthread_mutex_unlock(&loader->lock);
}

bool map_loader_answer(struct map_loader *loader, struct map_answer *answer)
{
    pthread_mutex_lock(&loader->lock);
    bool answered = loader->answered;
    loader->answered = false;
    if (answered)
        *answer = loader->answer;
    pthread_mutex_unlock(&loader->lock);
    return answered;
}

void map_loader_use(struct map_loader *loader, const struct match_map *prepared)
{
    pthread_mutex_lock(&loader->lock);
    loader->used = prepared == loader->maps[1];
    pthread_mutex_unlock(&loader->lock);
}

void map_loader_wait(struct map_loader *loader)
{
    pthread_mutex_lock(&loader->lock);
    while (loader->asked || loader->begun || loader->busy)
        pthread_cond_wait(&loader->done, &loader->lock);
    pthread_mutex_unlock(&loader->lock);
}

void map_loader_close(struct map_loader *loader)
{
    if (!loader)
        return;
    pthread_mutex_lock(&loader->lock);
    bool runs = !loader->ending;
    loader->ending = true;
    pthread_cond_signal(&loader->work);
    pthread_mutex_unlock(&loader->lock);
    if (runs)
        pthread_join(loader->thread, NULL);
    pthread_cond_destroy(&loader->done);
    pthread_cond_destroy(&loader->work);
    pthread_mutex_destroy(&loader->lock);
    for (uint32_t i = 0; i < 2; i++)
        free(loader->maps[i]);
    free(loader);
}
