// SPDX-License-Identifier: MIT
#include "mixer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ONE    65536u
#define DETUNE 2600u ///< of ONE, up and down
#define FRESH  (SOUND_RATE_HZ / 30 * (uint64_t)ONE)
#define KNEE   22000          ///< above, the limiter bends
#define ROOM   (28500 - KNEE) ///< up to -1.2 dBFS
#define FULL   32768.0f
#define TARGET 0.028f                  ///< weighted mean square of both channels at -16.2 LUFS
#define BASS   0.0114f                 ///< of a low-pass at 80 Hz
#define MIDDLE 0.195f                  ///< and at 1,700 Hz
#define SHELF  0.58f                   ///< what lies above is heard 4 dB louder
#define SLOW   (1.0f / SOUND_RATE_HZ)  ///< a second
#define LEVEL  (2.0f / SOUND_RATE_HZ)  ///< half a second, to turn it down
#define DUCK   0.6f                    ///< of music and ambience make room: 8 dB
#define DIP    (16.0f / SOUND_RATE_HZ) ///< a sixteenth of a second, to make room
#define RETURN (1.5f / SOUND_RATE_HZ)
#define CUT    (SOUND_RATE_HZ / 100)        ///< samples in which a line that gives way fades
#define FADE   (1 - 200.0f / SOUND_RATE_HZ) ///< a two hundredth of a second, for what was cut off

static bool is_free(const struct mixer_voice *voice)
{
    return !voice->left && !voice->right;
}

// The gain that a voice began with.
static int32_t gain_of(const struct mixer_voice *voice)
{
    return voice->left > voice->right ? voice->left : voice->right;
}

// Returns a free voice, or the one that has played longest. If this sound plays often enough: the softest of them, so
// that a player's own death is heard among others, or NULL if none is softer than the cue.
static struct mixer_voice *place_for(struct mixer *mixer, const struct sound_cue *cue)
{
    struct mixer_voice *best = &mixer->voices[0], *softest = NULL;
    int32_t same = 0;
    for (int32_t i = 0; i < MIXER_VOICES; i++) {
        struct mixer_voice *voice = &mixer->voices[i];
        if (!is_free(voice) && voice->sound == cue->sound && voice->at < FRESH) {
            same++;
            softest = softest && gain_of(softest) <= gain_of(voice) ? softest : voice;
        }
        if (is_free(best))
            continue;
        if (is_free(voice) || voice->at > best->at)
            best = voice;
    }
    return same < MIXER_SAME_SOUND ? best : gain_of(softest) < cue->gain ? softest : NULL;
}

// Returns how fast a sting plays in the key of the music: less than half an octave from the key it is written in.
static uint32_t step_of_key(const struct mixer *mixer)
{
    const struct theme_sound *theme = mixer->ambience.theme;
    float ratio = theme ? theme->ambience.root_hz / mixer->bank->set->sting_hz : 1;
    while (ratio < 0.7071f)
        ratio *= 2;
    while (ratio >= 1.4142f)
        ratio /= 2;
    return (uint32_t)(ratio * ONE);
}

