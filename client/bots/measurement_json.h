// SPDX-License-Identifier: MIT
//
// A measurement as JSON: every metric by its name, and besides the counts and the buckets that they are computed from,
// so that reports of several processes can be merged without a loss. A bucket is a pair of the largest value that it
// holds and its count; `scale` makes the metric's unit of such a value.
#ifndef BOTS_MEASUREMENT_JSON_H
#define BOTS_MEASUREMENT_JSON_H

#include <jansson.h>

#include "metric.h"

/// Returns a number with four decimals, which are enough for every unit; null for NAN.
json_t *measurement_json_number(double value);
/// Returns a measurement as an object.
json_t *measurement_json_write(const struct measurement *measurement);
/// Reads what measurement_json_write() has written. False if anything of it is missing or wrong.
bool measurement_json_read(struct measurement *measurement, const json_t *object);

#endif
