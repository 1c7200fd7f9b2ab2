// SPDX-License-Identifier: MIT
#include "mixer.h"

#include <stdlib.h>

#define ONE    65536u
#define DETUNE 2600u ///< of ONE, up and down
#define FRESH  (SOUND_RATE_HZ / 30 * (uint64_t)ONE)
#define KNEE   22000 ///< above, the limiter bends
#define ROOM   (32000 - KNEE)

static bool is_free(const struct mixer_voice *voice)
{
    return !voice->left && !voice->right;
}

// Returns a free voice, or the one that has played longest; NULL if this sound plays often enough.
static struct mixer_voice *place_for(struct mixer *mixer, enum sound sound)
{
    struct mixer_voice *best = &mixer->voices[0];
    int32_t same = 0;
    for (int32_t i = 0; i < MIXER_VOICES; i++) {
        struct mixer_voice *voice = &mixer->voices[i];
        same += !is_free(voice) && voice->sound == sound && voice->at < FRESH;
        if (is_free(best))
            continue;
        if (is_free(voice) || voice->at > best->at)
            best = voice;
    }
    return same < MIXER_SAME_SOUND ? best : 0;
}

void mixer_play(struct mixer *mixer, const struct sound_cue *cue)
{
    struct mixer_voice *voice = place_for(mixer, cue->sound);
    if (!voice || cue->gain <= 0)
        return;
    int32_t pan = cue->pan < -256 ? -256 : cue->pan > 256 ? 256 : cue->pan;
    mixer->random_state = mixer->random_state * 1664525u + 1013904223u;
    // A third reaches the ear on the other side.
    *voice = (struct mixer_voice){.sound = cue->sound,
                                  .step = ONE - DETUNE + (mixer->random_state >> 16) % (2 * DETUNE),
                                  .left = cue->gain * (pan > 0 ? 384 - pan : 384) / 384,
                                  .right = cue->gain * (pan < 0 ? 384 + pan : 384) / 384};
}

static int16_t limited(int32_t sum)
{
    int32_t over = abs(sum) - KNEE;
    if (over <= 0)
        return (int16_t)sum;
    int32_t bent = KNEE + (int32_t)((int64_t)ROOM * over / (over + ROOM));
    return (int16_t)(sum < 0 ? -bent : bent);
}

static void add_voice(const struct mixer *mixer, struct mixer_voice *voice, int32_t *left, int32_t *right)
{
    uint32_t at = voice->at >> 16;
    if (is_free(voice))
        return;
    if (at + 1 >= mixer->bank->counts[voice->sound]) {
        *voice = (struct mixer_voice){0};
        return;
    }
    const int16_t *samples = &mixer->bank->samples[voice->sound][at];
    int32_t part = (int32_t)(voice->at & 0xFFFF) >> 8;
    int32_t sample = samples[0] + (samples[1] - samples[0]) * part / 256;
    *left += sample * voice->left / 256;
    *right += sample * voice->right / 256;
    voice->at += voice->step;
}

void mixer_render(struct mixer *mixer, int16_t *stereo, size_t frames)
{
    const struct sound_volumes *volumes = &mixer->volumes;
    int32_t effects = (int32_t)(volumes->master * volumes->effects * 256 / 10000);
    int32_t ambience = (int32_t)(volumes->master * volumes->ambience * 256 / 10000);
    for (size_t i = 0; i < frames; i++) {
        int32_t left = 0, right = 0;
        for (int32_t v = 0; v < MIXER_VOICES; v++)
            add_voice(mixer, &mixer->voices[v], &left, &right);
        int32_t around = ambience ? (int32_t)(ambience_next(&mixer->ambience) * 20000.0f) * ambience / 256 : 0;
        stereo[2 * i] = limited((int32_t)((int64_t)left * effects / 256) + around);
        stereo[2 * i + 1] = limited((int32_t)((int64_t)right * effects / 256) + around);
    }
}
