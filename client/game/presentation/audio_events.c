// SPDX-License-Identifier: MIT
#include "presenter.h"

#include <math.h>
#include <stdlib.h>

#include "game/entities/entities.h"
#include "hud/hud.h"
#include "window/canvas.h"

#define FADE_PX          260 ///< distance from the picture's edge at which a sound has faded out
#define OTHERS           150 ///< loudness, of 256, of events that concern only others
#define DOOR             200 ///< loudness of a door, of 256
#define LID              200 ///< and of the lid of a chest
#define SOFT_LANDING_SUB 500 ///< slower landings are not heard

// The sound of each event, unless sound_of() picks another.
static const struct {
    enum sound sound;
    int32_t gain;  ///< of 256; 0: not heard
    bool anywhere; ///< as loud wherever it happens
} ROWS[EVENT_KINDS] = {
    [EVENT_SPAWN] = {SOUND_SPAWN, 150, false},       [EVENT_JUMP] = {SOUND_JUMP, 120, false},
    [EVENT_LAND] = {SOUND_LAND, 140, false},         [EVENT_DASH] = {SOUND_DASH, 170, false},
    [EVENT_SHOOT] = {SOUND_SHOOT, 200, false},       [EVENT_STICK] = {SOUND_STICK, 160, false},
    [EVENT_PICKUP] = {SOUND_PICKUP, 180, false},     [EVENT_CATCH] = {SOUND_CATCH, 230, false},
    [EVENT_KILL] = {SOUND_DEATH, 256, false},        [EVENT_WARN] = {SOUND_WARN, 220, false},
    [EVENT_FALL] = {SOUND_FALL, 180, false},         [EVENT_SLAM] = {SOUND_SLAM, 256, false},
    [EVENT_BOUNCE] = {SOUND_BOUNCE, 150, false},     [EVENT_BREAK] = {SOUND_BREAK, 180, false},
    [EVENT_JOIN] = {SOUND_JOIN, 150, true},          [EVENT_LEAVE] = {SOUND_LEAVE, 150, true},
    [EVENT_ROUND] = {SOUND_GO, 230, true},           [EVENT_SWITCH] = {SOUND_SWITCH, 220, false},
    [EVENT_EXPLODE] = {SOUND_EXPLOSION, 256, false}, [EVENT_DRILL] = {SOUND_BREAK, 150, false},
    [EVENT_KICK] = {SOUND_BOUNCE, 220, false},       [EVENT_OPEN] = {SOUND_GIFT, 230, false},
    [EVENT_SHIELD] = {SOUND_SHIELD, 256, false},     [EVENT_RETURN] = {SOUND_RETURN, 120, false},
};

static const enum sound SHOTS[] = {
    [ARROW_NORMAL] = SOUND_SHOOT, [ARROW_BOMB] = SOUND_SHOOT_BOMB, [ARROW_DRILL] = SOUND_SHOOT_DRILL};
_Static_assert(sizeof SHOTS / sizeof *SHOTS == ARROW_KINDS, "each kind of arrow has its sound");

static enum sound sound_of(const struct view *view, const struct event *event)
{
    if (event->kind == EVENT_KILL && event->other == view->slot && event->subject != view->slot)
        return SOUND_OWN_KILL;
    if (event->kind == EVENT_KILL && event->detail == DEATH_SQUISH)
        return SOUND_SQUISH;
    if (event->kind == EVENT_KILL && event->detail == DEATH_STOMP)
        return SOUND_STOMP;
    if (event->kind == EVENT_JUMP && event->detail)
        return SOUND_WALL_JUMP;
    if (event->kind == EVENT_SHOOT && event->detail < ARROW_KINDS)
        return SHOTS[event->detail];
    return ROWS[event->kind].sound;
}

static bool is_audible(const struct event *event)
{
    if (event->kind >= EVENT_KINDS || !ROWS[event->kind].gain)
        return false;
    if (event->kind == EVENT_LAND)
        return event->detail >= SOFT_LANDING_SUB;
    return event->kind != EVENT_ROUND || event->detail == ROUND_PLAYING;
}

// Returns the distance along one axis; on a map that wraps, the shorter way.
static float way(const struct view *view, int32_t place_px, float middle, int32_t tiles)
{
    float size = (float)(tiles * MAP_EDGE_PX), apart = (float)place_px - middle;
    if (view->map->outside != DF_OUTSIDE_WRAP)
        return apart;
    return apart - size * floorf(apart / size + 0.5f);
}

