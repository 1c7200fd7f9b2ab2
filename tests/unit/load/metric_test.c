// SPDX-License-Identifier: MIT
//
// Tests the table of metrics: the value, unit and names of every row, sums of samples, and thresholds.
#include "unit.h"

#include "load/metric.h"
#include "measured.h"

static struct measurement measurement;

static void begin(void)
{
    memset(&measurement, 0, sizeof measurement);
}

EACH_TEST(begin, NULL);

TEST(the_prepared_distribution_has_its_quantiles_and_its_mean)
{
    for (uint64_t base = 65; base <= 128; base++) {
        begin();
        measured_distribution(&measurement.lag_us, base);
        for (uint32_t q = 0; q < QUANTILES; q++)
            assert_int_equal(histogram_quantile(&measurement.lag_us, METRIC_QUANTILES[q].per_mille),
                             measured_quantile(base, q));
        assert_close(histogram_mean(&measurement.lag_us), measured_mean(base));
    }
}

TEST(every_row_has_its_name_its_unit_and_its_value)
{
    static const char *const names[QUANTILES] = {"p50", "p90", "p95", "p99", "p99.9", "max"};
    for (uint32_t q = 0; q < QUANTILES; q++)
        assert_string_equal(METRIC_QUANTILES[q].name, names[q]);
    measured_fill(&measurement);
    assert_int_equal(METRIC_COUNT, MEASURED_ROWS);
    assert_int_equal(METRIC_QUANTILE_COUNT, QUANTILES);
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &METRICS[i];
        const struct measured_row *row = &MEASURED[i];
        assert_string_equal(metric->name, row->name);
        assert_string_equal(metric->unit, row->unit);
        assert_int_equal(metric->number != NULL, row->base == 0);
        assert_int_equal(metric->distribution != NULL, row->base != 0);
        if (row->base == 0)
            assert_close(metric_value(metric, NULL, &measurement), row->number);
        for (uint32_t q = 0; row->base && q < QUANTILES; q++)
            assert_close(metric_value(metric, &METRIC_QUANTILES[q], &measurement),
                         (double)measured_quantile(row->base, q) * row->scale);
    }
}

TEST(without_a_sample_only_counts_have_a_value)
{
    static const char *const unknown[] = {"snapshots_per_s",         "snapshots_lost_pct",    "bytes_down_per_client_s",
                                          "bytes_up_per_client_s",   "corrections_per_min",   "resimulated_ticks_per_s",
                                          "inputs_missed_pct",       "others_jumps_per_min",  "fact_delay_ms",
                                          "actions_refuted_per_min", "deaths_refuted_per_min"};
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        bool is_unknown = METRICS[i].distribution != NULL && !METRICS[i].no_sample_is_zero;
        for (size_t k = 0; k < COUNT_OF(unknown); k++)
            is_unknown = is_unknown || strcmp(METRICS[i].name, unknown[k]) == 0;
        double value = metric_value(&METRICS[i], &METRIC_QUANTILES[P50], &measurement);
        if (is_unknown ? !isnan(value) : value != 0)
            fail_msg("%s is %g", METRICS[i].name, value);
    }
}

