// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "download.h"
#include "text/text.h"

// In download_browser.js.
int browser_download_begin(const char *url, const void *body, size_t body_bytes, size_t byte_count_max,
                           uint32_t timeout_s);
int browser_download_look(int number, uint32_t *status, uint32_t *byte_count, char *reason, size_t reason_bytes);
void browser_download_end(int number, uint8_t *bytes);

bool download_open(struct download *download, size_t byte_count_max, uint32_t timeout_s, struct error *error)
{
    (void)error;
    *download = (struct download){.byte_count_max = byte_count_max, .timeout_s = timeout_s};
    return true;
}

// Browsers themselves keep pages of the internet out of the player's network, and pages of https out of http.
void download_stay_public(struct download *download)
{
    download->reach = DOWNLOAD_PUBLIC;
}

static void end(struct download *download, uint8_t *bytes)
{
    if (download->runs)
        browser_download_end(download->number, bytes);
    download->runs = false;
}

void download_close(struct download *download)
{
    end(download, NULL);
    free(download->bytes);
    *download = (struct download){0};
}

bool download_begin(struct download *download, const char *url)
{
    return download_post(download, url, NULL, 0);
}

bool download_post(struct download *download, const char *url, const void *bytes, size_t byte_count)
{
    end(download, NULL);
    download->byte_count = 0;
    download->status = 0;
    download->is_too_large = false;
    download->number = browser_download_begin(url, bytes, byte_count, download->byte_count_max, download->timeout_s);
    download->runs = true;
    return true;
}

static enum download_state take(struct download *download, uint32_t byte_count, struct error *error)
{
    uint8_t *bytes = realloc(download->bytes, byte_count + 1);
    end(download, bytes);
    if (!bytes) {
        error_set(error, text_of("Not enough memory."));
        return DOWNLOAD_FAILED;
    }
    download->bytes = bytes;
    download->byte_count = byte_count;
    return DOWNLOAD_DONE;
}

enum download_state download_step(struct download *download, struct error *error)
{
    uint32_t byte_count;
    char reason[128];
    if (!download->runs)
        return DOWNLOAD_IDLE;
    int state = browser_download_look(download->number, &download->status, &byte_count, reason, sizeof reason);
    if (state == 0)
        return DOWNLOAD_RUNS;
    if (state == 1)
        return take(download, byte_count, error);
    download->is_too_large = state == 3;
    end(download, NULL);
    error_set(error, "%s", reason);
    return DOWNLOAD_FAILED;
}
