// SPDX-License-Identifier: MIT
#include "presenter.h"

#include "game/rules/standing.h"
#include "hud/hud.h"

#define STING        210 ///< loudness of stings, of 256: as loud as the music
#define SHORT_TIME_S 10
#define FEW          2 ///< players, of
#define FEW_OF       3 ///< or more

// Collects cues.
struct collection {
    struct sound_cue *cues;
    uint32_t count;
};

static void add(struct collection *collection, enum sound sound)
{
    if (collection->count < ANNOUNCER_CUE_CAPACITY)
        collection->cues[collection->count++] =
            (struct sound_cue){.sound = sound, .gain = sound < SOUND_SAY_FIRST ? STING : 256};
}

// Returns whether the viewer has won, alone at this window.
static bool is_you(const struct view *view, const struct round *round)
{
    if (view->slot >= PLAYER_CAPACITY || view_is_shared(view))
        return false;
    return round->winner ? round->winner - 1 == view->slot
                         : round->winner_team == view->confirmed->players[view->slot].team;
}

static void collect_round(struct collection *collection, const struct view *view, enum round_phase phase)
{
    const struct round *round = &view->confirmed->round;
    bool draw = !round->winner && !round->winner_team;
    switch (phase) {
    case ROUND_WARMUP:
    case ROUND_COUNTDOWN:
        break;
    case ROUND_PLAYING:
        add(collection, SOUND_SAY_FIGHT);
        break;
    case ROUND_OVER:
        add(collection, draw ? SOUND_STING_DRAW : SOUND_STING_ROUND);
        add(collection, draw ? SOUND_SAY_DRAW : SOUND_SAY_ROUND);
        break;
    case ROUND_MATCH_OVER:
        add(collection, draw ? SOUND_STING_DRAW : SOUND_STING_MATCH);
        add(collection, draw ? SOUND_SAY_DRAW : is_you(view, round) ? SOUND_SAY_YOU_WIN : SOUND_SAY_WINNER);
        break;
    }
}

// Returns whether a state has begun.
static bool begins(bool *before, bool now)
{
    bool began = now && !*before;
    *before = now;
    return began;
}

uint32_t announcer_collect(struct announcer *announcer, const struct view *view,
                           struct sound_cue cues[ANNOUNCER_CUE_CAPACITY])
{
    static const enum sound NUMBERS[] = {SOUND_SAY_ONE, SOUND_SAY_TWO, SOUND_SAY_THREE};
    struct collection collection = {.cues = cues};
    const struct world *world = view->confirmed;
    bool playing = world->round.phase == ROUND_PLAYING;
    for (uint32_t i = 0; i < view->event_count; i++) {
        const struct event *event = &view->events[i];
        if (event->kind == EVENT_ROUND)
            collect_round(&collection, view, (enum round_phase)event->detail);
        if (event->kind == EVENT_CLOSING) {
            add(&collection, SOUND_STING_SUDDEN_DEATH);
            add(&collection, SOUND_SAY_SUDDEN_DEATH);
        }
    }
    uint32_t count_s = world->round.phase == ROUND_WARMUP ? 0 : round_clock_countdown_s(view);
    if (count_s && count_s != announcer->counted_s && count_s <= sizeof NUMBERS / sizeof *NUMBERS)
        add(&collection, NUMBERS[count_s - 1]);
    announcer->counted_s = count_s;
    struct tension_players left = tension_players(world);
    if (begins(&announcer->few, playing && left.all >= FEW_OF && left.alive == FEW)) {
        bool lives = view->slot < PLAYER_CAPACITY && world->players[view->slot].state == PLAYER_ALIVE;
        add(&collection, SOUND_STING_LAST);
        add(&collection, lives && !view_is_shared(view) ? SOUND_SAY_LAST_ONE : SOUND_SAY_LAST_TWO);
    }
    if (begins(&announcer->point, (playing || world->round.phase == ROUND_OVER) && standing_is_match_point(world)))
        add(&collection, SOUND_SAY_MATCH_POINT);
    uint32_t left_s = round_clock_display_s(view);
    bool limited = playing && world->rules.time_limit_ticks && !mode_of(world)->decided;
    if (begins(&announcer->short_time, limited && left_s <= SHORT_TIME_S && left_s > SHORT_TIME_S - 3))
        add(&collection, SOUND_SAY_TEN_SECONDS);
    return collection.count;
}