void mixer_play(struct mixer *mixer, const struct sound_cue *cue)
{
    const struct sound_set *set = mixer->bank->set;
    if (cue->sound >= set->first_line) {
        struct mixer_announcer *announcer = &mixer->announcer;
        if (cue->sound < set->first_patient_line && announcer->count) {
            announcer->cut = announcer->cut ? announcer->cut : CUT;
            announcer->count = 1;
        }
        if (announcer->count < MIXER_LINES)
            announcer->lines[announcer->count++] = cue->sound;
        return;
    }
    struct mixer_voice *voice = cue->gain > 0 ? place_for(mixer, cue) : NULL;
    if (!voice)
        return;
    mixer->cuts |= !is_free(voice);
    int32_t pan = cue->pan < -256 ? -256 : cue->pan > 256 ? 256 : cue->pan;
    mixer->random_state = mixer->random_state * 1664525u + 1013904223u;
    // A third reaches the ear on the other side.
    *voice = (struct mixer_voice){.sound = cue->sound,
                                  .step = cue->sound >= set->first_sting
                                              ? step_of_key(mixer)
                                              : ONE - DETUNE + (mixer->random_state >> 16) % (2 * DETUNE),
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
    uint64_t at = voice->at >> 16;
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

void mixer_set_scene(struct mixer *mixer, uint32_t theme, uint32_t tension)
{
    const struct sound_set *set = mixer->bank->set;
    const struct theme_sound *chosen = theme && theme <= set->theme_count ? &set->themes[theme - 1] : NULL;
    mixer->cuts |= chosen != mixer->music.theme;
    music_ambience_choose(&mixer->ambience, chosen);
    music_choose(&mixer->music, chosen, tension);
}

// Turns a frame down as much as the last second was too loud, about as an ear hears it (ITU-R BS.1770).
static void level(struct leveller *leveller, int32_t frame[2])
{
    float loud = 0;
    for (int32_t side = 0; side < 2; side++) {
        float value = (float)frame[side] / FULL;
        leveller->bass[side] += (value - leveller->bass[side]) * BASS;
        leveller->middle[side] += (value - leveller->middle[side]) * MIDDLE;
        float heard = value - leveller->bass[side] + SHELF * (value - leveller->middle[side]);
        loud += heard * heard;
    }
    float turned = 1 - leveller->quieter;
    leveller->loud += (loud - leveller->loud) * SLOW;
    float wanted = leveller->loud > TARGET ? 1 - sqrtf(TARGET / leveller->loud) : 0;
    leveller->quieter += (wanted - leveller->quieter) * LEVEL;
    for (int32_t side = 0; leveller->quieter > 0.001f && side < 2; side++)
        frame[side] = (int32_t)((float)frame[side] * turned);
}

// What was cut off in the midst of a wave, or became louder or softer at once, would click. The step fades instead.
static void smooth(struct mixer *mixer, int32_t frame[2])
{
    for (int32_t side = 0; side < 2; side++) {
        if (mixer->cuts)
            mixer->step[side] = (float)(mixer->last[side] - frame[side]);
        frame[side] += (int32_t)mixer->step[side];
        mixer->last[side] = frame[side];
        mixer->step[side] *= FADE;
    }
    mixer->cuts = false;
}

// Returns the next sample of the announcer.
static int32_t announce(struct mixer_announcer *announcer, const struct sound_bank *bank)
{
    if (!announcer->count)
        return 0;
    uint32_t line = announcer->lines[0];
    int32_t sample = announcer->at < bank->counts[line] ? bank->samples[line][announcer->at] : 0;
    if (announcer->cut)
        sample = sample * (int32_t)announcer->cut / CUT;
    announcer->at++;
    if (announcer->at < bank->counts[line] && (!announcer->cut || --announcer->cut))
        return sample;
    announcer->at = announcer->cut = 0;
    announcer->count--;
    memmove(announcer->lines, announcer->lines + 1, announcer->count * sizeof announcer->lines[0]);
    return sample;
}

void mixer_render(struct mixer *mixer, int16_t *stereo, size_t frames)
{
    const struct sound_volumes *volumes = &mixer->volumes;
    int32_t effects = (int32_t)(volumes->master * volumes->effects * 256 / 10000);
    int32_t voices = (int32_t)(volumes->master * volumes->voices * 256 / 10000);
    float ambience = 20000.0f * (float)(volumes->master * volumes->ambience) / 10000;
    float music = FULL * (float)(volumes->master * volumes->music) / 10000;
    struct mixer_voice *playing[MIXER_VOICES];
    uint32_t count = 0;
    mixer->cuts |= mixer->renders && memcmp(&mixer->heard, volumes, sizeof mixer->heard) != 0;
    mixer->heard = *volumes;
    mixer->renders = true;
    for (int32_t i = 0; i < MIXER_VOICES; i++)
        if (!is_free(&mixer->voices[i]))
            playing[count++] = &mixer->voices[i];
    for (size_t i = 0; i < frames; i++) {
        int32_t left = 0, right = 0;
        bool ducks = mixer->announcer.count && voices;
        for (uint32_t v = 0; v < count; v++) {
            add_voice(mixer, playing[v], &left, &right);
            ducks |= playing[v]->sound >= mixer->bank->set->first_sting && effects;
        }
        int32_t said = (int32_t)((int64_t)announce(&mixer->announcer, mixer->bank) * voices / 256);
        mixer->ducked += ducks ? (DUCK - mixer->ducked) * DIP : -mixer->ducked * RETURN;
        float room = 1 - mixer->ducked;
        struct music_frame tune = music > 0 ? music_next(&mixer->music, &mixer->ambience) : (struct music_frame){0};
        float around = music_ambience_next(&mixer->ambience) * ambience;
        int32_t frame[2] = {
            (int32_t)((int64_t)left * effects / 256) + said + (int32_t)((around + tune.left * music) * room),
            (int32_t)((int64_t)right * effects / 256) + said + (int32_t)((around + tune.right * music) * room)};
        smooth(mixer, frame);
        level(&mixer->leveller, frame);
        stereo[2 * i] = limited(frame[0]);
        stereo[2 * i + 1] = limited(frame[1]);
    }
}
