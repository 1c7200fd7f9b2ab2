// SPDX-License-Identifier: MIT
#include "records_own.h"

bool records_own_ask(struct records_own *own, const struct seat_key *key)
{
    if (own->asked_put - own->asked_got == RECORDS_ASKED_CAPACITY)
        return false;
    own->asked[own->asked_put++ % RECORDS_ASKED_CAPACITY] = *key;
    return true;
}

bool records_own_take_asked(struct records_own *own, struct seat_key *key)
{
    if (own->asked_put == own->asked_got)
        return false;
    *key = own->asked[own->asked_got++ % RECORDS_ASKED_CAPACITY];
    return true;
}

void records_own_put_found(struct records_own *own, const struct records_player *player)
{
    if (own->found_put - own->found_got == RECORDS_FOUND_CAPACITY)
        own->found_got++;
    own->found[own->found_put++ % RECORDS_FOUND_CAPACITY] = *player;
}

bool records_own_take_found(struct records_own *own, struct records_player *player)
{
    if (own->found_put == own->found_got)
        return false;
    *player = own->found[own->found_got++ % RECORDS_FOUND_CAPACITY];
    return true;
}