TEST(a_metric_is_found_by_its_name_with_or_without_its_unit)
{
    static const struct {
        const char *text, *name; // null: there is none
        const char *quantile;    // null: a number
    } rows[] = {
        /*  1 */ {"rtt_ms_p99", "rtt_ms", "p99"},
        /*  2 */ {"rtt_p99", "rtt_ms", "p99"},
        /*  3 */ {"rtt_p99.9", "rtt_ms", "p99.9"},
        /*  4 */ {"rtt_max", "rtt_ms", "max"},
        /*  5 */ {"prediction_error_px_p50", "prediction_error_px", "p50"},
        /*  6 */ {"prediction_error_p50", "prediction_error_px", "p50"},
        /*  7 */ {"server_tick_p95", "server_tick_ms", "p95"},
        /*  8 */ {"own_lag_p90", "own_lag_ms", "p90"},
        /*  9 */ {"desyncs", "desyncs", NULL},
        /* 10 */ {"server_cpu_pct", "server_cpu_pct", NULL},
        /* 11 */ {"server_rss_mib", "server_rss_mib", NULL},
        /* 12 */ {"rtt", NULL, NULL},
        /* 13 */ {"rtt_p98", NULL, NULL},
        /* 14 */ {"rt_p99", NULL, NULL},
        /* 15 */ {"rtt_m_p99", NULL, NULL},
        /* 16 */ {"rtt__p99", NULL, NULL},
        /* 17 */ {"rttxp99", NULL, NULL},
        /* 18 */ {"desyncs_p99", NULL, NULL},
        /* 19 */ {"desync", NULL, NULL},
        /* 20 */ {"desyncss", NULL, NULL},
        /* 21 */ {"_p99", NULL, NULL},
        /* 22 */ {"p99", NULL, NULL},
        /* 23 */ {"", NULL, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct metric *metric;
        const struct metric_quantile *quantile;
        bool late_arrivals = metric_find(rows[i].text, &metric, &quantile);
        if (late_arrivals != (rows[i].name != NULL) || (late_arrivals && strcmp(metric->name, rows[i].name) != 0) ||
            (late_arrivals && (rows[i].quantile ? strcmp(quantile->name, rows[i].quantile) != 0 : quantile != NULL)))
            fail_msg("row %zu: '%s'", i + 1, rows[i].text);
    }
    for (uint32_t i = 0; i < METRIC_COUNT; i++) {
        char name[80];
        const struct metric *metric;
        const struct metric_quantile *quantile;
        snprintf(name, sizeof name, "%s%s", METRICS[i].name, METRICS[i].distribution ? "_p99" : "");
        assert_true(metric_find(name, &metric, &quantile) && metric == &METRICS[i]);
    }
}

TEST(the_help_lists_numbers_then_quantiles_then_distributions)
{
    char expected[3000] = "\nMetrics of --threshold that are numbers:\n", *text;
    for (uint32_t i = 0; i < MEASURED_ROWS; i++)
        if (!MEASURED[i].base)
            strcat(strcat(strcat(expected, "  "), MEASURED[i].name), "\n");
    strcat(expected, "Those that take one of _p50 _p90 _p95 _p99 _p99.9 _max (as in rtt_ms_p99, or rtt_p99):\n");
    for (uint32_t i = 0; i < MEASURED_ROWS; i++)
        if (MEASURED[i].base)
            strcat(strcat(strcat(expected, "  "), MEASURED[i].name), "\n");
    size_t size;
    FILE *file = open_memstream(&text, &size);
    metric_print_names(file);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

TEST(a_lag_of_a_tick_or_80_per_cent_cpu_is_a_bottleneck)
{
    static const struct {
        uint64_t lag_us;
        uint32_t late; // of 100 pulses
        double cpu_pct;
        bool is_own;
    } rows[] = {
        /* 1 */ {0, 0, 0, false},
        /* 2 */ {0, 0, 80, false},
        /* 3 */ {0, 0, 80.1, true},
        /* 4 */ {16666, 100, 0, false},
        /* 5 */ {16667, 100, 0, true},
        /* 6 */ {1000000, 1, 0, false},
        /* 7 */ {1000000, 2, 0, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        begin();
        measurement.cpu_pct = rows[i].cpu_pct;
        for (uint32_t pulse = 0; pulse < 100; pulse++)
            histogram_add(&measurement.lag_us, pulse < rows[i].late ? rows[i].lag_us : 0);
        if (metric_is_bottleneck(&measurement) != rows[i].is_own)
            fail_msg("row %zu", i + 1);
    }
}

TEST(adding_a_sample_twice_doubles_it)
{
    static struct sample sum;
    measured_fill(&measurement);
    const struct sample *sample = &measurement.sample;
    memset(&sum, 0, sizeof sum);
    metric_sample_add(&sum, sample);
    assert_memory_equal(&sum, sample, sizeof sum);
    metric_sample_add(&sum, sample);
    assert_int_equal(sum.connect_us.count, 2 * MEASURED_COUNT);
    assert_int_equal(sum.rtt_us.sum, 2 * sample->rtt_us.sum);
    // Everything after the histograms is counts.
    const uint64_t *twice = &sum.play_us, *once = &sample->play_us;
    for (size_t i = 0; i < (sizeof sum - offsetof(struct sample, play_us)) / sizeof *once; i++)
        if (twice[i] != 2 * once[i])
            fail_msg("count %zu: %llu", i, (unsigned long long)twice[i]);
}

TEST(every_reason_of_a_loss_has_its_name)
{
    static const char *const names[DENY_REASONS] = {"lost",     "version", "full",     "kicked",    "closing",
                                                    "protocol", "silent",  "replaced", "household", "restarting"};
    for (uint32_t i = 0; i < DENY_REASONS; i++)
        assert_string_equal(metric_reason_name(i), names[i]);
    assert_string_equal(metric_reason_name(DENY_REASONS), "other");
    assert_string_equal(metric_reason_name(UINT32_MAX), "other");
}

TEST(thresholds_are_read_or_refused_with_a_reason)
{
    static const char long_name[] = "a234567890123456789012345678901234567890123456789012345678901234<1";
    static const struct {
        const char *text, *complaint; // null: good
        double limit;
        bool upper, or_equal;
    } rows[] = {
        /*  1 */ {"rtt_p99<50ms", NULL, 50, true, false},
        /*  2 */ {"rtt_ms_p99.9 <= 50", NULL, 50, true, true},
        /*  3 */ {"input_ack_max<50 ms", NULL, 50, true, false},
        /*  4 */ {"desyncs<1", NULL, 1, true, false},
        /*  5 */ {"connected>=16", NULL, 16, false, true},
        /*  6 */ {"inputs_missed_pct<0.5%", NULL, 0.5, true, false},
        /*  7 */ {"prediction_error_p50>2px", NULL, 2, false, false},
        /*  8 */ {"server_rss_mib<-1.5e2MiB", NULL, -150, true, false},
        /*  9 */ {"rtt<50ms", "say which value of it: _p50, _p90, _p95, _p99, _p99.9 or _max", 0, 0, 0},
        /* 10 */ {"desyncs_p99<1", "that one is a plain number", 0, 0, 0},
        /* 11 */ {"speed<1", "there is no such metric, --help lists them", 0, 0, 0},
        /* 12 */ {"rtt_p99", "write METRIC<VALUE, with <, <=, > or >=", 0, 0, 0},
        /* 13 */ {"<5", "write METRIC<VALUE, with <, <=, > or >=", 0, 0, 0},
        /* 14 */ {"rtt_p99<", "the value must be a number, or a number and ms", 0, 0, 0},
        /* 15 */ {"rtt_p99<5px", "the value must be a number, or a number and ms", 0, 0, 0},
        /* 16 */ {"rtt_p99<5mss", "the value must be a number, or a number and ms", 0, 0, 0},
        /* 17 */ {"rtt_p99<nan", "the value must be a number, or a number and ms", 0, 0, 0},
        /* 18 */ {"desyncs<inf", "the value must be a number", 0, 0, 0},
        /* 19 */ {"rtt_p99=5", "write METRIC<VALUE, with <, <=, > or >=", 0, 0, 0},
        /* 20 */ {"", "write METRIC<VALUE, with <, <=, > or >=", 0, 0, 0},
        /* 21 */ {"_p99<5", "there is no such metric, --help lists them", 0, 0, 0},
        /* 22 */ {long_name, "write METRIC<VALUE, with <, <=, > or >=", 0, 0, 0},
        /* 23 */ {long_name + 1, "there is no such metric, --help lists them", 0, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct threshold threshold = {0};
        struct error error = {0};
        char expected[256];
        bool good = metric_threshold_read(&threshold, rows[i].text, &error);
        snprintf(expected, sizeof expected, "threshold '%s': %s", rows[i].text, rows[i].complaint);
        if (good != !rows[i].complaint || (!good && strcmp(error.text, expected) != 0))
            fail_msg("row %zu: '%s': %s", i + 1, rows[i].text, error.text);
        if (good && (threshold.limit != rows[i].limit || threshold.upper != rows[i].upper ||
                     threshold.or_equal != rows[i].or_equal || threshold.text != rows[i].text))
            fail_msg("row %zu: '%s' was read as another one", i + 1, rows[i].text);
    }
}

static bool holds(const char *text)
{
    struct threshold threshold;
    struct error error;
    if (!metric_threshold_read(&threshold, text, &error))
        fail_msg("%s", error.text);
    return metric_threshold_holds(&threshold, &measurement);
}

TEST(each_comparison_is_right_below_at_and_above_the_limit)
{
    static const struct {
        const char *sign;
        bool below, at, above;
    } rows[] = {
        {"<", true, false, false}, {"<=", true, true, false}, {">", false, false, true}, {">=", false, true, true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool expected[] = {rows[i].below, rows[i].at, rows[i].above};
        for (uint64_t k = 0; k < 3; k++) {
            char number[40], distribution[40];
            begin();
            measurement.sample.desyncs = 2 + k;
            histogram_add(&measurement.sample.rtt_us, 19000 + 1000 * k);
            snprintf(number, sizeof number, "desyncs%s3", rows[i].sign);
            snprintf(distribution, sizeof distribution, "rtt_p50%s20ms", rows[i].sign);
            if (holds(number) != expected[k] || holds(distribution) != expected[k])
                fail_msg("%s, %llu", rows[i].sign, (unsigned long long)k);
        }
    }
}

TEST(a_threshold_uses_its_own_quantile)
{
    measured_fill(&measurement);
    assert_true(holds("rtt_p50<=19.199ms") && holds("rtt_p50>=19.199ms"));
    assert_true(holds("rtt_p99<=153.599ms") && holds("rtt_p99>=153.599ms"));
    assert_true(holds("rtt_max<=614.399ms") && holds("rtt_max>=614.399ms"));
}

TEST(without_an_outage_every_upper_limit_of_one_holds)
{
    assert_true(holds("outage_max<300ms") && holds("recover_p99<1ms") && holds("outages<1") && holds("reconnects<1"));
    assert_false(holds("outage_max>0ms"));
}

TEST(a_threshold_without_a_sample_never_holds)
{
    static const char *const rows[] = {"rtt_p99<50ms", "rtt_max>=0", "snapshots_per_s<59", "snapshots_lost_pct<1",
                                       "corrections_per_min<=0"};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (holds(rows[i]))
            fail_msg("row %zu: %s", i + 1, rows[i]);
}
