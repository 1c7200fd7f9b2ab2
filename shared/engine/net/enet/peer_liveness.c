// SPDX-License-Identifier: MIT
#include "peer_liveness.h"

void peer_liveness_note(struct peer_liveness_oldest *oldest, uint32_t channel, uint16_t number)
{
    if (oldest->waits[channel] && (int16_t)(uint16_t)(number - oldest->number[channel]) >= 0)
        return;
    oldest->waits[channel] = true;
    oldest->number[channel] = number;
}

bool peer_liveness_is_lost(struct peer_liveness *liveness, const struct peer_liveness_oldest *oldest, uint32_t now_ms)
{
    bool lost = now_ms - liveness->heard_ms >= PEER_LIVENESS_SILENCE_MS;
    for (uint32_t i = 0; i < PEER_LIVENESS_CHANNELS; i++) {
        bool still_waits =
            oldest->waits[i] && liveness->oldest.waits[i] && oldest->number[i] == liveness->oldest.number[i];
        if (!still_waits)
            liveness->oldest_ms[i] = now_ms;
        lost |= now_ms - liveness->oldest_ms[i] >= PEER_LIVENESS_AGE_MS;
    }
    liveness->oldest = *oldest;
    return lost;
}
