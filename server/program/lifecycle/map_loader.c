// SPDX-License-Identifier: MIT
#include "map_loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/map/tiled/map_file.h"

// What the job works on. The main loop touches it only while the job is not busy.
struct work {
    bool asked;    // otherwise the job completes the map of the running match, and that is all
    uint32_t used; // the map of the running match; the job writes only to the other one
    struct map_request request;
    struct map_answer answer;
    struct map first, other;
};

struct map_loader {
    struct worker_job job;
    struct worker *worker;
    struct work work;
    struct match_map *maps[2];
    uint32_t used;
    bool waits; // `request` is the newest, and the job has not begun with it
    struct map_request request;
};

bool map_loader_read(const char *name, enum mode mode, struct map *map, struct error *error)
{
    char path[1024];
    if (!map_file_find(name, path, sizeof path))
        return error_set(
            error,
            "there is no map \"%.200s\" in $DEADFALL_MAP_DIR or among the game's own; give the name of a map or a file",
            name);
    if (!map_file_read(path, map, error))
        return false;
    const char *fault = mode_validate_map(mode, map);
    return !fault || error_set(error, "%.500s: %s", path, fault);
}

static void run(struct worker_job *job)
{
    struct map_loader *loader = (struct map_loader *)job; // its first field
    struct work *work = &loader->work;
    const struct map_request *request = &work->request;
    struct map_answer *answer = &work->answer;
    struct match_map *used = loader->maps[work->used], *spare = loader->maps[1 - work->used];
    match_map_build_nav_graph(used);
    for (uint32_t i = 0; work->asked && i < request->names.count && answer->playable_count < request->wanted; i++) {
        struct error error;
        struct map *map = answer->playable_count > 0 ? &work->other : &work->first;
        if (map_loader_read(request->names.values[i], request->mode, map, &error))
            answer->playable[answer->playable_count++] = i;
        else if (!answer->skipped)
            answer->skipped = true, answer->error = error;
    }
    if (answer->playable_count == 0)
        return;
    // a map that is in memory already needs no new graph
    struct match_map *prepared = memcmp(&used->map, &work->first, sizeof work->first) == 0 ? used : spare;
    if (memcmp(&prepared->map, &work->first, sizeof work->first) != 0)
        match_map_begin(prepared, &work->first);
    match_map_build_nav_graph(prepared);
    answer->prepared = prepared;
}

static void begin_work(struct map_loader *loader)
{
    struct work *work = &loader->work;
    work->asked = loader->waits;
    work->used = loader->used;
    work->request = loader->request;
    memset(&work->answer, 0, sizeof work->answer);
    loader->waits = false;
    worker_ask(loader->worker, &loader->job);
}

struct map_loader *map_loader_open(struct worker *worker)
{
    struct map_loader *loader = calloc(1, sizeof *loader);
    if (!loader)
        return NULL;
    loader->worker = worker;
    loader->job.run = run;
    for (uint32_t i = 0; i < 2; i++)
        loader->maps[i] = calloc(1, sizeof *loader->maps[i]);
    if (loader->maps[0] && loader->maps[1])
        return loader;
    map_loader_close(loader);
    return NULL;
}

const struct match_map *map_loader_begin(struct map_loader *loader, const struct map *map)
{
    struct match_map *first = loader->maps[loader->used];
    match_map_begin(first, map);
    begin_work(loader);
    return first;
}

void map_loader_ask(struct map_loader *loader, const struct map_request *request)
{
    loader->request = *request;
    loader->waits = true;
    if (!worker_is_busy(loader->worker, &loader->job))
        begin_work(loader);
}

const struct map_answer *map_loader_answer(struct map_loader *loader)
{
    if (worker_is_busy(loader->worker, &loader->job))
        return NULL;
    bool answered = loader->work.asked && !loader->waits;
    loader->work.asked = false;
    if (loader->waits)
        begin_work(loader);
    return answered ? &loader->work.answer : NULL;
}

void map_loader_use(struct map_loader *loader, const struct match_map *prepared)
{
    loader->used = prepared == loader->maps[1];
}

void map_loader_wait(struct map_loader *loader)
{
    worker_wait(loader->worker);
    if (loader->waits)
        begin_work(loader);
    worker_wait(loader->worker);
}

void map_loader_close(struct map_loader *loader)
{
    if (!loader)
        return;
    for (uint32_t i = 0; i < 2; i++)
        free(loader->maps[i]);
    free(loader);
}
