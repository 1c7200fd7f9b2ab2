// SPDX-License-Identifier: MIT
#include "sound_device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 44
#define FRAME_BYTES  4
#define FRAMES_MAX   ((UINT32_MAX - HEADER_BYTES) / FRAME_BYTES) ///< 6 hours at 44,100 Hz; the header cannot say more

static void put(uint8_t *at, uint32_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static bool write_header(struct wav_file *wav)
{
    uint8_t header[HEADER_BYTES] = "RIFF....WAVEfmt ";
    uint32_t bytes = (uint32_t)wav->frames * FRAME_BYTES;
    put(header + 4, HEADER_BYTES - 8 + bytes, 4);
    put(header + 16, 16, 4);
    put(header + 20, 1, 2); // PCM
    put(header + 22, 2, 2);
    put(header + 24, wav->rate_hz, 4);
    put(header + 28, wav->rate_hz * FRAME_BYTES, 4);
    put(header + 32, FRAME_BYTES, 2);
    put(header + 34, 16, 2);
    memcpy(header + 36, "data", 4);
    put(header + 40, bytes, 4);
    return fwrite(header, sizeof header, 1, wav->file) == 1;
}

struct wav_file *wav_file_create(const char *path, uint32_t rate_hz, struct error *error)
{
    struct wav_file *wav = calloc(1, sizeof *wav);
    if (wav)
        *wav = (struct wav_file){.file = fopen(path, "wb"), .rate_hz = rate_hz};
    if (wav && wav->file && write_header(wav))
        return wav;
    error_set(error, "Cannot write the sound file %s: %s.", path, strerror(errno));
    if (wav && wav->file)
        fclose(wav->file);
    free(wav);
    return NULL;
}

void wav_file_append(struct wav_file *wav, const int16_t *stereo, size_t frames)
{
    uint8_t bytes[512 * FRAME_BYTES];
    size_t room = sizeof bytes / FRAME_BYTES;
    for (size_t done = 0; done < frames && wav->frames < FRAMES_MAX;) {
        size_t count = frames - done < room ? frames - done : room;
        for (size_t i = 0; i < 2 * count; i++)
            put(bytes + 2 * i, (uint16_t)stereo[2 * done + i], 2);
        fwrite(bytes, FRAME_BYTES, count, wav->file); // ferror() remembers
        done += count;
        wav->frames += count;
    }
}

bool wav_file_close(struct wav_file *wav, struct error *error)
{
    bool good = !fseek(wav->file, 0, SEEK_SET) && write_header(wav) && !ferror(wav->file);
    good &= !fclose(wav->file);
    if (!good)
        error_set(error, "The sound file is not whole: %s.", strerror(errno));
    free(wav);
    return good;
}
