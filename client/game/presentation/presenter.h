// SPDX-License-Identifier: MIT
//
// Turns what a client sees into pictures and sounds, frame by frame: what stops, what is seen again and what is said,
// how tense the music is, and what gamepads do.
#ifndef PRESENTATION_PRESENTER_H
#define PRESENTATION_PRESENTER_H

#include <stdint.h>

#include "base/error.h"
#include "core/view.h"
#include "draw_view.h"
#include "hud/hud.h"
#include "looks/display_options.h"
#include "scene/camera.h"
#include "sounds/sounds.h"
#include "window/sound_device.h"

// --- tension.c
//
// How tense a match is: the music grows by it. Reads a confirmed world alone, so the music never knows of a death that
// the server takes back. Pure.

struct world;

/// The most; sudden death.
#define TENSION_MAX 256

/// Returns 0 (nothing counts yet) to TENSION_MAX. Grows with few players alive in a mode of one life, with little time
/// left, and with somebody a point from winning the match.
uint32_t tension_of(const struct world *confirmed);

/// Players of a round in a mode of one life.
struct tension_players {
    uint32_t all, alive;
};

/// Counts those who began the round and those of them who live. Zeros in a mode in which players come back.
struct tension_players tension_players(const struct world *confirmed);

// --- rumble.c
//
// What players at this machine feel in their gamepads: their own death and their kills, the hit that their shield
// takes, and what comes down or bursts near them. Pure: a view in, the strength of two motors out; window/gamepads.h
// has the motors.

/// How a gamepad shakes.
struct rumble {
    uint16_t low, high;   ///< strength of the heavy motor and of the light one: 0 (off) to 65,535
    uint32_t duration_ms; ///< 0: not at all
};

/// Returns the strongest of what a player feels of the events that a view shows for the first time.
struct rumble rumble_of(const struct view *view, uint32_t slot);

// --- announcer.c
//
// What the announcer says to one viewer, and which stings sound: the beginning and the end of a round, the countdown, a
// match point, the last players, sudden death, the last seconds. Reads confirmed worlds and facts, so nothing has to be
// taken back. Pure: returns sound cues.

/// Cues that one view can have: two for each event, and one for each state.
#define ANNOUNCER_CUE_CAPACITY (2 * VIEW_EVENT_CAPACITY + 4)

/// State between views. Zero-initialise for each match.
struct announcer {
    uint32_t counted_s;          ///< second of the countdown in the last view
    bool few, point, short_time; ///< held in the last view: few are left, it is match point, ten seconds are left
};

/// Collects the cues of a view. Returns how many. Only a player who is alone at this window is "you".
uint32_t announcer_collect(struct announcer *announcer, const struct view *view,
                           struct sound_cue cues[ANNOUNCER_CUE_CAPACITY]);

// --- audio_events.c
//
// What one viewer hears: turns the events of a view into sound cues with a pan and a gain by the distance from the
// picture, and adds countdown, doors and lids. Pure: sound_device.h plays the cues.

/// Switch channels with doors that sound separately.
#define AUDIO_EVENTS_CHANNELS 32
/// Lids that can go up.
#define AUDIO_EVENTS_LIDS 32
/// Sound cues that one view can have.
#define SOUND_CUE_CAPACITY (VIEW_EVENT_CAPACITY + 1 + AUDIO_EVENTS_CHANNELS + AUDIO_EVENTS_LIDS)

/// State between views. Zero-initialise for each match.
struct audio_events {
    uint32_t doors_ajar; ///< bits of channels with doors that were moving in the last view
    uint32_t lids_up;    ///< bits of lids that were up in the last view
    uint32_t counted_s;  ///< second of the countdown in the last view
};

/// Collects the sound cues of a view, as heard from the camera. Returns how many.
uint32_t audio_events_collect(struct audio_events *audio, const struct view *view, const struct camera *camera,
                              struct sound_cue cues[SOUND_CUE_CAPACITY]);

// --- hit_stop.c
//
// The hit stop: a kill that concerns somebody at this window holds the picture for a moment, with the victim white.
// Input and prediction go on behind it; then the picture catches up, half as fast again as the match. It stores the
// last frames that could have been drawn, so all that is drawn was so. Counts in ticks of the match; reads no clock.

/// How long the picture stands, ticks.
#define HIT_STOP_TICKS 5
/// From the end of one to the next at least, ticks.
#define HIT_STOP_APART_TICKS 30
/// Frames that are stored, at least half a tick apart.
#define HIT_STOP_FRAMES 20

