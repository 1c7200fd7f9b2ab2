// SPDX-License-Identifier: MIT
#include "sample.h"

void sample_add(struct sample *sum, const struct sample *sample)
{
    histogram_merge(&sum->connect_us, &sample->connect_us);
    histogram_merge(&sum->rtt_us, &sample->rtt_us);
    histogram_merge(&sum->input_ack_us, &sample->input_ack_us);
    histogram_merge(&sum->snapshot_gap_us, &sample->snapshot_gap_us);
    histogram_merge(&sum->prediction_error_subpx, &sample->prediction_error_subpx);
    sum->play_us += sample->play_us;
    sum->verify_play_us += sample->verify_play_us;
    sum->snapshots += sample->snapshots;
    sum->snapshots_lost += sample->snapshots_lost;
    sum->bytes_down += sample->bytes_down;
    sum->bytes_up += sample->bytes_up;
    sum->inputs += sample->inputs;
    sum->inputs_missed += sample->inputs_missed;
    sum->corrections += sample->corrections;
    sum->resimulated_ticks += sample->resimulated_ticks;
    sum->desyncs += sample->desyncs;
    sum->expelled += sample->expelled;
    sum->flood_messages += sample->flood_messages;
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        sum->disconnects[i] += sample->disconnects[i];
}

const char *sample_reason_name(uint32_t reason)
{
    static const char *const names[DENY_REASONS] = {
        [DENY_NONE] = "lost",     [DENY_VERSION] = "version",   [DENY_FULL] = "full",
        [DENY_KICKED] = "kicked", [DENY_CLOSING] = "closing",   [DENY_PROTOCOL] = "protocol",
        [DENY_SILENT] = "silent", [DENY_REPLACED] = "replaced",
    };
    return reason < DENY_REASONS && names[reason] ? names[reason] : "other";
}
