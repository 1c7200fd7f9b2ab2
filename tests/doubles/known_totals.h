// SPDX-License-Identifier: MIT
//
// The totals of a transport in which every figure is another one, to find each of them in what is printed.
#ifndef TESTS_KNOWN_TOTALS_H
#define TESTS_KNOWN_TOTALS_H

#include "net/transport.h"

/// Fills the totals, in place of a transport's own function.
void known_totals(const struct transport *transport, struct net_totals *totals);

#endif
