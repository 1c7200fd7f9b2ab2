// SPDX-License-Identifier: MIT
#include "sound_device.h"

#include <SDL.h>
#include <string.h>

#define FRAMES_AT_ONCE 512 ///< 12 ms

static void render(void *context, Uint8 *bytes, int byte_count)
{
    struct sound_device *device = context;
    mixer_render(&device->mixer, (int16_t *)(void *)bytes, (size_t)byte_count / (2 * sizeof(int16_t)));
}

// libasound complains on stderr about each device that it does not find; the error of SDL says it in one sentence.
static void ignore_alsa(const char *file, int line, const char *function, int error, const char *format, ...)
{
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

// SDL loads libasound only when it needs it, and so does this: the handler belongs to the library, not to a device.
static void silence_alsa(void)
{
    typedef void (*alsa_handler)(const char *, int, const char *, int, const char *, ...);
    int (*set_handler)(alsa_handler) = NULL;
    void *library = SDL_LoadObject("libasound.so.2");
    void *symbol = library ? SDL_LoadFunction(library, "snd_lib_error_set_handler") : NULL;
    memcpy(&set_handler, &symbol, sizeof symbol);
    if (set_handler)
        set_handler(ignore_alsa);
    SDL_ClearError();
}

static bool open_device(struct sound_device *device)
{
    SDL_AudioSpec wanted = {.freq = SOUND_RATE_HZ,
                            .format = AUDIO_S16SYS,
                            .channels = 2,
                            .samples = FRAMES_AT_ONCE,
                            .callback = render,
                            .userdata = device};
    silence_alsa();
    device->id = SDL_InitSubSystem(SDL_INIT_AUDIO) ? 0 : SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0);
    return device->id;
}

bool sound_device_open(struct sound_device *device, const struct sound_setup *setup, struct error *error)
{
    *device = (struct sound_device){.mixer = {.bank = &device->bank, .volumes = setup->volumes}};
    if (!sound_bank_create(&device->bank, setup->set))
        error_set(error, "Not enough memory for the sound.");
    else if (setup->path)
        device->file = wav_file_create(setup->path, SOUND_RATE_HZ, error);
    else if (!open_device(device))
        error_set(error, "There is no sound: %s.", SDL_GetError());
    if (!device->file && !device->id) {
        sound_device_close(device, NULL);
        return false;
    }
    if (device->id)
        SDL_PauseAudioDevice(device->id, 0);
    return true;
}

void sound_device_write(struct sound_device *device, uint64_t until_us)
{
    int16_t stereo[2 * FRAMES_AT_ONCE];
    uint64_t until = until_us * SOUND_RATE_HZ / 1000000;
    while (device->file && device->file->frames < until) {
        uint64_t left = until - device->file->frames;
        size_t count = left < FRAMES_AT_ONCE ? (size_t)left : FRAMES_AT_ONCE;
        mixer_render(&device->mixer, stereo, count);
        wav_file_append(device->file, stereo, count);
    }
}

bool sound_device_close(struct sound_device *device, struct error *error)
{
    bool written = !device->file || wav_file_close(device->file, error);
    if (device->id)
        SDL_CloseAudioDevice(device->id);
    sound_bank_destroy(&device->bank);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
    *device = (struct sound_device){0};
    return written;
}

// Keeps the audio thread, if there is one, out of the mixer. Returns false if there is nothing that plays.
static bool lock(const struct sound_device *device)
{
    if (device->id)
        SDL_LockAudioDevice(device->id);
    return device->id || device->file;
}

static void unlock(const struct sound_device *device)
{
    if (device->id)
        SDL_UnlockAudioDevice(device->id);
}

void sound_device_play(struct sound_device *device, const struct sound_cue *cues, uint32_t count)
{
    if (!count || !lock(device))
        return;
    for (uint32_t i = 0; i < count; i++)
        mixer_play(&device->mixer, &cues[i]);
    unlock(device);
}

void sound_device_click(struct sound_device *device, uint32_t sound)
{
    sound_device_play(device, &(struct sound_cue){.sound = sound, .gain = 256}, 1);
}

void sound_device_configure(struct sound_device *device, uint32_t theme, uint32_t tension,
                            const struct sound_volumes *volumes)
{
    if (!lock(device))
        return;
    mixer_set_scene(&device->mixer, theme, tension);
    device->mixer.volumes = *volumes;
    unlock(device);
}
