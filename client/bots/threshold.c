// SPDX-License-Identifier: MIT
#include "threshold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads "50", "50ms" or "50 ms" for a metric in ms.
static bool read_limit(const char *text, const char *unit, double *limit)
{
    char *rest;
    *limit = strtod(text, &rest);
    if (rest == text || !isfinite(*limit))
        return false;
    rest += strspn(rest, " ");
    return *rest == 0 || strcmp(rest, unit) == 0;
}

bool threshold_read(struct threshold *threshold, const char *text, struct error *error)
{
    char name[64];
    size_t length = strcspn(text, " <>");
    const char *sign = text + length + strspn(text + length, " ");
    if (length == 0 || length >= sizeof name || (*sign != '<' && *sign != '>'))
        return error_set(error, "threshold '%s': write METRIC<VALUE, with <, <=, > or >=", text);
    memcpy(name, text, length);
    name[length] = 0;
    *threshold = (struct threshold){.text = text, .upper = *sign == '<', .or_equal = sign[1] == '='};
    if (!metric_find(name, &threshold->metric, &threshold->quantile)) {
        const char *remedy = threshold->metric && threshold->metric->distribution
                                 ? "say which value of it: _p50, _p90, _p95, _p99, _p99.9 or _max"
                             : threshold->metric ? "that one is a plain number"
                                                 : "there is no such metric, --help lists them";
        return error_set(error, "threshold '%s': %s", text, remedy);
    }
    if (!read_limit(sign + 1 + threshold->or_equal, threshold->metric->unit, &threshold->limit))
        return error_set(error, "threshold '%s': the value must be a number%s%s", text,
                         *threshold->metric->unit ? ", or a number and " : "", threshold->metric->unit);
    return true;
}

bool threshold_holds(const struct threshold *threshold, const struct measurement *measurement)
{
    double value = metric_value(threshold->metric, threshold->quantile, measurement);
    if (threshold->or_equal && value == threshold->limit)
        return true;
    return threshold->upper ? value < threshold->limit : value > threshold->limit;
}