static float beyond(float apart, int32_t canvas_px)
{
    float most = fabsf(apart) - (float)canvas_px / 2;
    return most > 0 ? most : 0;
}

static struct sound_cue positioned(const struct view *view, const struct camera *camera, const struct event *event)
{
    float dx = way(view, event->x, camera->x, view->map->columns);
    float dy = way(view, event->y, camera->y, view->map->rows);
    float far = beyond(dx, camera_width(camera)) + beyond(dy, camera_height(camera));
    bool own = event->subject == view->slot || event->other == view->slot || view->slot >= PLAYER_CAPACITY;
    int32_t gain = far >= FADE_PX ? 0 : (int32_t)(256 * (FADE_PX - far) / FADE_PX);
    float pan = fmaxf(-256, fminf(256, dx * 256 / ((float)camera_width(camera) / 2)));
    return (struct sound_cue){.pan = (int32_t)pan,
                              .gain = gain * (own || event->subject >= PLAYER_CAPACITY ? 256 : OTHERS) / 256};
}

// Doors have no event: a channel's doors sound once when the first of them starts to move.
static uint32_t collect_doors(struct audio_events *audio, const struct view *view, const struct camera *camera,
                              struct sound_cue *cues)
{
    uint32_t ajar = 0, count = 0;
    for (int32_t i = 0; i < view->map->solid_count; i++) {
        const struct map_solid *of = &view->map->solids[i];
        const struct df_solid *body = &view->world->solids[i];
        uint32_t clock_ticks = view->confirmed->crushers[i].clock_ticks;
        if (of->kind != MAP_SOLID_DOOR || !of->channel || of->channel > AUDIO_EVENTS_CHANNELS || !clock_ticks ||
            clock_ticks >= mover_clock_max(of))
            continue; // it stands
        uint32_t channel = 1u << (of->channel - 1);
        struct event place = {.subject = EVENT_NOBODY, .x = body->x + body->w / 2, .y = body->y + body->h / 2};
        if (channel & ~(audio->doors_ajar | ajar)) {
            cues[count] = positioned(view, camera, &place);
            cues[count].sound = SOUND_DOOR;
            cues[count].gain = cues[count].gain * DOOR / 256;
            count += cues[count].gain > 0;
        }
        ajar |= channel;
    }
    audio->doors_ajar = ajar;
    return count;
}

_Static_assert(MAP_CHEST_CAPACITY <= AUDIO_EVENTS_LIDS, "each lid has a bit and a cue");

// Nor have lids: the gift is an event, and comes a round trip later.
static uint32_t collect_lids(struct audio_events *audio, const struct view *view, const struct camera *camera,
                             struct sound_cue *cues)
{
    uint32_t up = 0, count = 0;
    for (uint32_t i = 0; i < view->world->chest_count; i++) {
        const struct df_actor *box = &view->world->actors[CHEST_ACTORS + i];
        struct event place = {.subject = view->slot, .x = box->x + box->w / 2, .y = box->y + box->h / 2};
        if (!game_view_lid_is_up(view, view->world, i))
            continue;
        up |= 1u << i;
        if (audio->lids_up >> i & 1)
            continue;
        cues[count] = positioned(view, camera, &place);
        cues[count].sound = SOUND_LID;
        cues[count].gain = cues[count].gain * LID / 256;
        count += cues[count].gain > 0;
    }
    audio->lids_up = up;
    return count;
}

uint32_t audio_events_collect(struct audio_events *audio, const struct view *view, const struct camera *camera,
                              struct sound_cue cues[SOUND_CUE_CAPACITY])
{
    uint32_t count = 0, count_s = round_clock_countdown_s(view);
    if (count_s && count_s != audio->counted_s)
        cues[count++] = (struct sound_cue){.sound = SOUND_COUNT, .gain = 220};
    audio->counted_s = count_s;
    count += collect_doors(audio, view, camera, cues + count);
    count += collect_lids(audio, view, camera, cues + count);
    for (uint32_t i = 0; i < view->event_count; i++) {
        const struct event *event = &view->events[i];
        if (!is_audible(event))
            continue;
        struct sound_cue one = {.gain = 256};
        if (!ROWS[event->kind].anywhere)
            one = positioned(view, camera, event);
        one.sound = sound_of(view, event);
        one.gain = one.gain * ROWS[event->kind].gain / 256;
        if (one.gain > 0)
            cues[count++] = one;
    }
    return count;
}
