// SPDX-License-Identifier: MIT
#include "measurement_json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "game/event.h"

// More than a day of all clients can count, in us. Sums over all buckets or over many reports still fit.
#define COUNT_MAX (INT64_C(1) << 48)

json_t *measurement_json_number(double value)
{
    if (isnan(value))
        return json_null();
    char text[400];
    snprintf(text, sizeof text, "%.4f", value);
    return json_real(strtod(text, NULL));
}

static json_t *write_buckets(const struct histogram *histogram)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS && histogram->count > 0; i++)
        if (histogram->buckets[i])
            json_array_append_new(
                array, json_pack("[I, I]", (json_int_t)histogram_bucket_top(i), (json_int_t)histogram->buckets[i]));
    return array;
}

static json_t *write_distribution(const struct metric *metric, const struct measurement *measurement)
{
    const struct histogram *histogram = metric->distribution(measurement);
    json_t *object = json_object();
    json_object_set_new(object, "count", json_integer((json_int_t)histogram->count));
    json_object_set_new(object, "mean", measurement_json_number(histogram_mean(histogram) * metric->scale));
    for (uint32_t i = 0; i < METRIC_QUANTILE_COUNT; i++)
        json_object_set_new(object, METRIC_QUANTILES[i].name,
                            measurement_json_number(metric_value(metric, &METRIC_QUANTILES[i], measurement)));
    json_object_set_new(object, "scale", json_real(metric->scale));
    json_object_set_new(object, "sum", json_integer((json_int_t)histogram->sum));
    json_object_set_new(object, "largest", json_integer((json_int_t)histogram->max));
    json_object_set_new(object, "buckets", write_buckets(histogram));
    return object;
}

static json_t *write_counts(const struct sample *sample)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < METRIC_COUNTS_SIZE; i++) {
        const void *at = (const char *)sample + METRIC_COUNTS[i].offset;
        json_object_set_new(object, METRIC_COUNTS[i].name, json_integer((json_int_t) * (const uint64_t *)at));
    }
    return object;
}

json_t *measurement_json_write(const struct measurement *measurement)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < METRIC_COUNT; i++)
        json_object_set_new(object, METRICS[i].name,
                            METRICS[i].number ? measurement_json_number(METRICS[i].number(measurement))
                                              : write_distribution(&METRICS[i], measurement));
    json_t *reasons = json_object();
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        json_object_set_new(reasons, metric_reason_name(i),
                            json_integer((json_int_t)measurement->sample.disconnects[i]));
    json_object_set_new(object, "disconnects_by_reason", reasons);
    json_t *kinds = json_object();
    for (uint32_t i = 0; i < EVENT_KINDS; i++)
        if (measurement->sample.actions_refuted[i])
            json_object_set_new(kinds, event_kind_name((enum event_kind)i),
                                json_integer((json_int_t)measurement->sample.actions_refuted[i]));
    json_object_set_new(object, "actions_refuted_by_kind", kinds);
    json_object_set_new(object, "counts", write_counts(&measurement->sample));
    return object;
}

static bool read_count(uint64_t *count, const json_t *value)
{
    json_int_t number = json_integer_value(value);
    *count = (uint64_t)number;
    return json_is_integer(value) && number >= 0 && number <= COUNT_MAX;
}

static bool read_buckets(struct histogram *histogram, const json_t *object)
{
    const json_t *buckets = json_object_get(object, "buckets"), *pair;
    size_t index;
    uint64_t value, count;
    if (!json_is_array(buckets) || json_array_size(buckets) > HISTOGRAM_BUCKETS)
        return false;
    json_array_foreach(buckets, index, pair)
    {
        if (!read_count(&value, json_array_get(pair, 0)) || !read_count(&count, json_array_get(pair, 1)))
            return false;
        histogram_add_many(histogram, value, count);
    }
    // The buckets know values only within 1.6 %, but their sum and the largest are known exactly.
    return read_count(&count, json_object_get(object, "count")) && count == histogram->count &&
           read_count(&histogram->sum, json_object_get(object, "sum")) &&
           read_count(&histogram->max, json_object_get(object, "largest"));
}

static bool read_sample(struct sample *sample, const json_t *object)
{
    const json_t *counts = json_object_get(object, "counts");
    const json_t *reasons = json_object_get(object, "disconnects_by_reason");
    const json_t *kinds = json_object_get(object, "actions_refuted_by_kind");
    for (uint32_t i = 0; i < METRIC_COUNTS_SIZE; i++)
        if (!read_count((uint64_t *)(void *)((char *)sample + METRIC_COUNTS[i].offset),
                        json_object_get(counts, METRIC_COUNTS[i].name)))
            return false;
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        if (!read_count(&sample->disconnects[i], json_object_get(reasons, metric_reason_name(i))))
            return false;
    for (uint32_t i = 0; i < EVENT_KINDS; i++) {
        const json_t *count = json_object_get(kinds, event_kind_name((enum event_kind)i));
        if (count && !read_count(&sample->actions_refuted[i], count))
            return false;
    }
    return true;
}

static double number_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

bool measurement_json_read(struct measurement *measurement, const json_t *object)
{
    memset(measurement, 0, sizeof *measurement);
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        if (METRICS[i].number)
            continue;
        // The table is for readers, so it has the histograms as const; here they belong to the caller.
        struct histogram *histogram = (struct histogram *)(uintptr_t)METRICS[i].distribution(measurement);
        if (!read_buckets(histogram, json_object_get(object, METRICS[i].name)))
            return false;
    }
    double connected = number_of(object, "connected");
    measurement->least_snapshots_per_s = number_of(object, "least_snapshots_per_s");
    measurement->cpu_pct = number_of(object, "own_cpu_pct");
    measurement->server.cpu_pct = number_of(object, "server_cpu_pct");
    measurement->server.resident_mib = number_of(object, "server_rss_mib");
    if (!(connected >= 0 && connected <= UINT32_MAX))
        return false;
    measurement->connected = (uint32_t)connected;
    return read_sample(&measurement->sample, object);
}
