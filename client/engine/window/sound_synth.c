// SPDX-License-Identifier: MIT
#include "sound.h"

#include <math.h>

#define TURN       6.2831853f
#define DECAY      5.0f ///< a layer ends e to this power quieter than its peak
#define RELEASE_MS 4    ///< fade at the end, against clicks
#define LOUDEST    30000.0f

static int32_t samples_of(int32_t ms)
{
    return ms * (SOUND_RATE_HZ / 100) / 10;
}

// Rounds the step of a saw over the two samples around it.
static float rounded_step(float phase, float step)
{
    if (phase < step) {
        float t = phase / step;
        return t + t - t * t - 1;
    }
    if (phase > 1 - step) {
        float t = (phase - 1) / step;
        return t * t + t + t + 1;
    }
    return 0;
}

float sound_synth_wave(enum sound_wave wave, float phase, float step)
{
    float half = phase < 0.5f ? phase + 0.5f : phase - 0.5f;
    switch (wave) {
    case WAVE_SINE:
        return sinf(phase * TURN);
    case WAVE_TRIANGLE:
        return 4 * fabsf(phase - 0.5f) - 1;
    case WAVE_SQUARE:
        return (phase < 0.5f ? 1.0f : -1.0f) + rounded_step(phase, step) - rounded_step(half, step);
    case WAVE_SAW:
        return 2 * phase - 1 - rounded_step(phase, step);
    case WAVE_NOISE:
    case WAVE_NONE:
        break;
    }
    return 0;
}

float sound_synth_noise(uint32_t *random_state)
{
    *random_state = *random_state * 1664525u + 1013904223u;
    return (float)(int32_t)(*random_state >> 8 & 0xFFFF) / 32768.0f - 1.0f;
}

static float envelope(const struct sound_layer *layer, int32_t at)
{
    int32_t attack = samples_of(layer->attack_ms), length = samples_of(layer->length_ms);
    int32_t release = samples_of(RELEASE_MS), left = length - at;
    float rise = at < attack ? (float)at / (float)attack : 1;
    float fall = at < attack ? 1 : expf(-DECAY * (float)(at - attack) / (float)(length - attack));
    return rise * fall * (left < release ? (float)left / (float)release : 1);
}

// A layer that is being rendered.
struct voice {
    float phase, smooth;
    uint32_t random_state;
};

static float glide(float from, float to, float part)
{
    return from * powf(to / from, part);
}

static float sample(const struct sound_layer *layer, struct voice *voice, int32_t at)
{
    float part = (float)at / (float)samples_of(layer->length_ms), value;
    if (layer->wave == WAVE_NOISE) {
        value = sound_synth_noise(&voice->random_state);
    } else {
        float step = glide(layer->from_hz, layer->to_hz, part) / SOUND_RATE_HZ;
        value = sound_synth_wave(layer->wave, voice->phase, step);
        voice->phase += step;
        voice->phase -= floorf(voice->phase);
    }
    if (layer->bright_hz > 0) {
        float cut = glide(layer->bright_hz, layer->dull_hz, part) * TURN / SOUND_RATE_HZ;
        voice->smooth += (value - voice->smooth) * cut / (1 + cut);
        value = voice->smooth;
    }
    return value * layer->gain * envelope(layer, at);
}

uint32_t sound_synth_samples(const struct sound_patch *patch)
{
    int32_t longest = 0;
    for (int32_t i = 0; i < SOUND_LAYERS; i++) {
        int32_t end = samples_of(patch->layers[i].delay_ms) + samples_of(patch->layers[i].length_ms);
        if (patch->layers[i].wave != WAVE_NONE && end > longest)
            longest = end;
    }
    return (uint32_t)longest;
}

void sound_synth_render(const struct sound_patch *patch, int16_t *samples)
{
    struct voice voices[SOUND_LAYERS];
    int32_t count = (int32_t)sound_synth_samples(patch);
    for (int32_t i = 0; i < SOUND_LAYERS; i++)
        voices[i] = (struct voice){.random_state = 77u + (uint32_t)i};
    for (int32_t now = 0; now < count; now++) {
        float sum = 0;
        for (int32_t i = 0; i < SOUND_LAYERS; i++) {
            const struct sound_layer *layer = &patch->layers[i];
            int32_t at = now - samples_of(layer->delay_ms);
            if (layer->wave != WAVE_NONE && at >= 0 && at < samples_of(layer->length_ms))
                sum += sample(layer, &voices[i], at);
        }
        // The sum of loud layers approaches the limit and never reaches it.
        samples[now] = (int16_t)(LOUDEST * tanhf(sum));
    }
}
