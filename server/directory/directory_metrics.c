// SPDX-License-Identifier: MIT
#include "directory_metrics.h"

#include <inttypes.h>

static void head(FILE *file, const char *name, const char *type, const char *help)
{
    fprintf(file, "# HELP deadfall_directory_%s %s\n# TYPE deadfall_directory_%s %s\n", name, help, name, type);
}

static void one(FILE *file, const char *name, const char *type, const char *help, uint64_t value)
{
    head(file, name, type, help);
    fprintf(file, "deadfall_directory_%s %" PRIu64 "\n", name, value);
}

void directory_metrics_write(FILE *file, const struct directory *directory)
{
    head(file, "build_info", "gauge", "The version that runs.");
    fprintf(file, "deadfall_directory_build_info{version=\"%s\"} 1\n", DEADFALL_VERSION);
    head(file, "listed", "gauge", "Servers that are listed, by family.");
    fprintf(file, "deadfall_directory_listed{family=\"ipv4\"} %u\ndeadfall_directory_listed{family=\"ipv6\"} %u\n",
            directory_listed(directory, 0), directory_listed(directory, 1));
    one(file, "known", "gauge", "Servers that are remembered, listed or not.", directory->used);
    one(file, "questions", "gauge", "Addresses that are being asked for a proof.", directory->question_count);
    one(file, "reserved", "gauge", "Places that are reserved.", directory->reserved_end - directory->reserved_first);
    one(file, "announcements_total", "counter", "Announcements accepted.", directory->accepted);
    one(file, "proofs_total", "counter", "Addresses that have proven that a server listens.", directory->proofs);
    one(file, "unreachable_total", "counter", "Addresses that did not answer.", directory->failures);
    head(file, "refused_total", "counter", "Announcements and calls refused, by reason.");
    for (uint32_t i = 0; i < DIRECTORY_REFUSALS; i++)
        fprintf(file, "deadfall_directory_refused_total{reason=\"%s\"} %" PRIu64 "\n", DIRECTORY_REFUSAL_NAMES[i],
                directory->refused[i]);
    const struct directory_introductions *introductions = &directory->introductions;
    one(file, "registered_total", "counter", "Registrations of servers for introductions.", introductions->registered);
    one(file, "introduced_total", "counter", "Clients introduced to servers.", introductions->introduced);
    one(file, "relayed_total", "counter", "Clients introduced who had asked another directory with this list.",
        introductions->relayed);
    head(file, "introductions_refused_total", "counter", "Datagrams for introductions refused, by reason.");
    fprintf(file,
            "deadfall_directory_introductions_refused_total{reason=\"unknown\"} %" PRIu64
            "\ndeadfall_directory_introductions_refused_total{reason=\"forged\"} %" PRIu64
            "\ndeadfall_directory_introductions_refused_total{reason=\"malformed\"} %" PRIu64
            "\ndeadfall_directory_introductions_refused_total{reason=\"rate\"} %" PRIu64 "\n",
            introductions->unknown, introductions->forged, introductions->malformed, introductions->too_many);
    head(file, "plays_total", "counter", "Calls of /play, by what they got.");
    fprintf(file,
            "deadfall_directory_plays_total{result=\"place\"} %" PRIu64
            "\ndeadfall_directory_plays_total{result=\"none\"} %" PRIu64 "\n",
            directory->plays_answered, directory->plays_refused);
    if (!directory->sharing.is_on)
        return;
    one(file, "store_up", "gauge", "Whether the store answers.", directory->sharing.is_up);
    head(file, "store_changes_total", "counter", "Changes that went through the store, by what became of them.");
    fprintf(file,
            "deadfall_directory_store_changes_total{result=\"sent\"} %" PRIu64
            "\ndeadfall_directory_store_changes_total{result=\"received\"} %" PRIu64
            "\ndeadfall_directory_store_changes_total{result=\"refused\"} %" PRIu64
            "\ndeadfall_directory_store_changes_total{result=\"lost\"} %" PRIu64 "\n",
            directory->sharing.sent, directory->sharing.received, directory->sharing.refused, directory->sharing.lost);
}