/// One frame that could have been drawn.
struct hit_stop_frame {
    uint64_t moment;               ///< 1/256 tick
    struct view view;              ///< of the copies below
    struct world world, confirmed; ///< as the view had them
    struct world gone;             ///< what it held, and nothing else
};

/// Zero-initialise, then hit_stop_create().
struct hit_stop {
    struct hit_stop_frame *frames; ///< HIT_STOP_FRAMES of them; NULL: nothing stops
    uint32_t frame_count;          ///< frames ever; the newest is at (frame_count - 1) % HIT_STOP_FRAMES
    uint32_t shown;                ///< frames ever of which the events have been shown
    bool runs;                     ///< the picture stands, or catches up
    uint64_t live_moment;          ///< of the newest frame, 1/256 tick
    uint64_t moment;               ///< that is drawn while it runs, 1/256 tick
    uint64_t left;                 ///< for which it still stands, 1/256 tick
    uint64_t ready_moment;         ///< before which none begins, 1/256 tick
    uint32_t victim;               ///< slot + 1 of who was hit while the picture stands; 0: nobody
    struct view view;
};

/// Allocates about 7 MB. Returns false when memory is out.
bool hit_stop_create(struct hit_stop *stop);
void hit_stop_destroy(struct hit_stop *stop);
/// Forgets everything, for another match.
void hit_stop_clear(struct hit_stop *stop);

/// Records the live view and returns the one to draw: the live one, or one of a moment before. Each event comes once.
struct view *hit_stop_record(struct hit_stop *stop, struct view *live);

// --- kill_cam.c
//
// The kill cam: when a kill has decided a round, shows it again, slower and slower toward the hit. It stores every
// second confirmed world of the last seconds in a ring that is allocated once, so what it shows has happened. Counts in
// ticks of the match; reads no clock.

/// Worlds that are stored, one every KILL_CAM_EACH_TICKS.
#define KILL_CAM_WORLDS     64
#define KILL_CAM_EACH_TICKS 2
/// Shown before and after the kill, ticks. Together they take less time than a round is over.
#define KILL_CAM_BEFORE_TICKS 60
#define KILL_CAM_AFTER_TICKS  14

/// Zero-initialise, then kill_cam_create().
struct kill_cam {
    struct world *worlds;    ///< KILL_CAM_WORLDS of them; NULL: nothing is recorded or shown
    uint32_t world_count;    ///< worlds ever; the newest is at (world_count - 1) % KILL_CAM_WORLDS
    bool waits;              ///< a kill has decided a round and is not shown yet
    bool shows;              ///< it is being shown
    struct event kill;       ///< that kill
    struct kill_story story; ///< of it, while it is shown
    uint64_t moment;         ///< of the match that is shown, 1/256 tick
    uint64_t live_moment;    ///< of the match when it was, 1/256 tick
    uint32_t drawn;          ///< number of the world that was shown last
    struct view view;
};

/// Allocates about 6 MB. Returns false when memory is out.
bool kill_cam_create(struct kill_cam *cam);
void kill_cam_destroy(struct kill_cam *cam);
/// Forgets everything, for another match.
void kill_cam_clear(struct kill_cam *cam);

/// Records the live view. Returns the view to show instead, with the slot of the killer; NULL: show the live one.
struct view *kill_cam_record(struct kill_cam *cam, const struct view *live);

/// All of it; keep one. Zero-initialise.
struct presenter {
    struct display_options display;
    struct sound_volumes volumes;
    struct scene scene;
    struct audio_events audio;
    struct announcer announcer;
    struct sound_device sound;
    struct spectator_camera spectator; ///< while the player watches
    uint32_t held;                     ///< buttons that move their camera (enum button), set by the app
    struct hit_stop hit_stop;
    struct kill_cam kill_cam;
    struct scene kill_scene; ///< of the replay of the deciding kill
    struct audio_events kill_audio;
};

/// Opens the sound device, or a WAV file in its place (`sound_path` NULL: none); set `display` and `volumes` first.
/// Returns false with an error if there is no sound; the rest works all the same.
bool presenter_open(struct presenter *presenter, const char *sound_path, struct error *error);
/// Returns false with an error if a sound file could not be written wholly.
bool presenter_close(struct presenter *presenter, struct error *error);

/// Begins another match: forgets the one before.
void presenter_begin(struct presenter *presenter);

/// Forgets particles and the like after a jump in time; the camera stays.
void presenter_seek(struct presenter *presenter);

/// Ends the sounds of the match while none is shown.
void presenter_wait(struct presenter *presenter);

/// Draws a view and plays its sounds. For a spectator, sets the view's slot to the player that the camera follows.
void presenter_show(struct presenter *presenter, struct canvas *canvas, struct view *view,
                    const struct draw_options *options);

#endif
