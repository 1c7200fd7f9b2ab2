// SPDX-License-Identifier: MIT
#include "seat_key.h"

#include <string.h>

bool seat_key_equal(const struct seat_key *a, const struct seat_key *b)
{
    return a->local == b->local && memcmp(a->identity, b->identity, sizeof a->identity) == 0;
}
